"""Slows down password guessing, across processes, and bounds the cost of checking passwords."""

import hashlib
import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple

from rag.errors import ArticuladoError
from storage.people.login_sessions import SqlAttemptStore

LONGEST_WAIT = timedelta(minutes=15)
AT_ONCE, WAITING = 2, 16
"""Passwords checked at once (64 MiB each), and further ones that may wait."""

CROWDED = "Hay demasiadas personas entrando a la vez: inténtelo de nuevo en unos segundos."


class SignInRefused(ArticuladoError):
    """The sign-in is refused."""


class Throttled(SignInRefused):
    """The sign-in is refused for now; `retry_after` in seconds."""

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Rule(NamedTuple):
    """After `failures` within `within`, the next attempts wait 1, 2, 4… minutes, up to LONGEST_WAIT."""

    failures: int
    within: timedelta


ACCOUNT = Rule(5, timedelta(hours=1))
ADDRESS = Rule(30, timedelta(minutes=15))


class Keys(NamedTuple):
    """Keys under which the failures of one attempt are counted."""

    account: str
    address: str

    @property
    def rules(self) -> list[tuple[str, Rule]]:
        """Each key that is not empty, with its rule."""
        return [(key, rule) for key, rule in ((self.account, ACCOUNT), (self.address, ADDRESS)) if key]


def keys(username: str, address: str, *, familiar: bool = False) -> Keys:
    """The keys of an attempt; with '' as user name, of its address only.

    A familiar address of the account has a key of its own, so that failures elsewhere do not lock the owner
    out. The typed user name may be a password: only 24 bits of its hash are kept, which too many texts share
    to confirm a guess.
    """
    hashed = hashlib.sha256(username.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    account = f"account:{hashed}" + (f"@{address}" if familiar else "")
    return Keys(account if username else "", f"address:{address}")


def place(address: str) -> str:
    """The address to count by: for IPv6 its /64 network, which is one household or office."""
    try:
        parsed = ip_address(address.strip().partition("%")[0])
    except ValueError:
        return "".join(letter for letter in address if letter.isprintable())[:64]
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped or f"{IPv6Address(int(parsed) >> 64 << 64)}/64")
    return str(parsed)


class Throttle:
    """Counts failures in the database, and refuses attempts while a wait lasts."""

    def __init__(self, attempts: SqlAttemptStore, clock: Callable[[], datetime]) -> None:
        self._attempts = attempts
        self._clock = clock
        self._queue = threading.BoundedSemaphore(AT_ONCE + WAITING)
        self._slots = threading.BoundedSemaphore(AT_ONCE)

    @contextmanager
    def attempt(self, tried: Keys) -> Iterator[None]:
        """Context in which one password may be checked.

        Raises:
            Throttled: too many failures, or too many people sign in at once.
        """
        self.check(tried)
        with self.turn():
            # Again: other attempts may have failed while this one waited.
            self.check(tried)
            yield

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Context in which one password may be hashed. Raises Throttled when too many wait."""
        if not self._queue.acquire(blocking=False):
            raise Throttled(CROWDED, 5)
        try:
            with self._slots:
                yield
        finally:
            self._queue.release()

    def check(self, tried: Keys) -> None:
        """Raises Throttled while the wait for these keys lasts."""
        now = self._clock()
        wait = timedelta()
        for key, rule in tried.rules:
            count, last = self._attempts.failures(key, now, rule.within)
            if last is not None and count >= rule.failures:
                pause = min(timedelta(minutes=2 ** min(count - rule.failures, 10)), LONGEST_WAIT)
                wait = max(wait, min(last, now) + pause - now)
        if wait > timedelta():
            seconds = math.ceil(wait.total_seconds())
            minutes = math.ceil(seconds / 60)
            unit = "minuto" if minutes == 1 else "minutos"
            raise Throttled(f"Demasiados intentos: espere {minutes} {unit}.", seconds)

    def fail(self, tried: Keys) -> None:
        """Count a failure, and delete those too old for any rule."""
        now = self._clock()
        self._attempts.fail([key for key, _ in tried.rules], now)
        self._attempts.purge(now - ACCOUNT.within)

    def succeed(self, tried: Keys) -> None:
        """Forget the failures of the account, not those of the address.

        Otherwise signing in to an account between guesses would allow any number of guesses at others.
        """
        if tried.account:
            self._attempts.clear([tried.account])
