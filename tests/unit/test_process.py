"""A value made once, however many threads ask for it, and an attempt that fails."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.program.once import Once
from tests.texts import eventually

SECONDS = 20


class Slow:
    """Makes a new object on each call once it is let go; the first `failures` calls raise instead."""

    def __init__(self, failures: int = 0) -> None:
        self.failures = failures
        self.calls = 0
        self.begun, self.let_go = threading.Event(), threading.Event()

    def __call__(self) -> object:
        self.calls += 1
        number = self.calls
        self.begun.set()
        assert self.let_go.wait(SECONDS)
        if number <= self.failures:
            raise ValueError(f"attempt {number}")
        return object()


def waits(thread: threading.Thread) -> bool:
    """True if a thread is waiting for what another one will say."""
    frame = sys._current_frames().get(thread.ident or 0)
    return frame is not None and frame.f_code.co_name == "wait"


class Asker(threading.Thread):
    """Asks for the value; `answer` is the value or the error."""

    def __init__(self, once: Once[object]) -> None:
        super().__init__(daemon=True)
        self.once = once
        self.answer: object = None
        self.start()

    def run(self) -> None:
        try:
            self.answer = self.once.get()
        except ValueError as error:
            self.answer = str(error)


def answers(make: Slow, once: Once[object]) -> set[object]:
    """Answers to four threads, three of which wait while the first one makes the value."""
    askers = [Asker(once)]
    assert make.begun.wait(SECONDS)
    askers += [Asker(once) for _ in range(3)]
    eventually(lambda: all(map(waits, askers)), SECONDS)
    make.let_go.set()
    for asker in askers:
        asker.join(SECONDS)
    return {asker.answer for asker in askers}


def test_threads_that_ask_at_once_get_one_value_made_once():
    make = Slow()
    once = Once(make)
    assert answers(make, once) == {once.get()}
    assert make.calls == 1


def test_an_attempt_that_fails_is_told_to_everyone_who_waits_and_a_later_call_tries_again():
    make = Slow(failures=2)
    once = Once(make)
    assert answers(make, once) == {"attempt 1"}
    with pytest.raises(ValueError, match="attempt 2"):
        once.get()
    assert once.get() is once.get()
    assert make.calls == 3


def test_a_value_that_is_put_in_its_place_stays_whatever_was_being_made():
    make = Slow()
    once = Once(make)
    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(once.get)
        assert make.begun.wait(SECONDS)
        once.put("another")
        make.let_go.set()
        asked.result(SECONDS)
    assert once.get() == "another"
    once.put(None)
    assert once.get() != "another"
    assert make.calls == 2
