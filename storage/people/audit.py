"""The audit log: a chain of entries in which each one names the hash of the one before.

Anyone who can write the database can rewrite a chain of bare hashes from any entry on. A key that the
database does not hold (AUDIT_KEY) prevents it, and a log without any signed entry then fails the check.
Neither shows that the last entries were removed; a head noted elsewhere does: the program's log names one
now and then, and each backup holds one.
"""

import hashlib
import hmac
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import Row, String, delete, select, type_coerce
from sqlalchemy.orm import Session

from core.errors import StorageError
from domain.audit import AuditAction, AuditCheck, AuditEntry
from storage.base.engine import Engines, Store
from storage.tables.audit import AuditRow
from storage.tables.columns import clean

AUDIT_LOCK = 7_301_010
SIGNED = "hmac:"
TELL_EVERY = 200
"""Entries from one head in the program's log to the next; each process also logs its first one of a day."""
CUT_TARGET, THROUGH, HASH = "audit", "through", "hash"
NO_KEY = "El registro de auditoría está firmado y falta su clave: defina AUDIT_KEY con la que se creó."
EMPTIED = (
    "El registro está vacío y hay AUDIT_KEY: si el programa se ha usado con ella, alguien lo vació. "
    "Compare con la cabeza de una copia («audit verify --backup»)."
)
NONE_SIGNED = (
    "Ninguna entrada está firmada y hay AUDIT_KEY: si acaba de definirla, repita la comprobación cuando "
    "alguien entre; si no, el registro se rehízo sin la clave."
)

log = logging.getLogger(__name__)


