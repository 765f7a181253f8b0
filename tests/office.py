"""An office with accounts: its clock, its audit log, and how people come in."""

import threading
from datetime import UTC, datetime, timedelta

import pytest

from core.errors import StorageError
from domain.audit import AuditAction, AuditEntry
from service.accounts.passwords import Passwords
from service.accounts.sign_in import Person
from service.accounts.throttle import SignInRefused, Throttled

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
OFFICE, HOME, THIEF = "198.51.100.7", "203.0.113.5", "192.0.2.66"
SECRET, OTHER = "caballo correcto pila", "grapa batería sol luna"
ISSUER = "https://id.example"
WRONG = "Usuario o contraseña incorrectos."


class Clock:
    now = NOW

    def __call__(self) -> datetime:
        return self.now

    def tick(self, **passed: float) -> None:
        self.now += timedelta(**passed)


class Audit:
    """An audit log in memory."""

    def __init__(self) -> None:
        self.kept: list[AuditEntry] = []

    def append(self, actor, action, target="", detail=None):
        entry = AuditEntry(
            number=len(self.kept) + 1, at=NOW, actor=actor, action=action, target=target, detail=detail or {}
        )
        self.kept.append(entry)
        return entry

    def actions(self) -> list[AuditAction]:
        return [entry.action for entry in self.kept]


class CountingPasswords(Passwords):
    """Cheap hashes; counts how many were computed, and how many at once."""

    def __init__(self) -> None:
        super().__init__(12, memory=8, passes=1)
        self.computed = self.running = self.most = 0
        self.gate: threading.Event | None = None
        self.lock = threading.Lock()

    def verify(self, stored, password):
        with self.lock:
            self.computed += 1
            self.running += 1
            self.most = max(self.most, self.running)
        if self.gate is not None:
            assert self.gate.wait(30)
        try:
            return super().verify(stored, password)
        finally:
            with self.lock:
                self.running -= 1


def enter(accounts, username="ana", password=SECRET, address=OFFICE, **more):
    return accounts.sign_in.by_password(username, password, address=address, agent="Navegador", **more)


def fails(accounts, times, username="ana", address=THIEF):
    for number in range(times):
        with pytest.raises(SignInRefused) as caught:
            enter(accounts, username, f"incorrecta {number}", address)
        assert not isinstance(caught.value, Throttled), number


def arrive(accounts, *, subject="7", username="luis", name="Luis Sanz", roles=None, issuer=ISSUER):
    person = Person(issuer=issuer, subject=subject, username=username, name=name, roles=roles)
    return accounts.sign_in.by_provider(person, address=HOME, agent="A")


class Full(Audit):
    """A log that is full."""

    def append(self, actor, action, target="", detail=None):
        raise StorageError("No hay sitio.")
