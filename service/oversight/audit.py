"""The audit log as the doors of the program use it.

An entry is written before what it tells of: without a record nothing is changed, asked, or read of others.
What then fails leaves a second entry that says so.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from cachetools import TTLCache

from core.errors import ArticuladoError, Forbidden, InputError, StorageError
from domain.accounts import Identity
from domain.audit import AuditAction, AuditCheck
from storage.people.audit import SqlAuditLog

SAME_LOOK_SECONDS = 15 * 60.0
"""Reading the same thing again within this time is the same look: a page reads at every redraw."""
REFUSED_SECONDS = 60.0
"""Of the same refusal to the same person one entry within this time: a loop cannot flood the log."""
REMEMBERED = 10_000
BAD_HEAD = "Escriba la cabeza como la dio «audit verify»: NÚMERO:HUELLA."

Seen = TTLCache[tuple[str, ...], bool]
Announce = Callable[[str], object]
"""Told the id of a job before it is queued; raises so that it is not."""


def ignore(_job_id: str) -> None:
    """An announcement that nobody reads."""


class Auditor:
    """Writes entries, and knows which would only repeat one of a moment ago. Any thread may call it."""

    def __init__(self, log: SqlAuditLog, clock: Callable[[], float] = time.monotonic) -> None:
        self.log = log
        self._lock = threading.Lock()
        self.looks: Seen = TTLCache(REMEMBERED, SAME_LOOK_SECONDS, clock)
        self.refusals: Seen = TTLCache(REMEMBERED, REFUSED_SECONDS, clock)

    def by(self, identity: Identity, door: str = "") -> Trail:
        """Trail of one person; `door` is where they came in, if not by the page."""
        return Trail(self, identity, door)

    def first(self, seen: Seen, key: tuple[str, ...]) -> bool:
        """True unless `seen` (`looks` or `refusals`) has the key; it has it from now on."""
        with self._lock:
            return key not in seen and seen.setdefault(key, True)

    def forget(self, key: tuple[str, ...]) -> None:
        """Take the next look with that key for a new one."""
        with self._lock:
            self.looks.pop(key, None)


class Trail:
    """Log entries of one person. Raises (all methods): StorageError: do not go on."""

    def __init__(self, auditor: Auditor, identity: Identity, door: str = "") -> None:
        self._auditor = auditor
        self._identity = identity
        told = {"door": door, "token": identity.token}
        self._door = {name: value for name, value in told.items() if value}

    def record(self, action: AuditAction, target: object = "", **detail: object) -> int:
        """Write an entry; its number."""
        told = self._door | {name: str(value) for name, value in detail.items() if value not in ("", None)}
        return self._auditor.log.append(self._identity.id, action, str(target), told).number

    def once(self, action: AuditAction, target: object = "", **detail: object) -> None:
        """Write it unless the same session or API token did the same a moment ago."""
        what = str(detail.get("what", ""))
        came_by = self._identity.session or self._identity.token
        key = (self._identity.id, came_by, action.value, str(target), what)
        if self._auditor.first(self._auditor.looks, key):
            try:
                self.record(action, target, **detail)
            except BaseException:
                self._auditor.forget(key)
                raise

    @contextmanager
    def doing(self, action: AuditAction, target: object = "", **detail: object) -> Iterator[None]:
        """Write it, then let it be done; when that is refused or fails, say so in another entry."""
        number = self.record(action, target, **detail)
        try:
            yield
        except ArticuladoError as error:
            with suppress(StorageError):
                self.record(AuditAction.REFUSED, target, entry=number, why=type(error).__name__)
            raise

    def refused(self, what: str) -> None:
        """Record an attempt at something that the person may not do."""
        if self._auditor.first(self._auditor.refusals, (self._identity.id, what)):
            self.record(AuditAction.REFUSED, why=Forbidden.__name__, permission=what)


def check(log: SqlAuditLog, head: str = "") -> AuditCheck:
    """Walk the whole log, and look whether it still holds a head that was noted once.

    Raises:
        InputError: `head` is no head.
    """
    number, _, noted = head.partition(":")
    if head and not (number.isdecimal() and len(number) < 16 and noted):
        raise InputError(BAD_HEAD)
    found = log.verify()
    if found.problem or not head:
        return found
    entry = next(iter(log.entries(before=int(number) + 1, limit=1)), None)
    if entry is not None and entry.number == int(number) and entry.hash == noted:
        return found
    if entry is None and found.entries:
        return found.model_copy(update={"problem": _cut(number), "broken": int(number)})
    text = (
        f"La entrada {number} no es la que se anotó: el registro se rehízo."
        if entry is not None and entry.number == int(number)
        else f"Faltan entradas del final: se anotó la {number} y ya no está."
    )
    return found.model_copy(update={"problem": text, "broken": int(number)})


def _cut(number: str) -> str:
    return f"La entrada {number} se recortó por antigüedad: compruebe con una cabeza más reciente."


def pages(read: Callable[..., list[Any]], size: int = 1000, **where: Any) -> Iterator[list[Any]]:
    """The entries of `SqlAuditLog.entries`, the latest first, as many at a time."""
    before: int | None = None
    while found := read(before=before, limit=size, **where):
        yield found
        before = found[-1].number
