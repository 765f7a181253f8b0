"""Many people at once: a real server, a scripted model that takes two seconds, pages over websockets.

Each person has an account and is signed in. One asks a few times; then thirty and sixty ask at the same
moment, each on a page of their own. Then the memory of a hundred open pages without activity. Server,
model and people share this one machine.

Without a model, on the real law, a question is the server's own work: thirty who ask at once are measured
against that work shared by all cores, and one who asks beside forty questions of another against alone.
"""

import asyncio
import os
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from lab.harness import BOE, Scene, Server, has_norms, people, scene
from lab.ledger import QUESTIONS
from lab.table import Row, Tables, percentile
from lab.visitor import Lost, Visitor
from rag.evaluation.cases import read_dataset
from service.config import ROOT
from web.cookies import PLAIN

DELAYS = {"decompose": 0.3, "embeddings": 0.0, "rerank": 0.4, "assess": 0.5, "answer": 0.8, "claims": 0.3}
ALONE, PEOPLE, CROWD, IDLE = 6, 30, 60, 100
MEDIAN, P95, IDLE_MB = 1.5, 2.0, 100.0
BESIDE = 40
EVERYDAY = ROOT / "data" / "evaluation" / "everyday.jsonl"
SHARED, DELAYED = 1.3, 2.0
STILL = 0.1


@dataclass(frozen=True)
class Office:
    server: Server
    staff: Sequence[str]

    async def pages(self, stack: AsyncExitStack, count: int) -> list[Visitor]:
        """`count` open pages, which `stack` closes."""
        tokens = [self.staff[number % len(self.staff)] for number in range(count)]
        pages = [Visitor(self.server.address, {PLAIN: token}) for token in tokens]
        return [await stack.enter_async_context(page) for page in pages]


async def alone(office: Office) -> list[float]:
    """Seconds of each answer to one person, the first left out."""
    async with AsyncExitStack() as stack:
        (page,) = await office.pages(stack, 1)
        await page.ask(QUESTIONS[0])
        return [await page.ask(QUESTIONS[i % len(QUESTIONS)]) for i in range(ALONE)]


async def together(office: Office, count: int, median: float, *, judged: bool) -> list[Row]:
    """Rows for `count` people who ask at the same moment, against the median of one person in seconds."""
    async with AsyncExitStack() as stack:
        pages = await office.pages(stack, count)
        asked = (page.ask(QUESTIONS[i % len(QUESTIONS)]) for i, page in enumerate(pages))
        found = await asyncio.gather(*asked, return_exceptions=True)
    for one in found:
        if isinstance(one, BaseException) and not isinstance(one, Lost):
            raise one
    times = [one for one in found if isinstance(one, float)]
    middle, late = percentile(times, 50), percentile(times, 95)
    name, targets = f"{count} at once", (MEDIAN, P95) if judged else (None, None)
    return [
        Row(f"{name}: without an answer", len(found) - len(times), "", 0),
        Row(f"{name}: median ÷ one person's", middle / median, "×", targets[0]),
        Row(f"{name}: p95 ÷ one person's", late / median, "×", targets[1]),
        Row(f"{name}: median", middle, "s"),
        Row(f"{name}: slowest", max(times), "s"),
    ]


async def by_itself(office: Office) -> list[Row]:
    """Rows of a server that answers without a model; no question is asked twice."""
    questions = iter(case.question for case in read_dataset(EVERYDAY).cases)
    async with AsyncExitStack() as stack:
        (page,) = await office.pages(stack, 1)
        await page.ask(next(questions))
        before = await _warm(office.server)
        median = percentile([await page.ask(next(questions)) for _ in range(ALONE)], 50)
        work = (office.server.processor_s - before) / ALONE
    shared = PEOPLE * work / (os.cpu_count() or 1)
    async with AsyncExitStack() as stack:
        pages = await office.pages(stack, PEOPLE)
        found = await asyncio.gather(*(page.ask(next(questions)) for page in pages))
    async with AsyncExitStack() as stack:
        (own,) = await Office(office.server, office.staff[1:2]).pages(stack, 1)
        others = await Office(office.server, office.staff[2:3]).pages(stack, BESIDE)
        asked = [asyncio.create_task(page.ask(next(questions), 300)) for page in others]
        beside = [await own.ask(next(questions)) for _ in range(ALONE // 2)]
        given = await asyncio.gather(*asked, return_exceptions=True)
    return [
        Row("one person, median", median, "s"),
        Row("processor for a question, its page included", work, "s"),
        Row(f"{PEOPLE} questions shared by all cores", shared, "s"),
        Row(f"{PEOPLE} at once: p95 ÷ that", percentile(found, 95) / shared, "×", SHARED),
        Row(f"one beside {BESIDE} of another ÷ alone", percentile(beside, 50) / median, "×", DELAYED),
        Row("of those: without an answer", sum(not isinstance(one, float) for one in given), ""),
    ]


async def _warm(server: Server) -> float:
    """Its seconds of processor once what a start does beside the questions is done."""
    before = -1.0
    while (used := server.processor_s) - before > STILL:
        before = used
        await asyncio.sleep(1)
    return used


async def idle(office: Office) -> float:
    """Megabytes that IDLE open pages add to a server that has been used."""
    before = office.server.memory_mb
    async with AsyncExitStack() as stack:
        await office.pages(stack, IDLE)
        await asyncio.sleep(3)
        return office.server.memory_mb - before


async def measure(office: Office) -> list[Row]:
    median = percentile(await alone(office), 50)
    return [
        Row("one person, median", median, "s"),
        Row(f"{IDLE} open pages, added memory", await idle(office), "MB", IDLE_MB),
        *await together(office, PEOPLE, median, judged=True),
        *await together(office, CROWD, median, judged=False),
    ]


def tables(folder: Path) -> Tables:
    with scene(folder, DELAYS, auth_mode="local") as place:
        with place.program() as program:
            program.load_demo()
            staff = people(program, CROWD)
        with place.server() as server:
            yield "Many people at once", asyncio.run(measure(Office(server, staff)))
    if not has_norms():
        return
    place = Scene(folder / "law", {"auth_mode": "local"})
    with place.program() as program:
        program.loading.ingest([BOE])
        staff = people(program, PEOPLE)
    with place.server() as server:
        yield "Many people at once, without a model", asyncio.run(by_itself(Office(server, staff)))
