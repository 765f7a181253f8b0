"""Administration of the corpus: load, correct, delete."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from uuid import uuid4

from domain.accounts import LOCAL_USER
from rag.aids.shipped import Enrichment
from rag.boe.client import BoeClient
from rag.boe.copies import Copies
from rag.boe.update import BoeLibrary
from rag.enrichment import kept
from rag.enrichment.estimate import Estimate
from rag.enrichment.normalise import Normaliser
from rag.errors import ArticuladoError, IndexHeld, InputError, StorageError
from rag.indexing.keeper import IndexKeeper
from rag.indexing.passages import Passages
from rag.ingestion import remove
from rag.ingestion.intake import NO_WORDINGS, Intake, Wordings
from rag.ingestion.metadata import COLLECTION
from rag.ingestion.originals import LOCK_SECONDS, holding, sweep
from rag.ingestion.ports import DocumentStore
from rag.ingestion.preview import Comparison, Preview
from rag.ingestion.records import DeletionReport
from rag.ingestion.request import Staged, UploadRequest
from rag.ingestion.undo import check, restore
from rag.ingestion.uploads import discard, locate, stage
from rag.jobs.ports import JobStore
from rag.jobs.runner import ENRICH_TITLE, NOTHING, JobRunner
from rag.jobs.types import Job, JobFile, JobKind, JobPayload
from rag.parsing.limits import Limits
from rag.parsing.reader import Check, go_on, reader_of
from rag.ports import ChatModel, CorpusStore, Embedder, VectorCache
from rag.progress import OnProgress, unheard
from rag.ranking.features import prepare
from rag.types import Chunk, Document, Norm
from service.oversight.audit import Announce, ignore
from service.program.alerts import Alerts
from service.program.background import Background
from service.program.demo import Demo
from service.program.document_tables import DocumentTables
from service.program.matters import Matters
from service.program.search_aids import SHIPPED, SearchAids

NORMALISED = "normalized"
NOT_ENDED = "Esta carga no ha terminado: espere a que termine, o cancélela."
UNREADABLE = "Ninguno de los archivos se puede cargar: compruébelos y vuelva a subirlos."

logger = logging.getLogger(__name__)


class Administration(SearchAids):
    """The part of `bootstrap.App` that changes the corpus."""

    home: Path
    corpus: CorpusStore
    documents: DocumentStore
    jobs: JobStore
    vectors: VectorCache
    passages: Passages
    embedder: Embedder | None
    reader: ChatModel | None
    keeper: IndexKeeper
    papers: Matters
    alerts: Alerts
    table_filling: DocumentTables

    @property
    def intake(self) -> Intake:
        refine = [self.enricher.refine]
        if self.settings.normalize_documents and self.reader is not None:
            refine.insert(0, Normaliser(self.reader, self.prompts, self.home / NORMALISED).refine)
        reader = reader_of(Limits(self.settings.parse_seconds, self.settings.parse_memory_mb))
        writer = self.database.corpus_writer
        return Intake(self.corpus, writer, self.documents, self.home, Enrichment(SHIPPED), refine, reader)

    def job_runner(self) -> JobRunner:
        """The runner of jobs for a worker of this program."""
        return JobRunner(
            intake=self.intake,
            ledger=self.database.ledger,
            jobs=self.jobs,
            vectors=self.vectors,
            embedder=self.embedder,
            boe=self.boe,
            enricher=self.enricher,
            enriches=self.settings.enrich_on_load,
            may_load=self.may_load,
            spend=self.usage.spend,
        )

    def boe(self, owner: str = LOCAL_USER, job_id: str = "") -> BoeLibrary:
        """The norms of the BOE; `owner` is whom they are recorded as loaded by, and `job_id` what for."""
        intake = self.intake
        copies = Copies(self.home / "boe", self._boe_client, intake.reader)
        return BoeLibrary(
            copies,
            self.corpus,
            lambda path, document: intake.put(document, path, intake.origin(path, owner), job_id=job_id),
        )

    @cached_property
    def _boe_client(self) -> BoeClient:
        """One for the whole program: it keeps the pace of all requests."""
        return BoeClient(self.settings.boe_api_url, rate=self.settings.boe_rate)

    def close_boe(self) -> None:
        """Close the connection to the BOE, if there is one."""
        client: BoeClient | None = vars(self).pop("_boe_client", None)
        if client is not None:
            client.close()

    def upload(self, request: UploadRequest, owner: str = LOCAL_USER, announce: Announce = ignore) -> Job:
        """Take files in and queue them.

        Args:
            announce: told the job's id before it is queued; what it raises leaves nothing behind.

        Raises:
            InputError: nothing was taken in; see `rag.ingestion.uploads.stage`.
        """
        key, payload = self._staged(request)
        try:
            return self._queue(key, payload, owner, announce)
        except ArticuladoError:
            discard(self.home, key)
            raise

    def preview(
        self,
        request: UploadRequest,
        owner: str = LOCAL_USER,
        on_progress: OnProgress = unheard,
    ) -> Staged:
        """Take files in and read them, for `owner` to see what `load` would do with them.

        Those that nobody loads or discards are swept away after an hour.

        Args:
            on_progress: told the name of each file before it is read; what it raises leaves nothing behind.

        Raises:
            InputError: nothing was taken in.
        """
        with suppress(StorageError):
            self._sweep(0)
        key, payload = self._staged(request, partial(on_progress, "", 0, 0))
        comparison = Comparison(self.corpus, payload.merge)
        found: list[tuple[str, Preview | str]] = []
        lacking: list[Estimate] = []
        readable: list[JobFile] = []
        try:
            for number, file in enumerate(payload.files):
                check = partial(on_progress, file.name, number, len(payload.files))
                check()
                documents, problem = self._read(file, payload, check)
                seen = [comparison.preview(one, file.name) for one in documents]
                lacking += [
                    self.estimate(document)
                    for document, one in zip(documents, seen, strict=True)
                    if not one.refused and not one.changes_nothing
                ]
                found += [(file.name, one) for one in seen] or [(file.name, problem)]
                if any(not one.refused for one in seen):
                    readable.append(file)
        except BaseException:
            discard(self.home, key)
            raise
        payload = payload.model_copy(update={"files": tuple(readable)})
        return Staged(key, owner, payload, found, self.aids_cost(lacking))

    def _read(self, file: JobFile, payload: JobPayload, check: Check) -> tuple[list[Document], str]:
        """The documents of a file, or the reason why it cannot be loaded."""
        intake = self.intake
        try:
            path = locate(self.home, file)
            if same := intake.already(file.hash, file.name, payload.collection):
                return [], same
            documents = intake.read(path, payload.collection, file.name, check)
            arranged = [intake.arrange(one, payload.metadata, merge=payload.merge)[0] for one in documents]
        except StorageError:
            raise
        except ArticuladoError as error:
            return [], str(error)
        return arranged, "" if arranged else NOTHING

    def load(
        self,
        staged: Staged,
        announce: Announce = ignore,
        wordings: Wordings = NO_WORDINGS,
        *,
        enrich: bool = True,
    ) -> Job:
        """Queue what was previewed; the same job when it is queued already.

        Args:
            wordings: of the documents whose preview asks for it.
            enrich: False leaves out their search aids by a model.

        Raises:
            InputError: there is nothing that could be read, or it is no longer there; the first day of a
                wording is missing or too early.
        """
        if not staged.payload.files:
            raise InputError(UNREADABLE)
        payload = staged.to_load(wordings).model_copy(update={"enrich": enrich})
        # No sweep comes between: it takes staged files that are old and without a job.
        with holding(self.home):
            for file in staged.payload.files:
                locate(self.home, file)
            return self._queue(staged.key, payload, staged.owner, announce)

    def discard_staged(self, staged: Staged) -> None:
        """Remove the files of a preview, unless a job has them."""
        with holding(self.home):
            if staged.key not in self.jobs.ids():
                discard(self.home, staged.key)

    def boe_add(self, ids: Sequence[str], owner: str = LOCAL_USER, announce: Announce = ignore) -> Job:
        """Queue norms of the BOE to be added, or brought up to date."""
        if not ids:
            raise InputError("Elija al menos una norma.")
        return self._enqueue(JobKind.BOE_ADD, "Normas del BOE", ids, owner, announce)

    def boe_update(
        self, ids: Sequence[str] = (), owner: str = LOCAL_USER, announce: Announce = ignore
    ) -> Job:
        """Queue an update of these norms, or of every norm of the BOE."""
        return self._enqueue(JobKind.BOE_UPDATE, "Actualización desde el BOE", ids, owner, announce)

    def enrich(self, ids: Sequence[str] = (), owner: str = LOCAL_USER, announce: Announce = ignore) -> Job:
        """Queue search aids by a model for these norms, or for all."""
        return self._enqueue(JobKind.ENRICH, ENRICH_TITLE, ids, owner, announce)

    def remove_aids(self, norm_id: str, owner: str = LOCAL_USER) -> int:
        """Take the search aids that a model wrote off a norm; returns the number of articles that had some.

        Raises:
            InputError: there is no such norm.
        """
        count = self.enricher.remove(norm_id)
        self.job_runner().enqueue_embedding(owner)
        self._index_soon()
        return count

    def delete_document(self, norm_id: str, owner: str = LOCAL_USER) -> DeletionReport:
        """Take a norm out of database, index, caches and disk.

        Raises:
            NotFound: there is no such norm.
        """
        report = self._delete(norm_id, owner)
        replaced = self.jobs.replaced_sources(norm_id=norm_id)
        self.jobs.forget_norm(norm_id)
        self._drop_sources(replaced)
        self._index_soon()
        self.database.engines.shrink_log()
        return report

    def _delete(self, norm_id: str, owner: str) -> DeletionReport:
        report = remove.delete_document(norm_id, self.intake, self.vectors)
        self.enricher.forget(norm_id)
        kept.remove(self.home / NORMALISED, norm_id)
        logger.info("%s deleted %s", owner, norm_id)
        return report

    def _drop_sources(self, sources: Iterable[str]) -> None:
        intake = self.intake
        for source in sources:
            with suppress(OSError):
                intake.drop_source(source)

    def undo_job(self, job_id: str, owner: str = LOCAL_USER) -> int:
        """Remove what a load has added, bring back what it replaced, and take it off the list.

        Returns:
            The number of documents.

        Raises:
            NotFound: there is no such job.
            InputError: it has not ended, it changed nothing, or something else has changed its documents
                since; nothing was undone.
        """
        if not self.jobs.job(job_id).state.ended:
            raise InputError(NOT_ENDED)
        changes = self.jobs.changes(job_id)
        check(changes, self.corpus, self.database.corpus_writer)
        self.boe().expect(change.norm_id for change in changes)
        stored = [self.documents.get(change.norm_id) for change in changes]
        # A summary that was replaced comes back after the norm that replaced it is gone.
        for change in sorted(changes, key=lambda one: one.document is not None):
            if change.document is not None:
                restore(change.document, change, self.corpus, self.database.corpus_writer)
            elif self.corpus.norm(change.norm_id) is not None:
                self._delete(change.norm_id, owner)
        self.discard_job(job_id)
        self._drop_sources({record.source for record in stored if record})
        self.job_runner().enqueue_embedding(owner)
        self._index_soon()
        logger.info("%s undid the load %s", owner, job_id)
        return len(changes)

    def edit_metadata(self, norm_id: str, changes: Mapping[str, str], owner: str = LOCAL_USER) -> Norm:
        """Correct what is known of a norm; see `rag.ingestion.metadata.corrected`.

        Raises:
            NotFound, InputError: nothing changed.
        """
        if COLLECTION in changes:
            self.check_collection(changes[COLLECTION])
        norm = remove.edit_metadata(norm_id, changes, owner, self.intake)
        self.job_runner().enqueue_embedding(owner)
        self._index_soon()
        return norm

    def discard_job(self, job_id: str) -> None:
        """Take an ended job off the list, with what is left of its files.

        Raises:
            InputError: it has not ended.
        """
        replaced = self.jobs.replaced_sources(job_id=self.jobs.job(job_id).id)
        with holding(self.home):
            discard(self.home, self.jobs.remove(job_id).id)
        self._drop_sources(replaced)

    @cached_property
    def demo(self) -> Demo:
        """The load of the demo corpus into an empty home."""
        return Demo(self.jobs, self.corpus, self.keeper, self.job_runner)

    @cached_property
    def background(self) -> Background:
        """Keeper, worker and what else runs while this program is open."""
        return Background(
            self.corpus,
            self.keeper,
            demo=self.demo,
            privacy=self.privacy,
            embedder=lambda: self.embedder,
            papers=self.papers,
            alerts=self.alerts,
            tables=self.table_filling,
            sweep=self._sweep,
            prepare=self._prepare,
        )

    def _prepare(self, chunks: Sequence[Chunk]) -> None:
        """Read what questions need of these chunks."""
        prepare(chunks)
        if self.embedder is not None:
            self.passages.prepare(self.embedder.name, chunks)

    def _staged(self, request: UploadRequest, check: Check = go_on) -> tuple[str, JobPayload]:
        self.check_collection(request.collection)
        key, files = stage(self.home, request.files, self.intake.reader, check)
        metadata = dict(request.metadata)
        return key, JobPayload(
            files=files, collection=request.collection, metadata=metadata, merge=request.merge
        )

    def _queue(self, key: str, payload: JobPayload, owner: str, announce: Announce) -> Job:
        files = payload.files
        title = files[0].name if len(files) == 1 else f"{len(files)} archivos"
        announce(key)
        return self.jobs.enqueue(JobKind.INGEST, title, owner, payload, job_id=key)

    def _sweep(self, wait: float = LOCK_SECONDS) -> None:
        sweep(self.home, self.documents.sources, self.jobs.ids, wait)

    def _enqueue(
        self, kind: JobKind, title: str, ids: Sequence[str], owner: str, announce: Announce = ignore
    ) -> Job:
        job_id = uuid4().hex
        announce(job_id)
        return self.jobs.enqueue(kind, title, owner, JobPayload(norm_ids=tuple(ids)), job_id=job_id)

    def check_collection(self, name: str) -> None:
        """Raises InputError when there is no such collection."""
        known = self.settings.collection_weights
        if name not in known:
            raise InputError(f"No existe la colección «{name}»: elija una de {', '.join(known)}.")

    def _index_soon(self) -> None:
        """Bring the index in step: the keeper does it, this one or another process's, or this very call."""
        if self.keeper.running:
            self.keeper.wake()
            return
        with suppress(IndexHeld):
            self.keeper.sync(dense=False)
