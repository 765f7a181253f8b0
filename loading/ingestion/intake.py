"""Shared steps of every ingestion path: corrections, search aids, saving, and the record of the origin."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cached_property, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from core.errors import ArticuladoError, InputError
from core.progress import OnProgress, unheard
from law.agreement_names import RANK as AGREEMENT
from law.chunks import Chunk
from law.corpus_store import CorpusChange, CorpusStore, CorpusWriter
from law.decisions import JUDGMENTS, LAW
from law.document_records import DocumentRecord, JobChange
from law.document_store import DocumentStore
from law.norms import Document, Norm, Reference
from loading.aids.shipped_aids import Enrichment
from loading.enrichment.conflicts import retried
from loading.formats import NESTED, discover
from loading.ingestion.agreement_identity import recognised
from loading.ingestion.ingest import Failure, Ingested, IngestReport, left_out, store_document
from loading.ingestion.loaded_norms import LoadedNorms
from loading.ingestion.merged_articles import merged
from loading.ingestion.metadata_corrections import ID, corrected, day_of, identified
from loading.ingestion.originals import holding, keep
from loading.ingestion.rewording import (
    NO_START,
    asks_since,
    check_start,
    has_history,
    latest_start,
    nothing_new,
    reworded,
    shorter,
)
from loading.ingestion.ruling_identity import SAME_RULING, recognised_ruling
from loading.ingestion.uploads import content_hash, format_of, is_packed, remove_source, size_of
from loading.parsing.file_reader import FileReader, go_on, reader_of
from loading.parsing.limits import Limits
from loading.parsing.wire_messages import Check

NO_CHANGES: Mapping[str, str] = MappingProxyType({})
Wordings = Mapping[str, date | None]
"""By norm id the first day of its new wording; None corrects the one that is stored."""
NO_WORDINGS: Wordings = MappingProxyType({})
NO_DAY = (
    "«{title}» no dice desde cuándo rige, y sin fecha no se carga como Derecho en vigor: indique el día de "
    "su publicación o el primero de su vigencia."
)
NO_STORED_DAY = (
    "«{title}» está cargado sin fecha: indique en su ficha de «Normativa» desde cuándo rige y vuelva "
    "a cargarlo."
)
HOW_TO_DATE = "Escriba --in-force-from y el día, o «valid_from: 2024-03-01» en la cabecera del archivo."
HOW_TO_SHORTEN = "Si es así, escriba --may-shorten."
HOW_TO_TELL = "Escriba --in-force-from y el día, o --correct si solo corrige la que está guardada."


@dataclass(frozen=True)
class Intake:
    """Brings documents into the corpus, for one thread.

    Attributes:
        reader: reads their files.
        refine: passes over a document before it is cut into chunks (normalising, enriching).
    """

    store: CorpusStore
    writer: CorpusWriter
    documents: DocumentStore
    home: Path
    enrichment: Enrichment = field(default_factory=Enrichment)
    refine: Sequence[Callable[[Document], Document]] = ()
    reader: FileReader = field(default_factory=lambda: reader_of(Limits()))

    @cached_property
    def _loaded(self) -> LoadedNorms:
        return LoadedNorms(self.store)

    def bring_in(
        self,
        paths: Sequence[Path],
        collection: str,
        owner: str,
        on_progress: OnProgress = unheard,
        *,
        since: date | None = None,
        correct: bool = False,
        may_shorten: bool = False,
    ) -> IngestReport:
        """Load every document below `paths`, which stay where they are; indexing is a separate step.

        A file that cannot be read, or whose identifier another file of this call has, is reported and the
        others go on. Loading the same thing twice changes nothing. An official text replaces the unofficial
        summary of the same norm.

        Args:
            since: first day of what is another text of a stored document, or of a new one that tells none.
            correct: without that day, such a text corrects the stored one; when False, it is reported.
            may_shorten: a text that loses much of a stored article is loaded; when False, it is reported.

        Raises:
            InputError: a path does not exist or holds nothing that can be read.
            StorageError: the database failed; documents saved before stay.
        """
        files = discover(paths)
        done: list[Ingested] = []
        failures: list[Failure] = []
        taken: dict[str, Path] = {}
        for number, path in enumerate(files):
            check = partial(on_progress, "cargar", number, len(files))
            check()
            origin: DocumentRecord | None = None
            for one, documents in self._each(path, collection, failures, check):
                origin = origin or self.origin(path, owner)
                for document in documents:
                    norm_id = document.norm.id
                    first = taken.setdefault(norm_id, one)
                    try:
                        if first != one:
                            done.append(_again(document.norm, path, one, first))
                            continue
                        if not may_shorten and (less := shorter(self.store.document(norm_id), document)):
                            raise InputError(f"{one.name}: {less} {HOW_TO_SHORTEN}")
                        done.append(self._put(document, path, origin, since, correct))
                    except InputError as error:
                        failures.append(Failure(one, str(error)))
        on_progress("cargar", len(files), len(files))
        return IngestReport(tuple(done), tuple(failures))

    def _each(
        self, path: Path, collection: str, failures: list[Failure], check: Check
    ) -> Iterator[tuple[Path, list[Document]]]:
        """A file, or each one of a ZIP under the ZIP's path, with its documents; others join `failures`."""
        with TemporaryDirectory(prefix="articulado-") as folder:
            inner: list[Path] = []
            with suppress(InputError, OSError):  # One that cannot be unpacked is told by its loader.
                inner = self.reader.unzip(path, path.name, Path(folder), check) if is_packed(path) else []
            for file in inner or [path]:
                one = path / file.relative_to(folder) if inner else path
                try:
                    if inner and file.suffix.lower() == ".zip":
                        raise InputError(f"{file.name}: {NESTED}")
                    yield one, [*map(self._recognised, self.reader.load(file, collection))]
                except ArticuladoError as error:
                    failures.append(Failure(one, str(error)))

    def _recognised(self, document: Document) -> Document:
        """The document under the identifier of the loaded agreement or ruling that it is."""
        if document.norm.rank != AGREEMENT and document.norm.collection != JUDGMENTS:
            return document
        self._loaded.refresh()
        if document.norm.collection == JUDGMENTS:
            return recognised_ruling(document, self.store, self._loaded.rulings)
        return recognised(document, self.store, self._loaded.agreements)

    def _put(
        self, document: Document, path: Path, origin: DocumentRecord, since: date | None, correct: bool
    ) -> Ingested:
        norm, stored = document.norm, self.store.document(document.norm.id)
        if same := nothing_new(stored, document):
            return left_out(norm, path, same)
        if stored is None and document.undated and norm.collection == LAW:
            if since is None:
                raise InputError(f"{NO_DAY.format(title=norm.title)} {HOW_TO_DATE}")
            return self.put(document, path, origin, {"valid_from": since.isoformat()})
        if stored is None or not asks_since(stored, document):
            return self.put(document, path, origin)
        if since is None and not correct:
            raise InputError(f"{NO_START.format(title=norm.title)} {HOW_TO_TELL}")
        check_start(norm.title, since, latest_start(stored))
        return self.put(document, path, origin, wordings={norm.id: since})

    def read(self, path: Path, collection: str, name: str, check: Check = go_on) -> list[Document]:
        """Everything in a file known as `name`, or below a folder.

        Args:
            name: with the folders or the ZIP that it comes in; documents without a title take its last part.
                An agreement or a ruling gets the identifier of the loaded one that it is.
            check: see `FileReader.load`.

        Raises:
            InputError: it cannot be read.
        """
        found, base = discover([path]), name.rpartition("/")[2]
        known_as = base if found == [path] else ""
        try:
            return [
                self._recognised(document)
                for one in found
                for document in self.reader.load(one, collection, known_as, check)
            ]
        except InputError as error:
            raise InputError(re.sub(rf"^{re.escape(base)}(?=:)", lambda _: name, str(error))) from error

    @retried
    def put(
        self,
        document: Document,
        path: Path,
        origin: DocumentRecord,
        changes: Mapping[str, str] = NO_CHANGES,
        *,
        merge: bool = False,
        wordings: Wordings = NO_WORDINGS,
        job_id: str = "",
    ) -> Ingested:
        """Save one document and the record of where it came from, in one transaction.

        Its original is stored before that; the previous original is removed afterwards.

        Args:
            origin: see `origin_of`.
            changes, merge, wordings: see `arrange`.
            job_id: the job that stores it, which keeps what this replaces.

        Raises:
            InputError: the document cannot be used; its stored version stays.
            StorageError: as in `CorpusWriter.save`.
            OSError: the original cannot be kept; nothing was stored.
        """
        norm_id = changes.get(ID) or document.norm.id
        expected = self.writer.norm_hash(norm_id)
        before = self.documents.get(norm_id)
        undo = self._undo(job_id, norm_id)
        document, kept = self.arrange(document, changes, merge=merge, wordings=wordings)
        document = self._prepared(document, before, kept)
        if document.undated and document.norm.collection == LAW:
            raise InputError((NO_STORED_DAY if expected else NO_DAY).format(title=document.norm.title))
        record = _record(document, origin, before, kept)
        last = before.source if before and record and before.source != origin.source else ""

        def save(chunks: Sequence[Chunk], references: Mapping[str, Sequence[Reference]]) -> CorpusChange:
            with holding(self.home):
                if origin.source:
                    # Its other articles, or its earlier wordings, came from its previous original.
                    joins = merge or wordings.get(norm_id) is not None
                    keep(self.home, path, origin.source, last if joins else "")
                change = self.writer.save(document, chunks, references, record, expected, undo=undo)
                with suppress(OSError):
                    self._drop(last)
            return change

        def remove(summary: str) -> CorpusChange:
            return self.writer.remove(summary, undo=self._undo(job_id, summary))

        return store_document(path, document, self.store, self.writer, self._loaded, save=save, remove=remove)

    def _undo(self, job_id: str, norm_id: str) -> JobChange | None:
        if not job_id:
            return None
        stored, record = self.store.document(norm_id), self.documents.get(norm_id)
        return JobChange(job_id=job_id, norm_id=norm_id, document=stored, record=record)

    def arrange(
        self,
        document: Document,
        changes: Mapping[str, str],
        *,
        merge: bool,
        wordings: Wordings = NO_WORDINGS,
    ) -> tuple[Document, Mapping[str, str]]:
        """The document with the new corrections, and the corrections to keep for its later versions.

        Args:
            merge: it holds articles for its stored norm, whose other articles stay.

        Raises:
            InputError: a correction is invalid, or the articles do not fit their norm.
        """
        document = identified(document, changes.get(ID, ""))
        kept = {key: value for key, value in changes.items() if key != ID}
        norm_id = document.norm.id
        stored = self.store.document(norm_id) if merge or norm_id in wordings else None
        if stored is None:
            return corrected(document, kept), kept
        if merge:
            return merged(stored, document, day_of(kept.get("valid_from", ""))), {}
        since = wordings[norm_id]
        document = corrected(document, kept)
        if since is None and not has_history(stored):
            return document, kept
        # The first day of the norm stays: the form told that of this wording.
        return reworded(stored, document, since), {k: v for k, v in kept.items() if k != "valid_from"}

    def _prepared(
        self, document: Document, before: DocumentRecord | None, changes: Mapping[str, str]
    ) -> Document:
        """The document with earlier manual corrections, refined, with its search aids.

        Args:
            changes: new corrections, which prevail over earlier ones.
        """
        overrides = before.overrides if before else {}
        document = corrected(document, {k: v for k, v in overrides.items() if k not in changes})
        for one in self.refine:
            document = one(document)
        return self.enrichment.apply(document)

    def already(self, content: str, name: str, collection: str) -> str:
        """Reason to leave a file out, in Spanish: its contents are loaded under another name; else empty.

        Args:
            content: its hash.

        Raises:
            StorageError: the database failed.
        """
        for record in self.documents.with_hash(content):
            norm = self.store.norm(record.norm_id)
            if norm is not None and norm.collection == collection and record.file_name != name:
                return f"Tiene el mismo contenido que «{record.file_name}», que ya está cargado."
        return ""

    def drop_source(self, source: str) -> bool:
        """Remove a kept source unless a document still comes from it. Raises StorageError, OSError."""
        with holding(self.home):
            return self._drop(source)

    def _drop(self, source: str) -> bool:
        return bool(source) and not self.documents.is_used(source) and remove_source(self.home, source)

    def origin(self, path: Path, owner: str) -> DocumentRecord:
        """The origin of a file or folder that stays in place; kept with its norm if it is below the home."""
        absolute, home = path.resolve(), self.home.resolve()
        source = absolute.relative_to(home).as_posix() if home in absolute.parents else ""
        return origin_of(path, path.name, content_hash(path), owner, source)


