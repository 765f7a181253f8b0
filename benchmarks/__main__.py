"""Run the benchmarks, each in a process of its own: `python -m benchmarks [NAME…]`."""

from __future__ import annotations

import argparse
import subprocess
import sys

from benchmarks import ROOT

BENCHMARKS = (
    "pipeline",
    "page",
    "ingestion",
    "formats",
    "latency",
    "search",
    "tools",
    "retrieval",
    "load",
    "soak",
    "kills",
    "rolling",
)


def main() -> int:
    """The number of benchmarks that failed to run; a missed target is no failure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*BENCHMARKS, []], metavar="NAME")
    names = parser.parse_args().names or BENCHMARKS
    # A process each: what one leaves behind (threads, caches, a browser) would weigh on the next.
    return sum(
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], cwd=ROOT, check=False).returncode != 0
        for name in names
    )


if __name__ == "__main__":
    sys.exit(main())
