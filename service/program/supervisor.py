"""A child process kept alive for as long as this one lives."""

import logging
import subprocess
import threading
from collections.abc import Sequence

BACKOFF_SECONDS, BACKOFF_LIMIT, HEALTHY_SECONDS = 1.0, 60.0, 30.0
LOOK_SECONDS, STARTED_SECONDS, END_SECONDS = 0.25, 2.0, 10.0
STOPPED = "El proceso que carga documentos se ha detenido; se está reiniciando."

logger = logging.getLogger(__name__)


class Supervisor:
    """Keeps a worker process alive; it ends with this process, whichever way that ends."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="worker-supervisor", daemon=True)
        self._process: subprocess.Popen[bytes] | None = None
        self.problem = ""

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the worker: what it has not finished goes back to the queue."""
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        pause = BACKOFF_SECONDS
        while not self._stop.is_set():
            try:
                lived = self._run()
            except OSError as error:
                logger.error("the worker cannot be started: %s", error)
                lived = 0.0
            if self._stop.is_set():
                return
            pause = BACKOFF_SECONDS if lived > HEALTHY_SECONDS else min(pause * 2, BACKOFF_LIMIT)
            self.problem = STOPPED
            self._stop.wait(pause)

    def _run(self) -> float:
        """Start a worker and wait for its end or ours; the seconds that it lived."""
        # It ends when this pipe closes, which the system sees to if this process is killed.
        process = subprocess.Popen(self._command, stdin=subprocess.PIPE)
        self._process = process
        lived = 0.0
        while process.poll() is None and not self._stop.wait(LOOK_SECONDS):
            lived += LOOK_SECONDS
            if lived > STARTED_SECONDS:
                self.problem = ""
        if process.stdin is not None:
            process.stdin.close()
        try:
            process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        return lived
