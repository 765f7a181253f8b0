"""Loads: files taken in and shown before they are loaded, and the jobs that load them."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from uuid import uuid4

from core.errors import ArticuladoError, InputError, StorageError
from core.profile import Profile
from core.progress import OnProgress, unheard
from domain.accounts import LOCAL_USER
from law.norms import Document
from loading.enrichment.estimate import Estimate
from loading.indexing.index_keeper import IndexKeeper
from loading.indexing.index_sync import IndexReport
from loading.ingestion.ingest import IngestReport
from loading.ingestion.intake import NO_WORDINGS, Intake, Wordings
from loading.ingestion.load_request import NO_DETAILS, Details, Staged, UploadRequest
from loading.ingestion.originals import LOCK_SECONDS, holding, sweep
from loading.ingestion.preview import Comparison, Preview
from loading.ingestion.uploads import discard, locate, stage
from loading.jobs.job_runner import ENRICH_TITLE, NOTHING
from loading.parsing.file_reader import go_on
from loading.parsing.wire_messages import Check
from loading.records.jobs import Job, JobFile, JobKind, JobPayload
from service.oversight.audit import Announce, ignore
from service.program.search_aids import SearchAids
from storage.stores import Database

UNREADABLE = "Ninguno de los archivos se puede cargar: compruébelos y vuelva a subirlos."


@dataclass
class Loading:
    """Takes documents in, shows what they would change, and queues the jobs that load them."""

    home: Path
    database: Database
    keeper: IndexKeeper
    profile: Profile
    intake: Callable[[], Intake]
    aids: SearchAids

    def ingest(
        self,
        paths: list[Path],
        collection: str = "normativa",
        *,
        dense: bool = True,
        on_progress: OnProgress = unheard,
        since: date | None = None,
        correct: bool = False,
        may_shorten: bool = False,
    ) -> tuple[IngestReport, IndexReport]:
        """Bring documents in and index them, here and now.

        Args:
            since, correct, may_shorten: see `loading.ingestion.intake.Intake.bring_in`.

        Raises:
            InputError, StorageError, IndexUnavailable: see `loading.ingestion.intake.Intake.bring_in`.
        """
        report = self.intake().bring_in(
            paths,
            collection,
            LOCAL_USER,
            on_progress,
            since=since,
            correct=correct,
            may_shorten=may_shorten,
        )
        return report, self.keeper.sync_or_follow(dense=dense, on_progress=on_progress)

    def upload(self, request: UploadRequest, owner: str = LOCAL_USER, announce: Announce = ignore) -> Job:
        """Take files in and queue them.

        Args:
            announce: told the job's id before it is queued; what it raises leaves nothing behind.

        Raises:
            InputError: nothing was taken in; see `loading.ingestion.uploads.stage`.
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
            self.sweep(0)
        key, payload = self._staged(request, partial(on_progress, "", 0, 0))
        comparison = Comparison(self.database.corpus, payload.merge)
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
                    self.aids.estimate(document)
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
        return Staged(key, owner, payload, found, self.aids.cost(lacking))

    def _read(self, file: JobFile, payload: JobPayload, check: Check) -> tuple[list[Document], str]:
        """The documents of a file, or the reason why it cannot be loaded."""
        intake = self.intake()
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
        details: Details = NO_DETAILS,
        *,
        enrich: bool = True,
    ) -> Job:
        """Queue what was previewed; the same job when it is queued already.

        Args:
            wordings, details: of the documents whose preview asks for it.
            enrich: False leaves out their search aids by a model.

        Raises:
            InputError: there is nothing that could be read, or it is no longer there; the first day of a
                wording or of a law is missing or too early.
        """
        if not staged.payload.files:
            raise InputError(UNREADABLE)
        payload = staged.to_load(wordings, details).model_copy(update={"enrich": enrich})
        # No sweep comes between: it takes staged files that are old and without a job.
        with holding(self.home):
            for file in staged.payload.files:
                locate(self.home, file)
            return self._queue(staged.key, payload, staged.owner, announce)

    def discard(self, staged: Staged) -> None:
        """Remove the files of a preview, unless a job has them."""
        with holding(self.home):
            if staged.key not in self.database.jobs.ids():
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

    def _staged(self, request: UploadRequest, check: Check = go_on) -> tuple[str, JobPayload]:
        self.profile.check_collection(request.collection)
        key, files = stage(self.home, request.files, self.intake().reader, check)
        metadata = dict(request.metadata)
        return key, JobPayload(
            files=files, collection=request.collection, metadata=metadata, merge=request.merge
        )

    def _queue(self, key: str, payload: JobPayload, owner: str, announce: Announce) -> Job:
        files = payload.files
        title = files[0].name if len(files) == 1 else f"{len(files)} archivos"
        announce(key)
        return self.database.jobs.enqueue(JobKind.INGEST, title, owner, payload, job_id=key)

    def sweep(self, wait: float = LOCK_SECONDS) -> None:
        """Delete staged files and originals that nothing refers to. Raises StorageError."""
        sweep(self.home, self.database.documents.sources, self.database.jobs.ids, wait)

    def _enqueue(
        self, kind: JobKind, title: str, ids: Sequence[str], owner: str, announce: Announce = ignore
    ) -> Job:
        job_id = uuid4().hex
        announce(job_id)
        return self.database.jobs.enqueue(kind, title, owner, JobPayload(norm_ids=tuple(ids)), job_id=job_id)
