"""Other processes that run some code of ours, to write at once with others or to be killed.

They are forked from a process that has imported the program already: each starts at once, where an
interpreter of its own would first import for more than a second.
"""

import multiprocessing
import os
import sys
import tempfile
from multiprocessing.connection import Connection
from pathlib import Path

PRELOADED = ["bootstrap", "service.backup", "tests.factories"]


class Child:
    """A process that runs `code` with `arguments` in its sys.argv[1:]; it starts with the constructor.

    Attributes:
        out: what it prints, as it prints it.
    """

    def __init__(self, code: str, *arguments: str) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(PRELOADED)
        handle, errors = tempfile.mkstemp(prefix="articulado-child-")
        os.close(handle)
        self._errors = Path(errors)
        reader, writer = context.Pipe(duplex=False)
        given = (code, arguments, dict(os.environ), errors, writer)
        self._process = context.Process(target=_run, args=given, daemon=True)
        self._process.start()
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
    # That of the process it is forked from may be another test's.
    os.environ.clear()
    os.environ.update(environment)
    with Path(errors).open("wb") as file:
        os.dup2(file.fileno(), 2)
    os.dup2(out.fileno(), 1)
    out.close()
    sys.argv = ["-c", *arguments]
    exec(compile(code, "<child>", "exec"), {"__name__": "__main__"})