def _again(norm: Norm, path: Path, one: Path, first: Path) -> Ingested:
    """The outcome of a ruling that another file of the same call has too. Raises InputError: it is none."""
    if norm.collection != JUDGMENTS:
        raise InputError(f"{one.name}: su identificador «{norm.id}» ya es el de {first}; cámbielo.")
    return left_out(norm, path, SAME_RULING.format(other=first.name))


def origin_of(path: Path, name: str, content: str, owner: str, source: str) -> DocumentRecord:
    """The part of a record that is the same for every norm of a file or folder.

    Args:
        content: its hash.
        source: path of the kept original, relative to the home; empty when it stays elsewhere.
    """
    return DocumentRecord(
        norm_id="",
        file_name=name,
        content_hash=content,
        format=format_of(path),
        source=source,
        bytes=size_of(path),
        loaded_by=owner,
        loaded_at=datetime.now(UTC),
    )


def _record(
    document: Document, origin: DocumentRecord, before: DocumentRecord | None, changes: Mapping[str, str]
) -> DocumentRecord | None:
    """The record of a document's origin; None when the stored record is already the same."""
    review = " ".join(document.warnings)
    if before is not None and not changes:
        same = (before.content_hash, before.review) == (origin.content_hash, review)
        if same and origin.source in ("", before.source):
            return None
    overrides = {**(before.overrides if before else {}), **changes}
    return origin.model_copy(
        update={"norm_id": document.norm.id, "loaded_at": datetime.now(UTC), "review": review}
        | {"overrides": overrides}
    )
