"""A thread that does its work at once, when it is wanted and after each pause, and ends when it is to."""

import threading

from core.errors import StorageError
from core.periodic import Periodic

LONG = 3600.0
SOON = 10.0


class Work:
    """Passes that tell when they begin, and may be held or made to fail."""

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)
        self.go_on = threading.Event()
        self.go_on.set()
        self.errors: list[Exception] = []
        self.passes = 0

    def __call__(self) -> None:
        self.passes += 1
        self.begun.release()
        self.go_on.wait(SOON)
        if self.errors:
            raise self.errors.pop()


def test_a_pass_is_made_at_the_start_and_whenever_one_is_wanted():
    work = Work()
    periodic = Periodic("work", work, lambda: LONG)
    assert not periodic.soon(), "nobody is there to make a pass"
    periodic.start()
    periodic.start()
    assert work.begun.acquire(timeout=SOON)
    assert periodic.soon()
    assert work.begun.acquire(timeout=SOON)
    periodic.stop()
    assert work.passes == 2
    assert not periodic.ending


def test_the_pause_is_asked_after_each_pass():
    work, pauses = Work(), iter([0.0, 0.0, LONG])
    periodic = Periodic("work", work, lambda: next(pauses))
    periodic.start()
    for _ in range(3):
        assert work.begun.acquire(timeout=SOON)
    periodic.stop()
    assert work.passes == 3


def test_a_pass_that_fails_is_followed_by_another(caplog):
    work = Work()
    work.errors = [RuntimeError("program"), StorageError("database")]
    pauses = iter([0.0, 0.0, LONG])
    periodic = Periodic("work", work, lambda: next(pauses))
    periodic.start()
    for _ in range(3):
        assert work.begun.acquire(timeout=SOON)
    periodic.stop()
    told = [one.getMessage() for one in caplog.records]
    assert told == ["work: a pass failed; trying again", "work: an error of the program"]


def test_a_pass_that_outlives_the_stop_ends_later_and_another_start_works():
    work = Work()
    work.go_on.clear()
    periodic = Periodic("work", work, lambda: LONG, stop_seconds=0.01)
    periodic.start()
    assert work.begun.acquire(timeout=SOON)
    left = next(one for one in threading.enumerate() if one.name == "work")
    periodic.stop()
    assert periodic.ending, "the pass that was left behind must find that it is to end"
    work.go_on.set()
    left.join(SOON)
    assert not left.is_alive()
    assert work.passes == 1
    periodic.start()
    assert work.begun.acquire(timeout=SOON)
    assert not periodic.ending
    periodic.stop()
    assert work.passes == 2
