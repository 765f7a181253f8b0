"""A working day in ten minutes: people ask, read, vote, delete, come back; then the books are checked.

Prints how memory grew after the warm-up, what failed, and whether the database holds each question that a
page showed, once, with its answer and its vote. `SOAK_SECONDS` shortens it.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from benchmarks import build
from benchmarks.load import QUESTIONS
from benchmarks.pipeline import scripted_model
from benchmarks.server import Server, served
from benchmarks.table import Row, show
from benchmarks.visitor import Lost, Visitor
from domain.accounts import LOCAL_USER
from domain.reviews import Vote
from rag.types import MessageState

SECONDS = float(os.environ.get("SOAK_SECONDS", "600"))
WARM_UP = 0.3
PEOPLE = 12
GROWTH = 1.05
DELAYS = {"decompose": 0.1, "embeddings": 0.0, "rerank": 0.1, "assess": 0.1, "answer": 0.3}
CONVERSATION = re.compile(r"(?:^|&)c=([0-9a-f]+)")
VOTE = re.compile(r"vote-(\d+)")
LOCKED = ("database is locked", "OperationalError", "Traceback")


@dataclass
class Books:
    """What the pages were shown as done."""

    asked: dict[str, list[str]] = field(default_factory=dict)
    votes: set[int] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)
    lost: list[str] = field(default_factory=list)


async def person(server: Server, number: int, books: Books, until: float) -> None:
    """Visits until the time is over; a visit that fails is told, and the next one begins."""
    dice = random.Random(number)
    while time.monotonic() < until:
        try:
            await visit(server, dice, books)
        except (Lost, OSError, KeyError, httpx.HTTPError) as error:
            books.lost.append(f"{type(error).__name__}: {error}")
        await asyncio.sleep(dice.uniform(0, 0.5))


async def visit(server: Server, dice: random.Random, books: Books) -> None:
    name = ""
    async with Visitor(server.address) as visitor:
        for _ in range(dice.randint(1, 4)):
            question = f"{dice.choice(QUESTIONS)} ({dice.randrange(10**9)})"
            await visitor.ask(question, 60)
            name = conversation(visitor)
            books.asked.setdefault(name, []).append(question)
            await asyncio.sleep(dice.uniform(0, 0.5))
        if dice.random() < 0.3:
            key = max((key for key in visitor.inputs if VOTE.fullmatch(key)), key=lambda k: int(k[5:]))
            await visitor.vote(key, 1)
            books.votes.add(int(key[5:]))
        if dice.random() < 0.3:
            await visitor.go("normativa")
    if dice.random() < 0.5:
        async with Visitor(server.address, query=f"c={name}") as again:
            if again.answers != len(books.asked[name]):
                books.lost.append(f"{name} shows {again.answers} answers of {len(books.asked[name])}")
            if dice.random() < 0.2:
                await again.press("delete")
                await again.press("delete-yes")
                books.deleted.add(name)


def conversation(visitor: Visitor) -> str:
    """The conversation that the page names in its address, or ''."""
    found = CONVERSATION.search(visitor.query)
    return found[1] if found else ""


async def day(server: Server, books: Books) -> list[float]:
    """Memory of the server every few seconds while people come and go."""
    until = time.monotonic() + SECONDS
    people = [asyncio.create_task(person(server, number, books, until)) for number in range(PEOPLE)]
    memory = []
    while time.monotonic() < until:
        await asyncio.sleep(min(2, SECONDS / 50))
        memory.append(server.memory_mb)
    await asyncio.gather(*people)
    return memory


def check(home: Path, books: Books, *, interrupted: bool = False) -> Counter[str]:
    """Faults by kind, from the database once the server has ended; answers may be `interrupted`."""
    faults: Counter[str] = Counter()
    program = build(home)
    held = {one.id for one in program.conversations.conversations(LOCAL_USER, 1_000_000)}
    for name, questions in books.asked.items():
        if name in books.deleted:
            faults["deleted, still there"] += name in held
            continue
        messages = program.conversations.messages(LOCAL_USER, name, 1000) if name in held else []
        told = Counter(message.text for message in messages if message.role == "user")
        faults["questions lost"] += sum(told[question] == 0 for question in questions)
        faults["questions twice"] += sum(told[question] > 1 for question in questions)
        replies = [message for message in messages if message.role != "user"]
        allowed = (
            {MessageState.COMPLETE, MessageState.INTERRUPTED} if interrupted else {MessageState.COMPLETE}
        )
        faults["answers not complete"] += sum(one.state not in allowed for one in replies)
        for one in replies:
            if one.id in books.votes:
                given = program.feedback.feedback(LOCAL_USER, one.id)
                faults["votes lost"] += given is None or given.vote is not Vote.UP
    program.close()
    return faults


def main() -> int:
    folder = Path(tempfile.mkdtemp(prefix="articulado-soak-"))
    books = Books()
    try:
        program = build(folder / "home")
        program.load_demo()
        program.close()
        key = {"OPENAI_API_KEY": "sk-benchmark"}
        with scripted_model(DELAYS) as base, served(folder, OPENAI_BASE_URL=base, **key) as server:
            memory = asyncio.run(day(server, books))
        log = server.log.read_text(errors="replace")
        faults = check(folder / "home", books)
    finally:
        with suppress(OSError):
            shutil.rmtree(folder)
    warm = memory[int(len(memory) * WARM_UP) :]
    early, late = (sum(part) / len(part) for part in (warm[: len(warm) // 5], warm[-len(warm) // 5 :]))
    questions = sum(map(len, books.asked.values()))
    rows = [
        Row("questions asked", questions, ""),
        Row("conversations, and of them deleted", len(books.asked), ""),
        Row("memory after the warm-up", early, "MB"),
        Row("memory at the end ÷ after the warm-up", late / early, "×", GROWTH),
        Row("pages that failed", len(books.lost), "", 0),
        Row("lock errors and tracebacks in the log", sum(log.count(word) for word in LOCKED), "", 0),
        *(Row(kind, count, "", 0) for kind, count in sorted(faults.items())),
    ]
    show(f"{PEOPLE} people, {SECONDS:.0f} s", rows)
    for line, times in Counter(books.lost).most_common(5):
        print(f"  {times} × {line}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
