"""Slowing down whoever guesses passwords, across processes, and bounding what checking them takes."""

from __future__ import annotations

import hashlib
import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple

from domain.account_ports import AttemptStore
from rag.errors import ArticuladoError

LONGEST_WAIT = timedelta(minutes=15)
AT_ONCE, WAITING = 2, 16
"""Passwords checked at once (each takes 64 MiB), and people who may wait for their turn."""

CROWDED = "Hay demasiadas personas entrando a la vez: inténtelo de nuevo en unos segundos."


class SignInRefused(ArticuladoError):
    """Whoever it is may not come in."""


class Throttled(SignInRefused):
    """Not now; `retry_after` in seconds."""

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Rule(NamedTuple):
    """So many failures within so long make the next attempt wait 1, 2, 4… minutes."""

    failures: int
    within: timedelta


ACCOUNT = Rule(5, timedelta(hours=1))
ADDRESS = Rule(30, timedelta(minutes=15))


class Keys(NamedTuple):
    """What the failures of one attempt are counted under."""

    account: str
    address: str

    @property
    def rules(self) -> list[tuple[str, Rule]]:
        return [(key, rule) for key, rule in ((self.account, ACCOUNT), (self.address, ADDRESS)) if key]


def keys(username: str, address: str, *, familiar: bool = False) -> Keys:
    """Of an attempt; '' as user name counts by address only.

    Somebody at a familiar address of the account is counted apart: whoever keeps an account locked from
    elsewhere does not lock its owner out. Only 24 bits of the hash are kept of what was typed as a user
    name: it may have been a password, and so many texts share them that no guess at it can be confirmed.
    """
    hashed = hashlib.sha256(username.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    account = f"account:{hashed}" + (f"@{address}" if familiar else "")
    return Keys(account if username else "", f"address:{address}")


def place(address: str) -> str:
    """What counts as one address: IPv6 by its /64, which is one household or office."""
    try:
        parsed = ip_address(address.strip().partition("%")[0])
    except ValueError:
        return "".join(letter for letter in address if letter.isprintable())[:64]
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped or f"{IPv6Address(int(parsed) >> 64 << 64)}/64")
    return str(parsed)


class Throttle:
    """Counts failures in the database and refuses while they make one wait."""

    def __init__(self, attempts: AttemptStore, clock: Callable[[], datetime]) -> None:
        self._attempts = attempts
        self._clock = clock
        self._queue = threading.BoundedSemaphore(AT_ONCE + WAITING)
        self._slots = threading.BoundedSemaphore(AT_ONCE)

    @contextmanager
    def attempt(self, tried: Keys) -> Iterator[None]:
        """Room for checking one password.

        Raises:
            Throttled: there have been too many failures, or too many people are signing in right now.
        """
        self.check(tried)
        with self.turn():
            # Again: whoever waited beside this one may have failed meanwhile.
            self.check(tried)
            yield

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Room for one hash. Raises Throttled when too many wait for it."""
        if not self._queue.acquire(blocking=False):
            raise Throttled(CROWDED, 5)
        try:
            with self._slots:
                yield
        finally:
            self._queue.release()

    def check(self, tried: Keys) -> None:
        """Raises Throttled."""
        now = self._clock()
        wait = timedelta()
        for key, rule in tried.rules:
            count, last = self._attempts.failures([key], now, rule.within)[key]
            if last is not None and count >= rule.failures:
                pause = min(timedelta(minutes=2 ** min(count - rule.failures, 10)), LONGEST_WAIT)
                wait = max(wait, min(last, now) + pause - now)
        if wait > timedelta():
            seconds = math.ceil(wait.total_seconds())
            minutes = math.ceil(seconds / 60)
            unit = "minuto" if minutes == 1 else "minutos"
            raise Throttled(f"Demasiados intentos: espere {minutes} {unit}.", seconds)

    def fail(self, tried: Keys) -> None:
        """Count a failure, and forget those that no rule looks at any more."""
        now = self._clock()
        self._attempts.fail([key for key, _ in tried.rules], now, ACCOUNT.within)
        self._attempts.purge(now - ACCOUNT.within)

    def succeed(self, tried: Keys) -> None:
        """Forget the failures of the account, not those of the address: one account of one's own would
        otherwise buy any number of guesses at the others'."""
        if tried.account:
            self._attempts.clear([tried.account])
