"""Reads of the corpus: chunks, norms, blocks and the chunks that a text refers to."""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, func, or_, select
from sqlalchemy.orm import Session

from law.chunks import Chunk
from law.corpus_store import CorpusCounts, VectorGaps
from law.document_records import Referrer
from law.labels import holds_apartado
from law.norms import Block, BlockKind, BlockVersion, Document, Norm
from storage.base.engine import Engines, Store
from storage.base.recent_values import Lately
from storage.base.revision import CORPUS, read
from storage.corpus.chunk_cache import RevisionCache
from storage.corpus.row_sync import batches
from storage.tables.norms import DENSE, BlockRow, BlockVersionRow, ChunkRow, CrossReferenceRow, NormRow

AnyRow = Row[*tuple[Any, ...]]
CHUNK_COLUMNS = [getattr(ChunkRow, name) for name in Chunk.model_fields]


class SqlCorpusStore(Store):
    """The `CorpusStore` port over SQLite or PostgreSQL; every method opens and closes its own session.

    Raises (all methods): StorageError.
    """

    def __init__(self, engines: Engines) -> None:
        super().__init__(engines)
        self._chunks: RevisionCache[str, Chunk] = RevisionCache()
        self._norms: RevisionCache[str, tuple[Norm, ...]] = RevisionCache()
        self._of_norm: RevisionCache[str, tuple[str, ...]] = RevisionCache()
        self._references: RevisionCache[tuple[str, date], tuple[str, ...]] = RevisionCache()
        self._labelled: RevisionCache[tuple[str, str, date | None], tuple[Chunk, ...]] = RevisionCache()
        self._fingerprints: RevisionCache[str, str] = RevisionCache()
        self._revision = Lately(self._read_revision, lambda: engines.last_corpus_write)
        self._counts = Lately(self._read_counts, lambda: engines.last_corpus_write)
        self._gaps = Lately(self._read_gaps, lambda: engines.last_corpus_write)

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        # The revision first: what a writer commits meanwhile is then kept under one that is gone.
        return self._chunks_in(self.revision(), ids)

    def _chunks_in(self, revision: str, ids: Sequence[str]) -> list[Chunk]:
        wanted = list(dict.fromkeys(ids))
        found = self._chunks.get(revision, wanted)
        if unknown := [chunk_id for chunk_id in wanted if chunk_id not in found]:
            read: dict[str, Chunk] = {}
            with self._db.read() as session:
                for batch in batches(unknown):
                    rows = session.execute(select(*CHUNK_COLUMNS).where(ChunkRow.id.in_(batch)))
                    read |= {row.id: to_chunk(row) for row in rows}
            self._chunks.put(revision, read)
            found |= read
        return [found[item] for item in wanted if item in found]

    def find(self, norm_id: str, label: str, as_of: date | None = None) -> list[Chunk]:
        """See the port. Of two blocks with that label (a decree and the text it approves), the later."""
        key = norm_id, label, as_of
        return list(self._labelled.value(self.revision(), key, lambda: self._find(*key)))

    def _find(self, norm_id: str, label: str, as_of: date | None) -> tuple[Chunk, ...]:
        query = (
            select(*CHUNK_COLUMNS)
            .join(BlockRow, _block_of_chunk())
            .where(ChunkRow.norm_id == norm_id, ChunkRow.label == label)
            .order_by(BlockRow.position.desc(), BlockRow.id, ChunkRow.valid_from, ChunkRow.part)
        )
        if as_of is not None:
            query = query.where(in_force_on(as_of))
        rows = self._db.rows(query)
        block = [row for row in rows if row.block_id == rows[0].block_id]
        if as_of is not None:
            block = [row for row in block if row.valid_from == block[-1].valid_from]
        return tuple(map(to_chunk, block))

    def referenced(self, chunk_ids: Sequence[str], as_of: date) -> dict[str, list[str]]:
        """See the port: one chunk a reference, in order of appearance, without repeats or the source itself.

        Of a target in several parts it is the one with the apartado, or the first.
        """
        revision = self.revision()
        known = self._references.get(revision, [(chunk_id, as_of) for chunk_id in chunk_ids])
        result = {chunk_id: list(known.get((chunk_id, as_of), ())) for chunk_id in chunk_ids}
        unknown = [chunk_id for chunk_id in result if (chunk_id, as_of) not in known]
        for batch in batches(unknown):
            for (source, _), targets in groupby(self._targets(batch, as_of), lambda item: item[:2]):
                target = _best_part(list(targets))
                if target != source and target not in result[source]:
                    result[source].append(target)
        self._references.put(revision, {(chunk_id, as_of): tuple(result[chunk_id]) for chunk_id in unknown})
        return result

    def norms(self) -> list[Norm]:
        """Every norm, by collection and id; read once a revision."""
        return list(self._norms.value(self._read_revision(), "", self._read_norms))

    def norm(self, norm_id: str) -> Norm | None:
        with self._db.read() as session:
            row = session.get(NormRow, norm_id)
            return row.as_value(Norm) if row else None

    def block(self, norm_id: str, block_id: str) -> Block | None:
        with self._db.read() as session:
            row = session.get(BlockRow, (norm_id, block_id))
            wordings = session.scalars(
                select(BlockVersionRow)
                .where(BlockVersionRow.norm_id == norm_id, BlockVersionRow.block_id == block_id)
                .order_by(BlockVersionRow.number)
            )
            versions = tuple(wording.as_value(BlockVersion) for wording in wordings)
            return row.as_value(Block, versions=versions) if row else None

    def blocks(self, norm_id: str) -> list[Block]:
        query = select(BlockRow).where(BlockRow.norm_id == norm_id).order_by(BlockRow.position, BlockRow.id)
        return [row.as_value(Block, versions=()) for row in self._db.scalars(query)]

    def document(self, norm_id: str) -> Document | None:
        with self._db.read() as session:
            return document_of(session, norm_id)

    def norm_chunks(self, norm_id: str, offset: int = 0, limit: int | None = None) -> list[Chunk]:
        """See the port; read once a revision, whole."""
        revision = self._read_revision()
        ids = self._of_norm.value(revision, norm_id, lambda: self._read_norm(revision, norm_id))
        return self._chunks_in(revision, ids[offset : None if limit is None else offset + limit])

    def _read_norm(self, revision: str, norm_id: str) -> tuple[str, ...]:
        """The ids of its chunks in reading order; the chunks are kept too."""
        order = (ChunkRow.position, ChunkRow.block_id, ChunkRow.valid_from.desc(), ChunkRow.part)
        query = select(*CHUNK_COLUMNS).where(ChunkRow.norm_id == norm_id).order_by(*order)
        chunks = {row.id: to_chunk(row) for row in self._db.rows(query)}
        self._chunks.put(revision, chunks)
        return tuple(chunks)

    def norm_outline(self, norm_id: str, as_of: date) -> list[tuple[str, BlockKind]]:
        order = (ChunkRow.position, ChunkRow.block_id, ChunkRow.valid_from.desc(), ChunkRow.part)
        query = select(ChunkRow.id, ChunkRow.kind).where(ChunkRow.norm_id == norm_id, in_force_on(as_of))
        return [(chunk_id, BlockKind(kind)) for chunk_id, kind in self._db.rows(query.order_by(*order))]

    def referrers(self, norm_id: str, limit: int = 50) -> tuple[list[Referrer], int]:
        query = (
            select(ChunkRow.norm_id, ChunkRow.law, ChunkRow.section, ChunkRow.id.label("chunk_id"))
            .join(CrossReferenceRow, CrossReferenceRow.chunk_id == ChunkRow.id)
            .where(CrossReferenceRow.norm_id == norm_id, ChunkRow.norm_id != norm_id)
            .distinct()
        )
        with self._db.read() as session:
            total = session.scalar(select(func.count()).select_from(query.subquery())) or 0
            rows = session.execute(query.order_by(ChunkRow.norm_id, ChunkRow.id).limit(limit))
            return [Referrer(**row._mapping) for row in rows], total

    def norms_with_texts(self, texts: Sequence[str]) -> set[str]:
        """See the port. Reads every chunk: some ten milliseconds for a corpus of 25,000."""
        return set(self._db.scalars(select(ChunkRow.norm_id).where(ChunkRow.text.in_(texts)).distinct()))

    def vector_gaps(self, as_of: date) -> VectorGaps:
        """See the port. Asked several times a question, so it may be a moment old (see `Lately`)."""
        return self._gaps.get(as_of)

    def revision(self, *, fresh: bool = False) -> str:
        """See the port. Asked some fifteen times a question, so it may be a moment old (see `Lately`)."""
        return self._read_revision() if fresh else self._revision.get()

    def counts(self) -> CorpusCounts:
        """See the port. Each page asks for them: they may be a moment old too."""
        return self._counts.get()

    def _read_revision(self) -> str:
        return read(self._db, CORPUS)

    def _read_gaps(self, as_of: date) -> VectorGaps:
        lacking = ChunkRow.index_state < DENSE
        # An index alone answers when nothing lacks its vector; counts walk all that is in force.
        if not self._db.scalars(select(ChunkRow.id).where(lacking).limit(1)):
            return VectorGaps()
        query = select(ChunkRow.norm_id, func.count()).where(lacking, in_force_on(as_of))
        missing = dict(self._db.rows(query.group_by(ChunkRow.norm_id)))
        if not missing:
            return VectorGaps()
        total = self._db.count(in_force_on(as_of), of=ChunkRow)
        return VectorGaps(missing=sum(missing.values()), total=total, norms=frozenset(missing))

    def _read_norms(self) -> tuple[Norm, ...]:
        norms = [row.as_value(Norm) for row in self._db.scalars(select(NormRow))]
        return tuple(sorted(norms, key=lambda norm: (norm.collection, norm.id)))

    def _read_counts(self) -> CorpusCounts:
        count = self._db.count
        return CorpusCounts(
            norms=count(of=NormRow),
            chunks=count(of=ChunkRow),
            pending_dense=count(ChunkRow.index_state < DENSE, of=ChunkRow),
        )

    def fingerprint(self) -> str:
        return self._fingerprints.value(self.revision(), "", self._read_fingerprint)

    def _read_fingerprint(self) -> str:
        digest = hashlib.sha256()
        query = select(ChunkRow.id, ChunkRow.content_hash, ChunkRow.valid_to)
        # Sorted here: the two databases do not collate text alike.
        for row in sorted(f"{key} {text} {until}" for key, text, until in self._db.rows(query)):
            digest.update(f"{row}\n".encode())
        return digest.hexdigest()[:12]

    def ids(self) -> set[str]:
        return set(self._db.scalars(select(ChunkRow.id)))

    def all_chunks(self, batch: int = 500) -> Iterable[list[Chunk]]:
        """Every chunk by id; no session stays open between batches, so the reader may take its time."""
        last = ""
        while True:
            query = select(*CHUNK_COLUMNS).where(ChunkRow.id > last).order_by(ChunkRow.id).limit(batch)
            found = [to_chunk(row) for row in self._db.rows(query)]
            if not found:
                return
            yield found
            last = found[-1].id

    def _targets(self, sources: Sequence[str], as_of: date) -> Sequence[AnyRow]:
        """Candidates for each reference: parts of what it names, the best block and wording first.

        Each row begins with the chunk that refers and the ordinal of the reference.
        """
        source = CrossReferenceRow
        query = (
            select(
                source.chunk_id,
                source.ordinal,
                source.apartado,
                ChunkRow.id,
                ChunkRow.block_id,
                ChunkRow.valid_from,
                ChunkRow.apartados,
            )
            .join(ChunkRow, and_(ChunkRow.norm_id == source.norm_id, ChunkRow.label == source.label))
            .join(BlockRow, _block_of_chunk())
            .where(source.chunk_id.in_(sources), in_force_on(as_of))
            .order_by(
                source.chunk_id,
                source.ordinal,
                BlockRow.position.desc(),
                BlockRow.id,
                ChunkRow.valid_from.desc(),
                ChunkRow.part,
            )
        )
        return self._db.rows(query)


