"""A working day in ten minutes: people ask, read, vote, delete and come back; then the books are checked.

Prints how memory grew after the warm-up, what failed, and whether the database holds each question that a
page showed, once, with its answer and its vote. `SOAK_SECONDS` shortens it.
"""

import asyncio
import os
import random
import time
from collections import Counter
from pathlib import Path

import httpx

from benchmarks.harness import Server, scene
from benchmarks.ledger import Ledger
from benchmarks.table import Row, Tables
from benchmarks.visitor import Lost, Visitor
from rag.shared.messages import MessageState

SECONDS = float(os.environ.get("SOAK_SECONDS", "600"))
WARM_UP = 0.3
PEOPLE = 12
GROWTH = 1.05
DELAYS = {"decompose": 0.1, "embeddings": 0.0, "rerank": 0.1, "assess": 0.1, "answer": 0.3, "claims": 0.1}
LOCKED = ("database is locked", "OperationalError", "Traceback")


async def person(server: Server, number: int, ledger: Ledger, failed: Counter[str], until: float) -> None:
    """Visit until the time is over; a visit that fails is counted, and the next one begins."""
    dice = random.Random(number)
    while time.monotonic() < until:
        try:
            await visit(server, dice, ledger, failed)
        except (Lost, OSError, KeyError, httpx.HTTPError) as error:
            failed[f"{type(error).__name__}: {error}"] += 1
        await asyncio.sleep(dice.uniform(0, 0.5))


async def visit(server: Server, dice: random.Random, ledger: Ledger, failed: Counter[str]) -> None:
    """A few questions, sometimes a vote, the catalogue, and the same conversation again."""
    asked = dice.randint(1, 4)
    conversation = ""
    async with Visitor(server.address) as page:
        for _ in range(asked):
            conversation = await ledger.ask(page, dice)
            await asyncio.sleep(dice.uniform(0, 0.5))
        if dice.random() < 0.3:
            await ledger.vote(page)
        if dice.random() < 0.3:
            await page.go("normativa")
    if dice.random() < 0.5:
        async with Visitor(server.address, query=f"c={conversation}") as again:
            if again.answers != asked:
                failed[f"a conversation shows {again.answers} answers of {asked}"] += 1
            if dice.random() < 0.2:
                await again.press("delete")
                await again.press("delete-yes")
                ledger.deleted.add(conversation)


async def day(server: Server, ledger: Ledger, failed: Counter[str]) -> list[float]:
    """Megabytes of the server every few seconds while people come and go."""
    until = time.monotonic() + SECONDS
    people = [asyncio.create_task(person(server, n, ledger, failed, until)) for n in range(PEOPLE)]
    memory = []
    while time.monotonic() < until:
        await asyncio.sleep(min(2, SECONDS / 50))
        memory.append(server.memory_mb)
    await asyncio.gather(*people)
    return memory


def tables(folder: Path) -> Tables:
    ledger, failed = Ledger(), Counter[str]()
    with scene(folder, DELAYS) as place:
        with place.program() as program:
            program.load_demo()
        with place.server() as server:
            memory = asyncio.run(day(server, ledger, failed))
        log = server.log.read_text(errors="replace")
        with place.program() as program:
            checked = ledger.rows(program, [MessageState.COMPLETE])
    warm = memory[int(len(memory) * WARM_UP) :]
    early, late = (sum(part) / len(part) for part in (warm[: len(warm) // 5], warm[-len(warm) // 5 :]))
    rows = [
        Row("memory after the warm-up", early, "MB"),
        Row("memory at the end ÷ after the warm-up", late / early, "×", GROWTH),
        Row("pages that failed", failed.total(), "", 0),
        Row("lock errors and tracebacks in the log", sum(map(log.count, LOCKED)), "", 0),
    ]
    yield f"{PEOPLE} people, {SECONDS:.0f} s", rows + checked
    for line, times in failed.most_common(5):
        print(f"  {times} × {line}")
