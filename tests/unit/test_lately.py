"""Values read a moment ago are given again until they are old, or this process has written."""

from itertools import count

import pytest

from storage.base.recent_values import Lately


class Source:
    """A value that another process changes, a clock, and the last write of this process."""

    def __init__(self) -> None:
        self.reads = 0
        self.value = "uno"
        self.now = 100.0
        self.written = object()
        self.meanwhile = lambda: None

    def read(self) -> str:
        self.reads += 1
        value = self.value
        self.meanwhile()
        return value


@pytest.fixture
def source() -> Source:
    return Source()


@pytest.fixture
def lately(source: Source) -> Lately[[], str]:
    return Lately(source.read, lambda: source.written, 0.2, lambda: source.now)


def test_it_is_read_once_within_its_time(source, lately):
    assert [lately.get() for _ in range(5)] == ["uno"] * 5
    assert source.reads == 1


def test_what_another_process_wrote_is_seen_when_the_time_is_over(source, lately):
    lately.get()
    source.value = "dos"
    source.now += 0.19
    assert lately.get() == "uno"
    source.now += 0.01
    assert lately.get() == "dos"


def test_a_write_of_this_process_is_seen_at_once(source, lately):
    lately.get()
    source.value, source.written = "dos", object()
    assert lately.get() == "dos"


def test_a_write_that_ends_while_it_is_read_is_seen_by_the_next(source, lately):
    values = map(str, count())

    def write() -> None:
        source.value, source.written = next(values), object()

    source.meanwhile = write
    assert [lately.get(), lately.get(), lately.get()] == ["uno", "0", "1"]


def test_a_read_that_fails_keeps_nothing(source, lately):
    def fail() -> None:
        raise OSError("gone")

    source.meanwhile = fail
    with pytest.raises(OSError, match="gone"):
        lately.get()
    source.meanwhile = lambda: None
    assert lately.get() == "uno"
