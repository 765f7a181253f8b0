"""Many people at once: a real server, a scripted model that takes two seconds, pages over websockets.

Each has an account and is signed in. One asks a few times; then thirty and sixty ask at the same moment, each
on a page of their own. And what a hundred open pages, on which nobody does anything, weigh. All on this one
machine, the people too.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks import build
from benchmarks.people import people
from benchmarks.pipeline import scripted_model
from benchmarks.server import Server, served
from benchmarks.table import Row, percentile, show
from benchmarks.visitor import Lost, Visitor
from web.cookies import PLAIN

DELAYS = {"decompose": 0.3, "embeddings": 0.0, "rerank": 0.4, "assess": 0.5, "answer": 0.8}
QUESTIONS = (
    "¿Cuántos días de vacaciones me corresponden al año?",
    "¿Qué plazo tengo para reclamar por despido?",
    "¿Cuánto dura el permiso por nacimiento?",
    "¿Puedo reducir mi jornada para cuidar a un hijo?",
    "¿Qué indemnización corresponde por despido objetivo?",
    "¿Cuándo prescriben las faltas graves?",
)
ALONE, PEOPLE, CROWD, IDLE = 6, 30, 60, 100
MEDIAN, P95, IDLE_MB = 1.5, 2.0, 100.0
PATIENCE = 120


@dataclass(frozen=True)
class Office:
    """A server and the sessions of the people who may use it."""

    server: Server
    tokens: Sequence[str]

    def page(self, number: int) -> Visitor:
        """A page that somebody opens."""
        return Visitor(self.server.address, {PLAIN: self.tokens[number % len(self.tokens)]})


async def alone(office: Office) -> list[float]:
    async with office.page(0) as visitor:
        await visitor.ask(QUESTIONS[0], PATIENCE)
        return [await visitor.ask(QUESTIONS[i % len(QUESTIONS)], PATIENCE) for i in range(ALONE)]


async def together(office: Office, people: int) -> tuple[list[float], int]:
    """Seconds of each of so many people who ask at the same moment, and how many got no answer."""
    async with AsyncExitStack() as pages:
        visitors = [await pages.enter_async_context(office.page(number)) for number in range(people)]
        asked = (visitor.ask(QUESTIONS[i % len(QUESTIONS)], PATIENCE) for i, visitor in enumerate(visitors))
        found = await asyncio.gather(*asked, return_exceptions=True)
    lost = [one for one in found if isinstance(one, BaseException)]
    for one in lost:
        if not isinstance(one, Lost):
            raise one
    return [one for one in found if isinstance(one, float)], len(lost)


async def idle(office: Office) -> float:
    """Megabytes that so many open pages add to a server that has been used."""
    before = office.server.memory_mb
    async with AsyncExitStack() as pages:
        for number in range(IDLE):
            await pages.enter_async_context(office.page(number))
        await asyncio.sleep(3)
        return office.server.memory_mb - before


def rows(name: str, people: Sequence[float], lost: int, median: float, *, judged: bool) -> list[Row]:
    return [
        Row(f"{name}: without an answer", lost, "", 0),
        Row(
            f"{name}: median ÷ one person's", percentile(people, 50) / median, "×", MEDIAN if judged else None
        ),
        Row(f"{name}: p95 ÷ one person's", percentile(people, 95) / median, "×", P95 if judged else None),
        Row(f"{name}: median", percentile(people, 50), "s"),
        Row(f"{name}: slowest", max(people), "s"),
    ]


async def measure(office: Office) -> list[Row]:
    single = await alone(office)
    median = percentile(single, 50)
    found = [
        Row("one person, median", median, "s"),
        Row(f"{IDLE} open pages, added memory", await idle(office), "MB", IDLE_MB),
    ]
    many, lost = await together(office, PEOPLE)
    found += rows(f"{PEOPLE} at once", many, lost, median, judged=True)
    crowd, lost = await together(office, CROWD)
    found += rows(f"{CROWD} at once", crowd, lost, median, judged=False)
    return found


def main() -> int:
    folder = Path(tempfile.mkdtemp(prefix="articulado-load-"))
    try:
        program = build(folder / "home", auth_mode="local")
        program.load_demo()
        tokens = [person.token for person in people(program, CROWD)]
        program.close()
        settings = {"OPENAI_API_KEY": "sk-benchmark", "AUTH_MODE": "local"}
        with scripted_model(DELAYS) as base, served(folder, OPENAI_BASE_URL=base, **settings) as server:
            show("Many people at once", asyncio.run(measure(Office(server, tokens))))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
