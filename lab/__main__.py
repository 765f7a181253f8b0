"""Trainers, measurements and tools: `python -m lab NAME [ARGUMENTS]`; `speed` runs every benchmark."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from lab.table import show
from service.config import ROOT

SPEED = ("pipeline", "page", "ingestion", "retrieval", "scale", "load", "kills")
QUALITY = (
    "sentences", "cases", "matters", "facts", "citations", "masking", "documents", "scripted", "ablate",
)  # fmt: skip
TOOLS = ("map", "ties", "audit", "freeze", "mutants", "check-demo", "make-agreements", "ship-vectors")
TRAINERS = (
    "adapter", "passage-adapter", "word-vectors", "reranker", "gate", "answerable", "sufficiency",
    "confidence", "asked-words", "accents",
)  # fmt: skip


def usage() -> str:
    kinds = {"speed": SPEED, "quality": QUALITY, "trainers": TRAINERS, "tools": TOOLS}
    return "\n".join([str(__doc__), *(f"{kind}: {', '.join(names)}" for kind, names in kinds.items())])


def run(name: str) -> int:
    """Run one by its name; what it measures in an empty folder is printed in tables."""
    package = "lab.training" if name in TRAINERS else "lab"
    module = import_module(f"{package}.{name.replace('-', '_')}")
    if not hasattr(module, "tables"):
        return int(module.main() or 0)
    with TemporaryDirectory(prefix="articulado-", ignore_cleanup_errors=True) as folder:
        for title, rows in module.tables(Path(folder)):
            show(title, rows)
    return 0


def every_benchmark() -> int:
    """The number of benchmarks that failed to run; a missed target is not a failure."""
    # A process each: threads, caches or a browser that one leaves behind would weigh on the next.
    commands = ([sys.executable, "-m", "lab", name] for name in SPEED)
    return sum(subprocess.run(command, cwd=ROOT, check=False).returncode != 0 for command in commands)


def main() -> int:
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name == "speed":
        return every_benchmark()
    if name not in (*SPEED, *QUALITY, *TOOLS, *TRAINERS):
        print(usage(), file=sys.stderr)
        return 2
    sys.argv = [f"python -m lab {name}", *sys.argv[2:]]
    return run(name)


if __name__ == "__main__":
    sys.exit(main())
