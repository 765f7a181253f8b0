"""Two processes behind nginx (deploy/nginx.conf) on PostgreSQL, restarted one by one while people ask.

First with SIGTERM, then with kill -9. Six people, signed in over https, ask without a pause; a page that
breaks is opened again, as a browser does. Counted: questions shown as taken and not in the database, or there
twice, answers without an end, and how long a page stayed away. Needs nginx, openssl, PostgreSQL.
"""

import asyncio
import json
import random
import shutil
import signal
import ssl
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import httpx
import websockets

from benchmarks.harness import Scene, Server, free_port, people, scene
from benchmarks.ledger import Ledger
from benchmarks.load import DELAYS
from benchmarks.table import Row, Tables, percentile
from benchmarks.visitor import Lost, Visitor
from rag.shared.messages import MessageState
from service.config import ROOT
from tests.postgres import Postgres, binaries
from tests.qdrant_stub import qdrant_stub
from web.cookies import SECURE

PEOPLE = 6
CALM_SECONDS = 5.0
STALE_SECONDS = 16
BROKEN = (Lost, OSError, httpx.HTTPError, websockets.WebSocketException)
ENDS = set(MessageState) - {MessageState.PENDING, MessageState.RUNNING}


@dataclass
class Person:
    """An account with its session, and for how many seconds its page was away each time."""

    account: str
    token: str
    dice: random.Random
    conversation: str = ""
    away: list[float] = field(default_factory=list)


@dataclass
class Office:
    """Proxy, processes and people."""

    address: str
    tls: ssl.SSLContext
    servers: Sequence[Server]
    staff: Sequence[Person]

    async def shift(self, ledger: Ledger, number: signal.Signals) -> None:
        """Each process is restarted in turn while people ask."""
        done = asyncio.Event()
        tasks = [asyncio.create_task(self.asks(person, ledger, done)) for person in self.staff]
        for server in self.servers:
            await asyncio.sleep(CALM_SECONDS)
            await asyncio.to_thread(server.stop, number)
            await asyncio.to_thread(server.start)
        await asyncio.sleep(CALM_SECONDS)
        done.set()
        await asyncio.gather(*tasks)

    async def asks(self, person: Person, ledger: Ledger, done: asyncio.Event) -> None:
        """Ask until `done`; a page that breaks is opened again at its conversation."""
        lost_at = 0.0
        while not done.is_set():
            query = f"c={person.conversation}" if person.conversation else ""
            try:
                async with Visitor(self.address, {SECURE: person.token}, query, self.tls) as page:
                    if lost_at:
                        person.away.append(time.monotonic() - lost_at)
                        lost_at = 0.0
                    await page.until(partial(getattr, page, "still"), 60)
                    while not done.is_set():
                        person.conversation = await ledger.ask(page, person.dice, person.account)
            except BROKEN:
                lost_at = lost_at or time.monotonic()
                await asyncio.sleep(0.2)


@contextmanager
def proxied(folder: Path, ports: Sequence[int]) -> Iterator[tuple[str, ssl.SSLContext]]:
    """Address of an nginx with the shipped configuration and its own certificate, and trust in that."""
    key, certificate = folder / "articulado.key", folder / "articulado.crt"
    request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"]
    names = ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*request, *names], check=True, capture_output=True)
    port = free_port()
    text = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
    for number, behind in enumerate(ports, start=1):
        text = text.replace(f"app-{number}:8501", f"127.0.0.1:{behind}")
    text = text.replace("listen 443", f"listen 127.0.0.1:{port}").replace("/etc/nginx/tls", str(folder))
    file = folder / "nginx.conf"
    file.write_text(f"daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\n{text}")
    # The process that serves is not root and must be able to write its buffers.
    folder.chmod(0o755)
    process = subprocess.Popen(["nginx", "-c", str(file), "-p", str(folder), "-e", f"{folder}/error.log"])
    try:
        yield f"https://localhost:{port}", ssl.create_default_context(cafile=str(certificate))
    finally:
        process.terminate()
        process.wait(20)


def not_json(servers: Sequence[Server]) -> int:
    """Lines of the logs that are not an object of JSON."""

    def is_object(line: str) -> bool:
        try:
            return isinstance(json.loads(line), dict)
        except ValueError:
            return False

    return sum(not is_object(line) for server in servers for line in server.log.read_text().splitlines())


def measure(place: Scene, address: str, tls: ssl.SSLContext, servers: Sequence[Server]) -> Tables:
    with place.program() as program:
        staff = [Person(*one, random.Random(n)) for n, one in enumerate(people(program, PEOPLE))]
        office = Office(address, tls, servers, staff)
        for number in (signal.SIGTERM, signal.SIGKILL):
            ledger = Ledger()
            for person in staff:
                person.away.clear()
            asyncio.run(office.shift(ledger, number))
            time.sleep(STALE_SECONDS)
            away = [seconds for person in staff for seconds in person.away]
            rows = [
                Row("pages lost and opened again", len(away), ""),
                Row("away, median", percentile(away, 50) if away else 0, "s"),
                Row("away, longest", max(away, default=0), "s"),
                *ledger.rows(program, ENDS),
            ]
            yield f"Two processes restarted one after the other ({number.name})", rows
    yield "Logs", [Row("lines that are not JSON", not_json(servers), "", 0)]


def tables(folder: Path) -> Tables:
    programs = binaries()
    if programs is None or shutil.which("nginx") is None:
        raise SystemExit("PostgreSQL and nginx are needed.")
    with ExitStack() as open_now:
        place = open_now.enter_context(scene(folder, DELAYS, auth_mode="local", embeddings_provider="none"))
        database = Postgres(programs, durable=True)
        open_now.callback(database.stop)
        ports = (free_port(), free_port())
        address, tls = open_now.enter_context(proxied(folder, ports))
        place.settings |= {
            "public_url": address,
            "trusted_proxies": "127.0.0.1",
            "database_url": database.create(),
            "qdrant_url": open_now.enter_context(qdrant_stub()),
            "log_format": "json",
            "shutdown_seconds": 10,
        }
        servers = [open_now.enter_context(place.server(port)) for port in ports]
        yield from measure(place, address, tls, servers)
