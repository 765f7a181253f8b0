"""Watches of people; each is open to its owner alone."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import ColumnElement, and_, func, or_, select, update
from sqlalchemy.orm import Session

from core.errors import InputError
from domain.alerts import AlertSettings, Watch, WatchKind
from storage.base.engine import ALERTS_LOCK, Store, only
from storage.base.membership import member_of, open_matter
from storage.tables.alerts import AddressCodeRow, AlertSettingsRow, WatchRow
from storage.tables.matters import MatterRow

MOST = 500
NO_WATCH = "No existe esa vigilancia."
TOO_MANY = f"Ya vigila {MOST} cosas: quite antes alguna en «Novedades»."


class SqlWatchStore(Store):
    """Watches by owner.

    Raises (all methods): StorageError; NotFound when something does not exist or is not open to the owner
    (the two cannot be told apart from outside).
    """

    def watch_law(self, owner: str, norm_id: str, label: str, name: str) -> Watch:
        """Watch a norm or, with a label, an article of it; the same watch when there is one already.

        Raises:
            InputError: the owner has as many watches as they may.
        """
        kind = WatchKind.ARTICLE if label else WatchKind.NORM
        row = _row(owner, kind, f"{norm_id} {label}".strip(), norm_id=norm_id, label=label, name=name)
        with self._db.write(ALERTS_LOCK) as session:
            return _value(session, _added(session, row))

    def watch_matter(self, owner: str, matter_id: str) -> Watch:
        """Watch what an expediente's documents refer to. Raises as `watch_law`."""
        with self._db.write(ALERTS_LOCK) as session:
            open_matter(session, owner, matter_id)
            row = _row(owner, WatchKind.MATTER, matter_id, matter_id=matter_id)
            return _value(session, _added(session, row))

    def watching(self, owner: str, kind: WatchKind, target: str) -> Watch | None:
        """The watch on a norm's id, 'norm label' or an expediente's id; or None."""
        same = and_(WatchRow.owner == owner, WatchRow.kind == kind.value, WatchRow.target == target)
        with self._db.read() as session:
            row = session.scalar(select(WatchRow).where(same, is_open(owner)))
            return _value(session, row) if row else None

    def watches(self, owner: str) -> list[Watch]:
        """Those whose target is open to the owner, by kind, the latest first."""
        query = select(WatchRow).where(WatchRow.owner == owner, is_open(owner))
        with self._db.read() as session:
            rows = session.scalars(query.order_by(WatchRow.created_at.desc(), WatchRow.id)).all()
            found = [_value(session, row) for row in rows]
        kinds = list(WatchKind)
        return sorted(found, key=lambda one: kinds.index(one.kind))

    def pause(self, owner: str, watch_id: str, paused: bool) -> None:
        """Pause or resume a watch; changes in between are not told later."""
        with self._db.write() as session:
            row = _own(session, owner, watch_id)
            row.paused = paused

    def unwatch(self, owner: str, watch_id: str) -> None:
        with self._db.write() as session:
            session.delete(_own(session, owner, watch_id))

    def settings(self, owner: str) -> AlertSettings:
        with self._db.read() as session:
            row = session.get(AlertSettingsRow, owner)
            return row.as_value(AlertSettings) if row else AlertSettings()

    def set_settings(self, owner: str, email: str, *, by_mail: bool) -> AlertSettings:
        """Replace how the owner is told; another address is to be confirmed (`storage.alerts.addresses`)."""
        with self._db.write(ALERTS_LOCK) as session:
            row = session.get(AlertSettingsRow, owner)
            if row is None:
                row = AlertSettingsRow(owner=owner, email=email, by_mail=by_mail)
                session.add(row)
            elif row.email != email:
                row.email, row.confirmed_at = email, None
                session.execute(
                    update(AddressCodeRow).where(AddressCodeRow.owner == owner).values(code_hash="")
                )
            row.by_mail = by_mail
            return row.as_value(AlertSettings)


def is_open(owner: str) -> ColumnElement[bool]:
    """True for watches whose expediente, if they have one, is open to their owner now."""
    return or_(WatchRow.matter_id.is_(None), member_of(WatchRow.matter_id.expression, owner))


def _row(owner: str, kind: WatchKind, target: str, **about: Any) -> WatchRow:
    own = {"id": uuid4().hex, "owner": owner, "kind": kind.value, "target": target, "paused": False}
    blank = {"norm_id": "", "label": "", "name": ""}
    return WatchRow(**own, **blank | about, created_at=datetime.now(UTC))


def _added(session: Session, row: WatchRow) -> WatchRow:
    own = WatchRow.owner == row.owner
    same = select(WatchRow).where(own, WatchRow.kind == row.kind, WatchRow.target == row.target)
    if (there := session.scalar(same)) is not None:
        there.paused = False
        return there
    if (session.scalar(select(func.count(WatchRow.id)).where(own)) or 0) >= MOST:
        raise InputError(TOO_MANY)
    session.add(row)
    session.flush()
    return row


def _own(session: Session, owner: str, watch_id: str) -> WatchRow:
    query = select(WatchRow).where(WatchRow.id == watch_id, WatchRow.owner == owner)
    return only(session, query, NO_WATCH)


def _value(session: Session, row: WatchRow) -> Watch:
    matter = session.get(MatterRow, row.matter_id) if row.matter_id is not None else None
    return row.as_value(Watch, name=matter.name if matter else row.name)
