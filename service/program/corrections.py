"""Corrections of what is stored: norms deleted or edited, loads undone, search aids taken off."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.errors import IndexHeld, InputError
from core.profile import Profile
from index.vector_index import VectorCache
from law.document_records import DeletionReport
from law.norms import Norm
from loading.enrichment import kept_outputs
from loading.indexing.index_keeper import IndexKeeper
from loading.ingestion import remove
from loading.ingestion.intake import Intake
from loading.ingestion.loaded_norms import LoadedNorms
from loading.ingestion.metadata_corrections import COLLECTION
from loading.ingestion.originals import holding
from loading.ingestion.undo import check, restore
from loading.ingestion.uploads import discard
from service.program.boe import Boe
from service.program.intakes import NORMALISED
from service.program.search_aids import SearchAids
from storage.stores import Database

NOT_ENDED = "Esta carga no ha terminado: espere a que termine, o cancélela."

logger = logging.getLogger(__name__)


@dataclass
class Corrections:
    """Changes stored norms at once; the index follows.

    Attributes:
        embed: queues the embedding that a change requires, for an owner.
    """

    home: Path
    database: Database
    vectors: VectorCache
    keeper: IndexKeeper
    profile: Profile
    intake: Callable[[], Intake]
    aids: SearchAids
    boe: Boe
    embed: Callable[[str], object]

    def remove_aids(self, owner: str, norm_id: str) -> int:
        """Take the search aids that a model wrote off a norm; returns the number of articles that had some.

        Raises:
            InputError: there is no such norm.
        """
        count = self.aids.enricher.remove(norm_id)
        self.embed(owner)
        self._index_soon()
        return count

    def delete(self, owner: str, norm_id: str) -> DeletionReport:
        """Take a norm out of database, index, caches and disk.

        Raises:
            NotFound: there is no such norm.
        """
        (report,) = self.delete_all(owner, [norm_id])
        return report

    def delete_all(self, owner: str, norm_ids: Sequence[str]) -> list[DeletionReport]:
        """As `delete`, of several norms, which costs little more than of one.

        Raises:
            NotFound: there is no such norm; all stay.
        """
        reports = self._delete(norm_ids, owner)
        for norm_id in norm_ids:
            replaced = self.database.jobs.replaced_sources(norm_id=norm_id)
            self.database.jobs.forget_norm(norm_id)
            self._drop_sources(replaced)
        self._index_soon()
        self.database.engines.shrink_log()
        return reports

    def _delete(self, norm_ids: Sequence[str], owner: str, undone: str = "") -> list[DeletionReport]:
        reports = remove.delete_documents(norm_ids, self.intake(), self.vectors, undone=undone)
        for norm_id in norm_ids:
            self.aids.enricher.forget(norm_id)
            kept_outputs.remove(self.home / NORMALISED, norm_id)
            logger.info("%s deleted %s", owner, norm_id)
        return reports

    def _drop_sources(self, sources: Iterable[str]) -> None:
        intake = self.intake()
        for source in sources:
            with suppress(OSError):
                intake.drop_source(source)

    def undo(self, owner: str, job_id: str) -> int:
        """Remove what a load has added and bring back what it replaced; the job stays in the list as undone.

        Returns:
            The number of documents.

        Raises:
            NotFound: there is no such job.
            InputError: it has not ended, it changed nothing, it is undone already, or something else has
                changed its documents since; nothing was undone.
        """
        job = self.database.jobs.job(job_id)
        if not job.state.ended:
            raise InputError(NOT_ENDED)
        changes = self.database.jobs.changes(job_id)
        intake = self.intake()
        check(job, changes, intake.store, intake.writer)
        self.boe.library().expect(change.norm_id for change in changes)
        stored = [intake.documents.get(change.norm_id) for change in changes]
        added = [change.norm_id for change in changes if change.document is None]
        # A summary that was replaced comes back after the norm that replaced it is gone.
        there = [norm_id for norm_id in added if intake.store.norm(norm_id) is not None]
        # From here on it is undone: one that is cut short is undone further, and its news are gone.
        self.database.jobs.undo(job_id)
        self._delete(there, owner, undone=job_id)
        loaded = LoadedNorms(intake.store)
        for change in changes:
            if change.document is not None:
                restore(change.document, change, loaded, intake.writer)
        discard(self.home, job_id)
        self._drop_sources({record.source for record in stored if record})
        self.embed(owner)
        self._index_soon()
        logger.info("%s undid the load %s", owner, job_id)
        return len(changes)

    def edit(self, owner: str, norm_id: str, changes: Mapping[str, str]) -> Norm:
        """Correct what is known of a norm; see `loading.ingestion.metadata_corrections.corrected`.

        Raises:
            NotFound, InputError: nothing changed.
        """
        if COLLECTION in changes:
            self.profile.check_collection(changes[COLLECTION])
        norm = remove.edit_metadata(norm_id, changes, owner, self.intake())
        self.embed(owner)
        self._index_soon()
        return norm

    def discard_job(self, job_id: str) -> None:
        """Take an ended job off the list, with what is left of its files.

        Raises:
            InputError: it has not ended.
        """
        replaced = self.database.jobs.replaced_sources(job_id=self.database.jobs.job(job_id).id)
        with holding(self.home):
            discard(self.home, self.database.jobs.remove(job_id).id)
        self._drop_sources(replaced)

    def _index_soon(self) -> None:
        """Bring the index in step: the keeper does it, this one or another process's, or this very call."""
        if self.keeper.running:
            self.keeper.wake()
            return
        with suppress(IndexHeld):
            self.keeper.sync(dense=False)
