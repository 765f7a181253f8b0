"""What every way in shares: corrections, search aids, saving, and the record of where a norm came from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from rag.aids.shipped import Enrichment
from rag.ingestion.ingest import Ingested, IngestReport, OnProgress, ingest, store_document
from rag.ingestion.merge import merged
from rag.ingestion.metadata import ID, corrected, day_of, identified
from rag.ingestion.ports import DocumentStore
from rag.ingestion.records import DocumentRecord
from rag.ingestion.uploads import content_hash, format_of, remove_source, size_of
from rag.ports import CorpusStore
from rag.types import Document


@dataclass(frozen=True)
class Origin:
    """The file or folder that documents come from.

    Attributes:
        source: what is kept of it, relative to the home; empty when it stays elsewhere.
    """

    name: str
    hash: str
    format: str
    size: int
    owner: str
    source: str = ""


@dataclass(frozen=True)
class Intake:
    """Brings documents into the corpus.

    Attributes:
        refine: passes over a document before it is cut into chunks (normalising, enriching).
    """

    store: CorpusStore
    documents: DocumentStore
    home: Path
    enrichment: Enrichment = field(default_factory=Enrichment)
    refine: Sequence[Callable[[Document], Document]] = ()

    def bring_in(
        self,
        paths: Sequence[Path],
        collection: str,
        owner: str,
        on_progress: OnProgress = lambda phase, done, total: None,
    ) -> IngestReport:
        """Load files or folders that stay where they are, at once; see `rag.ingestion.ingest.ingest`."""
        origins: dict[Path, Origin] = {}

        def record(done: Ingested) -> None:
            if done.path not in origins:
                origins[done.path] = self.origin(done.path, owner)
            self.record(done, origins[done.path])

        return ingest(
            paths,
            self.store,
            collection=collection,
            prepare=self.prepare,
            on_stored=record,
            on_progress=on_progress,
        )

    def put(
        self, document: Document, path: Path, origin: Origin, changes: Mapping[str, str], *, merge: bool
    ) -> Ingested:
        """Save one document and record where it came from.

        Raises:
            InputError: it cannot be used as it is; what was stored of it stays.
            StorageError: as in `CorpusStore.save`.
        """
        document, kept = self.arrange(document, changes, merge=merge)
        done = store_document(path, self.prepare(document, kept), self.store)
        if not done.skipped:
            self.record(done, origin, kept)
        return done

    def arrange(
        self, document: Document, changes: Mapping[str, str], *, merge: bool
    ) -> tuple[Document, Mapping[str, str]]:
        """The document as it will be saved, but for what `prepare` does, and the corrections to remember.

        Raises:
            InputError: a correction that cannot be, or articles that do not fit their norm.
        """
        document = identified(document, changes.get(ID, ""))
        kept = {key: value for key, value in changes.items() if key != ID}
        stored = self.store.document(document.norm.id) if merge else None
        if stored is not None:
            return merged(stored, document, day_of(kept.get("valid_from", ""))), {}
        return corrected(document, kept), kept

    def prepare(self, document: Document, changes: Mapping[str, str] | None = None) -> Document:
        """The document with the corrections made by hand before, refined, with its search aids.

        Args:
            changes: corrections of now, which prevail.
        """
        known = self.documents.get(document.norm.id)
        before = {key: value for key, value in (known.overrides if known else {}).items()}
        document = corrected(document, {k: v for k, v in before.items() if k not in (changes or {})})
        for one in self.refine:
            document = one(document)
        return self.enrichment.apply(document)

    def record(self, done: Ingested, origin: Origin, changes: Mapping[str, str] | None = None) -> None:
        """Remember where a stored document came from; a source that this leaves unused is removed."""
        norm_id = done.norm.id
        before = self.documents.get(norm_id)
        review = " ".join(done.warnings)
        known = before is not None and (before.content_hash, before.review) == (origin.hash, review)
        if known and not changes:
            return
        self.documents.record(
            DocumentRecord(
                norm_id=norm_id,
                file_name=origin.name,
                content_hash=origin.hash,
                format=origin.format,
                source=origin.source,
                bytes=origin.size,
                loaded_by=origin.owner,
                loaded_at=datetime.now(UTC),
                review=review,
                overrides={**(before.overrides if before else {}), **(changes or {})},
            )
        )
        if before is not None and before.source != origin.source:
            self.drop_source(before.source)

    def drop_source(self, source: str) -> bool:
        """Remove a kept source unless a document still comes from it."""
        return bool(source) and source not in self.documents.sources() and remove_source(self.home, source)

    def origin(self, path: Path, owner: str) -> Origin:
        """Of a file or folder that stays where it is; kept with its norm when it is below the home."""
        absolute, home = path.resolve(), self.home.resolve()
        source = absolute.relative_to(home).as_posix() if home in absolute.parents else ""
        return Origin(path.name, content_hash(path), format_of(path), size_of(path), owner, source)
