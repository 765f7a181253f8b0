"""While the index gets ready or searches are slow: answers live, can be stopped, and no page waits."""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.errors import IndexUnavailable
from core.turns import Turns
from loading.indexing.index_sync import IndexSync
from rag.run import runs
from rag.run.runs import Run
from rag.shared.messages import MessageState
from service.program.assembly import LOCAL_USER, App
from tests.conftest import DATA, Maker
from tests.factories import make_block, make_norm, save
from tests.scripted import QUESTION
from tests.texts import eventually

SECONDS, MANY = 20, 100
SEARCH_THREADS = min(32, (os.cpu_count() or 1) + 4)
"""Threads of asyncio's own pool, which searches use."""


class Beats:
    """Signs of life of the answers of a program, counted by answer."""

    def __init__(self, program: App, monkeypatch: pytest.MonkeyPatch) -> None:
        self._seen: list[int] = []
        checkpoint = program.database.conversations.checkpoint

        def counted(message_id: int, text: str) -> None:
            checkpoint(message_id, text)
            self._seen.append(message_id)

        monkeypatch.setattr(runs, "CHECKPOINT_SECONDS", 0.05)
        monkeypatch.setattr(program.database.conversations, "checkpoint", counted)

    def go_on(self, *answers: Run) -> bool:
        """True if each of the answers gives two more signs of life from now on."""
        before = len(self._seen)
        eventually(lambda: all(self._seen[before:].count(one.message_id) >= 2 for one in answers), SECONDS)
        return True


class GettingReady:
    """A program whose index is not ready until `ready` is set; `waited_for` once somebody waits for it."""

    def __init__(self, program: App, monkeypatch: pytest.MonkeyPatch) -> None:
        self.program = program
        self.ready, self.waited_for = threading.Event(), threading.Event()
        keeper = program.keeper
        add_sparse, wait = IndexSync.add_sparse, keeper.wait_first_pass

        def held(sync: IndexSync) -> object:
            eventually(lambda: self.ready.is_set() or keeper._stop.is_set())
            return add_sparse(sync)

        def waited() -> None:
            if threading.current_thread().name != "warm-up":
                self.waited_for.set()
            wait()

        monkeypatch.setattr(IndexSync, "add_sparse", held)
        monkeypatch.setattr(keeper, "wait_first_pass", waited)


@pytest.fixture
def held(make_program: Maker, monkeypatch: pytest.MonkeyPatch) -> Iterator[GettingReady]:
    made = GettingReady(make_program([DATA]), monkeypatch)
    save(made.program.database.corpus_writer, make_norm("N-1", make_block("1")))
    made.program.background.start(worker=False)
    yield made
    made.ready.set()


@pytest.fixture
def threads(held: GettingReady) -> Iterator[ThreadPoolExecutor]:
    """Those of other people's pages."""
    with ThreadPoolExecutor(4) as pool:
        yield pool
        held.ready.set()


def asked(program: App) -> Run:
    chat = program.database.conversations.create(LOCAL_USER, "Prueba").id
    return program.runs.start(LOCAL_USER, chat, QUESTION)


@pytest.mark.parametrize(
    "page",
    [
        lambda program: program.runs.under_way,
        lambda program: program.evaluations.active,
        lambda program: program.notices,
        lambda program: program.holdings.catalogue(),
    ],
    ids=["runs", "evaluations", "notices", "catalogue"],
)
def test_no_page_waits_for_the_index(
    held: GettingReady, threads: ThreadPoolExecutor, page: Callable[[App], object]
) -> None:
    waiting = threads.submit(lambda: held.program.toolbox)
    assert held.waited_for.wait(SECONDS)
    threads.submit(page, held.program).result(SECONDS)
    assert not waiting.done()


def test_everyone_who_waits_for_the_index_gets_the_same_services(
    held: GettingReady, threads: ThreadPoolExecutor
) -> None:
    waiting = [threads.submit(lambda: held.program.toolbox) for _ in range(4)]
    assert held.waited_for.wait(SECONDS)
    held.ready.set()
    assert {one.result(SECONDS) for one in waiting} == {held.program.toolbox}


def test_an_answer_that_waits_for_the_index_lives_and_can_be_stopped(
    held: GettingReady, monkeypatch: pytest.MonkeyPatch
) -> None:
    beats = Beats(held.program, monkeypatch)
    stopped, answered = asked(held.program), asked(held.program)
    assert held.waited_for.wait(SECONDS)
    assert beats.go_on(stopped, answered)
    held.program.runs.stop(LOCAL_USER, stopped.message_id)
    assert stopped.done.wait(SECONDS)
    assert stopped.state is MessageState.STOPPED
    assert answered.alive
    held.ready.set()
    assert answered.done.wait(SECONDS)
    assert answered.state is MessageState.COMPLETE


def test_a_program_that_closes_lets_go_of_those_who_wait_for_the_index(
    held: GettingReady, threads: ThreadPoolExecutor
) -> None:
    waiting = threads.submit(lambda: held.program.services)
    assert held.waited_for.wait(SECONDS)
    held.program.background.stop()
    with pytest.raises(IndexUnavailable, match="se está cerrando"):
        waiting.result(SECONDS)


@pytest.fixture
def slow(program: App, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[threading.Thread]]:
    """The threads that are searching: each stays until the test is over."""
    let_go = threading.Event()
    searching: list[threading.Thread] = []
    search = program.index.search

    def held(queries: object) -> object:
        searching.append(threading.current_thread())
        assert let_go.wait(60)
        return search(queries)

    monkeypatch.setattr(program.index, "search", held)
    yield searching
    let_go.set()


def test_answers_live_and_can_be_stopped_while_slow_searches_take_every_thread(
    program: App, slow: list[threading.Thread], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "PROCESSOR", Turns(MANY, MANY, MANY, MANY))
    beats = Beats(program, monkeypatch)
    answers = [asked(program) for _ in range(SEARCH_THREADS + 1)]
    eventually(lambda: len(slow) == SEARCH_THREADS, SECONDS)
    assert beats.go_on(*answers)
    program.runs.stop(LOCAL_USER, answers[0].message_id)
    assert answers[0].done.wait(SECONDS)
    assert answers[0].state is MessageState.STOPPED
    assert all(one.alive for one in answers[1:])


def test_without_a_model_an_answer_waits_for_its_persons_turn_at_the_processor_and_gives_it_back(
    program: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = Turns(1, 1, MANY, MANY)
    monkeypatch.setattr(runs, "PROCESSOR", turns)
    with turns.turn(LOCAL_USER):
        answer = asked(program)
        eventually(lambda: LOCAL_USER in turns._queues, SECONDS)
        assert answer.alive and not answer.stages
    assert answer.done.wait(SECONDS)
    with turns.turn(LOCAL_USER):
        pass


def test_a_program_that_is_closed_leaves_no_thread_of_its_answers(program: App) -> None:
    before = set(threading.enumerate())
    assert asked(program).done.wait(SECONDS)
    program.close()

    def left() -> list[threading.Thread]:
        return [one for one in threading.enumerate() if one not in before and one.name.startswith("answers")]

    eventually(lambda: not left(), SECONDS)
