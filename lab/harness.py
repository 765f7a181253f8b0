"""The scene of a benchmark: programs on temporary homes, server processes, a scripted model, people."""

import json
import multiprocessing
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Self

from domain.accounts import Role
from service.config import ROOT, Settings
from service.program import assembly
from tests.factories import settings_of
from tests.model_replies import Reply, Request, as_json, says
from tests.model_server import ModelServer
from tests.scripted import MARKERS, judged

BOE = ROOT.parent / "shared" / "boe"
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
DIMENSIONS = 384
DRIP = 0.01
START_SECONDS = 90
PASSWORD = "cuatro-palabras-para-medir"
_FIRST_SENTENCE = re.compile(r"\[C1\].*?\nTexto: (?:#.*?\n+)?(.{40,300}?[.;\n])", re.S)


def has_norms() -> bool:
    """True if the real norms are here; otherwise it prints that they are missing."""
    if not BOE.is_dir():
        print("the real norms (../shared/boe) are not here: skipped")
    return BOE.is_dir()


@contextmanager
def program(home: Path, **values: Any) -> Iterator[assembly.App]:
    """A program on `home` with no settings but `values`, closed at the end."""
    for name in Settings.model_fields:
        os.environ.pop(name.upper(), None)
    given = settings_of(articulado_home=home, **values)
    opened = assembly.build(given)
    try:
        yield opened
    finally:
        opened.close()


class Server:
    """A server process on `folder`/home, with no settings but `settings`; `with` starts and ends it.

    Attributes:
        port: a free one.
        log: output of every start.
        process: of the last start.
    """

    process: subprocess.Popen[bytes]

    def __init__(self, folder: Path, settings: Mapping[str, Any]) -> None:
        self.log = folder / "server.log"
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        cleared = dict.fromkeys(Settings.model_fields, "")
        chosen = {**cleared, "articulado_home": folder / "home", **settings}
        self.environment = os.environ | {name.upper(): str(value) for name, value in chosen.items()}

    def start(self) -> None:
        """Start it and wait until it answers; RuntimeError with its log when it does not."""
        self.process = self._run("-m", "streamlit", "run", "app.py", "--server.port", str(self.port))
        try:
            self._wait(time.monotonic() + START_SECONDS)
        except BaseException:
            self.stop()
            raise

    def _run(self, *command: str) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, *command],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def _wait(self, deadline: float) -> None:
        while True:
            try:
                urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=1).close()
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"the server did not start:\n{self.log.read_text()}") from None
                time.sleep(0.1)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        self.process.send_signal(number)
        self.process.wait(60)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def processor_s(self) -> float:
        """Seconds of processor that the server's process has used."""
        used = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")

    @property
    def memory_mb(self) -> float:
        """Resident memory of the server's process, without its worker."""
        resident = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(resident) * PAGE_BYTES / 1e6


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@dataclass
class Scene:
    """A folder with a home, and the settings of every program and server on it."""

    folder: Path
    settings: dict[str, Any]

    def program(self) -> AbstractContextManager[assembly.App]:
        """A program in this process."""
        return program(self.folder / "home", **self.settings)

    def server(self) -> Server:
        """A server, not started."""
        return Server(self.folder, self.settings)


@contextmanager
def scene(folder: Path, delays: Mapping[str, float], **settings: Any) -> Iterator[Scene]:
    """A home in `folder` and a scripted model with these seconds for each stage."""
    with scripted_model(delays) as base:
        yield Scene(folder, {"openai_base_url": base, "openai_api_key": "sk-benchmark", **settings})


def people(program: assembly.App, count: int) -> list[str]:
    """Tokens of the sessions of new lawyers; the first is an administrator too."""
    found: list[str] = []
    for number in range(count):
        name = f"persona{number}"
        roles = (Role.LAWYER,) if found else (Role.ADMIN, Role.LAWYER)
        _, password = program.accounts.add(None, name, name, roles)
        opened = program.accounts.sign_in.by_password(name, password, address="127.0.0.1", agent="")
        kept = program.accounts.sign_in.change_password(opened.token, password, PASSWORD, address="127.0.0.1")
        found.append(kept.token)
    return found


@contextmanager
def scripted_model(delays: Mapping[str, float]) -> Iterator[str]:
    """Base URL of a model endpoint that waits these seconds for each stage.

    It runs in a process of its own, so that its work does not count as ours.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, dict(delays)))
    process.start()
    theirs.close()
    try:
        yield ours.recv()
    finally:
        ours.close()
        process.join()


def _serve(parent: Connection, delays: Mapping[str, float]) -> None:
    replies = {
        "decompose": as_json(["vacaciones anuales retribuidas", "artículo 38 ET"]),
        "embeddings": Reply(),
        "rerank": says("[0, 1, 2, 3, 4, 5]"),
        "assess": says("READY"),
    }
    with ModelServer(dimensions=DIMENSIONS) as server:
        server.markers = dict(MARKERS)
        server.script(answer=[partial(_answer, delays["answer"])])
        server.script(claims=[partial(_all_right, delays.get("claims", 0.0))])
        server.script(**{stage: [partial(_late, delays[stage], reply)] for stage, reply in replies.items()})
        parent.send(server.url)
        with suppress(EOFError):
            parent.recv()


def _all_right(seconds: float, request: Request) -> Reply:
    return _late(seconds, judged(request), request)


def _late(seconds: float, reply: Reply, _: Request) -> Reply:
    time.sleep(seconds)
    return reply


def _answer(seconds: float, request: Request) -> Reply:
    """A long answer that quotes the first source; half of the time is waiting, half is streaming."""
    found = _FIRST_SENTENCE.search(request.prompt)
    quote = found[1].strip() if found else ""
    value = {
        "answer": "Las vacaciones son retribuidas y no se cambian por dinero [C1]. " * 12,
        "citations": [{"quote": quote, "source": "ET", "page": None, "marker": "C1"}],
        "confidence": 0.9,
        "refusal": False,
        "notes": None,
    }
    text = json.dumps(value, ensure_ascii=False)
    size = -(-len(text) // (round(seconds / 2 / DRIP) - 1))
    pieces = tuple(text[i : i + size] for i in range(0, len(text), size))
    time.sleep(seconds - len(pieces) * DRIP)
    return Reply(text=text, pieces=pieces, drip=DRIP)
