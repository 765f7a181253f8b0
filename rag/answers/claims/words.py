"""Keys of a text: stems of its words, one for those that mean the same in labour law. Pure functions."""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from rag.lexicon.data import read
from rag.text.numerals import HUNDREDS, NUMERALS, TENS
from rag.text.textnorm import fold, stems

LETTERS = 6
"""Letters of a key: «salario» and «salarial» are one, «extinguirá» and «extingue» too."""
_NUMBERS = frozenset(stem[:LETTERS] for stem in stems(" ".join((*NUMERALS, *TENS, *HUNDREDS, "cien", "mil"))))


@lru_cache(maxsize=4096)
def keys(text: str) -> frozenset[str]:
    """Subject of a text: its keys without numbers and without those of nearly every sentence."""
    said = in_one("spelled", fold(text))
    return frozenset(_key(stem) for stem in stems(said) if not stem.isdigit()) - _tables().common - _NUMBERS


def in_one(table: str, folded: str) -> str:
    """The text with its ways to say the same in one: those of a table of `claims.toml`."""
    for pattern, plain in _ways(table):
        folded = pattern.sub(plain, folded)
    return folded


@cache
def _ways(table: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), plain) for pattern, plain in read("claims.toml")[table].items())


def verb(stem: str) -> str:
    """The key of a stem that is compared as a verb."""
    return _tables().verbs.get(stem[:LETTERS], stem[:LETTERS])


def _key(stem: str) -> str:
    short = verb(stem)
    return _tables().kin.get(short, short)


class _Tables(NamedTuple):
    """Keys of nearly every sentence, and the key that stands for another of a verb or of any word."""

    common: frozenset[str]
    verbs: dict[str, str]
    kin: dict[str, str]


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    data = read("claims.toml")
    verbs, kin = (
        {stem: key for key, stems in data[name].items() for stem in stems} for name in ("verbs", "kin")
    )
    return _Tables(frozenset(data["common"]), verbs, kin)
