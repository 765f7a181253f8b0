"""The waits of signing in against one address, nine requests an hour and a thousand addresses."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from service.accounts.throttle import Throttle, Throttled, keys

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
DAY = timedelta(days=1)


class Attempts:
    """Failures in memory, each name's in the order of their moments."""

    def __init__(self) -> None:
        self.kept: dict[str, list[datetime]] = defaultdict(list)

    def fail(self, names: Sequence[str], now: datetime) -> None:
        for name in names:
            self.kept[name].append(now)

    def failures(self, name: str, now: datetime, window: timedelta) -> tuple[int, datetime | None]:
        kept = self.kept.get(name, [])
        recent = len(kept) - bisect_right(kept, now - window)
        return recent, kept[-1] if recent else None

    def clear(self, names: Sequence[str]) -> None:
        for name in names:
            self.kept.pop(name, None)

    def purge(self, before: datetime) -> int:
        for name in list(self.kept):
            self.kept[name] = [at for at in self.kept[name] if at >= before]
        return 0


class Door:
    """The sign-in of the account «ana», and of all others, without passwords."""

    def __init__(self) -> None:
        self.now = NOON
        self.throttle = Throttle(Attempts(), lambda: self.now)  # type: ignore[arg-type]

    def wait(self, address: str, **more: object) -> int:
        """Seconds until an attempt from there is looked at; 0 for now."""
        try:
            self.throttle.check(keys("ana", address, **more))  # type: ignore[arg-type]
        except Throttled as refused:
            return refused.retry_after
        return 0

    def guess(self, address: str, **more: object) -> bool:
        """Guess wrongly; False if the guess was not looked at."""
        if self.wait(address, **more):
            return False
        self.throttle.fail(keys("ana", address, **more))  # type: ignore[arg-type]
        return True

    def guesses(
        self, addresses: Sequence[str], times: int, step: timedelta, long: timedelta = DAY
    ) -> Iterator[int]:
        """Of a thief who tries all of them at every step: how many are looked at, so many times."""
        for _ in range(times):
            count, evening = 0, self.now + long
            while self.now < evening:
                count += sum(self.guess(address) for address in addresses)
                self.now += step
            yield count


@pytest.fixture
def door() -> Door:
    return Door()


def test_one_address_guesses_less_than_five_hundred_times_a_day(door: Door) -> None:
    for count in door.guesses(["192.0.2.1"], 2, timedelta(seconds=20)):
        assert 400 < count < 500


def test_a_device_guesses_less_than_five_hundred_times_a_day(door: Door) -> None:
    count, evening = 0, door.now + DAY
    while door.now < evening:
        count += door.guess("192.0.2.1", device="uno")
        door.now += timedelta(seconds=20)
    assert 400 < count < 500


def test_any_number_of_addresses_guess_less_than_three_thousand_times_a_day(door: Door) -> None:
    """Two guesses a minute, one of a newcomer and one of another, after the thirty that begin the wait."""
    addresses = [f"10.0.0.{number}" for number in range(120)]
    (count,) = door.guesses(addresses, 1, timedelta(minutes=1), timedelta(hours=4))
    assert 4 * 60 < count < 2 * (4 * 60 + 30)
    assert 2 * (24 * 60 + 30) < 3000


@pytest.mark.parametrize("rotating", [False, True], ids=["one address", "another address each time"])
def test_nine_requests_an_hour_keep_nobody_out(door: Door, rotating: bool) -> None:
    """For a week; the owner comes from anywhere at any moment, even from the address of the stranger."""
    free = {"device": 0, "known": 0, "elsewhere": 0, "same": 0}
    for number in range(9 * 24 * 7):
        thief = f"10.1.{number // 256}.{number % 256}" if rotating else "192.0.2.1"
        door.guess(thief)
        free["device"] += not door.wait(thief, device="uno")
        free["known"] += not door.wait("198.51.100.7", known=True)
        free["elsewhere"] += not door.wait("203.0.113.5")
        door.now += DAY / 24 / 9
        free["same"] += not door.wait(thief)
    assert set(free.values()) == {9 * 24 * 7}


def test_a_stranger_with_a_few_addresses_holds_no_newcomer_up(door: Door) -> None:
    thieves, waits = [f"192.0.2.{number}" for number in range(20)], []
    for _ in range(24 * 60):
        for thief in thieves:
            door.guess(thief)
        waits.append(door.wait("203.0.113.5"))
        door.now += timedelta(minutes=1)
    assert set(waits) == {0}


def test_under_a_flood_a_newcomer_waits_a_minute_and_it_is_over_within_an_hour(door: Door) -> None:
    for number in range(3000):
        door.guess(f"10.2.{number // 256}.{number % 256}")
        door.now += timedelta(seconds=2)
    assert 0 < door.wait("203.0.113.5") <= 60
    door.now += timedelta(seconds=60)
    assert door.wait("203.0.113.5") == 0
    door.now += timedelta(hours=1)
    assert not any(door.guess(f"10.9.9.{number}") is False for number in range(29))


def test_an_account_of_ones_own_frees_no_guesses_at_others(door: Door) -> None:
    own = keys("malo", "192.0.2.1", device="suyo")
    for _ in range(3):
        door.throttle.succeed(own)
        door.throttle.succeed(keys("malo", "192.0.2.1"))
        door.guess("192.0.2.1")
        door.guess("192.0.2.1")
    assert door.wait("192.0.2.1") > 0


def test_nine_requests_an_hour_from_the_owners_own_address_leave_it_open_half_of_the_time(door: Door) -> None:
    """Even for a browser that nobody knows, which cannot be told from the stranger's."""
    open_, minutes = 0, 24 * 60
    for minute in range(minutes):
        if minute % 7 == 0:
            door.guess("198.51.100.7", known=True)
        open_ += not door.wait("198.51.100.7", known=True)
        door.now += timedelta(minutes=1)
    assert open_ > minutes / 2
