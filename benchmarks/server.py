"""A real server in a process of its own, with its process id, for measurements from outside."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks import ROOT
from config import Settings

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


@dataclass(frozen=True)
class Server:
    """A server under measurement."""

    address: str
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def memory_mb(self) -> float:
        """Resident memory of the server's process, without its worker."""
        resident = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(resident) * PAGE_BYTES / 1e6


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def served(folder: Path, port: int = 0, **settings: str) -> Iterator[Server]:
    """A server on a home in `folder`, with no other setting than these; any free port when none is given."""
    from tests.e2e.conftest import wait_until_healthy

    port = port or free_port()
    clean = {name.upper(): "" for name in Settings.model_fields}
    environment = {**os.environ, **clean, "ARTICULADO_HOME": str(folder / "home"), **settings}
    log = folder / "server.log"
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_until_healthy(f"http://127.0.0.1:{port}", process, log)
        yield Server(f"http://127.0.0.1:{port}", process, log)
    finally:
        process.terminate()
        process.wait(60)
