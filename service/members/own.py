"""Parts of the program with their owner filled in: no caller can name another person's.

A door is declared once, with the entry that it leaves in the audit log; its class names the permission that
it needs. Each call asks for the part again, which is when session and permission are checked: what a page
drawn an hour ago still holds is worth nothing once they are gone.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial, wraps
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from core.progress import OnProgress
from domain.accounts import Account, Identity, LoginSession, Permission
from domain.audit import AuditAction, AuditCheck, AuditEntry
from domain.tokens import ApiToken
from models.metering import metering
from rag.evaluation.cases import Dataset
from rag.evaluation.evaluation_runner import EvaluationRunner, Progress
from rag.evaluation.results import Aids
from rag.run.runs import RunRegistry
from service.accounts.accounts import Accounts
from service.accounts.sessions import Sessions
from service.accounts.tokens import Tokens
from service.contract.evaluations import EvaluateRequest, Report, followed, measure
from service.oversight.announced import announced
from service.oversight.audit import Trail, check, pages
from service.oversight.audit_view import MOST, csv_text
from service.oversight.usage import UsageReports
from service.program.model_probe import ModelProbe
from storage.chat.conversations import SqlConversationStore
from storage.chat.feedback import SqlFeedbackStore
from storage.evaluations import SqlEvaluationStore
from storage.people.audit import SqlAuditLog
from storage.people.preferences import SqlPreferenceStore

if TYPE_CHECKING:
    from service.program.assembly import App

COSTLY, TELL = "costly", "tell"
"""Mark of such a door; the parameter of long work, to which it tells its progress."""
P = ParamSpec("P")
R = TypeVar("R")


class Own:
    """A part of the program as one person may use it. Raises (all methods): Forbidden.

    Attributes:
        permission: asked for at every call.
        part: path of attributes from the program to what the doors open.
    """

    permission = Permission.ASK
    part: str

    def __init__(self, allow: Callable[[Permission], App], identity: Identity, trail: Trail) -> None:
        """Wire it; `allow` gives the program, or raises Forbidden."""
        self._allow = allow
        self._identity = identity
        self._trail = trail

    def _program(self) -> App:
        return self._allow(self.permission)


def own(
    method: Callable[Concatenate[Any, str, P], R],
    action: AuditAction | None = None,
    told: Callable[P, dict[str, str]] | None = None,
    *,
    part: str = "",
    target: str | None = None,
    then: str = "",
    **detail: str,
) -> Callable[Concatenate[Own, P], R]:
    """Door to a method whose first argument is the owner's id; see `_door`."""
    tells = told or (lambda *_args, **_more: detail)
    return _door(method, lambda who: (who.id,), action, tells, part=part, target=target, then=then)


def acting(
    method: Callable[Concatenate[Any, Identity, P], R], part: str = ""
) -> Callable[Concatenate[Own, P], R]:
    """Door to a method whose first argument is the person who acts, and which writes to the log itself."""
    return _door(method, lambda who: (who,), part=part)


def shared(
    method: Callable[Concatenate[Any, P], R],
    action: AuditAction | None = None,
    *,
    part: str = "",
    target: str | None = None,
    **detail: str,
) -> Callable[Concatenate[Own, P], R]:
    """Door to a method of something that all who have the permission share; see `_door`."""
    return _door(method, lambda _who: (), action, lambda *_args, **_more: detail, part=part, target=target)


def made_by(
    function: Callable[Concatenate[Any, P], R], searched: str = ""
) -> Callable[Concatenate[Own, P], R]:
    """Door to a function of the program; that something was `searched` is recorded once in a while."""

    @wraps(function)
    def door(self: Own, /, *args: P.args, **more: P.kwargs) -> R:
        program = self._program()
        if searched:
            self._trail.once(AuditAction.SEARCHED, searched)
        return function(program, *args, **more)

    return door


