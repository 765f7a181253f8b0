"""kill -9 of the page, its worker, backups, restores and migrations, while people work: nothing is lost.

The schedule is drawn from a seed and printed: a page or a worker dies so many seconds after people who ask,
vote, load and make accounts, expedientes and papers have been shown the first of it as done, a command after
that share of its steps. After each kill all that was shown as done must be there; at the end no answer may
stay «en curso» and no document be lost. `KILLS`: how many, of which a quarter on PostgreSQL.
"""

import asyncio
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from lab.errands import Errands, Person
from lab.harness import Scene, Server, people, scene
from lab.killed_commands import BACKUP, MIGRATION, RESTORE, Commands
from lab.ledger import Ledger
from lab.table import Row, Tables
from lab.visitor import Visitor
from loading.ingestion.load_request import UploadRequest
from loading.records.jobs import JobState
from rag.shared.messages import MessageState
from service.backup.backup import backup
from tests.postgres import Postgres, binaries
from tests.processes import ForkedServer

KILLS = int(os.environ.get("KILLS", "60"))
SEED = 2026
PAGE, WORKER = "page", "worker"
VICTIMS = (PAGE, WORKER, PAGE, BACKUP, WORKER, RESTORE, PAGE, MIGRATION)
DELAYS = {"decompose": 0.1, "embeddings": 0.0, "rerank": 0.1, "assess": 0.1, "answer": 0.3, "claims": 0.1}
LATEST = 4.0
LOAD_SECONDS, WAIT_SECONDS, SETTLE_SECONDS, STALE_SECONDS = 3.0, 120, 120, 16
TITLE = "Acuerdo número {0}"
DOCUMENT = """# Acuerdo número {0}

Artículo 1. Objeto.
El acuerdo {0} regula el descanso de la plantilla inventada número {0}.

Artículo 2. Duración.
El descanso del acuerdo {0} dura {0} minutos al día, y no se cambia por dinero.
"""


@dataclass(frozen=True)
class Kill:
    """One of the schedule; `moment` is in seconds for a page or a worker, else a share of the steps."""

    victim: str
    moment: float

    def __str__(self) -> str:
        return f"{self.victim} {self.moment:.2f}{' s' if self.victim in (PAGE, WORKER) else ''}"


def schedule(kills: int, dice: random.Random) -> list[Kill]:
    victims = [VICTIMS[number % len(VICTIMS)] for number in range(kills)]
    latest = {PAGE: LATEST, WORKER: LATEST}
    return [Kill(victim, dice.uniform(0.0, latest.get(victim, 1.0))) for victim in victims]


@dataclass
class Office:
    """An installation, its people and what was acknowledged to them."""

    place: Scene
    staff: Sequence[Person]
    commands: Commands
    ledger: Ledger
    errands: Errands = field(default_factory=Errands)
    loaded: list[str] = field(default_factory=list)

    def server(self) -> Server:
        """A server, not started: of a process that has imported the program, since it starts many times."""
        return ForkedServer(self.place.folder, self.place.settings)

    async def ask(self, server: Server, person: Person, dice: random.Random) -> None:
        """Ask and vote until the server is gone."""
        with suppress(Exception):
            async with Visitor(server.address, person.cookies) as page:
                while True:
                    await self.ledger.ask(page, dice)
                    await self.ledger.vote(page)

    async def run_errands(self, server: Server, dice: random.Random) -> None:
        """Accounts and expedientes until the server is gone."""
        with suppress(Exception):
            while True:
                await self.errands.account(server.address, self.staff[0], dice)
                await self.errands.matter(server.address, self.staff[1], dice)

    async def work(self, server: Server, until: Callable[[], object], dice: random.Random) -> None:
        """Have people work until `until`, which runs in a thread, has returned."""
        tasks = [
            asyncio.create_task(self.ask(server, one, random.Random(dice.random()))) for one in self.staff
        ]
        tasks.append(asyncio.create_task(self.run_errands(server, random.Random(dice.random()))))
        await asyncio.to_thread(until)
        await asyncio.sleep(0.5)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def load_documents(self, stop: threading.Event) -> None:
        """Queue a document every few seconds, from a process that is not killed."""
        with self.place.program() as program:
            while not stop.wait(LOAD_SECONDS):
                number = len(self.loaded)
                file = (f"acuerdo-{number}.md", DOCUMENT.format(number).encode())
                request = UploadRequest([file], metadata={"title": TITLE.format(number)})
                self.loaded.append(program.loading.upload(request, self.staff[0].id).id)

    def kill(self, kill: Kill, dice: random.Random) -> list[str]:
        """Do what the schedule says; what is wrong afterwards."""
        wrong: list[str] = []
        if kill.victim in (PAGE, WORKER):
            with self.server() as server:
                asyncio.run(self.work(server, lambda: self._die(server, kill), dice))
        elif kill.victim == BACKUP:
            with self.server() as server:
                asyncio.run(self.work(server, lambda: wrong.extend(self._backup(kill.moment)), dice))
        else:
            archive = self.place.folder / "copy.zip"
            archive.unlink(missing_ok=True)
            with self.place.program() as program:
                backup(program.database.engines, program.home, archive)
            act = self.commands.restore if kill.victim == RESTORE else self.commands.migration
            wrong += act(archive, kill.moment)
        return wrong + self.lost()

    def _die(self, server: Server, kill: Kill) -> None:
        """Kill the server or its worker at its moment."""
        before, deadline = self.acknowledged, time.monotonic() + WAIT_SECONDS
        while self.acknowledged == before or (kill.victim == WORKER and worker_of(server) is None):
            if time.monotonic() > deadline:
                raise RuntimeError("the server acknowledges nothing, or has no worker")
            time.sleep(0.1)
        time.sleep(kill.moment)
        victim = worker_of(server) if kill.victim == WORKER else server.process.pid
        os.kill(victim or server.process.pid, signal.SIGKILL)

    @property
    def acknowledged(self) -> int:
        return len(self.ledger.asked) + len(self.ledger.votes) + self.errands.count

    def _backup(self, share: float) -> list[str]:
        settings = self.place.settings
        home = self.place.folder / "home"
        return self.commands.backup(home, settings.get("database_url", ""), share)

    def lost(self) -> list[str]:
        """Names of things that were acknowledged and are not there."""
        with self.place.program() as program:
            return self.ledger.lost(program) + self.errands.lost(program)

    def settled(self) -> list[Row]:
        """Faults of the documents, once a last server has had its time for them and for stale answers."""
        with self.place.program() as program:
            deadline = time.monotonic() + SETTLE_SECONDS
            jobs = program.database.jobs
            while left := [name for name in self.loaded if jobs.job(name).state is not JobState.DONE]:
                if time.monotonic() > deadline:
                    break
                time.sleep(0.5)
            titles = Counter(norm.title for norm in program.database.corpus.norms())
        time.sleep(STALE_SECONDS)
        copies = [titles[TITLE.format(number)] for number in range(len(self.loaded))]
        return [
            Row("documents lost", len(left), "", 0),
            Row("documents not in the corpus", copies.count(0), "", 0),
            Row("documents twice", sum(count > 1 for count in copies), "", 0),
        ]


