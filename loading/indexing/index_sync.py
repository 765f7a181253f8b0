"""Makes the index equal to the database, in steps that can stop anywhere and resume later.

Lexical search is ready first (it costs milliseconds a chunk), dense vectors follow, wordings in force first.
A chunk is recorded as indexed only after the index has acknowledged it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from core.errors import EmbedderUnavailable, IndexHeld, IndexUnavailable
from core.progress import OnProgress, unheard
from core.values import Value
from index.points import Fingerprint, IndexPoint
from index.sparse import document_vector, lexical_tokens
from index.vector_index import IndexContent, IndexLedger, VectorCache, VectorIndex
from law.chunks import Chunk
from law.corpus_store import CorpusStore
from law.norms import Norm
from loading.chunking.chunk import aid_text, lexical_text
from models.embedder import Embedder

SPARSE_BATCH = 500
DENSE_BATCH = 32


class IndexReport(Value):
    """Counts of one run, in chunks; `notice` is a sentence for the user when dense vectors are missing."""

    deleted: int = 0
    sparse: int = 0
    dense: int = 0
    from_cache: int = 0
    notice: str = ""


def reindex(
    sync: IndexSync, index: VectorIndex, fingerprint: Fingerprint, embedder: Embedder | None
) -> IndexReport:
    """Drop the index of `sync`, damaged or not, and build it again; cached embeddings are reused.

    Raises:
        IndexUnavailable, StorageError: see `IndexSync.run`, which can resume the build.
    """
    try:
        index.open(fingerprint)
    except IndexHeld:  # the record stays for an index that cannot be rebuilt now
        raise
    except IndexUnavailable:
        pass
    sync.ledger.reset_index_state()
    index.reset(fingerprint)
    return sync.run(embedder)


def embedded_texts(chunk: Chunk) -> tuple[str, ...]:
    """Texts of a chunk to embed: its dense text, and the questions that its block answers."""
    return (chunk.headed, *chunk_questions(chunk))


def chunk_questions(chunk: Chunk) -> tuple[str, ...]:
    """The questions whose vectors a chunk carries: those of its block, on the first part only."""
    return chunk.questions if chunk.part == 1 else ()


def embedding_key(text: str) -> str:
    """Cache key of a vector: SHA-256 (hex) of exactly the embedded text."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


