"""Digests: whom to send what has not left yet, one a person, day and channel."""

from collections.abc import Sequence
from datetime import date, datetime

from sqlalchemy import and_, or_, select, update
from sqlalchemy.orm import Session

from domain.alerts import Channel, DeliveryProblem, DigestState, Waiting
from storage.base.engine import ALERTS_LOCK, Store
from storage.corpus.row_sync import batches
from storage.tables.alerts import AlertSettingsRow, DigestRow, NewsRow

LEFT = {Channel.MAIL: NewsRow.mailed_at, Channel.WEBHOOK: NewsRow.posted_at}


class SqlDigestStore(Store):
    """Digests of all people, for the program itself. Raises (all methods): StorageError."""

    def waiting(self, channel: Channel, day: date, now: datetime) -> list[Waiting]:
        """People with unread news that have not left, unless that day's digest did, or rests after a failure.

        By mail, those alone who want it and have confirmed their address.
        """
        closed = select(DigestRow.owner).where(
            DigestRow.channel == channel.value,
            DigestRow.day == day,
            or_(DigestRow.state != DigestState.FAILED.value, DigestRow.next_at > now),
        )
        fresh = and_(NewsRow.read_at.is_(None), LEFT[channel].is_(None), NewsRow.owner.not_in(closed))
        if channel is Channel.MAIL:
            query = select(NewsRow.owner, AlertSettingsRow.email).join(
                AlertSettingsRow, AlertSettingsRow.owner == NewsRow.owner
            )
            query = query.where(fresh, AlertSettingsRow.by_mail.is_(True))
            query = query.where(AlertSettingsRow.email != "", AlertSettingsRow.confirmed_at.is_not(None))
            rows = self._db.rows(query.distinct().order_by(NewsRow.owner))
            return [Waiting(owner=owner, address=address) for owner, address in rows]
        owners = self._db.scalars(select(NewsRow.owner).where(fresh).distinct().order_by(NewsRow.owner))
        return [Waiting(owner=owner) for owner in owners]

    def unsent(self, owner: str, channel: Channel) -> set[int]:
        """Ids of the events of the person's news that have not left."""
        left = LEFT[channel]
        return set(self._db.scalars(select(NewsRow.event_id).where(NewsRow.owner == owner, left.is_(None))))

    def claim(self, owner: str, day: date, channel: Channel, now: datetime) -> int:
        """Take that day's digest to send it; the number of the attempt, or 0: it is another's or has left."""
        with self._db.write(ALERTS_LOCK) as session:
            row = session.get(DigestRow, (owner, day, channel.value))
            if row is None:
                row = DigestRow(
                    owner=owner, day=day, channel=channel.value, attempts=0, problem="", next_at=now
                )
                session.add(row)
            elif row.state != DigestState.FAILED.value or row.next_at > now:
                return 0
            row.state, row.attempts = DigestState.SENDING.value, row.attempts + 1
            return row.attempts

    def sent(self, owner: str, day: date, channel: Channel, events: Sequence[int], now: datetime) -> None:
        """Record that a digest with these events was taken."""
        with self._db.write(ALERTS_LOCK) as session:
            for ids in batches(events):
                mine = update(NewsRow).where(NewsRow.owner == owner, NewsRow.event_id.in_(ids))
                session.execute(mine.values({LEFT[channel]: now}))
            self._end(session, owner, day, channel, state=DigestState.SENT.value, problem="")

    def failed(self, owner: str, day: date, channel: Channel, problem: str, next_at: datetime) -> None:
        """Record why a digest was not taken, and when it is tried again."""
        with self._db.write(ALERTS_LOCK) as session:
            state = DigestState.FAILED.value
            self._end(session, owner, day, channel, state=state, problem=problem, next_at=next_at)

    def problems(self) -> list[DeliveryProblem]:
        """By channel, why the digest that was tried last was not taken; nothing once one is."""
        found = []
        for channel in Channel:
            query = select(DigestRow).where(
                DigestRow.channel == channel.value, DigestRow.state != DigestState.SENDING.value
            )
            latest = query.order_by(DigestRow.day.desc(), DigestRow.next_at.desc()).limit(1)
            for row in self._db.scalars(latest):
                if row.state == DigestState.FAILED.value:
                    found.append(DeliveryProblem(channel=channel, day=row.day, reason=row.problem))
        return found

    @staticmethod
    def _end(session: Session, owner: str, day: date, channel: Channel, **values: object) -> None:
        mine = (DigestRow.owner == owner, DigestRow.day == day, DigestRow.channel == channel.value)
        session.execute(update(DigestRow).where(*mine).values(**values))
