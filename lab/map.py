"""Draw docs/map.md from the imports: `python -m lab map [--lines]`.

The folders are those of tests/test_architecture.py. An arrow leads from a folder to one that it imports
from; arrows that follow from others are left out.
"""

import argparse
import ast
from collections import defaultdict
from collections.abc import Iterator

from lab.imports import CODE, HOUSED, ROOT, imported, tree
from tests.test_architecture import FOLDERS, floor_of

FILE = ROOT / "docs" / "map.md"
HEAD = """\
# Map

Written by `make map` from the imports; do not edit it. A box is a package of the list in
[tests/test_architecture.py](../tests/test_architecture.py); where folders of two alternate, a folder. Arrows
that follow from others are left out. A folder imports only from itself and from those below it in the table.
"""


def rooms() -> dict[int, list[str]]:
    """The modules of each floor, the top floor first."""
    found = defaultdict(list)
    for name in HOUSED:
        found[floor_of(name)].append(name)
    return {floor: found[floor] for floor in sorted(found, reverse=True)}


def box(floor: int) -> str:
    """The package of a floor; its folder where those of two packages alternate."""
    folder = FOLDERS[floor]
    top = folder.split("/")[0]
    own = [place for place, other in enumerate(FOLDERS) if other.split("/")[0] == top]
    return top if own[-1] - own[0] == len(own) - 1 else folder


def arrows() -> dict[str, list[str]]:
    """Imports between boxes, the top box first, without those that follow from others."""
    boxes = list(dict.fromkeys(map(box, range(len(FOLDERS)))))
    every: dict[str, set[str]] = defaultdict(set)
    for name, path in HOUSED.items():
        own = box(floor_of(name))
        every[own] |= {box(floor_of(other)) for other in imported(path) & HOUSED.keys()} - {own}
    reached: dict[str, set[str]] = {}
    for one in boxes:
        reached[one] = every[one].union(*(reached[below] for below in every[one]))
    return {
        one: [
            below
            for below in reversed(boxes)
            if below in every[one] and not any(below in reached[other] for other in every[one])
        ]
        for one in reversed(boxes)
    }


def graph() -> Iterator[str]:
    """Lines of a Mermaid flowchart of the boxes."""
    yield "flowchart TB"
    for one, below in arrows().items():
        yield f"  {_id(one)}[{one}]"
        yield from (f"  {_id(one)} --> {_id(lower)}" for lower in below)


def _id(one: str) -> str:
    return one.replace("/", "_").replace(".", "entries")


def table(*, lines: bool) -> Iterator[str]:
    """Rows of a Markdown table, the top floor first: folder, subject, and `lines` of code."""
    yield "| folder | subject |" + (" lines |" if lines else "")
    yield "|---|---|" + ("---:|" if lines else "")
    for floor, modules in rooms().items():
        count = sum(len(HOUSED[name].read_text("utf-8").splitlines()) for name in modules)
        yield f"| {FOLDERS[floor]} | {subject(FOLDERS[floor])} |" + (f" {count} |" if lines else "")


def subject(folder: str) -> str:
    """First paragraph of the docstring of the folder's package; '' without one."""
    text = ast.get_docstring(tree(CODE[name])) if (name := folder.replace("/", ".")) in CODE else ""
    return " ".join((text or "").split("\n\n")[0].split())


def document() -> str:
    return "\n".join([HEAD, "```mermaid", *graph(), "```", "", *table(lines=False)]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--lines", action="store_true", help="print the table with lines of code; write nothing"
    )
    if parser.parse_args().lines:
        print("\n".join(table(lines=True)))
    else:
        FILE.write_text(document(), encoding="utf-8")
