"""Use of models by person and day, and the quotas counted on it."""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from core.clock import spanish_day
from domain.usage import COUNTS, QUESTIONS, Quota, QuotaExceeded, Usage
from models.metering import ENRICHMENT, Spent
from storage.base.engine import Engines, Store
from storage.tables.audit import UsageRow

NO_QUOTA = Quota()
KEY = ("owner", "day", "role", "model")
RENEWED = "Podrá volver a preguntar a las 00:00, hora peninsular; lo demás sigue funcionando."
NO_QUESTIONS = "Ha llegado al límite de {limit} preguntas al día. " + RENEWED
NO_TOKENS = "Ha llegado a su límite diario de uso de los modelos. " + RENEWED


class SqlUsageStore(Store):
    """Use of models by person and day. Raises (all methods): StorageError."""

    def __init__(
        self,
        engines: Engines,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        quota: Quota = NO_QUOTA,
    ) -> None:
        super().__init__(engines)
        self._now = now
        self.quota = quota

    def record(self, owner: str, spent: Sequence[Spent]) -> None:
        """Add it to what the owner has used today."""
        if not spent:
            return
        day = spanish_day(self._now())
        with self._db.write() as session:
            # In one order everywhere: two that add to the same rows must not wait for each other.
            for one in sorted(spent, key=lambda item: (item.role, item.model)):
                add(session, Usage(owner=owner, day=day, **one.model_dump()))

    def rows(self, since: date, until: date, owner: str = "") -> list[Usage]:
        """Both days included; by day, owner, role and model."""
        query = (
            select(UsageRow)
            .where(UsageRow.day >= since, UsageRow.day <= until)
            .order_by(UsageRow.day, UsageRow.owner, UsageRow.role, UsageRow.model)
        )
        if owner:
            query = query.where(UsageRow.owner == owner)
        return [row.as_value(Usage) for row in self._db.scalars(query)]

    def tokens_this_month(self, role: str) -> int:
        """Tokens that everybody has spent in a role since the first day of the month."""
        first = spanish_day(self._now()).replace(day=1)
        total = func.sum(UsageRow.prompt_tokens + UsageRow.completion_tokens)
        query = select(func.coalesce(total, 0)).where(UsageRow.role == role, UsageRow.day >= first)
        return int(next(iter(self._db.scalars(query))))

    def count(self, owner: str) -> None:
        """Count a question that is stored nowhere. Raises QuotaExceeded."""
        with self._db.write() as session:
            self.count_question(session, owner)

    def count_question(self, session: Session, owner: str) -> None:
        """Count one in the transaction that stores it; of several at once, those within the quota go in.

        Search aids do not count: they have a budget of their own.

        Raises:
            QuotaExceeded: nothing must be committed.
        """
        day = spanish_day(self._now())
        add(session, Usage(owner=owner, day=day, role=QUESTIONS, model="", questions=1))
        questions, tokens = self._used(session, owner, day)
        if 0 < self.quota.questions < questions:
            raise QuotaExceeded(NO_QUESTIONS.format(limit=self.quota.questions))
        self._require(tokens)

    def require_tokens(self, owner: str) -> None:
        """For calls of a model that no question counts. Raises QuotaExceeded: today's tokens are used up."""
        if self.quota.tokens > 0:
            with self._db.read() as session:
                self._require(self._used(session, owner, spanish_day(self._now()))[1])

    def _used(self, session: Session, owner: str, day: date) -> tuple[int, int]:
        """Questions and tokens of a person on a day."""
        totals = select(
            func.sum(UsageRow.questions), func.sum(UsageRow.prompt_tokens + UsageRow.completion_tokens)
        ).where(UsageRow.owner == owner, UsageRow.day == day, UsageRow.role != ENRICHMENT)
        questions, tokens = session.execute(totals).one()
        return questions or 0, tokens or 0

    def _require(self, tokens: int) -> None:
        if 0 < self.quota.tokens <= tokens:
            raise QuotaExceeded(NO_TOKENS)


def add(session: Session, usage: Usage) -> None:
    """Add to a row, or make it; the row stays locked until the transaction ends."""
    insert: Any = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    values = usage.model_dump()
    statement = insert(UsageRow).values(**values)
    added = {name: getattr(UsageRow, name) + values[name] for name in COUNTS}
    session.execute(statement.on_conflict_do_update(index_elements=KEY, set_=added))
