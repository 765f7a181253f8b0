"""Write into `lexicon/ties.toml` the hashes of the wordings on which its rows were checked.

    python -m lab ties [--checked YYYY-MM-DD] ["ET a48 LGSS a177"]

Rows without hashes get those of the norms in ../shared/boe on that day (today if left out), and so do the
rows with one of the provisions named, which somebody has read again. Prints the rows with an end of which no
wording is there, and those that have changed since they were checked; exit code 1 if any has.
"""

import argparse
from collections.abc import Mapping
from datetime import date

from core.clock import today_in_spain
from lab.harness import BOE, has_norms
from law.norms import Document
from lexicon.data_files import FOLDER
from lexicon.ties import FILE, Tie, provisions, ties
from loading.formats import load
from loading.ingestion.stale_ties import hashes, stale_ties

ROW = "[[tie]]\n"
WRITTEN = ("checked = ", "sha256 = ")


def real_norms() -> dict[str, Document]:
    """The norms of ../shared/boe that a tie names, by id."""
    named = {norm for tie in ties() for norm, _ in (*tie.of, *tie.to)}
    folders = (BOE / norm for norm in sorted(named))
    return {one.norm.id: one for folder in folders if folder.is_dir() for one in load(folder)}


def with_hashes(text: str, day: date, rows: Mapping[int, tuple[str, ...]]) -> str:
    """The text of the file with that day and these hashes in its rows, by their number from 0."""
    head, *found = text.split(ROW)
    for number, sha256 in rows.items():
        fields, gap, after = found[number].partition("\n\n")
        kept = [line for line in fields.splitlines() if not line.startswith(WRITTEN)]
        said = ", ".join(f'"{one}"' for one in sha256)
        found[number] = "\n".join([*kept, f"checked = {day}", f"sha256 = [{said}]"]) + (gap or "\n") + after
    return ROW.join([head, *found])


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
    norms, day, file = real_norms(), options.checked, FOLDER / FILE
    chosen = {
        number: hashes(tie, norms.get, day)
        for number, tie in enumerate(ties())
        if not tie.sha256 or again.intersection((*tie.of, *tie.to))
    }
    rows = {number: sha256 for number, sha256 in chosen.items() if any(sha256)}
    file.write_text(with_hashes(file.read_text("utf-8"), day, rows), "utf-8")
    for number, tie in enumerate(ties()):
        if not all(chosen.get(number, tie.sha256)):
            print(f"without a hash, no wording of it is in ../shared/boe: {name(tie)}")
    renewed = [ties()[number] for number in rows]
    stale = [one for one in stale_ties(norms.get, day) if one.tie not in renewed]
    for one in stale:
        print(f"changed: {name(one.tie)}\n  {one.says}")
    print(f"{len(rows)} of {len(ties())} rows written, {len(stale)} to be read again")
    return 1 if stale else 0
