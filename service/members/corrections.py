"""Jobs and corrections of the corpus, as a person who may load has them."""

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack

from core.errors import InputError
from core.progress import OnProgress
from domain.accounts import Permission
from domain.audit import AuditAction
from law.document_records import DeletionReport
from loading.indexing.index_sync import IndexReport
from rag.evaluation.trial import Trial, try_question
from service.members.own import Own, own, shared
from service.program.corrections import Corrections
from storage.corpus.jobs import SqlJobStore


class OwnJobs(Own):
    """Jobs of all who load; see `SqlJobStore`."""

    permission, part = Permission.LOAD, "database.jobs"
    jobs = shared(SqlJobStore.jobs)
    count = shared(SqlJobStore.count)
    undoable = shared(SqlJobStore.undoable)
    changes = shared(SqlJobStore.changes)
    cancel = shared(SqlJobStore.cancel, AuditAction.CHANGED, what="cancelled")
    retry = shared(SqlJobStore.retry, AuditAction.LOADED, what="retried")

    def reindex(self, tell: OnProgress) -> IndexReport:
        """Rebuild the index from the database."""
        program = self._program()
        with self._trail.doing(AuditAction.CHANGED, what="index"):
            return program.keeper.reindex(on_progress=tell)

    def try_question(self, job_id: str, question: str) -> Trial:
        """Search for a question as an answer would, and tell where the norms of a job rank.

        Raises:
            NotFound: there is no such job.
            InputError: the question is empty.
        """
        program = self._program()
        if not question.strip():
            raise InputError("Escriba una pregunta.")
        self._trail.once(AuditAction.SEARCHED, job_id)
        loaded = program.database.jobs.job(job_id).norm_ids
        return asyncio.run(try_question(question.strip(), program.services, loaded))


class OwnCorrections(Own):
    """Corrections under the name of the person; see `Corrections`."""

    permission, part = Permission.LOAD, "corrections"
    delete = own(Corrections.delete, AuditAction.DELETED, what="norm")

    def delete_all(self, norm_ids: Sequence[str]) -> list[DeletionReport]:
        """As `Corrections.delete_all`, with an entry of the log for each norm."""
        program = self._program()
        with ExitStack() as entries:
            for norm_id in norm_ids:
                entries.enter_context(self._trail.doing(AuditAction.DELETED, norm_id, what="norm"))
            return program.corrections.delete_all(self._identity.id, norm_ids)

    edit = own(
        Corrections.edit, AuditAction.CHANGED, lambda norm_id, changes: {"fields": ", ".join(sorted(changes))}
    )
    undo = own(Corrections.undo, AuditAction.CHANGED, what="undone")
    remove_aids = own(Corrections.remove_aids, AuditAction.CHANGED, what="aids")
    discard_job = shared(Corrections.discard_job, AuditAction.DELETED, what="job")
