"""The process that loads documents: `python worker.py`. The server starts and supervises one.

It works on the database and on files only: the index belongs to the server, which follows the database.
"""

import argparse
import contextlib
import os
import signal
import sys
import threading

import bootstrap
from config import settings
from rag.errors import ArticuladoError
from rag.jobs.loop import Worker
from service.program import logs

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
        program = bootstrap.build(chosen)
    except ArticuladoError as error:
        print(error, file=sys.stderr)
        return 1
    runner = program.job_runner()
    worker = Worker(program.jobs, runner.run)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: worker.ending.set())
    if options.supervised:
        threading.Thread(target=_until_closed, args=(worker.ending,), daemon=True).start()
    with contextlib.suppress(ArticuladoError):
        runner.enqueue_embedding(bootstrap.LOCAL_USER)
    worker.work()
    program.close()
    return 0


def _until_closed(ending: threading.Event) -> None:
    sys.stdin.buffer.read()
    ending.set()


if __name__ == "__main__":
    sys.exit(main())
