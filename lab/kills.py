"""kill -9 at random moments, of the server or of its worker, while people ask, vote and load documents.

After each one the server starts again on the same home. Questions, votes and documents that were shown as
done must be there, once; no answer may stay «en curso». `KILLS`: how many.
"""

import asyncio
import os
import random
import signal
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from lab.harness import Scene, Server, scene
from lab.ledger import Ledger
from lab.table import Row, Tables
from lab.visitor import Visitor
from loading.ingestion.load_request import UploadRequest
from loading.records.jobs import JobState
from rag.shared.messages import MessageState

KILLS = int(os.environ.get("KILLS", "30"))
PEOPLE = 3
DELAYS = {"decompose": 0.1, "embeddings": 0.0, "rerank": 0.1, "assess": 0.1, "answer": 0.3, "claims": 0.1}
FIRST, LAST = 0.5, 5.0
SETTLE_SECONDS, STALE_SECONDS = 60, 16
TITLE = "Acuerdo número {0}"
DOCUMENT = """# Acuerdo número {0}

Artículo 1. Objeto.
El acuerdo {0} regula el descanso de la plantilla inventada número {0}.

Artículo 2. Duración.
El descanso del acuerdo {0} dura {0} minutos al día, y no se cambia por dinero.
"""


async def person(server: Server, dice: random.Random, ledger: Ledger) -> None:
    """Ask and vote until the server is gone."""
    with suppress(Exception):
        async with Visitor(server.address) as page:
            while True:
                await ledger.ask(page, dice)
                await ledger.vote(page)


def load_documents(place: Scene, loaded: list[str], stop: threading.Event) -> None:
    """Queue a document every second, from a process that is not killed."""
    with place.program() as program:
        while not stop.wait(1.0):
            number = len(loaded)
            file = (f"acuerdo-{number}.md", DOCUMENT.format(number).encode())
            request = UploadRequest([file], metadata={"title": TITLE.format(number)})
            loaded.append(program.loading.upload(request).id)


def worker_of(server: Server) -> int | None:
    """The process id of the worker that this server supervises."""
    with suppress(OSError):
        for children in Path(f"/proc/{server.process.pid}/task").glob("*/children"):
            for child in children.read_text().split():
                if b"worker.py" in Path(f"/proc/{child}/cmdline").read_bytes():
                    return int(child)
    return None


async def until_killed(server: Server, ledger: Ledger, dice: random.Random) -> str:
    """The victim's name: "server" or "worker"."""
    seeds = [random.Random(dice.random()) for _ in range(PEOPLE)]
    people = [asyncio.create_task(person(server, seed, ledger)) for seed in seeds]
    await asyncio.sleep(dice.uniform(FIRST, LAST))
    worker = worker_of(server) if dice.random() < 0.4 else None
    with suppress(ProcessLookupError):
        os.kill(worker or server.process.pid, signal.SIGKILL)
    await asyncio.sleep(0.5)
    for task in people:
        task.cancel()
    await asyncio.gather(*people, return_exceptions=True)
    return "worker" if worker else "server"


def settled(place: Scene, loaded: list[str]) -> list[Row]:
    """Faults of the documents, once a last server has had its time for them and for stale answers."""
    with place.program() as program:
        deadline = time.monotonic() + SETTLE_SECONDS
        while left := [name for name in loaded if program.database.jobs.job(name).state is not JobState.DONE]:
            if time.monotonic() > deadline:
                break
            time.sleep(0.5)
        titles = Counter(norm.title for norm in program.database.corpus.norms())
    time.sleep(STALE_SECONDS)
    copies = [titles[TITLE.format(number)] for number in range(len(loaded))]
    return [
        Row("documents lost", len(left), "", 0),
        Row("documents not in the corpus", copies.count(0), "", 0),
        Row("documents twice", sum(count > 1 for count in copies), "", 0),
    ]


def tables(folder: Path) -> Tables:
    dice, ledger, killed = random.Random(2026), Ledger(), Counter[str]()
    loaded: list[str] = []
    stop = threading.Event()
    with scene(folder, DELAYS, embeddings_provider="none") as place:
        with place.program() as program:
            program.load_demo()
        loading = threading.Thread(target=load_documents, args=(place, loaded, stop))
        loading.start()
        try:
            for _ in range(KILLS):
                with place.server() as server:
                    killed[asyncio.run(until_killed(server, ledger, dice))] += 1
        finally:
            stop.set()
            loading.join()
        with place.server():
            documents = settled(place, loaded)
        with place.program() as program:
            checked = ledger.rows(program, [MessageState.COMPLETE, MessageState.INTERRUPTED])
            healthy = program.doctor()
    rows = [
        Row("kills of the server", killed["server"], ""),
        Row("kills of the worker", killed["worker"], ""),
        Row("documents acknowledged", len(loaded), ""),
        *documents,
        *checked,
        Row("checks of doctor that fail", sum(not one["ok"] for one in healthy["checks"]), "", 0),
    ]
    yield f"{KILLS} times kill -9", rows