def worker_of(server: Server) -> int | None:
    """The process id of the worker that this server supervises."""
    with suppress(OSError):
        for children in Path(f"/proc/{server.process.pid}/task").glob("*/children"):
            for child in children.read_text().split():
                if b"worker.py" in Path(f"/proc/{child}/cmdline").read_bytes():
                    return int(child)
    return None


def rounds(
    folder: Path, kills: Sequence[Kill], dice: random.Random, new_database: Callable[[Path], str]
) -> list[Row]:
    """Rows of all the kills of one installation."""
    home = folder / "home"
    home.mkdir(mode=0o700, parents=True)
    settings = {"embeddings_provider": "none", "auth_mode": "local", "database_url": new_database(home)}
    with scene(folder, DELAYS, **settings) as place:
        with place.program() as program:
            program.load_demo()
            tokens = people(program, 3)
            ids = {one.username: one.id for one in program.database.accounts.accounts()}
        staff = [Person(ids[f"persona{number}"], token) for number, token in enumerate(tokens)]
        commands = Commands(folder, place.settings, new_database)
        office = Office(place, staff, commands, Ledger([one.id for one in staff]))
        stop = threading.Event()
        loading = threading.Thread(target=office.load_documents, args=(stop,))
        loading.start()
        wrong = 0
        try:
            for number, kill in enumerate(kills, 1):
                found = office.kill(kill, dice)
                wrong += bool(found)
                done = f"{len(office.ledger.asked)} questions, {office.errands.count} errands"
                print(f"{number:3} {kill!s:16} {done}: {'; '.join(found) or 'nothing lost'}", flush=True)
        finally:
            stop.set()
            loading.join()
        with office.server():
            documents = office.settled()
        with place.program() as program:
            checked = office.ledger.rows(program, [MessageState.COMPLETE, MessageState.INTERRUPTED])
            healthy = program.doctor()
    killed = Counter(kill.victim for kill in kills)
    return [
        *(Row(f"kills of {victim}", count, "") for victim, count in killed.items()),
        Row("kills after which something was wrong", wrong, "", 0),
        Row(
            "accounts, expedientes, notes and papers acknowledged", office.errands.count, "", 1, at_least=True
        ),
        Row("documents acknowledged", len(office.loaded), ""),
        *documents,
        *checked,
        Row("checks of doctor that fail", sum(not one["ok"] for one in healthy["checks"]), "", 0),
    ]


def tables(folder: Path) -> Tables:
    dice = random.Random(SEED)
    programs = binaries()
    elsewhere = KILLS // 4 if programs else 0
    plan = {"SQLite": schedule(KILLS - elsewhere, dice), "PostgreSQL": schedule(elsewhere, dice)}
    for name, kills in plan.items():
        print(f"{name}, seed {SEED}: {', '.join(map(str, kills))}", flush=True)
    title = "{} times kill -9 on {}"
    sqlite = rounds(
        folder / "sqlite", plan["SQLite"], dice, lambda home: f"sqlite:///{home / 'articulado.db'}"
    )
    yield title.format(KILLS - elsewhere, "SQLite"), sqlite
    if programs is not None and elsewhere:
        server = Postgres(programs, durable=True)
        try:
            found = rounds(folder / "postgresql", plan["PostgreSQL"], dice, lambda _: server.create())
            yield title.format(elsewhere, "PostgreSQL"), found
        finally:
            server.stop()
