"""Write into `lexicon/ties.toml` and `data/figures` the hashes of the wordings on which rows were checked.

    python -m lab ties [--checked YYYY-MM-DD] ["ET a48 LGSS a177"]

Rows without hashes get those of the norms in ../shared/boe on that day (today if left out), and so do the
rows with one of the provisions named, which somebody has read again. Prints the rows with an end of which no
wording is there, and those that have changed since they were checked; exit code 1 if any has.
"""

import argparse
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path

from calculations.figure_files import tie_of
from core.clock import today_in_spain
from lab.harness import BOE, has_norms
from law.norms import Document
from lexicon.data_files import FOLDER, read_toml
from lexicon.ties import FILE, Kind, Tie, provisions, ties
from loading.formats import load
from loading.ingestion.stale_ties import hashes, stale_ties
from service.config import ROOT

TIE, FIGURE = "[[tie]]\n", "[[figure]]\n"
FIGURES = ROOT / "data" / "figures"
WRITTEN = ("checked = ", "sha256 = ")


def real_norms(rows: Iterable[Tie]) -> dict[str, Document]:
    """The norms of ../shared/boe that a row names, by id."""
    named = {norm for tie in rows for norm, _ in (*tie.of, *tie.to)}
    folders = (BOE / norm for norm in sorted(named))
    return {one.norm.id: one for folder in folders if folder.is_dir() for one in load(folder)}


def with_hashes(text: str, day: date, rows: Mapping[int, tuple[str, ...]], mark: str = TIE) -> str:
    """The text of a file with that day and these hashes in its rows, by their number from 0."""
    head, *found = text.split(mark)
    for number, sha256 in rows.items():
        fields, gap, after = found[number].partition("\n\n")
        kept = [line for line in fields.splitlines() if not line.startswith(WRITTEN)]
        said = ", ".join(f'"{one}"' for one in sha256)
        found[number] = "\n".join([*kept, f"checked = {day}", f"sha256 = [{said}]"]) + (gap or "\n") + after
    return mark.join([head, *found])


def files() -> dict[Path, tuple[str, list[Tie | None]]]:
    """Mark and rows of each file; None for a figure that no provision of the corpus fixes."""
    found: dict[Path, tuple[str, list[Tie | None]]] = {FOLDER / FILE: (TIE, list(ties()))}
    for file in sorted(FIGURES.glob("*.toml")):
        found[file] = FIGURE, [tie_of(row) for row in read_toml(file)["figure"]]
    return found


def name(tie: Tie) -> str:
    return f"{tie.kind}: {' '.join('/'.join(place) for place in (*tie.of, *tie.to))}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m lab ties")
    parser.add_argument("read", nargs="*", help="provisions whose rows were read again, like 'ET a48'")
    parser.add_argument("--checked", type=date.fromisoformat, default=today_in_spain())
    options = parser.parse_args()
    if not has_norms():
        return 0
    again = {place for text in options.read for place in provisions(text)}
    day, known = options.checked, files()
    norms = real_norms(tie for _, rows in known.values() for tie in rows if tie)
    written = 0
    for file, (mark, rows) in known.items():
        chosen = {
            number: hashes(tie, norms.get, day)
            for number, tie in enumerate(rows)
            if tie and (not tie.sha256 or again.intersection((*tie.of, *tie.to)))
        }
        found = {number: sha256 for number, sha256 in chosen.items() if any(sha256)}
        file.write_text(with_hashes(file.read_text("utf-8"), day, found, mark), "utf-8")
        written += len(found)
        for number, tie in enumerate(rows):
            if tie and not all(chosen.get(number, tie.sha256)):
                print(f"without a hash, no wording of it is in ../shared/boe: {name(tie)}")
    ties.cache_clear()
    now = [tie for _, rows in files().values() for tie in rows if tie]
    stale = stale_ties(norms.get, day, [tie for tie in now if tie.kind is Kind.FIGURE])
    for one in stale:
        print(f"changed: {name(one.tie)}\n  {one.says}")
    print(f"{written} of {len(now)} rows written, {len(stale)} to be read again")
    return 1 if stale else 0
