"""While the index gets ready, no page waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from bootstrap import App
from rag.errors import IndexUnavailable
from rag.indexing.sync import IndexSync
from tests.conftest import DATA, Maker
from tests.factories import make_block, make_norm, save
from tests.texts import eventually

SECONDS = 20


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
    save(made.program.corpus, make_norm("N-1", make_block("1")))
    made.program.start_background(worker=False)
    yield made
    made.ready.set()


@pytest.fixture
def threads(held: GettingReady) -> Iterator[ThreadPoolExecutor]:
    """Those of other people's pages."""
    with ThreadPoolExecutor(4) as pool:
        yield pool
        held.ready.set()


@pytest.mark.parametrize(
    "page",
    [
        lambda program: program.runs.under_way,
        lambda program: program.evaluations.active,
        lambda program: program.notices,
        lambda program: program.catalogue(),
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


def test_a_program_that_closes_lets_go_of_those_who_wait_for_the_index(
    held: GettingReady, threads: ThreadPoolExecutor
) -> None:
    waiting = threads.submit(lambda: held.program.services)
    assert held.waited_for.wait(SECONDS)
    held.program.stop_background()
    with pytest.raises(IndexUnavailable, match="se está cerrando"):
        waiting.result(SECONDS)