class SqlAuditLog(Store):
    """The append-only log.

    Raises (all methods): StorageError; nothing was recorded.
    """

    def __init__(
        self, engines: Engines, key: bytes = b"", now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        """Wire it.

        Args:
            key: signs new entries; empty = bare hashes.
        """
        super().__init__(engines)
        self._key = key
        self._now = now
        self._told_on: date | None = None

    def append(
        self, actor: str, action: AuditAction, target: str = "", detail: Mapping[str, str] | None = None
    ) -> AuditEntry:
        with self._db.write(AUDIT_LOCK) as session:
            entry = self._append(session, actor, action, target, detail or {})
        self._tell(entry)
        return entry

    def cut(self, before: datetime) -> int:
        """Delete the entries at the start of the log older than `before`; returns their number.

        A new entry records the cut with number and hash of the last one deleted: the chain goes on from it.
        """
        with self._db.write(AUDIT_LOCK) as session:
            kept = session.scalar(
                select(AuditRow.number).where(AuditRow.at >= before).order_by(AuditRow.number).limit(1)
            )
            query = select(AuditRow).order_by(AuditRow.number.desc()).limit(1)
            last = session.scalar(query if kept is None else query.where(AuditRow.number < kept))
            first = session.scalar(select(AuditRow.number).order_by(AuditRow.number).limit(1))
            if last is None or first is None:
                return 0
            count = last.number - first + 1
            detail = {THROUGH: str(last.number), HASH: last.hash, "entries": str(count)}
            entry = self._append(session, "", AuditAction.EXPIRED, CUT_TARGET, detail)
            session.flush()
            session.execute(
                delete(AuditRow)
                .where(AuditRow.number <= last.number)
                .execution_options(synchronize_session=False)
            )
        self._tell(entry)
        return count

    def entries(
        self,
        *,
        actor: str = "",
        actions: Sequence[AuditAction] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        before: int | None = None,
        after: int = 0,
        limit: int = 100,
    ) -> list[AuditEntry]:
        """Latest first, without `until` itself; numbers below `before` and above `after`, for paging."""
        query = select(AuditRow).order_by(AuditRow.number.desc()).limit(limit)
        if actor:
            query = query.where(AuditRow.actor == actor)
        if actions:
            query = query.where(AuditRow.action.in_([action.value for action in actions]))
        if since is not None:
            query = query.where(AuditRow.at >= since)
        if until is not None:
            query = query.where(AuditRow.at < until)
        if before is not None:
            query = query.where(AuditRow.number < before)
        if after:
            query = query.where(AuditRow.number > after)
        return [row.as_value(AuditEntry) for row in self._db.scalars(query)]

    def verify(self) -> AuditCheck:
        """Check the whole chain, up to the first problem."""
        walk = _Walk(self._key)
        query = select(*_RAW).order_by(AuditRow.number).execution_options(yield_per=500)
        with self._db.read() as session:
            for row in session.execute(query):
                try:
                    walk.step(_read(row))
                except (ValueError, TypeError):
                    walk.unreadable(row.number)
                if walk.problem:
                    break
        return walk.end()

    def _tell(self, entry: AuditEntry) -> None:
        day = entry.at.date()
        if entry.number % TELL_EVERY == 0 or day != self._told_on:
            self._told_on = day
            log.info("audit head %s", head_of(entry))

    def _append(
        self, session: Session, actor: str, action: AuditAction, target: str, detail: Mapping[str, str]
    ) -> AuditEntry:
        last = session.execute(
            select(AuditRow.number, AuditRow.hash).order_by(AuditRow.number.desc()).limit(1)
        ).one_or_none()
        number, previous = (last.number, last.hash) if last else (0, "")
        if previous.startswith(SIGNED) and not self._key:
            raise StorageError(NO_KEY)
        entry = AuditEntry(
            number=number + 1,
            at=self._now().astimezone(UTC),
            actor=clean(actor),
            action=action,
            target=clean(target),
            detail=clean(dict(detail)),
            previous=previous,
        )
        entry = entry.model_copy(update={"hash": hash_of(entry, self._key)})
        values = entry.model_dump() | {"action": entry.action.value, "detail": dict(entry.detail)}
        session.add(AuditRow(**values))
        return entry


class _Walk:
    """The chain so far, entry by entry."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._last: AuditEntry | None = None
        self._start: tuple[str, str] | None = None
        """Number and hash of the entry before the first one here; a recorded cut must name them."""
        self._count = self._unsigned = 0
        self.problem = ""
        self._broken: int | None = None

    def step(self, entry: AuditEntry) -> None:
        previous, expected = (self._last.hash, self._last.number + 1) if self._last else ("", 1)
        if self._last is None and entry.number != 1:
            self._start = (str(entry.number - 1), entry.previous)
        elif entry.number != expected:
            self._break(
                expected, f"Falta la entrada {expected}: tras la {expected - 1} viene la {entry.number}."
            )
            return
        elif entry.previous != previous:
            self._break(
                entry.number, f"La entrada {entry.number} no sigue a la anterior: se cambió una de las dos."
            )
            return
        problem = self._sealed(entry)
        if problem:
            self._break(entry.number, problem)
            return
        if entry.action is AuditAction.EXPIRED and entry.target == CUT_TARGET:
            told = (entry.detail.get(THROUGH, ""), entry.detail.get(HASH, ""))
            self._start = None if told == self._start else self._start
        self._last = entry
        self._count += 1
        self._unsigned += not entry.hash.startswith(SIGNED)

    def unreadable(self, number: int) -> None:
        self._break(number, f"La entrada {number} se ha cambiado: no se puede leer.")

    def end(self) -> AuditCheck:
        if self._start is not None and not self.problem:
            first = int(self._start[0]) + 1
            text = f"El registro empieza en la entrada {first} y ninguna dice que se recortara hasta ahí."
            self._break(first, text)
        elif self._key and not self.problem and self._unsigned == self._count:
            self._break(self._last.number if self._last else 1, NONE_SIGNED if self._last else EMPTIED)
        return AuditCheck(
            entries=self._count,
            head=head_of(self._last) if self._last else "",
            problem=self.problem,
            broken=self._broken,
            unsigned=self._unsigned if self._key else 0,
        )

    def _sealed(self, entry: AuditEntry) -> str:
        signed = entry.hash.startswith(SIGNED)
        if signed and not self._key:
            return NO_KEY
        if self._last is not None and self._last.hash.startswith(SIGNED) and not signed:
            return f"La entrada {entry.number} no está firmada y la anterior sí."
        if not hmac.compare_digest(entry.hash, hash_of(entry, self._key if signed else b"")):
            return f"La entrada {entry.number} se ha cambiado: su contenido no corresponde a su huella."
        return ""

    def _break(self, number: int, problem: str) -> None:
        self._broken, self.problem = number, problem


def hash_of(entry: AuditEntry, key: bytes = b"") -> str:
    """SHA-256 of everything but the hash itself as JSON with sorted keys and no spaces, or its HMAC."""
    content = entry.model_dump(mode="json", exclude={"hash"}) | {"at": entry.at.astimezone(UTC).isoformat()}
    body = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    if key:
        return SIGNED + hmac.new(key, body, hashlib.sha256).hexdigest()
    return hashlib.sha256(body).hexdigest()


def head_of(entry: AuditEntry) -> str:
    """Head of the log, to be noted elsewhere: it reveals a log that lost its last entries."""
    return f"{entry.number}:{entry.hash}"


_RAW = [
    type_coerce(getattr(AuditRow, name), String).label(name)
    if name in ("at", "detail")
    else getattr(AuditRow, name)
    for name in AuditEntry.model_fields
]
"""Undecoded columns: rows are fetched in batches, and the number of an unreadable one must be known."""


def _read(row: Row[*tuple[Any, ...]]) -> AuditEntry:
    """Raises ValueError, TypeError."""
    at = datetime.fromisoformat(row.at) if isinstance(row.at, str) else row.at
    at = at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    return AuditEntry(**{**row._mapping, "at": at, "detail": json.loads(row.detail)})
