"""kill -9 at random moments, of the server or of its worker, while people ask, vote and load documents.

After each one the server starts again on the same home. What a page or a caller was told was done must be
there: questions, votes, documents; no answer may stay «en curso», nothing may be twice. `KILLS`: how many.
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from benchmarks import build
from benchmarks.load import QUESTIONS
from benchmarks.pipeline import scripted_model
from benchmarks.server import Server, served
from benchmarks.soak import DELAYS, VOTE, Books, check, conversation
from benchmarks.table import Row, show
from benchmarks.visitor import Lost, Visitor
from domain.accounts import LOCAL_USER
from rag.jobs.types import JobState
from rag.types import MessageState

KILLS = int(os.environ.get("KILLS", "30"))
PEOPLE = 3
FIRST, LAST = 0.5, 5.0
SETTLE_SECONDS = 60
OPEN = (MessageState.PENDING, MessageState.RUNNING)
DOCUMENT = """# Acuerdo número {0}

Artículo 1. Objeto.
El acuerdo {0} regula el descanso de la plantilla inventada número {0}.

Artículo 2. Duración.
El descanso del acuerdo {0} dura {0} minutos al día, y no se cambia por dinero.
"""


async def person(server: Server, number: int, books: Books) -> None:
    """Asks and votes until the server is gone."""
    dice = random.Random(f"{number}-{len(books.asked)}")
    with suppress(Lost, OSError, Exception):
        async with Visitor(server.address) as visitor:
            while True:
                question = f"{dice.choice(QUESTIONS)} ({dice.randrange(10**9)})"
                before = visitor.answers
                await visitor.send_question(question)
                await visitor.until(lambda q=question: any(q in text for text in visitor.texts), 30)
                books.asked.setdefault(conversation(visitor), []).append(question)
                await visitor.until(lambda b=before: visitor.still and visitor.answers > b, 60)
                key = max((key for key in visitor.inputs if VOTE.fullmatch(key)), key=lambda k: int(k[5:]))
                await visitor.vote(key, 1)
                books.votes.add(int(key[5:]))


def loader(home: Path, loaded: list[str], stop: threading.Event) -> None:
    """Queues a document every so often, from a process that is not killed."""
    program = build(home, embeddings_provider="none")
    while not stop.wait(1.0):
        number = len(loaded) + 1
        file = (f"acuerdo-{number}.md", DOCUMENT.format(number).encode())
        loaded.append(program.upload([file], metadata={"title": f"Acuerdo número {number}"}).id)
    program.close()


def worker_of(server: Server) -> int | None:
    """The process id of the worker that this server supervises."""
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    for task in Path(f"/proc/{server.process.pid}/task").iterdir():
        with suppress(OSError):
            children += (task / "children").read_text().split()
    for child in children:
        with suppress(OSError):
            if b"worker.py" in Path(f"/proc/{child}/cmdline").read_bytes():
                return int(child)
    return None


async def until_killed(server: Server, books: Books, dice: random.Random) -> str:
    people = [asyncio.create_task(person(server, number, books)) for number in range(PEOPLE)]
    await asyncio.sleep(dice.uniform(FIRST, LAST))
    worker = worker_of(server)
    victim = "worker" if worker and dice.random() < 0.4 else "server"
    with suppress(ProcessLookupError):
        os.kill(worker if worker and victim == "worker" else server.process.pid, signal.SIGKILL)
    await asyncio.sleep(0.5)
    for task in people:
        task.cancel()
    await asyncio.gather(*people, return_exceptions=True)
    return victim


def settled(home: Path, loaded: list[str]) -> Counter[str]:
    """Faults that are left once a last server has had its time."""
    faults: Counter[str] = Counter()
    program = build(home, embeddings_provider="none")
    deadline = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < deadline:
        states = [program.jobs.job(name).state for name in loaded]
        if all(state is JobState.DONE for state in states):
            break
        time.sleep(0.5)
    faults["documents lost"] = sum(program.jobs.job(name).state is not JobState.DONE for name in loaded)
    titles = Counter(norm.title for norm in program.corpus.norms())
    faults["documents twice"] = sum(titles[f"Acuerdo número {n + 1}"] > 1 for n in range(len(loaded)))
    faults["documents not in the corpus"] = sum(
        not titles[f"Acuerdo número {n + 1}"] for n in range(len(loaded))
    )
    time.sleep(16)
    stuck = 0
    for one in program.conversations.conversations(LOCAL_USER, 100_000):
        stuck += sum(m.state in OPEN for m in program.conversations.messages(LOCAL_USER, one.id, 1000))
    faults["answers under way for ever"] = stuck
    program.close()
    return faults


def main() -> int:
    folder = Path(tempfile.mkdtemp(prefix="articulado-kills-"))
    dice, books, killed = random.Random(2026), Books(), Counter[str]()
    loaded: list[str] = []
    stop = threading.Event()
    settings = {"OPENAI_API_KEY": "sk-benchmark", "EMBEDDINGS_PROVIDER": "none"}
    try:
        home = folder / "home"
        program = build(home, embeddings_provider="none")
        program.load_demo()
        program.close()
        loading = threading.Thread(target=loader, args=(home, loaded, stop))
        loading.start()
        with scripted_model(DELAYS) as base:
            for _ in range(KILLS):
                with served(folder, OPENAI_BASE_URL=base, **settings) as server:
                    killed[asyncio.run(until_killed(server, books, dice))] += 1
            stop.set()
            loading.join()
            with served(folder, OPENAI_BASE_URL=base, **settings):
                faults = settled(home, loaded)
        faults += check(home, books, interrupted=True)
        program = build(home, embeddings_provider="none")
        healthy = program.doctor()
        program.close()
    finally:
        stop.set()
        shutil.rmtree(folder, ignore_errors=True)
    rows = [
        Row("kills of the server", killed["server"], ""),
        Row("kills of the worker", killed["worker"], ""),
        Row("questions acknowledged", sum(map(len, books.asked.values())), ""),
        Row("votes acknowledged", len(books.votes), ""),
        Row("documents acknowledged", len(loaded), ""),
        *(Row(kind, count, "", 0) for kind, count in sorted(faults.items())),
        Row("checks of doctor that fail", sum(not one["ok"] for one in healthy["checks"]), "", 0),
    ]
    show(f"{KILLS} times kill -9", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
