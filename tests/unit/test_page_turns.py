"""Pages are drawn one at a time: people take turns, and one that hangs holds nobody up."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from core.turns import Place, Turns
from pages.parts.chat import turns
from pages.parts.chat.turns import PageTurns

SECONDS = 30


class Asked(Turns):
    """Turns for one page at a time that tell when somebody has asked for one."""

    def __init__(self) -> None:
        super().__init__(1, 1, 10, 10)
        self.asked = threading.Semaphore(0)

    def take(self, person: str, begin: Callable[[], object]) -> Place:
        place = super().take(person, begin)
        self.asked.release()
        return place


class Pages:
    """Pages that are drawn by threads of their own, each until it is let go."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self._pool, self._turns = pool, Asked()
        self._in_turn = PageTurns(self._turns)
        self.drawn: list[str] = []

    def draw(self, person: str, until: Callable[[], object] = lambda: None) -> Future[None]:
        """A page of a person, which has asked for its turn once this returns."""
        done = self._pool.submit(self._draw, person, until)
        assert self._turns.asked.acquire(timeout=SECONDS)
        return done

    def _draw(self, person: str, until: Callable[[], object]) -> None:
        with self._in_turn(person):
            self.drawn.append(person)
            until()


def test_who_has_one_page_waits_for_one_of_whoever_has_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "PATIENCE", SECONDS)
    first = threading.Event()
    with ThreadPoolExecutor(6) as pool:
        pages = Pages(pool)
        drawn = [pages.draw("ana", lambda: first.wait(SECONDS)), *(pages.draw("ana") for _ in range(3))]
        drawn.append(pages.draw("luis"))
        first.set()
        for one in drawn:
            one.result(SECONDS)
    assert pages.drawn == ["ana", "ana", "luis", "ana", "ana"]


def test_a_page_that_hangs_does_not_hold_the_others_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "PATIENCE", 0.01)
    hung = threading.Event()
    with ThreadPoolExecutor(2) as pool:
        pages = Pages(pool)
        first = pages.draw("ana", lambda: hung.wait(SECONDS))
        pages.draw("luis").result(SECONDS)
        assert pages.drawn == ["ana", "luis"] and not first.done()
        hung.set()
        first.result(SECONDS)
