"""Two processes behind nginx (deploy/nginx.conf) on PostgreSQL, restarted one by one while people ask.

First politely (SIGTERM), then with kill -9. Six people, signed in over https, ask without a pause; who loses
the page opens it again, as a browser does. Counted: what was shown as taken and is not in the database, what
is there twice, answers without an end, and how long a page stayed away. Needs nginx, openssl, PostgreSQL.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import websockets

import bootstrap
from benchmarks import ROOT, build
from benchmarks.load import DELAYS, QUESTIONS
from benchmarks.people import people
from benchmarks.pipeline import scripted_model
from benchmarks.server import Server, free_port, served
from benchmarks.table import Row, percentile, show
from benchmarks.visitor import Lost, Visitor
from rag.types import MessageState
from tests.postgres import Postgres, binaries
from tests.qdrant_stub import qdrant_stub
from web.cookies import SECURE

PEOPLE = 6
CALM_SECONDS = 5.0
STALE_SECONDS = 16
CONVERSATION = re.compile(r"(?:^|&)c=([0-9a-f]+)")
BROKEN = (Lost, OSError, httpx.HTTPError, websockets.WebSocketException)


@dataclass
class Person:
    """Whom a cookie lets in, and what their page was shown."""

    account: str
    token: str
    dice: random.Random
    conversation: str = ""
    asked: list[str] = field(default_factory=list)
    away: list[float] = field(default_factory=list)


@dataclass
class Office:
    """The proxy, and how to start each of the processes behind it."""

    folder: Path
    address: str
    ports: tuple[int, int]
    settings: dict[str, str]
    running: dict[int, tuple[ExitStack, Server]] = field(default_factory=dict)

    def start(self, port: int) -> None:
        stack = ExitStack()
        place = self.folder / str(port)
        place.mkdir(exist_ok=True)
        self.running[port] = stack, stack.enter_context(served(place, port, **self.settings))

    def restart(self, port: int, number: signal.Signals) -> None:
        stack, server = self.running.pop(port)
        os.kill(server.process.pid, number)
        server.process.wait(60)
        stack.close()
        self.start(port)

    def stop(self) -> None:
        for stack, _ in self.running.values():
            stack.close()

    def not_json(self) -> int:
        """Lines of the logs that are no object of JSON."""
        lines = [line for log in self.folder.glob("*/server.log") for line in log.read_text().splitlines()]
        return sum(not _is_object(line) for line in lines)


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


@contextmanager
def proxied(folder: Path, ports: tuple[int, int]) -> Iterator[tuple[str, ssl.SSLContext]]:
    """Address of an nginx with the shipped configuration and its own certificate, and who believes that."""
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


async def asks(person: Person, address: str, tls: ssl.SSLContext, done: asyncio.Event) -> None:
    """Until it is done; a page that breaks is opened again where it was."""
    lost_at = 0.0
    while not done.is_set():
        query = f"c={person.conversation}" if person.conversation else ""
        try:
            async with Visitor(address, {SECURE: person.token}, query, tls) as page:
                if lost_at:
                    person.away.append(time.monotonic() - lost_at)
                    lost_at = 0.0
                await page.until(lambda p=page: p.still, 60)
                while not done.is_set():
                    await ask(
                        page, person, f"{person.dice.choice(QUESTIONS)} ({person.dice.randrange(10**9)})"
                    )
        except BROKEN:
            lost_at = lost_at or time.monotonic()
            await asyncio.sleep(0.2)


async def ask(page: Visitor, person: Person, question: str) -> None:
    await page.send_question(question)
    await page.until(lambda: any(question in text for text in page.texts), 30)
    person.conversation = found[1] if (found := CONVERSATION.search(page.query)) else ""
    person.asked.append(question)
    await page.until(lambda: page.still, 60)


async def shift(office: Office, staff: list[Person], tls: ssl.SSLContext, number: signal.Signals) -> None:
    """Both processes are restarted, one after the other, while people ask."""
    done = asyncio.Event()
    tasks = [asyncio.create_task(asks(person, office.address, tls, done)) for person in staff]
    for port in office.ports:
        await asyncio.sleep(CALM_SECONDS)
        await asyncio.to_thread(office.restart, port, number)
    await asyncio.sleep(CALM_SECONDS)
    done.set()
    await asyncio.gather(*tasks)


def faults(program: bootstrap.App, staff: list[Person]) -> tuple[Counter[str], Counter[str]]:
    """What is wrong with what was asked, and how its answers ended."""
    wrong, ends = Counter[str](), Counter[str]()
    for person in staff:
        stored = program.conversations.conversations(person.account, 1000)
        messages = [m for c in stored for m in program.conversations.messages(person.account, c.id, 10_000)]
        told = Counter(message.text for message in messages if message.role == "user")
        wrong["questions lost"] += sum(told[question] == 0 for question in person.asked)
        wrong["questions twice"] += sum(count > 1 for count in told.values())
        states = [message.state for message in messages if message.role != "user"]
        ends.update(state.value for state in states)
        wrong["answers without an end"] += sum(
            state in (MessageState.PENDING, MessageState.RUNNING) for state in states
        )
    return wrong, ends


def rows(program: bootstrap.App, staff: list[Person]) -> list[Row]:
    wrong, ends = faults(program, staff)
    away = [seconds for person in staff for seconds in person.away]
    return [
        Row("questions acknowledged", sum(len(person.asked) for person in staff), ""),
        Row("pages lost and opened again", len(away), ""),
        Row("away, median", percentile(away, 50) if away else 0, "s"),
        Row("away, longest", max(away, default=0), "s"),
        *(Row(f"answers: {state}", count, "") for state, count in sorted(ends.items())),
        *(Row(kind, count, "", 0) for kind, count in sorted(wrong.items())),
    ]


def main() -> int:
    programs = binaries()
    if programs is None or shutil.which("nginx") is None:
        raise SystemExit("PostgreSQL and nginx are needed.")
    folder = Path(tempfile.mkdtemp(prefix="articulado-rolling-"))
    database = Postgres(programs, durable=True)
    ports = (free_port(), free_port())
    with ExitStack() as open_now:
        open_now.callback(shutil.rmtree, folder, ignore_errors=True)
        open_now.callback(database.stop)
        url, qdrant = database.create(), open_now.enter_context(qdrant_stub())
        address, tls = open_now.enter_context(proxied(folder, ports))
        base = open_now.enter_context(scripted_model(DELAYS))
        settings = {
            "ARTICULADO_HOME": str(folder / "home"),
            "AUTH_MODE": "local",
            "PUBLIC_URL": address,
            "TRUSTED_PROXIES": "127.0.0.1",
            "DATABASE_URL": url,
            "QDRANT_URL": qdrant,
            "EMBEDDINGS_PROVIDER": "none",
            "OPENAI_API_KEY": "sk-benchmark",
            "OPENAI_BASE_URL": base,
            "LOG_FORMAT": "json",
            "SHUTDOWN_SECONDS": "10",
        }
        office = Office(folder, address, ports, settings)
        open_now.callback(office.stop)
        for port in ports:
            office.start(port)
        chosen = {"database_url": url, "qdrant_url": qdrant, "embeddings_provider": "none"}
        program = build(folder / "home", auth_mode="local", public_url=address, **chosen)
        open_now.callback(program.close)
        staff = [
            Person(one.account, one.token, random.Random(number))
            for number, one in enumerate(people(program, PEOPLE))
        ]
        for number in (signal.SIGTERM, signal.SIGKILL):
            staff = again(staff)
            asyncio.run(shift(office, staff, tls, number))
            time.sleep(STALE_SECONDS)
            show(f"Two processes restarted one after the other ({number.name})", rows(program, staff))
        show("Logs", [Row("lines that are not JSON", office.not_json(), "", 0)])
    return 0


def again(staff: list[Person]) -> list[Person]:
    """The same people, with their conversations; what they are shown is counted anew."""
    return [Person(person.account, person.token, person.dice, person.conversation) for person in staff]


if __name__ == "__main__":
    sys.exit(main())
