"""The steps of each kind of job, file by file; finished files are recorded, so a job never starts over."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import NAMESPACE_OID, uuid5

from core.errors import ArticuladoError, InputError, ModelError, ModelRejected
from index.vector_index import IndexLedger, VectorCache
from law.decisions import JUDGMENTS
from law.document_records import DocumentRecord
from law.norms import Document
from loading.boe.boe_update import BoeLibrary, BoeOutcome, BoeResult
from loading.enrichment.enrich import Enricher
from loading.indexing.index_sync import cached_vectors
from loading.indexing.passage_vectors import add_passages
from loading.ingestion.ingest import Ingested, left_out
from loading.ingestion.intake import Intake, origin_of
from loading.ingestion.originals import unstage
from loading.ingestion.ruling_identity import SAME_RULING
from loading.ingestion.uploads import content_hash, discard, locate, source_of
from loading.jobs.job_loop import JobContext, Requeue
from loading.records.job_store import JobStore
from loading.records.jobs import (
    LOADS,
    ChangedArticle,
    FileOutcome,
    JobFile,
    JobKind,
    JobPayload,
    OutcomeState,
)
from models.embedder import Embedder
from models.metering import Spend, enriching, metering, nothing

EMBED_PAGE, EMBED_BATCH = 128, 16
EMBED_TITLE = "Vectores de los fragmentos"
ENRICH_TITLE = "Ayudas de búsqueda"
READING, SAVING, EMBEDDING = "Leyendo", "Guardando", "Calculando vectores, paso 1 de 2"
PASSAGES = "Calculando vectores de los pasajes, paso 2 de 2"
DOWNLOADING, ENRICHING = "Descargando del BOE", "Preparando ayudas de búsqueda"
NOT_ALLOWED = "La cuenta que pidió este trabajo ya no puede cargar documentos: que lo pida quien pueda."
NOT_IN = ("No ha entrado ninguno.", "no han podido entrar: vea el motivo de cada uno.")
UNAIDED = ("Ninguna norma ha quedado completa.", "no han quedado completas: vea el motivo de cada una.")
NOTHING = "El archivo no contiene ningún documento: compruebe su contenido."


@dataclass(frozen=True)
class JobRunner:
    """Runs each kind of job with the services it needs.

    Attributes:
        boe: makes the library of the BOE for an owner and a job; asked when a job needs it.
        enricher: writes search aids.
        enriches: True if every load is followed by a job that writes them.
        may_load: True if the owner of a job still has the right to run it.
        spend: records the model spending of a job's owner.
    """

    intake: Intake
    ledger: IndexLedger
    jobs: JobStore
    vectors: VectorCache
    embedder: Embedder | None
    boe: Callable[[str, str], BoeLibrary]
    enricher: Enricher
    enriches: bool = False
    may_load: Callable[[str], bool] = lambda owner: True
    spend: Spend = nothing

    def run(self, context: JobContext) -> str:
        """Run the job; returns its final message in Spanish, or an empty text.

        Raises:
            ArticuladoError: the whole job failed; files already loaded stay.
        """
        kinds = {
            JobKind.INGEST: self._ingest,
            JobKind.BOE_ADD: self._boe,
            JobKind.BOE_UPDATE: self._boe,
            JobKind.ENRICH: self._enrich,
            JobKind.EMBED: self._embed,
        }
        owner = context.job.owner
        # Embedding jobs have no owner: every loaded norm is embedded.
        if context.job.kind is not JobKind.EMBED and not self.may_load(owner):
            raise InputError(NOT_ALLOWED)
        with metering(owner, self.spend):
            message = kinds[context.job.kind](context)
        if context.job.kind is not JobKind.EMBED and context.job.payload.dense:
            self.enqueue_embedding(owner)
        if context.job.kind in LOADS and context.job.payload.enrich:
            self._enqueue_enrichment(context)
        return message

    def enqueue_embedding(self, owner: str) -> None:
        """Queue an embedding job if a chunk lacks its vectors or those of its passages; at most one waits."""
        if self.embedder is None:
            return
        ledger, model = self.ledger, self.embedder.name
        if ledger.index_work(model).to_embed or ledger.passages_left(model):
            self.jobs.enqueue(JobKind.EMBED, EMBED_TITLE, owner, JobPayload())

    def _enqueue_enrichment(self, context: JobContext) -> None:
        """Queue the search aids of the norms that a load has changed; once, however often the load runs."""
        if not self.enriches or self.enricher.reader is None:
            return
        changed = [one for one in context.outcomes if one.added or one.changed]
        documents = map(
            self.intake.store.document, dict.fromkeys(norm for one in changed for norm in one.norm_ids)
        )
        lacking = tuple(one.norm.id for one in documents if one and self.enricher.wanting(one))
        if lacking:
            job_id = uuid5(NAMESPACE_OID, " ".join((context.job.id, *lacking))).hex
            payload = JobPayload(norm_ids=lacking)
            self.jobs.enqueue(JobKind.ENRICH, ENRICH_TITLE, context.job.owner, payload, job_id=job_id)

    def _ingest(self, context: JobContext) -> str:
        files = context.job.payload.files
        for number in range(len(context.outcomes), len(files)):
            context.tell(READING, number, len(files))
            context.record(self._file(context, number))
        if all(one.state is not OutcomeState.FAILED for one in context.outcomes):
            discard(self.intake.home, context.job.id)
        return _summary(context.outcomes)

    def _file(self, context: JobContext, number: int) -> FileOutcome:
        job, file = context.job, context.job.payload.files[number]
        before = list(zip(job.payload.files, context.outcomes, strict=False))
        try:
            path = locate(self.intake.home, file)
            content = file.hash or content_hash(path)
            source = "" if Path(file.path).is_absolute() else source_of(content)
            origin = origin_of(path, file.name, content, job.owner, source)
            if same := self._already(origin, file, before, job.payload.collection):
                return FileOutcome(name=file.name, state=OutcomeState.SKIPPED, message=same)
            documents = self.intake.read(
                path, job.payload.collection, file.name, lambda: context.tell(READING)
            )
            if not documents:
                raise InputError(NOTHING)
            taken = {norm_id for _, outcome in before for norm_id in outcome.norm_ids}
            outcome = self._documents(context, documents, path, origin, taken)
        except ArticuladoError as error:
            return FileOutcome(name=file.name, state=OutcomeState.FAILED, message=str(error))
        if origin.source and outcome.state is OutcomeState.DONE:
            unstage(self.intake.home, file)
        return outcome

    def _documents(
        self,
        context: JobContext,
        documents: Sequence[Document],
        path: Path,
        origin: DocumentRecord,
        taken: set[str],
    ) -> FileOutcome:
        done: list[Ingested] = []
        problems: list[str] = []
        seen = set(taken)
        payload = context.job.payload
        for place, document in enumerate(documents, start=1):
            context.tell(SAVING if len(documents) == 1 else f"{SAVING} {place} de {len(documents)}")
            norm_id = document.norm.id
            try:
                if norm_id in seen and document.norm.collection == JUDGMENTS:
                    done.append(left_out(document.norm, path, SAME_RULING.format(other=norm_id)))
                    continue
                if norm_id in seen:
                    raise InputError(f"{document.norm.law}: la misma norma ({norm_id}) viene dos veces.")
                seen.add(norm_id)
                done.append(
                    self.intake.put(
                        document,
                        path,
                        origin,
                        {**payload.metadata, **payload.details.get(norm_id, {})},
                        merge=payload.merge,
                        wordings=payload.wordings,
                        job_id=context.job.id,
                    )
                )
            except InputError as error:
                problems.append(str(error))
        if not done:
            raise InputError(" ".join(problems))
        return _outcome(origin.file_name, done, problems)

    def _already(
        self,
        origin: DocumentRecord,
        file: JobFile,
        before: Sequence[tuple[JobFile, FileOutcome]],
        collection: str,
    ) -> str:
        """Reason to skip a file, in Spanish: its contents are loaded under another name; else empty."""
        for other, outcome in before:
            if other.hash == origin.content_hash and outcome.state is not OutcomeState.FAILED:
                return f"Tiene el mismo contenido que «{other.name}», de esta misma carga."
        return self.intake.already(origin.content_hash, file.name, collection)

    def _boe(self, context: JobContext) -> str:
        job = context.job
        finished = {outcome.name for outcome in context.outcomes}
        wanted = [norm_id for norm_id in job.payload.norm_ids if norm_id not in finished]
        library = self.boe(job.owner, job.id)
        act = library.add if job.kind is JobKind.BOE_ADD else library.update
        if wanted or not job.payload.norm_ids:
            act(
                wanted,
                on_progress=lambda phase, done, total: context.tell(
                    DOWNLOADING, len(finished) + done, len(finished) + total
                ),
                on_result=lambda result: context.record(_boe_outcome(result)),
            )
        return _summary(context.outcomes)

    def _enrich(self, context: JobContext) -> str:
        session = self.enricher.session(bare=True)
        wanted = context.job.payload.norm_ids or tuple(norm.id for norm in self.intake.store.norms())
        finished = {outcome.name for outcome in context.outcomes}
        for norm_id in wanted:
            if norm_id in finished:
                continue
            with enriching(context.job.owner, self.spend) as report:

                def told(done: int, total: int) -> None:
                    report()
                    stage = f"{ENRICHING}: {done} de {total}"
                    context.tell(stage, len(context.outcomes), len(wanted), share=done / max(1, total))

                try:
                    message, state = session.enrich(norm_id, told), OutcomeState.DONE
                except ModelRejected:
                    raise
                except (InputError, ModelError) as error:
                    message, state = str(error), OutcomeState.FAILED
            context.record(FileOutcome(name=norm_id, state=state, message=message, norm_ids=(norm_id,)))
        return _summary(context.outcomes, UNAIDED)

    def _embed(self, context: JobContext) -> str:
        embedder, ledger = self.embedder, self.ledger
        if embedder is None:
            raise InputError("No hay modelo de vectores: la búsqueda es solo léxica.")
        done = 0
        while page := ledger.to_embed(embedder.name, EMBED_PAGE):
            left = ledger.index_work(embedder.name).to_embed
            for start in range(0, len(page), EMBED_BATCH):
                context.tell(EMBEDDING, done, done + left - start)
                if self.jobs.waiting():
                    raise Requeue
                batch = page[start : start + EMBED_BATCH]
                cached_vectors(batch, embedder, self.vectors)
                ledger.mark_embedded([chunk.id for chunk in batch], embedder.name)
                done += len(batch)
        context.tell(EMBEDDING, done, done)
        self._embed_passages(context, embedder)
        return ""

    def _embed_passages(self, context: JobContext, embedder: Embedder) -> None:
        """After every text, which search needs more."""
        ledger, done = self.ledger, 0
        while page := ledger.without_passages(embedder.name, EMBED_PAGE):
            left = ledger.passages_left(embedder.name)
            for start in range(0, len(page), EMBED_BATCH):
                context.tell(PASSAGES, done, done + left - start)
                if self.jobs.waiting():
                    raise Requeue
                batch = page[start : start + EMBED_BATCH]
                add_passages(batch, embedder, self.vectors)
                ledger.mark_passages([chunk.id for chunk in batch], embedder.name)
                done += len(batch)
        context.tell(PASSAGES, done, done)


def _outcome(name: str, done: Sequence[Ingested], problems: Sequence[str]) -> FileOutcome:
    stored = [one for one in done if not one.skipped]
    return FileOutcome(
        name=name,
        state=OutcomeState.DONE if stored else OutcomeState.SKIPPED,
        message=" ".join([*problems, *dict.fromkeys(one.skipped for one in done if one.skipped)]),
        norm_ids=tuple(one.norm.id for one in stored),
        added=sum(len(one.change.added) for one in stored),
        changed=sum(len(one.change.changed) for one in stored),
        removed=sum(len(one.change.removed) for one in stored),
        unchanged=sum(one.change.unchanged for one in stored),
        warnings=tuple(warning for one in stored for warning in one.warnings),
    )


def _boe_outcome(result: BoeResult) -> FileOutcome:
    failed = result.outcome is BoeOutcome.FAILED
    count = len(result.articles)
    changes = (f"{count} preceptos cambian." if count > 1 else "Un precepto cambia.") if count else ""
    return FileOutcome(
        name=result.norm_id,
        state=OutcomeState.FAILED if failed else OutcomeState.DONE,
        message=result.reason if failed else changes,
        norm_ids=() if failed else (result.norm_id,),
        added=result.added,
        changed=result.changed,
        removed=result.removed,
        warnings=result.warnings,
        articles=tuple(
            ChangedArticle(block_id=one.block_id, title=one.title, fate=one.fate.value, on=one.on)
            for one in result.articles
        ),
    )


def _summary(outcomes: Sequence[FileOutcome], told: tuple[str, str] = NOT_IN) -> str:
    """Final message of a job, in Spanish; empty when no file failed.

    Args:
        told: what to say when all failed, and when some did.

    Raises:
        InputError: every file failed.
    """
    failed = [one for one in outcomes if one.state is OutcomeState.FAILED]
    if not failed:
        return ""
    if len(failed) == len(outcomes):
        reason = failed[0].message
        raise InputError(reason if len(failed) == 1 else f"{told[0]} {reason}")
    return f"{len(failed)} de {len(outcomes)} {told[1]}"
