"""Turns at costly work: each person's, in rotation, bounded, and told."""

import asyncio
import threading
from collections.abc import Callable

import pytest

from core.errors import TooManyWaiting
from core.turns import QUEUE, Place, Turns

SECONDS = 30


class Bench:
    """Turns whose beginnings are written down."""

    def __init__(self, at_once: int = 1, each: int = 1, waiting: int = 3, crowd: int = 6) -> None:
        self.turns = Turns(at_once, each, waiting, crowd)
        self.begun: list[str] = []

    def take(self, person: str, name: str) -> Place:
        return self.turns.take(person, lambda: self.begun.append(name))


def test_who_has_much_waiting_lets_each_other_person_in_between() -> None:
    bench = Bench()
    own = [bench.take("ana", f"ana {number}") for number in range(4)]
    other = [bench.take("luis", f"luis {number}") for number in range(2)]
    for turn in (own[0], own[1], other[0], own[2], other[1]):
        turn.end()
    assert bench.begun == ["ana 0", "ana 1", "luis 0", "ana 2", "luis 1", "ana 3"]


def test_a_person_has_no_more_than_their_share_while_a_place_is_free() -> None:
    bench = Bench(at_once=2)
    first, _ = bench.take("ana", "ana 0"), bench.take("ana", "ana 1")
    bench.take("luis", "luis 0")
    assert bench.begun == ["ana 0", "luis 0"]
    first.end()
    first.end()
    assert bench.begun == ["ana 0", "luis 0", "ana 1"]


def test_the_place_in_the_queue_counts_those_of_others_that_come_first() -> None:
    bench = Bench()
    bench.take("ana", "")
    own = [bench.take("ana", "") for _ in range(3)]
    other = bench.take("luis", "")
    assert [turn.ahead for turn in (*own, other)] == [0, 2, 3, 1]


@pytest.mark.parametrize(
    ("people", "most"), [(lambda number: "ana", 1 + 3), (lambda number: f"persona {number}", 1 + 6)]
)
def test_neither_a_person_nor_a_crowd_waits_without_end(people: Callable[[int], str], most: int) -> None:
    bench, taken = Bench(), 0
    with pytest.raises(TooManyWaiting):
        for number in range(20):
            bench.take(people(number), "")
            taken += 1
    assert taken == most


def test_who_leaves_the_queue_holds_nobody_up() -> None:
    bench = Bench()
    first, leaving = bench.take("ana", "ana"), bench.take("luis", "luis")
    bench.take("eva", "eva")
    leaving.end()
    first.end()
    assert bench.begun == ["ana", "eva"]


@pytest.mark.parametrize("next_one", ["luis", "ana"])
def test_work_that_takes_too_long_holds_nobody_up(next_one: str) -> None:
    turns, begun, again = Turns(1, 1, 3, 6, patience=0.01), threading.Event(), threading.Event()
    slow = turns.take("ana", lambda: None)
    turns.take(next_one, begun.set)
    assert begun.wait(SECONDS)
    # A third one too, though nobody asks meanwhile; and its end, when it comes, takes no turn away.
    turns.take("eva", again.set)
    slow.end()
    assert again.wait(SECONDS)


async def test_a_coroutine_waits_for_its_turn_while_its_loop_goes_on() -> None:
    turns, order = Turns(1, 1, 3, 6), []

    async def work(person: str) -> None:
        async with turns.awaited(person):
            order.append(person)
            await asyncio.sleep(0)
            order.append(person)

    await asyncio.gather(work("ana"), work("luis"))
    assert order == ["ana", "ana", "luis", "luis"]
    waits = asyncio.create_task(work("eva"))
    with turns.turn("ana"):
        await asyncio.sleep(0)
        waits.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waits
    with turns.turn("luis"):
        pass


def test_a_turn_inside_another_of_the_same_thread_is_that_one() -> None:
    turns = Turns(1, 1, 3, 6)
    with turns.turn("ana") as outer:
        with turns.turn("ana") as inner:
            assert inner is outer
        waiting = threading.Thread(target=lambda: turns.take("luis", lambda: None))
        waiting.start()
        waiting.join(SECONDS)
        assert turns._queues, "the inner one's end does not end the outer one"


def test_who_waits_is_told_and_may_go() -> None:
    turns, told = Turns(1, 1, 3, 6), []

    class Gone(Exception):
        pass

    def tell(*state: object) -> None:
        told.append(state)
        if len(told) == 2:
            raise Gone

    with turns.turn("ana"), pytest.raises(Gone), turns.turn("luis", tell):
        pass
    assert told == [(QUEUE, 0, 0)] * 2
    with turns.turn("luis"):
        pass


def test_closing_sends_away_who_waits_and_takes_nobody() -> None:
    turns, ended = Turns(1, 1, 3, 6), threading.Event()

    def wait() -> None:
        with pytest.raises(TooManyWaiting), turns.turn("luis"):
            pass
        ended.set()

    with turns.turn("ana"):
        waiting = threading.Thread(target=wait)
        waiting.start()
        while not turns._queues:
            pass
        turns.close()
        assert ended.wait(5)
        waiting.join()
    with pytest.raises(TooManyWaiting), turns.turn("ana"):
        pass
