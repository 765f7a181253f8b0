"""Pages are drawn one after the other, unless one keeps the others waiting for too long."""

import threading
import time

import pytest

from pages.parts.chat import turns
from pages.parts.chat.turns import in_turn


def in_a_thread(work) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_two_are_never_drawn_at_once(monkeypatch) -> None:
    monkeypatch.setattr(turns, "PATIENCE", 60)
    drawn, most, lock = [0], [0], threading.Lock()
    together = threading.Barrier(8)

    def draw() -> None:
        together.wait(10)
        for _ in range(5):
            with in_turn():
                with lock:
                    drawn[0] += 1
                    most[0] = max(most[0], drawn[0])
                time.sleep(0.001)  # another one could get in here
                with lock:
                    drawn[0] -= 1

    threads = [in_a_thread(draw) for _ in range(8)]
    for thread in threads:
        thread.join(30)
    assert most == [1]


def test_a_part_of_the_page_that_is_being_drawn_does_not_wait() -> None:
    with in_turn(), in_turn():
        pass
    taken = threading.Event()

    def other() -> None:
        with in_turn():
            taken.set()

    in_a_thread(other)
    assert taken.wait(10), "the turn was not given back"


def test_one_that_fails_gives_its_turn_back() -> None:
    with pytest.raises(ValueError, match="no"), in_turn():
        raise ValueError("no")
    taken = threading.Event()

    def other() -> None:
        with in_turn():
            taken.set()

    in_a_thread(other)
    assert taken.wait(10)


def test_one_that_waits_for_its_database_does_not_hold_up_the_others(monkeypatch) -> None:
    monkeypatch.setattr(turns, "PATIENCE", 0.05)
    inside, go_on, drawn = threading.Event(), threading.Event(), threading.Event()

    def slow() -> None:
        with in_turn():
            inside.set()
            go_on.wait(30)

    def other() -> None:
        with in_turn():
            drawn.set()

    first = in_a_thread(slow)
    assert inside.wait(10)
    in_a_thread(other)
    assert drawn.wait(10), "it waited for the slow one to end"
    go_on.set()
    first.join(10)
    with in_turn():
        pass