def _door(
    method: Callable[..., R],
    given: Callable[[Identity], tuple[Any, ...]],
    action: AuditAction | None = None,
    told: Callable[..., dict[str, str]] = dict,
    *,
    part: str,
    target: str | None = None,
    then: str = "",
) -> Callable[..., R]:
    """A method that calls `method` of the part, with arguments `given` for the person before its own.

    With an `action`, `target` or else its first argument, by position, is the target in the audit log, and
    `told` makes the detail of all: a look (READ) is recorded once in a while after it, anything else before.

    Args:
        part: in the place of that of the class.
        then: path of a method of the program that is called afterwards.
    """

    @wraps(method)
    def door(self: Own, *args: Any, **more: Any) -> R:
        program = self._program()
        opened = attrgetter(f"{part or self.part}.{method.__name__}")(program)
        act: Callable[[], R] = partial(opened, *given(self._identity), *args, **more)
        if action is None:
            return act()
        of, detail = args[0] if target is None else target, told(*args, **more)
        if action is AuditAction.READ:
            found = act()
            self._trail.once(action, of, **detail)
            return found
        with self._trail.doing(action, of, **detail):
            found = act()
        if then:
            attrgetter(then)(program)()
        return found

    return door


def costly(
    method: Callable[Concatenate[Any, P], R],
) -> Callable[Concatenate[Own, P], R]:
    """Door to work that costs: it waits for a turn of the person, and is told `tell` if it takes that."""
    tells = TELL in inspect.signature(method).parameters

    @wraps(method)
    def door(self: Own, /, *args: P.args, **more: P.kwargs) -> R:
        tell: Any = more.get(TELL) if tells else more.pop(TELL, None)
        with self._program().costly.turn(self._identity.id, tell):
            return method(self, *args, **more)

    door.__dict__[COSTLY] = True
    return door


class OwnConversations(Own):
    """A person's own conversations; see `SqlConversationStore`."""

    part = "database.conversations"
    create = own(SqlConversationStore.create)
    conversations = own(SqlConversationStore.conversations)
    conversation = own(SqlConversationStore.conversation)
    listed = own(SqlConversationStore.listed)
    count = own(SqlConversationStore.count)
    search = own(SqlConversationStore.search)
    pin = own(SqlConversationStore.pin, AuditAction.CHANGED, what="pin")
    archive = own(SqlConversationStore.archive, AuditAction.CHANGED, what="archive")
    rename = own(SqlConversationStore.rename, AuditAction.CHANGED, what="title")
    choose = own(SqlConversationStore.choose, AuditAction.CHANGED, what="version")
    messages = own(SqlConversationStore.messages)
    exchange = own(SqlConversationStore.exchange)
    history = own(SqlConversationStore.history)
    trace = own(SqlConversationStore.trace)
    delete = own(SqlConversationStore.delete, AuditAction.DELETED, what="conversation", then="papers.tidy")


class OwnRuns(Own):
    """A person's own answers in progress; see `RunRegistry`."""

    part = "runs"
    start = own(
        RunRegistry.start,
        AuditAction.ASKED,
        lambda *_, agent=False, replaces=None, **_more: {
            "agent": "yes" if agent else "",
            "replaces": str(replaces or ""),
        },
    )
    stop = own(RunRegistry.stop)
    active = own(RunRegistry.active)
    of = own(RunRegistry.of)


class OwnVotes(Own):
    """A person's votes on their own answers; see `SqlFeedbackStore`."""

    part = "database.feedback"
    feedback = own(SqlFeedbackStore.feedback)
    votes = own(SqlFeedbackStore.votes)
    vote = own(
        SqlFeedbackStore.vote, AuditAction.VOTED, lambda message_id, vote, *_, **_more: {"vote": vote.value}
    )
    withdraw = own(SqlFeedbackStore.withdraw, AuditAction.VOTED, vote="none")


class OwnEvaluations(Own):
    """Evaluations: every reviewer sees all of them, each is recorded as started by one."""

    permission, part = Permission.EVALUATE, "evaluations"
    datasets = shared(EvaluationRunner.datasets)
    cancel = shared(EvaluationRunner.cancel, AuditAction.CHANGED, what="cancelled")
    evaluations = shared(EvaluationRunner.evaluations)
    count = shared(SqlEvaluationStore.count, part="evaluations.store")
    evaluation = shared(SqlEvaluationStore.evaluation, part="evaluations.store")
    results = shared(SqlEvaluationStore.results, part="evaluations.store")
    case_trace = shared(SqlEvaluationStore.case_trace, part="evaluations.store")
    remove = shared(
        SqlEvaluationStore.remove, AuditAction.DELETED, part="evaluations.store", what="evaluation"
    )

    @property
    def active(self) -> Progress | None:
        return self._program().evaluations.active

    def report(self, request: EvaluateRequest, tell: OnProgress) -> Report:
        """The figures of the cases, kept if that is asked for."""
        measured = self.keep if request.save else self.measure
        return measured(request.dataset, request.aids, tell)

    def measure(self, dataset: Dataset, aids: Aids, tell: OnProgress) -> Report:
        """See `service.contract.evaluations.measure`."""
        program = self._program()
        with (
            self._trail.doing(AuditAction.EVALUATED, dataset.name, cases=len(dataset.cases), aids=aids.value),
            metering(self._identity.id, program.usage.spend),
        ):
            return measure(program, dataset, aids, tell)

    def keep(self, dataset: Dataset, aids: Aids, tell: OnProgress) -> Report:
        """See `service.contract.evaluations.followed`."""
        current = self.start(dataset, aids)
        return followed(self._program().evaluations, current, tell)

    def start(self, dataset: Dataset, aids: Aids = Aids.ALL) -> Progress:
        runner = self._program().evaluations
        detail = {"cases": len(dataset.cases), "aids": aids.value}
        with self._trail.doing(AuditAction.EVALUATED, dataset.name, **detail):
            return runner.start(self._identity.id, dataset, aids)


