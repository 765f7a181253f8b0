"""Digests: whom to send what has not left yet, one a person and day."""

from collections.abc import Sequence
from datetime import date, datetime

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from domain.alerts import DeliveryProblem, DigestState, Waiting
from storage.base.engine import ALERTS_LOCK, Store
from storage.corpus.row_sync import batches
from storage.tables.alerts import AlertSettingsRow, DigestRow, NewsRow


class SqlDigestStore(Store):
    """Digests of all people, for the program itself. Raises (all methods): StorageError."""

    def waiting(self, day: date, now: datetime) -> list[Waiting]:
        """People who want mail, have confirmed their address and have unread news that have not left.

        Not those whose digest of that day has left, or rests after a failure.
        """
        closed = select(DigestRow.owner).where(
            DigestRow.day == day,
            or_(DigestRow.state != DigestState.FAILED.value, DigestRow.next_at > now),
        )
        query = (
            select(NewsRow.owner, AlertSettingsRow.email)
            .join(AlertSettingsRow, AlertSettingsRow.owner == NewsRow.owner)
            .where(NewsRow.read_at.is_(None), NewsRow.mailed_at.is_(None), NewsRow.owner.not_in(closed))
            .where(AlertSettingsRow.by_mail.is_(True))
            .where(AlertSettingsRow.email != "", AlertSettingsRow.confirmed_at.is_not(None))
        )
        rows = self._db.rows(query.distinct().order_by(NewsRow.owner))
        return [Waiting(owner=owner, address=address) for owner, address in rows]

    def unsent(self, owner: str) -> set[int]:
        """Ids of the events of the person's news that have not left."""
        query = select(NewsRow.event_id).where(NewsRow.owner == owner, NewsRow.mailed_at.is_(None))
        return set(self._db.scalars(query))

    def claim(self, owner: str, day: date, now: datetime) -> int:
        """Take that day's digest to send it; the number of the attempt, or 0: it is another's or has left."""
        with self._db.write(ALERTS_LOCK) as session:
            row = session.get(DigestRow, (owner, day))
            if row is None:
                row = DigestRow(owner=owner, day=day, attempts=0, problem="", next_at=now)
                session.add(row)
            elif row.state != DigestState.FAILED.value or row.next_at > now:
                return 0
            row.state, row.attempts = DigestState.SENDING.value, row.attempts + 1
            return row.attempts

    def sent(self, owner: str, day: date, events: Sequence[int], now: datetime) -> None:
        """Record that a digest with these events was taken."""
        with self._db.write(ALERTS_LOCK) as session:
            for ids in batches(events):
                mine = update(NewsRow).where(NewsRow.owner == owner, NewsRow.event_id.in_(ids))
                session.execute(mine.values(mailed_at=now))
            self._end(session, owner, day, state=DigestState.SENT.value, problem="")

    def failed(self, owner: str, day: date, problem: str, next_at: datetime) -> None:
        """Record why a digest was not taken, and when it is tried again."""
        with self._db.write(ALERTS_LOCK) as session:
            self._end(session, owner, day, state=DigestState.FAILED.value, problem=problem, next_at=next_at)

    def problem(self) -> DeliveryProblem | None:
        """Why the digest that was tried last was not taken; None once one is."""
        query = select(DigestRow).where(DigestRow.state != DigestState.SENDING.value)
        for row in self._db.scalars(query.order_by(DigestRow.day.desc(), DigestRow.next_at.desc()).limit(1)):
            if row.state == DigestState.FAILED.value:
                return DeliveryProblem(day=row.day, reason=row.problem)
        return None

    @staticmethod
    def _end(session: Session, owner: str, day: date, **values: object) -> None:
        mine = (DigestRow.owner == owner, DigestRow.day == day)
        session.execute(update(DigestRow).where(*mine).values(**values))
