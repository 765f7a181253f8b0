"""Reforms and events that date the law («antes de la reforma laboral», «antes del RDL 5/2023»).

They are kept in `lexicon/reforms.toml`. Pure functions over folded text.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from core.values import Value
from law.labels import fold
from lexicon.data_files import read_toml

_NUMBERED = re.compile(
    r"\b(?:el |la )?(?P<kind>real decreto[- ]ley|rd[- ]?ley|rdl|ley organica|lo|ley|real decreto|rd)"
    r" (?P<number>\d{1,4}/(?:19|20)\d\d)"
)
_NAMED = re.compile(r"\b(?:la |las )?(?P<last>ultimas? )?reformas?\b(?P<rest>[^.?;,¿]{0,50})")
_KINDS = {"rdl": "real decreto-ley", "lo": "ley organica", "rd": "real decreto"}
_OF_SOMETHING = re.compile(r"\s*(?:de|del|en|para)\b")


class Reform(Value):
    """A reform or event.

    Attributes:
        last: last day of the law before it.
        years: those that people call it by; `names`: people or parties that it is called by.
        labour: it is one of «la reforma laboral».
        words: beginnings of words of the matters that it changed.
        event: pattern of an event that is no norm («pandemia»).
    """

    law: str
    last: date
    years: tuple[int, ...] = ()
    labour: bool = False
    names: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    event: str = ""


class Named(NamedTuple):
    """Where a text names a reform, and those that it may mean: none when it is not known."""

    start: int
    end: int
    reforms: tuple[Reform, ...]


def reforms_named(folded: str) -> Iterator[Named]:
    """Each reform or event that the text names, with those it may be: by number, else by year and matter."""
    known = _reforms()
    for match in _NUMBERED.finditer(folded):
        kind = re.sub(r"rd[- ]?ley|real decreto ley", "rdl", match["kind"])
        law = f"{_KINDS.get(kind, kind)} {match['number']}"
        yield Named(*match.span(), tuple(one for one in known if fold(one.law) == law))
    for match in _NAMED.finditer(folded):
        meant = _meant(match["rest"], folded, latest=bool(match["last"]))
        if meant or not _OF_SOMETHING.match(match["rest"]):
            yield Named(match.start(), _end(match, meant), meant)
    for one in known:
        if one.event:
            yield from (
                Named(*match.span(), (one,)) for match in re.finditer(rf"\b(?:{one.event})\b", folded)
            )


def _end(match: re.Match[str], meant: Sequence[Reform]) -> int:
    """End of the words that name the reform: its year, «laboral» or whose it is, if they are said."""
    names = "|".join(re.escape(name) for one in meant for name in one.names)
    pattern = r"\blaboral\b|\b20\d\d\b" + (rf"|\b(?:{names})\b" if names else "")
    said = [found.end() for found in re.finditer(pattern, match["rest"])]
    return match.start("rest") + max(said, default=0)


def _meant(rest: str, whole: str, *, latest: bool) -> tuple[Reform, ...]:
    """The reforms that «la reforma» and the words after it may mean."""
    found = [one for one in _reforms() if one.years]
    if called := [one for one in found if any(re.search(rf"\b{name}\b", rest) for name in one.names)]:
        return tuple(called)
    years = {int(year) for year in re.findall(r"\b20\d\d\b", rest)}
    labour = re.search(r"\blaboral\b", rest) is not None
    found = [one for one in found if (one.labour or not labour) and (not years or years & set(one.years))]
    if latest and labour:
        return tuple(found[-1:])
    if about := _about(found, rest) or (_about(found, whole) if years or labour or _bare(rest) else []):
        return tuple(about)
    if _bare(rest):
        return tuple(one for one in found if one.labour)
    return tuple(found) if years or labour else ()


def _bare(rest: str) -> bool:
    return _OF_SOMETHING.match(rest) is None


def _about(reforms: list[Reform], text: str) -> list[Reform]:
    return [one for one in reforms if any(re.search(rf"\b{word}", text) for word in one.words)]


@lru_cache(maxsize=1)
def _reforms() -> tuple[Reform, ...]:
    return tuple(Reform(**item) for item in read_toml("reforms.toml")["reform"])