class OwnAccount(Own):
    """Sessions, API tokens and data of the person who asks; see `Sessions`, `Tokens` and `PersonalData`."""

    part = "accounts.sessions"
    sessions = own(Sessions.of)
    revoke = acting(Sessions.revoke)
    revoke_others = acting(Sessions.revoke_others)
    tokens = own(Tokens.of, part="accounts.tokens")
    make_token = acting(Tokens.create, part="accounts.tokens")
    revoke_token = acting(Tokens.revoke, part="accounts.tokens")
    take_notice = acting(Accounts.take_notice, part="accounts")

    @property
    def has_password(self) -> bool:
        """True if people sign in with a password kept by this program."""
        return self._program().accounts.mode == "local"

    def announced(self) -> list[AuditEntry]:
        """Announcements to all that the person has not dismissed; none in the personal mode."""
        program = self._program()
        if program.accounts.mode == "personal":
            return []
        return announced(program.audit.log, program.accounts.own(self._identity))

    def export(self) -> bytes:
        """A ZIP of what is kept of them."""
        return self._program().privacy.export(self._identity.id, self._identity.id)


class OwnPreferences(Own):
    """Preferences of the person; the log names what was changed, not what it was changed to."""

    part = "database.preferences"
    read = own(SqlPreferenceStore.read)
    change = own(
        SqlPreferenceStore.change,
        AuditAction.CHANGED,
        lambda **changes: {"what": "preferences", "fields": ", ".join(sorted(changes))},
        target="",
    )


class OwnAudit(Own):
    """The audit log and the use of models. Reading and exporting the log are logged too."""

    permission, part = Permission.AUDIT, "usage"
    entries = shared(SqlAuditLog.entries, AuditAction.READ, part="audit.log", target="audit")
    usage = shared(UsageReports.report)
    prices = shared(UsageReports.prices)

    def verify(self) -> AuditCheck:
        return check(self._program().audit.log)

    def csv(self, **where: Any) -> tuple[bytes, bool]:
        """The latest entries, and whether there are more than those."""
        log = self._program().audit.log
        self._trail.record(AuditAction.EXPORTED, "audit")
        found: list[AuditEntry] = []
        for page in pages(log.entries, **where):
            found += page
            if len(found) > MOST:
                break
        return csv_text(found[:MOST]).encode("utf-8-sig"), len(found) > MOST


class OwnModelProbe(Own):
    """The trial of the models' endpoints; see `ModelProbe`."""

    permission, part = Permission.AUDIT, "model_probe"
    sends = shared(ModelProbe.sends)
    start = own(ModelProbe.start, AuditAction.EVALUATED, target="models")


class AccountsAdmin(Own):
    """All accounts; see `Accounts`. Each act is recorded under the person who asks."""

    permission, part = Permission.ACCOUNTS, "accounts"
    accounts = acting(Accounts.accounts)
    add = acting(Accounts.add)
    change = acting(Accounts.change)
    reset_password = acting(Accounts.reset_password)
    revoke_all = acting(Accounts.revoke_all)
    remove = acting(Accounts.remove)

    def sessions(self, account: Account) -> list[LoginSession]:
        """The latest seen first."""
        return self._program().accounts.sessions.of(account.id)

    def tokens(self, account: Account) -> list[ApiToken]:
        """The live ones, the latest made first."""
        return self._program().accounts.tokens.of(account.id)
