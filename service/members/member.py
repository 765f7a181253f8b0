"""The program as one person may use it: every door checks what their roles allow and whose it is.

Pages get a `Member` and nothing else, so that what a page forgets to check cannot be done.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Generic, TypeVar, overload

from core.errors import Forbidden
from core.profile import Profile
from domain.accounts import Identity, Permission
from domain.audit import AuditAction
from law.corpus_store import CorpusStore
from law.document_store import DocumentStore
from law.norm_names import NormCatalogue
from loading.ingestion.intake import NO_WORDINGS, Wordings
from loading.ingestion.load_request import NO_DETAILS, Details, Staged, UploadRequest
from loading.ingestion.preview_run import Reading
from loading.ingestion.stale_ties import StaleTie
from loading.records.jobs import Job
from masking.vault import Masked
from rag.shared.state import Services
from rag.tools.tool_contract import Toolbox
from service.accounts.sign_in import ENDED
from service.members.alerts import OwnNews, OwnWatches
from service.members.asking import Asking
from service.members.calculating import OwnCalculations
from service.members.corrections import OwnCorrections, OwnJobs
from service.members.document_tables import OwnDocumentTables
from service.members.facts import OwnFacts
from service.members.law import OwnLaw
from service.members.matters import OwnMatters, OwnPapers
from service.members.opinions import OwnLetterheads, OwnOpinions
from service.members.own import (
    AccountsAdmin,
    Own,
    OwnAccount,
    OwnAudit,
    OwnConversations,
    OwnEvaluations,
    OwnModelProbe,
    OwnPreferences,
    OwnRuns,
    OwnVotes,
)
from service.members.reviews import OwnReviews
from service.members.templates import OwnTemplates
from service.members.terms import OwnTerms
from service.program.background import BackgroundStatus
from service.program.loading import Loading
from service.program.search_aids import AidsStatus

if TYPE_CHECKING:
    from service.program.assembly import App

Kind = TypeVar("Kind", bound=Own)
EARLIER = 20
"""Messages before a question that are read for the names in it."""
FORBIDDEN = "Su cuenta no tiene permiso para esto; pídalo a quien administre Articulado."
MUST_CHANGE = "Antes de seguir, cambie la contraseña que le han dado."


class SessionEnded(Forbidden):
    """The session of this person has ended."""


class Part(Generic[Kind]):
    """A part of the program as the person of a `Member` may use it; on the class itself, that of the part."""

    def __init__(self, kind: type[Kind]) -> None:
        self._kind = kind

    def __set_name__(self, _: type[Member], name: str) -> None:
        self._name = name

    @overload
    def __get__(self, member: None, _: type[Member]) -> type[Kind]: ...
    @overload
    def __get__(self, member: Member, _: type[Member]) -> Kind: ...
    def __get__(self, member: Member | None, _: type[Member]) -> type[Kind] | Kind:
        if member is None:
            return self._kind
        made: Kind = vars(member).setdefault(self._name, self._kind(*member._person))
        return made


class Member:
    """One person's view of `service.program.assembly.App`.

    Pages keep it in what their buttons call, so each use asks `identify` who that is by now: a session that
    was revoked, or a role that was taken away, counts at once.

    Raises (all attributes and methods but those about the program itself): Forbidden. What is handed out as
    one's own (conversations, runs, reviews…) asks at each of its methods, not before.
    """

    conversations = Part(OwnConversations)
    runs = Part(OwnRuns)
    asking = Part(Asking)
    law = Part(OwnLaw)
    matters = Part(OwnMatters)
    papers = Part(OwnPapers)
    watches = Part(OwnWatches)
    news = Part(OwnNews)
    document_tables = Part(OwnDocumentTables)
    terms = Part(OwnTerms)
    facts = Part(OwnFacts)
    calculations = Part(OwnCalculations)
    opinions = Part(OwnOpinions)
    letterheads = Part(OwnLetterheads)
    templates = Part(OwnTemplates)
    feedback = Part(OwnVotes)
    reviews = Part(OwnReviews)
    evaluations = Part(OwnEvaluations)
    account = Part(OwnAccount)
    preferences = Part(OwnPreferences)
    accounts = Part(AccountsAdmin)
    jobs = Part(OwnJobs)
    corrections = Part(OwnCorrections)
    audit = Part(OwnAudit)
    model_probe = Part(OwnModelProbe)

    def __init__(
        self,
        program: App,
        identity: Identity,
        identify: Callable[[], Identity | None] | None = None,
        door: str = "",
    ) -> None:
        """Wire it; `door` is where the person came in, as the audit log names it, if not by the page."""
        self._program = program
        self.identity = identity
        self._identify = identify or (lambda: identity)
        self._trail = program.audit.by(identity, door)
        self._person = (self._allow, identity, self._trail)

    def may(self, permission: Permission) -> bool:
        """True if the page should show it; each method checks again before it acts."""
        return self.identity.may(permission)

    def require(self, permission: Permission) -> None:
        """Raises Forbidden: the person may not."""
        self._allow(permission)

    def _allow(self, permission: Permission) -> App:
        now = self._identify()
        if now is None or now.id != self.identity.id:
            raise SessionEnded(ENDED)
        if now.must_change:
            raise Forbidden(MUST_CHANGE)
        if not now.may(permission):
            self._trail.refused(permission.value)
            raise Forbidden(FORBIDDEN)
        return self._program

    @property
    def mode(self) -> str:
        return self._program.models.mode

    @property
    def notices(self) -> tuple[str, ...]:
        return self._program.notices

    @property
    def preparing(self) -> bool:
        """True while the demo corpus is being loaded."""
        return self._program.demo.under_way

    @property
    def profile(self) -> Profile:
        return self._program.settings

    def models(self) -> dict[str, str]:
        return self._program.models.names()

    @property
    def sends_out(self) -> bool:
        """True if the endpoint of a model is not on this machine."""
        return self._program.sends_out

    def leaving(self, question: str, conversation_id: str | None) -> Masked:
        """The question as it would leave from a conversation of one's own or, with None, from a new one."""
        program = self._allow(Permission.ASK)
        earlier = self.conversations.messages(conversation_id, EARLIER) if conversation_id else []
        return program.leaving(question, [message.text for message in earlier])

    @property
    def corpus(self) -> CorpusStore:
        return self._allow(Permission.READ).database.corpus

    @property
    def documents(self) -> DocumentStore:
        return self._allow(Permission.READ).database.documents

    def catalogue(self) -> NormCatalogue:
        return self._allow(Permission.READ).holdings.catalogue()

    @property
    def shared(self) -> bool:
        """True if people have accounts here; False in the personal mode."""
        return self._program.accounts.mode != "personal"

    def names(self) -> Mapping[str, str]:
        """Account id to the name that its person is shown by."""
        return self._allow(Permission.READ).accounts.names()

    @property
    def services(self) -> Services:
        program = self._allow(Permission.INSPECT)
        self._trail.once(AuditAction.SEARCHED, "inspector")
        return program.services

    @property
    def toolbox(self) -> Toolbox:
        program = self._allow(Permission.INSPECT)
        self._trail.once(AuditAction.SEARCHED, "inspector")
        return program.toolbox

    @property
    def background(self) -> BackgroundStatus:
        return self._allow(Permission.READ).background.status

    def stale_ties(self, day: date) -> list[StaleTie]:
        return self._allow(Permission.LOAD).holdings.stale_ties(day)

    def upload(self, request: UploadRequest) -> Job:
        program = self._allow(Permission.LOAD)
        told = self._announce(collection=request.collection, files=len(request.files))
        return program.loading.upload(request, self.identity.id, told)

    def preview(self, request: UploadRequest) -> Reading:
        """Begin to read files for their preview."""
        loading, owner = self._allow(Permission.LOAD).loading, self.identity.id
        return Reading(lambda tell: loading.preview(request, owner, tell), loading.discard)

    def load(
        self,
        staged: Staged,
        wordings: Wordings = NO_WORDINGS,
        details: Details = NO_DETAILS,
        *,
        enrich: bool = True,
    ) -> Job:
        """Queue one's own preview; see `Loading.load`."""
        loading, payload = self._previewed(staged), staged.payload
        told = self._announce(collection=payload.collection, files=len(payload.files))
        return loading.load(staged, told, wordings, details, enrich=enrich)

    def discard_staged(self, staged: Staged) -> None:
        """Drop one's own preview."""
        self._previewed(staged).discard(staged)

    def _previewed(self, staged: Staged) -> Loading:
        program = self._allow(Permission.LOAD)
        if staged.owner != self.identity.id:
            self._trail.refused(Permission.LOAD.value)
            raise Forbidden(FORBIDDEN)
        return program.loading

    def boe_add(self, ids: Sequence[str]) -> Job:
        told = self._announce(source="boe", norms=len(ids))
        return self._allow(Permission.LOAD).loading.boe_add(ids, self.identity.id, told)

    def boe_update(self, ids: Sequence[str] = ()) -> Job:
        told = self._announce(source="boe", norms=len(ids) or "all")
        return self._allow(Permission.LOAD).loading.boe_update(ids, self.identity.id, told)

    @property
    def writes_aids(self) -> bool:
        """True if a model writes search aids after each load."""
        return self._program.aids.follow_loads

    def aids_status(self, norm_id: str) -> AidsStatus:
        """The search aids of a norm; see `SearchAids.status`."""
        return self._allow(Permission.LOAD).aids.status(norm_id)

    def enrich(self, norm_id: str) -> Job:
        told = self._announce(what="aids", norms=norm_id)
        return self._allow(Permission.LOAD).loading.enrich([norm_id], self.identity.id, told)

    def exported(self, what: str, target: object = "") -> None:
        """To be called when something is taken out of the program: an answer, a trace, a set of cases."""
        self._allow(Permission.ASK)
        self._trail.once(AuditAction.EXPORTED, target, what=what)

    def _announce(self, **detail: object) -> Callable[[str], object]:
        """Records a load under the job that is about to be queued for it."""
        return lambda job_id: self._trail.record(AuditAction.LOADED, job_id, **detail)
