"""One process that reads files, seen from the program that started it."""

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from loading.parsing.limits import Limits
from loading.parsing.wire_messages import MAX_ANSWER, Check, Piece

ROOT = Path(__file__).resolve().parents[2]
COMMAND = ("-m", "loading.parsing.child")
LOOK_SECONDS, END_SECONDS = 0.1, 1.0
WAITING = 4
"""Pieces that may wait to be taken; the process waits with the others."""
_ENVIRONMENT = ("PATH", "PYTHONPATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SYSTEMROOT", "TESSDATA_PREFIX")
# On Linux a child dies with the thread that started it: this one lives as long as the program.
_STARTER = ThreadPoolExecutor(1, thread_name_prefix="parser-starter")


class TooSlow(Exception):
    """The time of a file is over."""


class TooBig(Exception):
    """A file needs more memory than there is."""


class TooLong(Exception):
    """A file holds more text than is taken."""


class Died(Exception):
    """The process has ended, or no longer says anything that makes sense."""


class Process:
    """A process that reads one file after another; used by one thread at a time.

    Its environment holds nothing of the program's: no keys, no addresses. Its temporary files go with it.
    """

    def __init__(self, limits: Limits, command: Sequence[str] = (), greeting: str = "") -> None:
        """Start it; see `KeptProcesses`."""
        self.limits = limits
        self._command = command or COMMAND
        self._scratch = tempfile.TemporaryDirectory(prefix="articulado-", ignore_cleanup_errors=True)
        self._process = _STARTER.submit(self._start).result()
        self._lines: queue.Queue[bytes] = queue.Queue(WAITING)
        self._listener = threading.Thread(target=self._listen, daemon=True, name="parser-answers")
        self._listener.start()
        if greeting:
            self._tell(greeting)

    def _start(self) -> subprocess.Popen[bytes]:
        kept = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
        return subprocess.Popen(
            [sys.executable, *self._command, str(self.limits.seconds), str(self.limits.memory_mb)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env=kept | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), self._scratch.name),
            # Ctrl-C in a terminal is for the program, which ends this one; OCR ends with its reader.
            start_new_session=True,
        )

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, task: Sequence[object], check: Check) -> Iterator[Piece]:
        """The pieces of the answer; who does not take the last one has to end the process.

        Args:
            check: called ten times a second meanwhile; what it raises goes through.

        Raises:
            TooSlow, TooBig, TooLong, Died: the process has to be ended.
        """
        deadline = time.monotonic() + self.limits.seconds
        size = 0
        self._tell(task)
        while True:
            check()
            left = deadline - time.monotonic()
            if left <= 0:
                raise TooSlow
            with suppress(queue.Empty):
                line = self._lines.get(timeout=min(LOOK_SECONDS, left))
                size += len(line)
                piece = self._piece(line, size)
                yield piece
                if piece.last:
                    return

    def end(self) -> None:
        """Kill it, with what it has started, and take its files away."""
        self.kill()
        while self._listener.is_alive():
            with suppress(queue.Empty):
                self._lines.get(timeout=LOOK_SECONDS)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        self._scratch.cleanup()

    def kill(self) -> None:
        """Kill it, with what it has started."""
        with suppress(OSError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)

    def _tell(self, task: object) -> None:
        assert self._process.stdin is not None
        try:
            # In ASCII, which also carries the names that are no UTF-8.
            self._process.stdin.write(json.dumps(task).encode() + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise Died from error

    def _piece(self, line: bytes, size: int) -> Piece:
        if size > MAX_ANSWER:
            raise TooLong
        if not line:
            raise self._why()
        try:
            piece = Piece.model_validate_json(line)
        except ValidationError as error:
            raise Died from error
        if piece.starved:
            raise TooBig
        return piece

    def _why(self) -> Exception:
        """Cause of the end of the process, as far as it is known: a library without memory just crashes."""
        if sys.platform != "win32":
            with suppress(subprocess.TimeoutExpired):
                if self._process.wait(END_SECONDS) == -signal.SIGXCPU:
                    return TooSlow()
        return Died()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        line = b"-"
        while line:
            try:
                line = self._process.stdout.readline(MAX_ANSWER + 1)
            except (OSError, ValueError):
                line = b""
            self._lines.put(line)
