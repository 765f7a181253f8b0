"""Login sessions and known devices by the hashes of their tokens, and failed attempts to sign in."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from uuid import uuid4

from sqlalchemy import ColumnElement, and_, delete, func, not_, select, update

from core.clock import SKEW
from core.errors import NotFound
from domain.accounts import Account, LoginSession
from storage.base.engine import Store, touched
from storage.people.accounts import NO_ACCOUNT, to_account
from storage.tables.accounts import AccountRow, ApiTokenRow, AttemptRow, DeviceRow, LoginSessionRow

SEEN_EVERY = timedelta(minutes=1)
DEVICES, DEVICE_LIFE = 10, timedelta(days=180)
"""Devices that an account knows at most, and how long one is known that is not seen."""


class SqlLoginSessionStore(Store):
    """Login sessions by the SHA-256 of their token; the token itself is never stored.

    A session that is found dead is deleted there and then: a clock that is put back afterwards cannot
    bring it to life again.
    """

    def open(
        self,
        account_id: str,
        token_hash: str,
        now: datetime,
        expires_at: datetime,
        *,
        address: str = "",
        agent: str = "",
    ) -> LoginSession:
        row = LoginSessionRow(
            id=uuid4().hex,
            token_hash=token_hash,
            account_id=account_id,
            created_at=now,
            seen_at=now,
            expires_at=expires_at,
            address=address,
            agent=agent,
        )
        with self._db.write() as session:
            # Held until the end: an account that is made inactive meanwhile must take this session along.
            query = select(AccountRow.id).where(AccountRow.id == account_id, AccountRow.active)
            if session.scalar(query.with_for_update()) is None:
                raise NotFound(NO_ACCOUNT)
            session.add(row)
        return row.as_value(LoginSession)

    def find(self, token_hash: str, now: datetime, idle: timedelta) -> tuple[Account, LoginSession] | None:
        """The live session of an active account; `seen_at` is kept to the minute."""
        query = (
            select(AccountRow, LoginSessionRow, _live(now, idle))
            .join(LoginSessionRow, LoginSessionRow.account_id == AccountRow.id)
            .where(LoginSessionRow.token_hash == token_hash, AccountRow.active)
        )
        for account, session, is_live in self._db.rows(query):
            if not is_live:
                self.close(token_hash)
                return None
            if abs(now - session.seen_at) >= SEEN_EVERY:
                same = LoginSessionRow.token_hash == token_hash
                self._db.run(update(LoginSessionRow).where(same).values(seen_at=now))
            return to_account(account), session.as_value(LoginSession)
        return None

    def sessions(self, account_id: str, now: datetime, idle: timedelta) -> list[LoginSession]:
        """The live ones, the latest seen first."""
        query = (
            select(LoginSessionRow)
            .where(LoginSessionRow.account_id == account_id, _live(now, idle))
            .order_by(LoginSessionRow.seen_at.desc(), LoginSessionRow.id)
        )
        return [row.as_value(LoginSession) for row in self._db.scalars(query)]

    def alive(self, session_ids: Collection[str], now: datetime, idle: timedelta) -> set[str]:
        query = select(LoginSessionRow.id).where(LoginSessionRow.id.in_(session_ids), _live(now, idle))
        return set(self._db.scalars(query))

    def close(self, token_hash: str) -> LoginSession | None:
        """End it; None when there was none."""
        query = select(LoginSessionRow).where(LoginSessionRow.token_hash == token_hash)
        with self._db.write() as session:
            row = session.scalar(query.with_for_update())
            if row is None:
                return None
            session.delete(row)
        return row.as_value(LoginSession)

    def revoke(self, account_id: str, session_id: str = "", *, keep: str = "") -> int:
        """End one session of an account, or all of them but `keep`; how many there were.

        With all of them the account forgets its devices and, unless one is kept, its API tokens end.
        """
        query = delete(LoginSessionRow).where(LoginSessionRow.account_id == account_id)
        if session_id:
            return self._db.run(query.where(LoginSessionRow.id == session_id))
        with self._db.write() as session:
            session.execute(delete(DeviceRow).where(DeviceRow.account_id == account_id))
            ended = touched(session, query.where(LoginSessionRow.id != keep))
            # After the sessions: what one of them is making now is stored by then (`SqlTokenStore.add`).
            if not keep:
                session.execute(delete(ApiTokenRow).where(ApiTokenRow.account_id == account_id))
            return ended

    def knows_device(self, username: str, token_hash: str, now: datetime) -> bool:
        """True if the account of that user name knows the device."""
        query = (
            select(DeviceRow.token_hash)
            .join(AccountRow, AccountRow.id == DeviceRow.account_id)
            .where(DeviceRow.token_hash == token_hash, AccountRow.username == username.casefold())
            .where(DeviceRow.seen_at > now - DEVICE_LIFE)
        )
        return bool(self._db.scalars(query))

    def remember_device(self, account_id: str, token_hash: str, now: datetime) -> None:
        """Have the account know the device; it forgets those it has not seen for longest."""
        kept = (
            select(DeviceRow.token_hash)
            .where(DeviceRow.account_id == account_id, DeviceRow.seen_at > now - DEVICE_LIFE)
            .order_by(DeviceRow.seen_at.desc())
            .limit(DEVICES)
        )
        with self._db.write() as session:
            session.merge(DeviceRow(token_hash=token_hash, account_id=account_id, seen_at=now))
            session.flush()
            others = DeviceRow.token_hash.not_in(session.scalars(kept).all())
            session.execute(delete(DeviceRow).where(DeviceRow.account_id == account_id, others))

    def purge(self, now: datetime, idle: timedelta) -> int:
        """Drop the dead ones; how many there were."""
        return self._db.run(delete(LoginSessionRow).where(not_(_live(now, idle))))


class SqlAttemptStore(Store):
    """Failed attempts by key ('pair:…', 'address:…'), for throttling across processes."""

    def fail(self, keys: Sequence[str], now: datetime) -> None:
        with self._db.write() as session:
            session.add_all(AttemptRow(key=key, at=now) for key in keys)

    def failures(self, key: str, now: datetime, window: timedelta) -> tuple[int, datetime | None]:
        """Number of attempts within the window, and the time of the last one.

        Failures of the future, from before the clock was put back, do not count.
        """
        within = (AttemptRow.at > now - window, AttemptRow.at <= now + SKEW)
        query = select(func.count(), func.max(AttemptRow.at)).where(AttemptRow.key == key, *within)
        ((count, last),) = self._db.rows(query)
        return count, last

    def clear(self, keys: Sequence[str]) -> None:
        self._db.run(delete(AttemptRow).where(AttemptRow.key.in_(keys)))

    def purge(self, before: datetime) -> int:
        """Drop the failures of before that moment; how many there were."""
        return self._db.run(delete(AttemptRow).where(AttemptRow.at < before))


def _live(now: datetime, idle: timedelta) -> ColumnElement[bool]:
    return and_(
        LoginSessionRow.expires_at > now,
        LoginSessionRow.seen_at > now - idle,
        LoginSessionRow.seen_at <= now + SKEW,
    )
