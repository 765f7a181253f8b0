"""Deletes a document for good, and corrects its metadata."""

from collections.abc import Mapping, Set
from datetime import UTC, datetime

from rag.chunking.chunk import chunk_document
from rag.enrichment.conflicts import retried
from rag.errors import NotFound
from rag.indexing.passages import passage_keys
from rag.indexing.sync import embedded_texts, embedding_key
from rag.ingestion.ingest import catalogue_of, cross_references
from rag.ingestion.intake import Intake
from rag.ingestion.metadata import corrected, restamped
from rag.ingestion.records import DeletionReport, DocumentRecord
from rag.ports import VectorCache
from rag.types import Chunk, Norm


def delete_document(norm_id: str, intake: Intake, vectors: VectorCache) -> DeletionReport:
    """Remove a norm from the database, its vectors from the cache and its source from disk.

    The index drops it at the next sync; until then its entries find no chunk.

    Raises:
        NotFound: there is no such norm.
        StorageError: nothing was removed, or only its vectors and source remain (`doctor` reports it).
    """
    store, writer = intake.store, intake.writer
    norm = store.norm(norm_id)
    if norm is None:
        raise NotFound(f"No hay ninguna norma con el identificador «{norm_id}».")
    record = intake.documents.get(norm_id)
    own = store.norm_chunks(norm_id)
    lines = {line for chunk in own for line in chunk.text.split("\n")}
    keys = {key for chunk in own for key in _vector_keys(chunk, lines)}
    change = writer.remove(norm_id)
    if keys:
        for batch in store.all_chunks():
            keys -= {key for chunk in batch for key in _vector_keys(chunk, lines)}
    return DeletionReport(
        norm_id=norm_id,
        title=norm.title,
        fragments=len(change.removed),
        vectors=vectors.remove(sorted(keys)),
        source=record is not None and intake.drop_source(record.source),
    )


def _vector_keys(chunk: Chunk, lines: Set[str]) -> set[str]:
    """Keys of a chunk's vectors; of its passages if it has one of the lines, as finding those takes time."""
    texts = {embedding_key(text) for text in embedded_texts(chunk)}
    return texts if lines.isdisjoint(chunk.text.split("\n")) else texts.union(passage_keys(chunk))


@retried
def edit_metadata(norm_id: str, changes: Mapping[str, str], owner: str, intake: Intake) -> Norm:
    """Correct the metadata of a norm (see `rag.ingestion.metadata`), also for its later versions.

    Chunk ids stay, unless the correction changes the day on which the whole norm came into force.

    Raises:
        NotFound: there is no such norm.
        InputError: an invalid value, or other writers saved first five times; nothing changed.
    """
    store, writer = intake.store, intake.writer
    expected = writer.norm_hash(norm_id)
    document = store.document(norm_id)
    if document is None:
        raise NotFound(f"No hay ninguna norma con el identificador «{norm_id}».")
    edited = corrected(document, changes)
    before = intake.documents.get(norm_id) or DocumentRecord(
        norm_id=norm_id, loaded_by=owner, loaded_at=datetime.now(UTC)
    )
    record = before.model_copy(update={"overrides": {**before.overrides, **changes}})
    chunks = restamped(store.norm_chunks(norm_id), edited)
    if chunks is not None:
        writer.update(edited, chunks, record, expected)
    else:
        chunks = chunk_document(edited)
        references = cross_references(edited, chunks, catalogue_of(store, edited.norm))
        writer.save(edited, chunks, references, record, expected)
    return edited.norm
