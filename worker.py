"""The process that loads documents: `python worker.py`. The server starts and supervises one.

It works on the database and on files only: the index belongs to the server, which follows the database.
"""

import argparse
import contextlib
import os
import signal
import sys
import threading

from core.errors import ArticuladoError
from loading.jobs.job_loop import Worker
from loading.records.jobs import LANES
from service.config import settings
from service.program import assembly, logs

NICENESS = 10


def main() -> int:
    """Run jobs until a signal or the end of standard input; returns 1 if the program cannot be built."""
    parser = argparse.ArgumentParser(prog="worker.py", description=__doc__)
    parser.add_argument("--supervised", action="store_true", help="end when standard input is closed")
    options = parser.parse_args()
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(NICENESS)
    try:
        chosen = settings()
        logs.configure(chosen.log_format, chosen.log_level)
        logs.bind(process="worker")
        program = assembly.build(chosen)
    except ArticuladoError as error:
        print(error, file=sys.stderr)
        return 1
    ending = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ending.set())
    if options.supervised:
        threading.Thread(target=_until_closed, args=(ending,), daemon=True).start()
    with contextlib.suppress(ArticuladoError):
        program.job_runner().enqueue_embedding(assembly.LOCAL_USER)
    workers = [Worker(program.database.jobs, program.job_runner().run, kinds, ending) for kinds in LANES]
    lanes = [threading.Thread(target=_work, args=(worker,)) for worker in workers]
    for lane in lanes:
        lane.start()
    for lane in lanes:
        lane.join()
    program.close()
    return 0


def _work(worker: Worker) -> None:
    try:
        worker.work()
    finally:
        # One lane that breaks ends the process, which is started again whole.
        worker.ending.set()


def _until_closed(ending: threading.Event) -> None:
    sys.stdin.buffer.read()
    ending.set()


if __name__ == "__main__":
    sys.exit(main())
