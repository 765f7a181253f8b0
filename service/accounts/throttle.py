"""Slows down password guessing, across processes, and bounds the cost of checking passwords."""

import hashlib
import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from ipaddress import IPv4Address, IPv6Address, IPv6Network
from typing import NamedTuple

from core import hosts
from core.errors import ArticuladoError
from storage.people.login_sessions import SqlAttemptStore

AT_ONCE, WAITING = 2, 16
"""Passwords checked at once (64 MiB each), and further ones that may wait."""

CROWDED = "Hay demasiadas personas entrando a la vez: inténtelo de nuevo en unos segundos."

NAT64 = IPv6Network("64:ff9b::/96")


class SignInRefused(ArticuladoError):
    """The sign-in is refused."""


class Throttled(SignInRefused):
    """The sign-in is refused for now; `retry_after` in seconds."""

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Rule(NamedTuple):
    """After `failures` within `within`, the next attempts wait `first`, then twice that… up to `longest`."""

    failures: int
    within: timedelta
    first: timedelta
    longest: timedelta

    def pause(self, count: int) -> timedelta:
        """The wait after so many failures."""
        return min(self.first * (1 << min(count - self.failures, 10)), self.longest)


OWN = Rule(5, timedelta(days=1), timedelta(minutes=1), timedelta(minutes=3))
"""Of an account from one address, or on one device that it knows."""
STRANGERS = Rule(30, timedelta(hours=1), timedelta(seconds=15), timedelta(seconds=60))
"""Of an account from all addresses that nobody signs in from. Short: it is all that a stranger can do."""
ADDRESS = Rule(30, timedelta(minutes=15), timedelta(minutes=1), timedelta(minutes=15))
"""Of an address over all accounts, known devices apart."""
DEVICE, NEWCOMERS = "device:", ":new"


class Keys(NamedTuple):
    """Keys under which the failures of one attempt are counted; an empty one is not.

    Attributes:
        own: of the account together with the address, or of the device.
        strangers: of the account, whatever the address.
    """

    own: str
    strangers: str
    address: str

    @property
    def is_of_device(self) -> bool:
        """True for a device that the account knows."""
        return self.own.startswith(DEVICE)


def keys(username: str, address: str, *, device: str = "", known: bool = False) -> Keys:
    """The keys of an attempt; with '' as user name, of its address only.

    The typed user name may be a password: only 24 bits of its hash are kept, which too many texts share to
    confirm a guess.

    Args:
        device: name of a device that the account knows; '' for any other.
        known: whether people sign in from the address.
    """
    if not username:
        return Keys("", "", f"address:{address}")
    if device:
        return Keys(f"{DEVICE}{device}", "", "")
    hashed = hashlib.sha256(username.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return Keys(f"pair:{hashed}@{address}", "" if known else f"strangers:{hashed}", f"address:{address}")


def place(address: str) -> str:
    """The address to count by: for IPv6 its /64 network, which is one household or office.

    One that carries an IPv4 address (mapped, 6to4, Teredo, NAT64) counts as that: whoever has it has 65,536
    networks of 6to4, and all of a NAT64 share one.
    """
    parsed = hosts.address(address)
    if parsed is None:
        return "".join(letter for letter in address if letter.isprintable())[:64]
    if isinstance(parsed, IPv6Address):
        carried = parsed.sixtofour or (parsed.teredo or ("", None))[1]
        if parsed in NAT64:
            carried = IPv4Address(int(parsed) & 0xFFFFFFFF)
        return str(carried or f"{IPv6Address(int(parsed) >> 64 << 64)}/64")
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
        for key, rule in self._rules(tried, now):
            count, last = self._attempts.failures(key, now, rule.within)
            if last is not None and count >= rule.failures:
                wait = max(wait, min(last, now) + rule.pause(count) - now)
        if wait > timedelta():
            seconds = math.ceil(wait.total_seconds())
            minutes = math.ceil(seconds / 60)
            unit = "minuto" if minutes == 1 else "minutos"
            raise Throttled(f"Demasiados intentos: espere {minutes} {unit}.", seconds)

    def fail(self, tried: Keys) -> None:
        """Count a failure, and delete those too old for any rule."""
        now = self._clock()
        self._attempts.fail([key for key, _ in self._rules(tried, now)], now)
        self._attempts.purge(now - OWN.within)

    def succeed(self, tried: Keys) -> None:
        """Forget the failures on a known device, and no others.

        Whoever else shares an address would see by their own wait that somebody of that name has come in.
        """
        if tried.is_of_device:
            self._attempts.clear([tried.own])

    def _rules(self, tried: Keys, now: datetime) -> list[tuple[str, Rule]]:
        """Each key with its rule.

        Strangers who have not failed yet are counted apart: those who hold a wait up by failing again and
        again hold it for themselves.
        """
        strangers = tried.strangers
        if strangers and not self._attempts.failures(tried.own, now, OWN.within)[0]:
            strangers += NEWCOMERS
        rules = ((tried.own, OWN), (strangers, STRANGERS), (tried.address, ADDRESS))
        return [(key, rule) for key, rule in rules if key]
