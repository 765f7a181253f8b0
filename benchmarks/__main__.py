"""Run the benchmarks, each in a process of its own: `python -m benchmarks [NAME…]`."""

import argparse
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.table import show
from service.config import ROOT

BENCHMARKS = (
    "pipeline",
    "sentences",
    "replies",
    "page",
    "ingestion",
    "shipped",
    "formats",
    "citations",
    "loaders",
    "latency",
    "search",
    "scale",
    "conversations",
    "matters",
    "review",
    "alerts",
    "tools",
    "opinions",
    "retrieval",
    "api",
    "load",
    "soak",
    "kills",
    "rolling",
)


def main() -> int:
    """The number of benchmarks that failed to run; a missed target is not a failure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*BENCHMARKS, []], metavar="NAME")
    names = parser.parse_args().names or BENCHMARKS
    if len(names) == 1:
        with TemporaryDirectory(prefix="articulado-", ignore_cleanup_errors=True) as folder:
            for title, rows in import_module(f"benchmarks.{names[0]}").tables(Path(folder)):
                show(title, rows)
        return 0
    # A process each: threads, caches or a browser that one leaves behind would weigh on the next.
    commands = ([sys.executable, "-m", "benchmarks", name] for name in names)
    return sum(subprocess.run(command, cwd=ROOT, check=False).returncode != 0 for command in commands)


if __name__ == "__main__":
    sys.exit(main())
