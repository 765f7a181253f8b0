"""Rebuilds the index beside the one in use: fills it, checks it and swaps it in while searches go on.

The ledger of the database describes the index in use, so it does not change until the new one has taken over:
a killed rebuild leaves only a collection, which the next rebuild drops.
"""

import hashlib
import time
from contextlib import suppress
from dataclasses import dataclass, replace

from core.errors import IndexUnavailable
from index.points import Fingerprint, IndexFilter, IndexQuery
from index.vector_index import RebuildableIndex
from law.chunks import Chunk
from law.norms import Norm
from loading.indexing.index_sync import DENSE_BATCH, IndexReport, IndexSync
from models.embedder import Embedder

GRACE_SECONDS = 5.0
SAMPLE = 50
_NEIGHBOURS = 100
_SAME = 0.99
FAILED = (
    "El índice nuevo no pasa la comprobación ({reason}): se ha descartado y se sigue usando el anterior."
    " Revise el registro del servidor Qdrant y vuelva a intentarlo."
)
RESTART = (
    "El índice se ha reconstruido con otra configuración: reinicie la aplicación para que lo use."
    " Hasta entonces sigue con el anterior, que se borra en la próxima reconstrucción."
)


@dataclass(frozen=True)
class _Built:
    """Contents of the new index: a digest of each chunk, and the norms then, whose names are indexed too."""

    chunks: dict[str, bytes]
    norms: dict[str, Norm]


def rebuild(
    sync: IndexSync, index: RebuildableIndex, fingerprint: Fingerprint, embedder: Embedder | None
) -> IndexReport:
    """Build a new index from the database while the old one keeps serving, then swap them.

    Changes of the corpus made meanwhile are applied at the end. The replaced index stays for a few seconds,
    for searches under way; one with another fingerprint stays until the next rebuild, for processes that
    still use it.

    Raises:
        IndexUnavailable: the server failed, or the new index is wrong.
        EmbedderUnavailable: a missing vector cannot be computed.
        StorageError. In all three cases the old index stays as it was.
    """
    staged = index.stage(fingerprint)
    try:
        filling = replace(sync, index=staged)
        built = _fill(filling, embedder)
        from_cache = filling.from_cache
        _verify(filling, built, embedder)
    except BaseException:
        with suppress(IndexUnavailable):
            staged.discard()
        raise
    alike = staged.publish()
    _record(sync, built, dense=embedder is not None)
    later = replace(sync).run(embedder)
    if alike:
        time.sleep(GRACE_SECONDS)
        # The next rebuild deletes any leftovers.
        with suppress(IndexUnavailable):
            index.sweep()
    done = len(built.chunks)
    return IndexReport(
        deleted=later.deleted,
        sparse=done + later.sparse,
        dense=(done if embedder else 0) + later.dense,
        from_cache=from_cache + later.from_cache,
        notice=later.notice or ("" if alike else RESTART),
    )


def _fill(sync: IndexSync, embedder: Embedder | None) -> _Built:
    chunks: dict[str, bytes] = {}
    total, phase = sync.store.counts().chunks, "dense" if embedder else "sparse"
    for page in sync.store.all_chunks():
        for start in range(0, len(page), DENSE_BATCH):
            batch = page[start : start + DENSE_BATCH]
            sync.index.upsert(sync.points(batch, embedder))
            chunks |= {chunk.id: _digest(chunk) for chunk in batch}
            sync.on_progress(phase, len(chunks), max(len(chunks), total))
    return _Built(chunks, sync.norms)


def _verify(sync: IndexSync, built: _Built, embedder: Embedder | None) -> None:
    """Checks that the index has exactly these chunks, and that words and vectors find a filtered sample."""
    count, expected = sync.index.count(), len(built.chunks)
    if count != expected:
        raise IndexUnavailable(FAILED.format(reason=f"tiene {count} fragmentos en vez de {expected}"))
    if sync.index.ids() != built.chunks.keys():
        raise IndexUnavailable(FAILED.format(reason="no tiene los fragmentos que debería"))
    ids = sorted(built.chunks)
    sample = [c for c in sync.store.chunks(ids[:: max(1, len(ids) // SAMPLE)]) if _unchanged(c, built)]
    points = sync.points(sample, embedder)
    for done, (chunk, point) in enumerate(zip(sample, points, strict=True), start=1):
        ever = chunk.valid_to is None or chunk.valid_from <= chunk.valid_to
        where = IndexFilter(
            as_of=chunk.valid_from if ever else None,
            collections=(chunk.collection,),
            norm_ids=(chunk.norm_id,),
            block_ids=(chunk.block_id,),
            kinds=(chunk.kind.value,),
        )
        queries = [IndexQuery(sparse=point.sparse, where=where, limit=_NEIGHBOURS)]
        if point.dense is not None:
            queries.append(IndexQuery(dense=point.dense, where=where, limit=_NEIGHBOURS))
        words, *vectors = sync.index.search(queries)
        found = {hit.id for hit in words}
        near = [{hit.id for hit in ranking if hit.score > _SAME} for ranking in vectors]
        if (point.sparse.indices and chunk.id not in found) or any(chunk.id not in ids for ids in near):
            raise IndexUnavailable(FAILED.format(reason=f"no encuentra el fragmento {chunk.id}"))
        sync.on_progress("verify", done, len(sample))


def _record(sync: IndexSync, built: _Built, *, dense: bool) -> None:
    """Record the contents of the new index in the ledger; later changes stay pending."""
    norms = {norm.id: norm for norm in sync.store.norms()}
    done = 0
    for page in sync.store.all_chunks():
        same = [
            c for c in page if _unchanged(c, built) and norms.get(c.norm_id) == built.norms.get(c.norm_id)
        ]
        sync.ledger.mark_indexed(same, dense=dense)
        done += len(page)
        sync.on_progress("record", done, max(done, len(built.chunks)))


def _unchanged(chunk: Chunk, built: _Built) -> bool:
    return built.chunks.get(chunk.id) == _digest(chunk)


def _digest(chunk: Chunk) -> bytes:
    return hashlib.sha256(chunk.model_dump_json().encode()).digest()
