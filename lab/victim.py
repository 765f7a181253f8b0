"""A command that tells its steps, or kills itself at one: `python -m lab.victim FILE STEP cli.py …`.

A step is a statement or the end of a transaction, or a file that is opened, renamed or removed in one of the
folders of WATCHED (paths, joined by colons). STEP 0 kills nobody.
"""

import os
import runpy
import signal
import sys
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

TOUCHES = {"open", "os.rename", "os.remove", "os.rmdir", "os.mkdir"}


def main() -> None:
    told, step = Path(sys.argv[1]), int(sys.argv[2])
    watched = tuple(os.environ["WATCHED"].split(":"))
    steps = 0

    def count(*_: object) -> None:
        nonlocal steps
        steps += 1
        if steps == step:
            os.kill(os.getpid(), signal.SIGKILL)

    def touched(happened: str, arguments: tuple[Any, ...]) -> None:
        if happened in TOUCHES and str(arguments[0]).startswith(watched):
            count()

    for name in ("before_cursor_execute", "after_cursor_execute", "commit"):
        event.listen(Engine, name, count)
    sys.addaudithook(touched)
    sys.argv = sys.argv[3:]
    try:
        runpy.run_path(sys.argv[0], run_name="__main__")
    finally:
        told.write_text(str(steps))


if __name__ == "__main__":
    main()
