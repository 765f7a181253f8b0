"""Checks and repairs of the database for the doctor."""

from datetime import UTC, datetime

from sqlalchemy import ColumnElement, and_, delete, exists, func, or_, select

from rag.evaluation.results import EvaluationState
from storage.base.engine import CORPUS_LOCK, DAMAGED, Store, translated
from storage.base.revision import CORPUS, renew
from storage.chat.conversations import OPEN_STATES
from storage.chat.message_words import rebuild, sound
from storage.corpus.ledger import bury
from storage.corpus.row_sync import batches
from storage.tables.columns import silent
from storage.tables.conversations import MessageRow
from storage.tables.evaluations import EvaluationRow
from storage.tables.norms import BlockVersionRow, ChunkRow, VectorRow

FLOAT_BYTES = 4


class SqlHealth(Store):
    """The `Health` port of `loading.ingestion.doctor` over SQLite or PostgreSQL."""

    def damage(self) -> str:
        """Damage that SQLite finds in its file, in Spanish, or empty; always empty on a server."""
        if self._db.engine.dialect.name != "sqlite":
            return ""
        with translated(), self._db.engine.connect() as connection:
            found = str(connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar())
            if found != "ok":
                return f"{DAMAGED} SQLite dice: {found.splitlines()[-1]}."
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
            lost = f"{len(broken)} filas sin la fila a la que se refieren"
            return f"{DAMAGED} Hay {lost} ({broken[0][0]})." if broken else ""

    def unsearchable(self) -> bool:
        """True if the words of messages are not those of their texts; never on a server."""
        with self._db.read() as session:
            return not sound(session)

    def index_words(self) -> None:
        """Make the words of messages again from their texts."""
        with self._db.write() as session:
            rebuild(session)

    def silent(self, seconds: float) -> int:
        """Answers and evaluations under way without a sign of life for so long."""
        now = datetime.now(UTC)
        messages = and_(MessageRow.state.in_(OPEN_STATES), silent(MessageRow.updated_at, now, seconds))
        evaluations = and_(
            EvaluationRow.state == EvaluationState.RUNNING.value,
            silent(EvaluationRow.updated_at, now, seconds),
        )
        return self._db.count(messages, of=MessageRow) + self._db.count(evaluations, of=EvaluationRow)

    def wrong_vectors(self, model: str, dimensions: int) -> int:
        """Cached vectors that are no vectors, or not of this model's size."""
        return self._db.count(_wrong(model, dimensions), of=VectorRow)

    def drop_wrong_vectors(self, model: str, dimensions: int) -> None:
        """Forget them: they are made again when they are needed."""
        self._db.run(delete(VectorRow).where(_wrong(model, dimensions)), CORPUS_LOCK)

    def strays(self) -> int:
        """Chunks of a wording that the database does not have: nothing may be quoted from them."""
        return self._db.count(_stray(), of=ChunkRow)

    def drop_strays(self) -> None:
        with self._db.write(CORPUS_LOCK) as session:
            gone = list(session.scalars(select(ChunkRow.id).where(_stray())))
            bury(session, gone)
            for batch in batches(gone):
                session.execute(delete(ChunkRow).where(ChunkRow.id.in_(batch)))
            renew(session, CORPUS)


def _wrong(model: str, dimensions: int) -> ColumnElement[bool]:
    size = func.length(VectorRow.vector)
    return or_(
        size == 0,
        size % FLOAT_BYTES != 0,
        and_(VectorRow.model == model, size != dimensions * FLOAT_BYTES),
    )


def _stray() -> ColumnElement[bool]:
    wording = (
        BlockVersionRow.norm_id == ChunkRow.norm_id,
        BlockVersionRow.block_id == ChunkRow.block_id,
        BlockVersionRow.valid_from == ChunkRow.valid_from,
    )
    return ~exists().where(*wording)
