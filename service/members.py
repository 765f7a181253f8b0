"""The program as one person may use it: every door checks what their roles allow and whose it is.

Pages get a `Member` and nothing else, so that what a page forgets to check cannot be done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rag.accounts_types import Identity, Permission
from rag.errors import Forbidden
from rag.evaluation.background import EvaluationRunner
from rag.ingestion.preview import Preview
from rag.ingestion.uploads import Upload
from rag.job_ports import DocumentStore
from rag.jobs_types import DeletionReport, Job
from rag.ports import CorpusStore
from rag.profile import Profile
from rag.references import NormCatalogue
from rag.services import Services
from rag.tools import Toolbox
from rag.types import Norm
from service.administration import BackgroundStatus
from service.own import OwnConversations, OwnEvaluations, OwnReviews, OwnRuns, OwnVotes

if TYPE_CHECKING:
    from bootstrap import App

FORBIDDEN = "Su cuenta no tiene permiso para esto; pídalo a quien administre Articulado."


class Member:
    """One person's view of `bootstrap.App`.

    Raises (all attributes and methods but those about the program itself): Forbidden.
    """

    def __init__(self, program: App, identity: Identity) -> None:
        self._program = program
        self.identity = identity

    def may(self, permission: Permission) -> bool:
        return self.identity.may(permission)

    def _allow(self, permission: Permission) -> App:
        if not self.may(permission):
            raise Forbidden(FORBIDDEN)
        return self._program

    @property
    def mode(self) -> str:
        return self._program.mode

    @property
    def notices(self) -> tuple[str, ...]:
        return self._program.notices

    @property
    def has_embedder(self) -> bool:
        return self._program.embedder is not None

    @property
    def profile(self) -> Profile:
        return self._program.settings

    def models(self) -> dict[str, str]:
        return self._program.models()

    @property
    def corpus(self) -> CorpusStore:
        return self._allow(Permission.READ).corpus

    @property
    def documents(self) -> DocumentStore:
        return self._allow(Permission.READ).documents

    def catalogue(self) -> NormCatalogue:
        return self._allow(Permission.READ).catalogue()

    @property
    def conversations(self) -> OwnConversations:
        return OwnConversations(self._allow(Permission.ASK).conversations, self.identity.id)

    @property
    def runs(self) -> OwnRuns:
        return OwnRuns(self._allow(Permission.ASK).runs, self.identity.id)

    @property
    def feedback(self) -> OwnVotes:
        return OwnVotes(self._allow(Permission.ASK).feedback, self.identity.id)

    @property
    def reviews(self) -> OwnReviews:
        return OwnReviews(self._allow(Permission.REVIEW).reviews, self.identity.id)

    @property
    def evaluations(self) -> OwnEvaluations:
        runner: EvaluationRunner = self._allow(Permission.EVALUATE).evaluations
        return OwnEvaluations(runner, self.identity.id)

    @property
    def services(self) -> Services:
        return self._allow(Permission.INSPECT).services

    @property
    def toolbox(self) -> Toolbox:
        return self._allow(Permission.INSPECT).toolbox

    @property
    def background(self) -> BackgroundStatus:
        return self._allow(Permission.READ).background

    def jobs(self, limit: int = 50) -> list[Job]:
        return self._allow(Permission.LOAD).jobs.jobs(limit)

    def cancel_job(self, job_id: str) -> None:
        self._allow(Permission.LOAD).jobs.cancel(job_id)

    def retry_job(self, job_id: str) -> None:
        self._allow(Permission.LOAD).jobs.retry(job_id)

    def discard_job(self, job_id: str) -> None:
        self._allow(Permission.LOAD).discard_job(job_id)

    def preview_upload(
        self,
        files: Sequence[Upload],
        collection: str = "normativa",
        metadata: Mapping[str, str] | None = None,
        *,
        merge: bool = False,
    ) -> list[tuple[str, Preview | str]]:
        return self._allow(Permission.LOAD).preview_upload(files, collection, metadata, merge=merge)

    def upload(
        self,
        files: Sequence[Upload],
        collection: str = "normativa",
        metadata: Mapping[str, str] | None = None,
        *,
        merge: bool = False,
    ) -> Job:
        return self._allow(Permission.LOAD).upload(files, collection, self.identity.id, metadata, merge=merge)

    def preview_paste(
        self, text: str, metadata: Mapping[str, str], collection: str = "normativa", *, merge: bool = False
    ) -> list[tuple[str, Preview | str]]:
        return self._allow(Permission.LOAD).preview_paste(text, metadata, collection, merge=merge)

    def paste(
        self, text: str, metadata: Mapping[str, str], collection: str = "normativa", *, merge: bool = False
    ) -> Job:
        return self._allow(Permission.LOAD).paste(text, metadata, collection, self.identity.id, merge=merge)

    def boe_add(self, ids: Sequence[str]) -> Job:
        return self._allow(Permission.LOAD).boe_add(ids, self.identity.id)

    def boe_update(self, ids: Sequence[str] = ()) -> Job:
        return self._allow(Permission.LOAD).boe_update(ids, self.identity.id)

    def delete_document(self, norm_id: str) -> DeletionReport:
        return self._allow(Permission.LOAD).delete_document(norm_id, self.identity.id)

    def edit_metadata(self, norm_id: str, changes: Mapping[str, str]) -> Norm:
        return self._allow(Permission.LOAD).edit_metadata(norm_id, changes, self.identity.id)