@dataclass
class IndexSync:
    """The steps of bringing an open index up to date, each complete in itself.

    Attributes:
        batch: chunks at a time, without dense vectors.
        from_cache: chunks whose dense vector was not computed.
    """

    store: CorpusStore
    ledger: IndexLedger
    index: IndexContent
    cache: VectorCache
    on_progress: OnProgress = unheard
    batch: int = SPARSE_BATCH
    from_cache: int = field(default=0, init=False)
    norms: dict[str, Norm] = field(init=False)
    _dense: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.norms = {norm.id: norm for norm in self.store.norms()}

    def run(self, embedder: Embedder | None) -> IndexReport:
        """All of them, in order; running it again completes an interrupted run.

        Args:
            embedder: None leaves the dense vectors for later.

        Raises:
            IndexUnavailable, StorageError: chunks acknowledged before stay.
        """
        deleted = self.delete_stale()
        sparse = self.add_sparse()
        if self.mend():
            sparse += self.add_sparse()
        notice = ""
        if embedder is not None:
            try:
                self._add_dense(embedder)
            except EmbedderUnavailable as error:
                notice = str(error)
        if deleted or sparse or self._dense:
            self.index.optimize()
        return IndexReport(
            deleted=deleted, sparse=sparse, dense=self._dense, from_cache=self.from_cache, notice=notice
        )

    def delete_stale(self) -> int:
        """Remove chunks that the database no longer has; returns their number."""
        done = 0
        while stale := self.ledger.stale_index_ids():
            self.index.delete(stale)
            self.ledger.forget_stale(stale)
            done += len(stale)
            self.on_progress("delete", done, done)
        return done

    def add_sparse(self) -> int:
        """Add the chunks without an entry, without dense vectors; returns their number."""
        done, total = 0, self.store.counts().chunks
        for batch in _pages(lambda: self.ledger.pending_index(dense=False, limit=self.batch)):
            self.index.upsert(self.points(batch, None))
            self.ledger.mark_indexed(batch, dense=False)
            done += len(batch)
            self.on_progress("sparse", done, max(done, total))
        return done

    def _add_dense(self, embedder: Embedder) -> None:
        total = self.store.counts().pending_dense
        for batch in _pages(lambda: self.ledger.pending_index(dense=True, limit=DENSE_BATCH)):
            self.index.upsert(self.points(batch, embedder))
            self.ledger.mark_indexed(batch, dense=True)
            self._dense += len(batch)
            self.on_progress("dense", self._dense, max(self._dense, total))

    def add_embedded(self, model: str) -> int:
        """Add the dense vectors that the ledger says are made; returns the number of chunks.

        A chunk whose vectors are not in the cache after all is embedded again.
        """
        done = 0
        for batch in _pages(lambda: self.ledger.embedded(model, self.batch)):
            found = self.cache.get(
                model, [embedding_key(t) for chunk in batch for t in embedded_texts(chunk)]
            )
            whole = [c for c in batch if all(embedding_key(t) in found for t in embedded_texts(c))]
            self.index.upsert([self._point(chunk, found) for chunk in whole])
            self.ledger.mark_indexed(whole, dense=True)
            have = {chunk.id for chunk in whole}
            self.ledger.mark_embedded([chunk.id for chunk in batch if chunk.id not in have], "")
            done += len(whole)
            self.on_progress("dense", done, done)
        return done

    def mend(self) -> bool:
        """Repair an index with missing or extra chunks (a deleted folder, a restored backup).

        Returns:
            True if chunks were missing: then everything is pending again, which the cache makes cheap.
        """
        # Reads the index first: a chunk that another thread adds meanwhile must not look unknown.
        held = self.index.ids()
        known = {chunk.id for batch in self.store.all_chunks() for chunk in batch}
        if held - known:
            self.index.delete(sorted(held - known))
        if not known - held or self.ledger.pending_index(dense=False, limit=1):
            return False
        self.ledger.reset_index_state()
        return True

    def points(self, chunks: Sequence[Chunk], embedder: Embedder | None) -> list[IndexPoint]:
        """Index points of these chunks, with dense vectors if `embedder` is given.

        Raises:
            EmbedderUnavailable, StorageError.
        """
        if embedder is None:
            return [self._words(chunk) for chunk in chunks]
        vectors, made = cached_vectors(chunks, embedder, self.cache)
        wordings = {embedding_key(chunk.headed) for chunk in chunks}
        self.from_cache += len(chunks) - len(wordings & made)
        return [self._point(chunk, vectors) for chunk in chunks]

    def _words(self, chunk: Chunk) -> IndexPoint:
        norm = self.norms.get(chunk.norm_id)
        return IndexPoint(
            chunk=chunk,
            sparse=document_vector(lexical_text(chunk, norm), lexical_tokens(chunk, norm)),
            aids=document_vector(aid_text(chunk)),
        )

    def _point(self, chunk: Chunk, vectors: dict[str, tuple[float, ...]]) -> IndexPoint:
        update = {
            "dense": vectors[embedding_key(chunk.headed)],
            "questions": tuple(vectors[embedding_key(question)] for question in chunk_questions(chunk)),
        }
        return self._words(chunk).model_copy(update=update)


def cached_vectors(
    chunks: Sequence[Chunk], embedder: Embedder, cache: VectorCache
) -> tuple[dict[str, tuple[float, ...]], set[str]]:
    """Every vector of these chunks by key, and the keys of the new ones, which are added to the cache.

    Raises:
        EmbedderUnavailable, StorageError.
    """
    texts = {embedding_key(text): text for chunk in chunks for text in embedded_texts(chunk)}
    found = cache.get(embedder.name, list(texts))
    missing = [key for key in texts if key not in found]
    if missing:
        made = dict(zip(missing, embedder.embed_passages([texts[key] for key in missing]), strict=True))
        cache.put(embedder.name, made)
        found |= made
    return found, set(missing)


def _pages(read: Callable[[], list[Chunk]]) -> Iterator[list[Chunk]]:
    """Pending chunks page by page; stops at a page equal to the last one: marking had no effect."""
    last: list[Chunk] = []
    while (batch := read()) and batch != last:
        yield batch
        last = batch
