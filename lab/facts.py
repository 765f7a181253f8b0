"""Measure the facts sheet of expedientes: `python -m lab facts [--held] [CASE…]`.

Reads the cases of `data/evaluation/facts`: a file each, with its papers and, last, the facts that stand in
them. Prints by case how many stand there, how many are told with their paper, and how many told values stand
nowhere. With `--held` only the totals of the cases of `data/evaluation/facts_held`, which nobody reads who
writes the rules.
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from casework.matters.case_facts import CaseFact, FactsSheet
from casework.matters.fact_values import agree
from casework.matters.facts_reading import CasePaper, read_facts
from casework.matters.paper_reading import read_paper
from law import labels
from loading.parsing.file_reader import reader_of
from loading.parsing.limits import Limits
from service.config import ROOT

SET = ROOT / "data" / "evaluation" / "facts"
HELD = ROOT / "data" / "evaluation" / "facts_held"
STANDS = "hechos"


def case(path: Path) -> tuple[dict[str, str], dict[str, list[list[str]]]]:
    """Papers of a case by name, and by fact the values that stand in them, each in all its writings."""
    parts = re.split(r"(?m)^=== (.+)\n", path.read_text("utf-8"))[1:]
    papers = dict(zip(parts[::2], parts[1::2], strict=True))
    stands = dict(line.split(": ", 1) for line in papers.pop(STANDS).strip().splitlines())
    return papers, {
        key: [[plain(one) for one in value.split(" ~ ")] for value in said.split(" | ")]
        for key, said in stands.items()
    }


def sheet(papers: dict[str, str]) -> FactsSheet:
    """The facts that are read in papers."""
    reader = reader_of(Limits())
    with TemporaryDirectory() as folder:
        read = []
        for name, text in papers.items():
            path = Path(folder) / f"{name}.txt"
            path.write_text(text, "utf-8")
            read.append(CasePaper(name, name, name, read_paper(path, path.name, reader).fragments))
    return read_facts(read)


def told(fact: CaseFact) -> Iterator[str]:
    """Its values, as cases write them: the one that counts and the others."""
    for one in (fact, *fact.others):
        if one.value and fact.kind == "date":
            yield "-".join(reversed(one.value.split("/")))
        elif one.value and fact.kind in ("money", "hours"):
            yield plain(f"{one.value.replace('.', '').replace(',', '.')} {one.unit}")
        elif one.value:
            yield plain(one.value)


def plain(said: str) -> str:
    """The words of a value, to compare."""
    return " ".join(re.findall(r"[\w.-]+", labels.fold(said))).rstrip(".")


def measured(stands: dict[str, list[list[str]]], found: FactsSheet) -> tuple[int, list[str], list[str]]:
    """How many values stand there, those that are not told, and those that stand nowhere."""
    missed, invented = [], []
    for fact in found.facts:
        values, wanted = list(told(fact)), stands.get(fact.key, [])
        missed += [
            f"{fact.key}: {one[0]}"
            for one in wanted
            if not any(value in one or _alike(fact, value, one[0]) for value in values)
        ]
        invented += [f"{fact.key}: {one}" for one in values if not any(one in each for each in wanted)]
    return sum(map(len, stands.values())), missed, invented


def _alike(fact: CaseFact, *values: str) -> bool:
    """True for a salary by the year that is the one by the month: the sheet tells them once."""
    if fact.kind != "money":
        return False
    one, other = (value.replace(".", ",").replace("ano", "año").split(" ") for value in values)
    return agree(fact.key, (one[0], one[1]), (other[0], other[1]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="CASE")
    parser.add_argument("--held", action="store_true", help="the totals of the cases that nobody reads")
    asked = parser.parse_args()
    every = [
        one
        for one in sorted((HELD if asked.held else SET).glob("*.txt"))
        if not asked.names or one.stem in asked.names
    ]
    print(f"{'':<10} stand  told  invented")
    total = (0, 0, 0)
    for path in every:
        papers, stands = case(path)
        count, missed, invented = measured(stands, sheet(papers))
        total = (total[0] + count, total[1] + count - len(missed), total[2] + len(invented))
        if asked.held:
            continue
        print(
            f"{path.stem:<10} {count:>5} {count - len(missed):>5} {len(invented):>9}",
            *missed,
            *(f"! {one}" for one in invented),
            sep="\n  · " if missed or invented else "",
        )
    print(f"{'all':<10} {total[0]:>5} {total[1]:>5} {total[2]:>9}")


if __name__ == "__main__":
    main()
