"""A worker in a process of its own that kills itself at a chosen step of taking files in."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from loading.jobs.job_loop import Worker
from service.config import Settings
from service.program import assembly
from service.program.assembly import App
from storage.base.engine import CORPUS_LOCK, Engines
from tests.processes import forked

FILE_EVENTS = {"os.link", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "shutil.copyfile"}
FOLDERS = ("/sources", "/uploads")


def killed_at(program: App, step: int) -> bool:
    """Run the next job until its step of that number, from 1; False when it ended before.

    A step is a change of a file below the sources or the uploads, and the begin and the end of a transaction
    that changes the corpus.
    """
    process = forked(_work, program.settings, step)
    process.join(100)
    assert process.exitcode in (0, -signal.SIGKILL), process.exitcode
    return process.exitcode != 0


def _work(settings: Settings, step: int) -> None:
    left = step

    def count() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if event in FILE_EVENTS and any(folder in str(arguments) for folder in FOLDERS):
            count()

    write = Engines.write

    @contextmanager
    def watched(engines: Engines, lock: int | None = None) -> Iterator[Session]:
        if lock == CORPUS_LOCK:
            count()
        with write(engines, lock) as session:
            yield session
        if lock == CORPUS_LOCK:
            count()

    program = assembly.build(settings)
    sys.addaudithook(watch)
    Engines.write = watched  # type: ignore[method-assign]
    Worker(program.database.jobs, program.job_runner().run).run_next()
    os._exit(0)


def age(home: Path) -> None:
    """Every staged and kept file, folder and draft becomes old enough to be swept away."""
    for top in FOLDERS:
        for path in (home / top.strip("/")).rglob("*"):
            os.utime(path, (1, 1))
