"""Deletes documents for good, and corrects the metadata of one."""

from collections.abc import Mapping, Sequence, Set
from datetime import UTC, datetime
from typing import NamedTuple

from core.errors import NotFound
from index.vector_index import VectorCache
from law.chunks import Chunk
from law.document_records import DeletionReport, DocumentRecord
from law.norms import Norm
from loading.chunking.chunk import chunk_document
from loading.enrichment.conflicts import retried
from loading.indexing.index_sync import embedded_texts, embedding_key
from loading.indexing.passage_vectors import passage_keys
from loading.ingestion.ingest import catalogue_of, cross_references
from loading.ingestion.intake import Intake
from loading.ingestion.metadata_corrections import corrected, restamped


def delete_documents(
    norm_ids: Sequence[str], intake: Intake, vectors: VectorCache, *, undone: str = ""
) -> list[DeletionReport]:
    """Remove norms from the database, their vectors from the cache and their sources from disk.

    The other norms are read once for all, to learn which vectors they use too. The index drops the norms at
    the next sync; until then their entries find no chunk.

    Args:
        undone: id of the load that had brought them, of which nothing is told any more.

    Raises:
        NotFound: there is no such norm; nothing was removed.
        StorageError: of the norms that were removed, vectors and sources may remain (`doctor` reports it).
    """
    gone = [_removed(norm, intake, undone) for norm in [_stored(norm_id, intake) for norm_id in norm_ids]]
    lines = {line for one in gone for chunk in one.chunks for line in chunk.text.split("\n")}
    keys = [{key for chunk in one.chunks for key in _vector_keys(chunk, lines)} for one in gone]
    unused = set().union(*keys)
    if unused:
        for batch in intake.store.all_chunks():
            unused -= {key for chunk in batch for key in _vector_keys(chunk, lines)}
    return [
        DeletionReport(
            norm_id=one.norm.id,
            title=one.norm.title,
            fragments=one.fragments,
            vectors=vectors.remove(sorted(own & unused)),
            source=one.record is not None and intake.drop_source(one.record.source),
        )
        for one, own in zip(gone, keys, strict=True)
    ]


class _Removed(NamedTuple):
    norm: Norm
    record: DocumentRecord | None
    chunks: Sequence[Chunk]
    fragments: int


def _stored(norm_id: str, intake: Intake) -> Norm:
    norm = intake.store.norm(norm_id)
    if norm is None:
        raise NotFound(f"No hay ninguna norma con el identificador «{norm_id}».")
    return norm


def _removed(norm: Norm, intake: Intake, undone: str) -> _Removed:
    record, chunks = intake.documents.get(norm.id), intake.store.norm_chunks(norm.id)
    return _Removed(norm, record, chunks, len(intake.writer.remove(norm.id, undone=undone).removed))


def _vector_keys(chunk: Chunk, lines: Set[str]) -> set[str]:
    """Keys of a chunk's vectors; of its passages if it has one of the lines, as finding those takes time."""
    texts = {embedding_key(text) for text in embedded_texts(chunk)}
    return texts if lines.isdisjoint(chunk.text.split("\n")) else texts.union(passage_keys(chunk))


@retried
def edit_metadata(norm_id: str, changes: Mapping[str, str], owner: str, intake: Intake) -> Norm:
    """Correct the metadata of a norm (see `metadata_corrections`), also for its later versions.

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
