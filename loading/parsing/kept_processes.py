"""Child processes that are kept for their next task."""

import threading
from collections.abc import Sequence

from loading.parsing.limits import Limits
from loading.parsing.reading_process import Process
from loading.parsing.wire_messages import Check, Piece

IDLE_SECONDS = 60.0


class KeptProcesses:
    """Processes with the same limits; for any thread.

    Args:
        command: arguments of Python that start one; that of the reader of files if empty.
        greeting: the first line that each is told, before its tasks.
    """

    def __init__(self, limits: Limits, command: Sequence[str] = (), greeting: str = "") -> None:
        self.limits = limits
        self._command = command
        self._greeting = greeting
        self._lock = threading.Lock()
        self._idle: dict[Process, threading.Timer] = {}
        self._busy: set[Process] = set()

    def _asked(self, task: Sequence[object], check: Check) -> list[Piece]:
        process = self._taken()
        self._busy.add(process)
        try:
            pieces = list(process.ask(task, check))
        except BaseException:
            process.end()
            raise
        finally:
            self._busy.discard(process)
        if pieces[-1].spent:
            process.end()
        else:
            self._keep(process)
        return pieces

    def close(self) -> None:
        """End all of them; who waits for one is told that it died."""
        for process in list(self._busy):
            process.kill()
        with self._lock:
            idle = dict(self._idle)
            self._idle.clear()
        for process, timer in idle.items():
            timer.cancel()
            process.end()

    def _taken(self) -> Process:
        """An idle process, or a new one."""
        with self._lock:
            while self._idle:
                process, timer = self._idle.popitem()
                timer.cancel()
                if process.alive:
                    return process
                process.end()
        return Process(self.limits, self._command, self._greeting)

    def _keep(self, process: Process) -> None:
        timer = threading.Timer(IDLE_SECONDS, self._retire, [process])
        timer.daemon = True
        with self._lock:
            self._idle[process] = timer
        timer.start()

    def _retire(self, process: Process) -> None:
        with self._lock:
            idle = self._idle.pop(process, None)
        if idle is not None:
            process.end()
