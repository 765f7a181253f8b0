"""Watched questions: which are to be asked again, and how their answers differ."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import or_, select, update

from domain.alerts import CitedWording, Difference, DueQuestion
from law.changes import Fate
from law.events import LawEvent
from storage.alerts.news import add_difference
from storage.alerts.touched import open_to_owner
from storage.alerts.watches import CitedWordings
from storage.base.engine import ALERTS_LOCK, Store
from storage.tables.alerts import LawEventRow, WatchRow
from storage.tables.columns import from_json, to_json
from storage.tables.core import ConversationRow, MessageRow

MARGIN = timedelta(minutes=10)
"""A change that was being written while a question was asked may have been in its law or not."""


class SqlQuestionWatchStore(Store):
    """Watched questions of all people, for the program itself. Raises (all methods): StorageError."""

    def due(self, now: datetime) -> list[DueQuestion]:
        """Those that were last asked before an event was matched, the longest waiting first."""
        latest = select(LawEventRow.matched_at).order_by(LawEventRow.matched_at.desc())
        latest = latest.where(LawEventRow.matched_at.is_not(None)).limit(1)
        query = (
            select(WatchRow, MessageRow)
            .join(MessageRow, MessageRow.id == WatchRow.message_id)
            .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
            .where(
                WatchRow.paused.is_(False),
                WatchRow.asked_at < latest.scalar_subquery(),
                WatchRow.asked_at < now,
                open_to_owner(),
            )
            .order_by(WatchRow.asked_at, WatchRow.id)
        )
        return [
            DueQuestion(
                watch_id=watch.id,
                owner=watch.owner,
                conversation_id=question.conversation_id,
                message_id=question.id,
                question=question.text,
                as_of=question.as_of,
                cited=_cited(watch),
                asked_at=watch.asked_at or watch.created_at,
            )
            for watch, question in self._db.rows(query)
        ]

    def claim(self, due: DueQuestion, now: datetime, until: datetime) -> bool:
        """Take a question to ask it; False: another process has it, or it is not due any more."""
        free = or_(WatchRow.claimed_until.is_(None), WatchRow.claimed_until <= now)
        still = (WatchRow.id == due.watch_id, WatchRow.asked_at == due.asked_at, WatchRow.paused.is_(False))
        return bool(self._db.run(update(WatchRow).where(*still, free).values(claimed_until=until)))

    def release(self, due: DueQuestion, until: datetime) -> None:
        """Give up a claim: the next process may ask it."""
        mine = (WatchRow.id == due.watch_id, WatchRow.claimed_until == until)
        self._db.run(update(WatchRow).where(*mine).values(claimed_until=None))

    def events_since(self, moment: datetime, now: datetime) -> list[tuple[int, LawEvent]]:
        """Events that count from about that moment on, with their ids, the latest first."""
        query = select(LawEventRow).where(LawEventRow.since >= moment - MARGIN, LawEventRow.since <= now)
        rows = self._db.scalars(query.order_by(LawEventRow.id.desc()))
        return [(row.id, row.as_value(LawEvent, fate=Fate(row.fate))) for row in rows]

    def differs(
        self,
        watch_id: str,
        found: Mapping[int, Difference],
        cited: Sequence[CitedWording],
        asked_at: datetime,
    ) -> None:
        """Keep what a question cites now, and tell its owner how that differs, by event.

        Args:
            asked_at: when it was asked: events matched later have it asked again.
        """
        with self._db.write(ALERTS_LOCK) as session:
            watch = session.get(WatchRow, watch_id)
            if watch is None:
                return
            watch.cited, watch.asked_at = to_json(CitedWordings(wordings=tuple(cited))), asked_at
            watch.claimed_until = None
            for event_id, difference in found.items():
                if session.get(LawEventRow, event_id) is not None:
                    add_difference(session, watch, event_id, difference)


def _cited(watch: WatchRow) -> tuple[CitedWording, ...]:
    kept = from_json(CitedWordings, watch.cited, f"watch {watch.id}")
    return kept.wordings if kept else ()
