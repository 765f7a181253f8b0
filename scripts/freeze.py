"""Write the frozen behaviour of the program: `python -m scripts.freeze [SEAM …]`, all seams by default.

A seam is a place where the program can be seen from outside: what it loads, reads off a question, finds,
answers, checks, masks, calculates, and what each door says. `tests/frozen/rows` has a file a seam and a row
a case, and `tests/frozen` compares. The real norms are read from ../shared. With --texts FOLDER the texts
behind the hashes are written there under their hash, to be compared.
"""

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.frozen.program import fill
from tests.frozen.rows import Rows, Texts, write
from tests.frozen.samples import BOE
from tests.frozen.seams import OF_FILES, OF_LAW, Law


def freeze(seams: Sequence[str], folder: Path) -> None:
    """Write the files of these seams, telling of each how many cases changed and how long it took."""
    for seam in [one for one in OF_FILES if one in seams]:
        started = time.monotonic()
        with tempfile.TemporaryDirectory(dir=folder) as own:
            _write(seam, OF_FILES[seam](Path(own)), started)
    chosen = [one for one in OF_LAW if one in seams]
    if not chosen:
        return
    if not BOE.is_dir():
        raise SystemExit(f"{BOE} is not here: {', '.join(chosen)} cannot be written")
    started = time.monotonic()
    fill(folder / "home")
    print(f"{'the law':<15} loaded in {time.monotonic() - started:.0f} s", flush=True)
    with Law.at(folder / "home", folder) as law:
        for seam in chosen:
            started = time.monotonic()
            _write(seam, OF_LAW[seam](law), started)


def _write(seam: str, rows: Rows, started: float) -> None:
    changed = write(seam, rows)
    seconds = time.monotonic() - started
    print(f"{seam:<15} {len(rows):>5} cases, {changed:>5} changed, {seconds:>4.0f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m scripts.freeze", description=__doc__)
    parser.add_argument("seams", nargs="*", metavar="SEAM", help=", ".join([*OF_FILES, *OF_LAW]))
    parser.add_argument(
        "--texts", type=Path, metavar="FOLDER", help="where to write what the hashes stand for"
    )
    options = parser.parse_args()
    unknown = {*options.seams} - {*OF_FILES, *OF_LAW}
    if unknown:
        parser.error(
            f"unknown: {', '.join(sorted(unknown))}; the seams are {', '.join([*OF_FILES, *OF_LAW])}"
        )
    if options.texts:
        options.texts.mkdir(parents=True, exist_ok=True)
        Texts.folder = options.texts
    with tempfile.TemporaryDirectory(prefix="articulado-frozen-") as folder:
        freeze(options.seams or [*OF_FILES, *OF_LAW], Path(folder))


if __name__ == "__main__":
    main()