def document_of(session: Session, norm_id: str, wanted: Collection[str] | None = None) -> Document | None:
    """A norm with its blocks or, of them, those `wanted`; None when it is not stored."""
    norm = session.get(NormRow, norm_id)
    if norm is None:
        return None
    versions: dict[str, list[BlockVersion]] = {}
    wordings = select(BlockVersionRow).where(BlockVersionRow.norm_id == norm_id)
    for row in session.scalars(wordings.order_by(BlockVersionRow.block_id, BlockVersionRow.number)):
        if wanted is None or row.block_id in wanted:
            versions.setdefault(row.block_id, []).append(row.as_value(BlockVersion))
    rows = select(BlockRow).where(BlockRow.norm_id == norm_id).order_by(BlockRow.position, BlockRow.id)
    blocks = (
        row.as_value(Block, versions=tuple(versions.get(row.id, ())))
        for row in session.scalars(rows)
        if wanted is None or row.id in wanted
    )
    return Document(norm=norm.as_value(Norm), blocks=tuple(blocks))


def _best_part(targets: list[AnyRow]) -> str:
    """Id of the chunk, of the first target's wording, that has the apartado; of the first when none has."""
    first = targets[0]
    same = [one for one in targets if (one.block_id, one.valid_from) == (first.block_id, first.valid_from)]
    chosen: str = next((one for one in same if holds_apartado(one.apartados, one.apartado)), first).id
    return chosen


def in_force_on(day: date) -> ColumnElement[bool]:
    """Condition on chunks: in force on that day, both ends of the validity included."""
    return and_(ChunkRow.valid_from <= day, or_(ChunkRow.valid_to.is_(None), ChunkRow.valid_to >= day))


def to_chunk(row: AnyRow) -> Chunk:
    """The value of a row of `CHUNK_COLUMNS`."""
    return Chunk(**row._mapping)


def _block_of_chunk() -> ColumnElement[bool]:
    return and_(BlockRow.norm_id == ChunkRow.norm_id, BlockRow.id == ChunkRow.block_id)
