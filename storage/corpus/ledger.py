"""State of each chunk in the index, recorded beside the chunk itself."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, case, delete, func, insert, or_, select, update
from sqlalchemy.orm import Session

from core.clock import today_in_spain
from index.vector_index import IndexWork
from law.chunks import Chunk
from storage.base.engine import CORPUS_LOCK, Store
from storage.corpus.reads import CHUNK_COLUMNS, in_force_on, to_chunk
from storage.corpus.row_sync import batches
from storage.tables.norms import DENSE, NONE, SPARSE, ChunkRow, TombstoneRow


class SqlIndexLedger(Store):
    """The `IndexLedger` port over SQLite or PostgreSQL.

    A chunk whose content changes loses its state with the save that changes it.
    """

    def pending_index(self, *, dense: bool, limit: int = 500) -> list[Chunk]:
        """See the port. A chunk with no entry at all lacks its dense vector too: dense=True has it."""
        return self._pending(ChunkRow.index_state < (DENSE if dense else SPARSE), limit=limit)

    def mark_indexed(self, chunk_ids: Sequence[str | Chunk], *, dense: bool) -> None:
        """See the port. Given the chunks as they were read, one that has changed since stays pending.

        An id that is no longer stored is recorded as stale: the index has just received it.
        """
        given = {item if isinstance(item, str) else item.id: item for item in chunk_ids}
        state = DENSE if dense else SPARSE
        with self._db.write(CORPUS_LOCK) as session:
            for batch in batches(given):
                rows = session.execute(select(*CHUNK_COLUMNS).where(ChunkRow.id.in_(batch)))
                stored = {row.id: to_chunk(row) for row in rows}
                same = [key for key, chunk in stored.items() if given[key] in (key, chunk)]
                session.execute(update(ChunkRow).where(ChunkRow.id.in_(same)).values(index_state=state))
                bury(session, [key for key in batch if key not in stored])

    def reset_index_state(self) -> None:
        statement = update(ChunkRow).where(ChunkRow.index_state != NONE).values(index_state=NONE)
        self._db.run(statement, CORPUS_LOCK)

    def stale_index_ids(self, limit: int = 5000) -> list[str]:
        return list(self._db.scalars(select(TombstoneRow.chunk_id).limit(limit)))

    def forget_stale(self, chunk_ids: Sequence[str]) -> None:
        """See the port. An id that was saved again meanwhile is pending: the index has just lost it."""
        with self._db.write(CORPUS_LOCK) as session:
            for batch in batches(chunk_ids):
                session.execute(delete(TombstoneRow).where(TombstoneRow.chunk_id.in_(batch)))
                session.execute(update(ChunkRow).where(ChunkRow.id.in_(batch)).values(index_state=NONE))

    def to_embed(self, model: str, limit: int = 500) -> list[Chunk]:
        """See the port; wordings in force come first."""
        return self._pending(ChunkRow.index_state < DENSE, ChunkRow.embedded_with != model, limit=limit)

    def embedded(self, model: str, limit: int = 500) -> list[Chunk]:
        """See the port; in no order, since all of them are quick to index."""
        query = select(*CHUNK_COLUMNS).where(*_ready(model)).limit(limit)
        return [to_chunk(row) for row in self._db.rows(query)]

    def mark_embedded(self, chunk_ids: Sequence[str], model: str) -> None:
        self._mark(chunk_ids, embedded_with=model)

    def without_passages(self, model: str, limit: int = 500) -> list[Chunk]:
        return self._pending(*self._lacks_passages(model), limit=limit)

    def mark_passages(self, chunk_ids: Sequence[str], model: str) -> None:
        self._mark(chunk_ids, passages_with=model)

    def _mark(self, chunk_ids: Sequence[str], **values: str) -> None:
        with self._db.write(CORPUS_LOCK) as session:
            for batch in batches(chunk_ids):
                session.execute(update(ChunkRow).where(ChunkRow.id.in_(batch)).values(**values))

    def passages_left(self, model: str) -> int:
        return self._db.count(*self._lacks_passages(model), of=ChunkRow)

    def _lacks_passages(self, model: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
        lasts = or_(ChunkRow.valid_to.is_(None), ChunkRow.valid_to >= today_in_spain())
        return ChunkRow.passages_with != model, lasts

    def index_work(self, model: str) -> IndexWork:
        columns = (ChunkRow.index_state, ChunkRow.embedded_with)
        query = select(*columns, func.count()).where(ChunkRow.index_state < DENSE).group_by(*columns)
        rows = [(state, with_model == model, count) for state, with_model, count in self._db.rows(query)]
        return IndexWork(
            stale=self._db.count(of=TombstoneRow),
            sparse=sum(count for state, _, count in rows if state == NONE),
            ready=sum(count for state, made, count in rows if made and state == SPARSE),
            to_embed=sum(count for _, made, count in rows if not made),
        )

    def _pending(self, *conditions: ColumnElement[bool], limit: int) -> list[Chunk]:
        query = (
            select(*CHUNK_COLUMNS)
            .where(*conditions)
            .order_by(
                case((in_force_on(today_in_spain()), 0), else_=1),
                ChunkRow.norm_id,
                ChunkRow.position,
                ChunkRow.valid_from.desc(),
                ChunkRow.id,
            )
            .limit(limit)
        )
        return [to_chunk(row) for row in self._db.rows(query)]


def _ready(model: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return ChunkRow.index_state == SPARSE, ChunkRow.embedded_with == model


def bury(session: Session, chunk_ids: Sequence[str]) -> None:
    """Record that the index may still hold these chunks."""
    for batch in batches(chunk_ids):
        known = set(session.scalars(select(TombstoneRow.chunk_id).where(TombstoneRow.chunk_id.in_(batch))))
        new = [{"chunk_id": chunk_id} for chunk_id in batch if chunk_id not in known]
        if new:
            session.execute(insert(TombstoneRow), new)
