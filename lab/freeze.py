"""Write the frozen behaviour of the program: `python -m lab freeze [SEAM …]`, all seams by default.

A seam is a place where the program can be seen from outside: what it loads, reads off a question, finds,
answers, checks, masks, calculates, and what each door says. `tests/frozen/rows` has a file a seam and a row
a case, and `tests/frozen` compares. The real norms are read from ../shared. With --texts FOLDER the texts
behind the hashes are written there under their hash, to be compared. The seams of the real law and the others
are made at once, each in a process.
"""

import argparse
import multiprocessing
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.frozen.kept_vectors import keep
from tests.frozen.program import fill
from tests.frozen.row_files import Rows, Texts, write
from tests.frozen.samples import BOE
from tests.frozen.seams import OF_FILES, OF_LAW, Law


def freeze(seams: Sequence[str], texts: Path | None) -> None:
    """Write the files of these seams, telling of each how many cases changed and how long it took."""
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        of_law, of_files = ([one for one in every if one in seams] for every in (OF_LAW, OF_FILES))
        parts = [pool.submit(_of_law, of_law, texts)] if of_law else []
        for part in [*parts, pool.submit(_of_files, of_files, texts)]:
            part.result()


def _of_files(seams: Sequence[str], texts: Path | None) -> None:
    Texts.folder = texts
    for seam in seams:
        started = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="articulado-frozen-") as folder:
            _write(seam, OF_FILES[seam](Path(folder)), started)


def _of_law(seams: Sequence[str], texts: Path | None) -> None:
    Texts.folder = texts
    if not BOE.is_dir():
        print(f"{BOE} is not here: {', '.join(seams)} are left as they are")
        return
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="articulado-frozen-") as folder:
        home = Path(folder, "home")
        fill(home)
        print(f"{'the law':<15} loaded in {time.monotonic() - started:.0f} s", flush=True)
        with Law.at(home, Path(folder)) as law:
            for seam in seams:
                started = time.monotonic()
                _write(seam, OF_LAW[seam](law), started)
            keep(law.program.models.embedder)


def _write(seam: str, rows: Rows, started: float) -> None:
    changed = write(seam, rows)
    seconds = time.monotonic() - started
    print(f"{seam:<15} {len(rows):>5} cases, {changed:>5} changed, {seconds:>4.0f} s", flush=True)


def main() -> None:
    every = [*OF_FILES, *OF_LAW]
    parser = argparse.ArgumentParser(prog="python -m lab freeze", description=__doc__)
    parser.add_argument("seams", nargs="*", metavar="SEAM", help=", ".join(every))
    parser.add_argument(
        "--texts", type=Path, metavar="FOLDER", help="where to write what the hashes stand for"
    )
    options = parser.parse_args()
    if unknown := sorted({*options.seams}.difference(every)):
        parser.error(f"unknown: {', '.join(unknown)}; the seams are {', '.join(every)}")
    if options.texts:
        options.texts.mkdir(parents=True, exist_ok=True)
    freeze(options.seams or every, options.texts)


if __name__ == "__main__":
    main()
