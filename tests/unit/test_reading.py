"""A preview that is read in the background, and cancelled at each moment of it."""

from threading import Event

import pytest

from loading.ingestion.intake import OnProgress
from loading.ingestion.load_request import Staged
from loading.ingestion.preview_run import Reading, ReadingCancelled
from loading.records.jobs import JobPayload

MADE = Staged("0" * 32, "ana", JobPayload(), ())


class Desk:
    """Reads two files, with a pause in the first; `told` are those it began, `dropped` what it discarded.

    A deaf one does not report the second file, where it would be stopped.
    """

    def __init__(self, *, deaf: bool = False) -> None:
        self.begun, self.go_on = Event(), Event()
        self.deaf = deaf
        self.told: list[str] = []
        self.dropped: list[Staged] = []

    def read(self, tell: OnProgress) -> Staged:
        for number, name in enumerate(("una.md", "dos.md")):
            if number == 0 or not self.deaf:
                tell(name, number, 2)
            self.told.append(name)
            self.begun.set()
            assert self.go_on.wait(30)
        return MADE

    def drop(self, staged: Staged) -> None:
        self.dropped.append(staged)


def test_a_reading_tells_where_it_is_and_ends_with_what_it_made() -> None:
    desk = Desk()
    reading = Reading(desk.read, desk.drop)
    assert desk.begun.wait(30)
    assert (reading.progress, reading.wait(0)) == (("una.md", 0, 2), False)
    desk.go_on.set()
    assert reading.result() == MADE
    assert desk.dropped == []


def test_a_reading_that_is_cancelled_begins_no_other_file() -> None:
    desk = Desk()
    reading = Reading(desk.read, desk.drop)
    assert desk.begun.wait(30)
    reading.cancel()
    desk.go_on.set()
    with pytest.raises(ReadingCancelled):
        reading.result()
    assert desk.told == ["una.md"]


def test_what_is_made_after_all_when_it_was_cancelled_is_dropped() -> None:
    desk = Desk(deaf=True)
    reading = Reading(desk.read, desk.drop)
    assert desk.begun.wait(30)
    reading.cancel()
    desk.go_on.set()
    with pytest.raises(ReadingCancelled):
        reading.result()
    assert desk.dropped == [MADE]


def test_the_failure_of_a_reading_is_that_of_its_result() -> None:
    def fail(_: OnProgress) -> Staged:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        Reading(fail, print).result()
