"""Questions written of single provisions (`data/training/provisions.jsonl`), in two parts: one that teaches
the query adapter and one that teaches the order, which must see vectors moved as those of new questions are.
"""

import json
from collections.abc import Iterator
from typing import NamedTuple

from config import ROOT

FILE = ROOT / "data" / "training" / "provisions.jsonl"
SHARE = 8
"""One of so many questions teaches the order."""


class Asked(NamedTuple):
    """A question with the norm and the block that answer it."""

    question: str
    norm: str
    block: str


def for_adapter() -> list[Asked]:
    """The questions that teach the adapter."""
    return [one for number, one in _numbered() if number % SHARE]


def for_order() -> list[Asked]:
    """The questions that teach the order, none of them of `for_adapter`."""
    return [one for number, one in _numbered() if number % SHARE == 0]


def _numbered() -> Iterator[tuple[int, Asked]]:
    entries = map(json.loads, FILE.read_text("utf-8").splitlines())
    return enumerate(
        Asked(question, entry["norm"], entry["block"]) for entry in entries for question in entry["questions"]
    )
