"""Words of courtesy that are no question about the law, and the line that answers them."""

import re
from datetime import date
from functools import lru_cache

from law.labels import fold
from lexicon.data_files import read_toml

LONGEST = 80
_MARKS = re.compile(r"[^\w ]+")


def reply(question: str, today: date) -> str:
    """The Spanish line for a text that is a courtesy and nothing else; '' for any other."""
    if len(question) > LONGEST:
        return ""
    said = " ".join(_MARKS.sub(" ", fold(question)).split())
    for pattern, line in _courtesies():
        if pattern.fullmatch(said):
            return line.format(day=today)
    return ""


@lru_cache(maxsize=1)
def _courtesies() -> tuple[tuple[re.Pattern[str], str], ...]:
    rows = read_toml("courtesies.toml").values()
    return tuple((re.compile("|".join(row["said"])), row["reply"]) for row in rows)
