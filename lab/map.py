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

Written by `make map` from the imports; do not edit it. A box is a folder of the list in
[tests/test_architecture.py](../tests/test_architecture.py), a frame a package. An arrow leads to an imported
folder; arrows that follow from others are left out. A folder imports only from itself and from those that
stand below it in the table.
`python -m lab map --lines` prints the table with lines of code.
"""

Edges = dict[int, set[int]]
"""A floor to the floors that it imports from."""


def rooms() -> dict[int, list[str]]:
    """The modules of each floor, the top floor first."""
    found = defaultdict(list)
    for name in HOUSED:
        found[floor_of(name)].append(name)
    return {floor: found[floor] for floor in sorted(found, reverse=True)}


def arrows() -> Edges:
    """Imports between rooms, the top floor first, without those that follow from others."""
    every: Edges = defaultdict(set)
    for name, path in HOUSED.items():
        own = floor_of(name)
        every[own] |= {floor_of(other) for other in imported(path) & HOUSED.keys()} - {own}
    reached: Edges = {}
    for floor in range(len(FOLDERS)):
        reached[floor] = every[floor].union(*(reached[below] for below in every[floor]))
    return {
        floor: {one for one in every[floor] if not any(one in reached[other] for other in every[floor])}
        for floor in sorted(every, reverse=True)
    }


def graph() -> Iterator[str]:
    """Lines of a Mermaid flowchart with the rooms of each folder in a frame."""
    frames = defaultdict(list)
    for floor, modules in rooms().items():
        folder = next((name.split(".")[0] for name in modules if "." in name), "")
        frames[folder].append(f"    {box(floor)}[{FOLDERS[floor]}]")
    yield "flowchart TB"
    for folder, boxes in frames.items():
        yield from [f'  subgraph in_{folder} ["{folder}/"]', *boxes, "  end"] if folder else boxes
    for floor, below in arrows().items():
        if below:
            yield f"  {box(floor)} --> {' & '.join(box(lower) for lower in sorted(below))}"


def box(floor: int) -> str:
    return "folder_" + FOLDERS[floor].replace("/", "_").replace(".", "entries")


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
