"""The event loop that all answers share never waits for the database, the index or a lock of the program."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rag.run.pipeline import run_stages
from rag.shared.state import Services
from service.program.assembly import App
from tests.model_replies import says
from tests.model_server import ModelServer
from tests.scripted import QUESTION, TODAY

SECONDS = 20


class OffTheLoop:
    """Another object, of whose methods it notes those that a thread with a running loop calls."""

    def __init__(self, inner: object, noted: list[str]) -> None:
        self._inner, self._noted = inner, noted

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        return self.noting(name, found) if callable(found) else found

    def noting(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*args: Any, **named: Any) -> Any:
            if asyncio._get_running_loop() is not None:
                self._noted.append(name)
            return call(*args, **named)

        return noted


def watched(program: App, noted: list[str]) -> Services:
    kept = program.services
    return replace(
        kept,
        store=OffTheLoop(kept.store, noted),  # type: ignore[arg-type]
        index=OffTheLoop(kept.index, noted),  # type: ignore[arg-type]
        passages=OffTheLoop(kept.passages, noted),  # type: ignore[arg-type]
        holdings=OffTheLoop(program.holdings, noted).get,
    )


@pytest.mark.parametrize("vectors", [True, False], ids=["with vectors", "by words"])
@pytest.mark.parametrize(
    "question",
    [
        "¿Cuántos días de vacaciones hay?",
        "¿Qué dice el artículo 900 del Estatuto de los Trabajadores?",
        "¿Qué vacaciones había en 2019?",
    ],
)
def test_no_stage_asks_the_database_or_the_index_on_the_loop(
    program: App, question: str, vectors: bool
) -> None:
    noted: list[str] = []
    services = watched(program, noted)
    asyncio.run(run_stages(question, services if vectors else replace(services, embedder=None)))
    assert noted == []


@pytest.mark.parametrize("failing", [False, True], ids=["a model", "a model that fails"])
def test_with_a_model_no_stage_asks_them_on_the_loop_either(
    model_program: App, server: ModelServer, failing: bool
) -> None:
    noted: list[str] = []
    if failing:
        server.script(answer=[says("nada")])
    asyncio.run(run_stages(QUESTION, watched(model_program, noted), as_of=TODAY))
    assert noted == []


def test_a_run_reads_the_norms_once(program: App) -> None:
    read: list[int] = []

    def counted() -> Any:
        read.append(1)
        return program.holdings.get()

    asyncio.run(run_stages("¿Cuántos días de vacaciones hay?", replace(program.services, holdings=counted)))
    assert len(read) == 1
