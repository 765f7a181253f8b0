"""Review tables without a model: the cells of `data/evaluation/review` on papers of our own making.

`cells.jsonl` is what the rules were calibrated on; `held_out.jsonl` was written before they were. A cell that
has nothing to hold must not be answered.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.table import Row, Tables
from service.config import ROOT
from work.matters.paper_fragments import Fragment
from work.matters.rule_cell import Told, lines_of, told

FOLDER = ROOT / "data" / "evaluation" / "review"
SETS = ("cells", "held_out")
TARGET = 0.95


class Case(NamedTuple):
    """A cell of a paper with what a true quotation holds: all of `holds`, or one of `other`."""

    document: str
    question: str
    holds: tuple[str, ...]
    other: tuple[str, ...]

    def right(self, found: Told | None) -> bool:
        if found is None or not self.holds:
            return found is None and not self.holds
        return all(one in found.quote for one in self.holds) or any(one in found.quote for one in self.other)


def cases(name: str) -> list[Case]:
    read = (json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines())
    return [
        Case(one["document"], one["question"], tuple(one["holds"]), tuple(one.get("or", ()))) for one in read
    ]


def answered(case: Case) -> Told | None:
    """The value that the rules find for a cell."""
    text = (FOLDER / f"{case.document}.md").read_text("utf-8")
    return told(case.question, list(lines_of([Fragment(number=1, text=text)])))


def tables(_folder: Path) -> Tables:
    for name in SETS:
        found = [(one, answered(one)) for one in cases(name)]
        for one, cell in found:
            if not one.right(cell):
                print(f"{one.document} · {one.question}: {cell.quote[:80] if cell else 'no consta'}")
        yield f"Review table: {name}", rows(found)


def rows(found: Sequence[tuple[Case, Told | None]]) -> list[Row]:
    made = [one.right(cell) for one, cell in found if cell is not None]
    wanted = [one.right(cell) for one, cell in found if one.holds]
    gaps = [one.right(cell) for one, cell in found if not one.holds]
    return [
        Row(f"precision ({len(made)} answered)", sum(made) / len(made), "", TARGET, True),
        Row(f"recall ({len(wanted)} answerable)", sum(wanted) / len(wanted), ""),
        Row(f"honest gaps ({len(gaps)} unanswerable)", sum(gaps) / len(gaps), "", TARGET, True),
    ]
