"""Calculators that a question asks for (`calculators.toml`)."""

import re
from functools import lru_cache
from typing import NamedTuple

from law.labels import fold
from lexicon.data_files import read_toml


class _Entry(NamedTuple):
    title: str
    asked: re.Pattern[str]
    ruled_out: re.Pattern[str] | None


def calculator(question: str) -> str:
    """The Spanish title of the calculator that does what a question asks to be calculated; '' for none."""
    folded = fold(question)
    wants, entries = _entries()
    if not wants.search(folded):
        return ""
    fitting = (
        one.title
        for one in entries
        if one.asked.search(folded) and not (one.ruled_out and one.ruled_out.search(folded))
    )
    return next(fitting, "")


@lru_cache(maxsize=1)
def _entries() -> tuple[re.Pattern[str], tuple[_Entry, ...]]:
    data = read_toml("calculators.toml")
    entries = (
        _Entry(item["title"], re.compile(item["asked"]), re.compile(item["not"]) if "not" in item else None)
        for item in data["calculator"]
    )
    return re.compile(data["wants"]), tuple(entries)
