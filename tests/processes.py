"""Other processes that run some code of ours, to write at once with others or to be killed.

They are forked from a process that has imported the program already: each starts at once, where an
interpreter of its own would first import for more than a second.
"""

import multiprocessing
import os
import runpy
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from lab.harness import Server
from service.config import ROOT

_PRELOADED = ["tests.preloaded"]


def forked(target: Any, *arguments: object) -> Any:
    """A process that runs this function, started; it ends with this one at the latest."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOADED)
    process = context.Process(target=target, args=arguments, daemon=True)
    process.start()
    return process


class Forked:
    """A command of `python` with what `subprocess.Popen` has of it: `Forked("cli.py", "doctor")`.

    Attributes:
        pid: its number.
    """

    def __init__(
        self,
        *command: str,
        env: Mapping[str, str] | None = None,
        cwd: Path = ROOT,
        out: Path = Path(os.devnull),
        err: Path = Path(os.devnull),
    ) -> None:
        """`out`, `err`: files that its output is added to, which may be the same."""
        self._process = forked(_command, command, dict(os.environ if env is None else env), cwd, out, err)
        self.pid: int = self._process.pid

    def poll(self) -> int | None:
        code: int | None = self._process.exitcode
        return code

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return code

    def send_signal(self, sig: int) -> None:
        # It may be gone before its server of forks has told so.
        with suppress(ProcessLookupError):
            if self.poll() is None:
                os.kill(self.pid, sig)

    def kill(self) -> None:
        self._process.kill()


class Child:
    """A process that runs `code` with `arguments` in its sys.argv[1:]; it starts with the constructor.

    Attributes:
        out: what it prints, as it prints it.
    """

    def __init__(self, code: str, *arguments: str) -> None:
        handle, errors = tempfile.mkstemp(prefix="articulado-child-")
        os.close(handle)
        self._errors = Path(errors)
        reader, writer = multiprocessing.Pipe(duplex=False)
        self._process = forked(_run, code, arguments, dict(os.environ), errors, writer)
        writer.close()
        self.out = os.fdopen(os.dup(reader.fileno()), encoding="utf-8")
        reader.close()

    def kill(self) -> None:
        self._process.kill()

    def wait(self, seconds: float = 120) -> tuple[int | None, str]:
        """Its exit code (negative: the signal that ended it; None: it still runs) and its standard error."""
        self._process.join(seconds)
        self.out.close()
        told = self._errors.read_text("utf-8", "replace")
        self._errors.unlink()
        return self._process.exitcode, told


def _run(
    code: str, arguments: tuple[str, ...], environment: dict[str, str], errors: str, out: Connection
) -> None:
    _into(environment)
    with Path(errors).open("wb") as file:
        os.dup2(file.fileno(), 2)
    os.dup2(out.fileno(), 1)
    out.close()
    sys.argv = ["-c", *arguments]
    exec(compile(code, "<child>", "exec"), {"__name__": "__main__"})


def _command(
    command: tuple[str, ...], environment: dict[str, str], folder: Path, out: Path, err: Path
) -> None:
    _into(environment)
    os.chdir(folder)
    for path, stream in ((out, 1), (err, 2)):
        with path.open("ab") as file:
            os.dup2(file.fileno(), stream)
    if command[0] == "-m":
        sys.argv = list(command[1:])
        runpy.run_module(command[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = list(command)
        runpy.run_path(str(ROOT / command[0]), run_name="__main__")


def _into(environment: Mapping[str, str]) -> None:
    """That of the process it is forked from may be another test's."""
    os.environ.clear()
    os.environ.update(environment)


class ForkedServer(Server):
    """A server that has imported the program already."""

    def _run(self, *command: str) -> Forked:  # pyright: ignore[reportIncompatibleMethodOverride]
        return Forked(*command, env=self.environment, out=self.log, err=self.log)


def wait_until(condition: Callable[[], object], seconds: float = 20.0) -> None:
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, "it did not happen in time"
        time.sleep(0.01)
