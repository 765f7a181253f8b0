"""The day a term runs from, another one than the law's (dies a quo). Pure functions."""

import re
from collections.abc import Iterator
from functools import cache

from rag.answers.claims.claim import Claim, short
from rag.answers.claims.stance import about
from rag.lexicon.data import read

START = "en lo que se cita se cuenta desde otro momento: «{there}»"

_FROM = re.compile(
    r"\b(?:(?:a contar |contad[oa]s? |a computar |se cuentan? |cuentan? |empieza\w* |comienza\w* )?"
    r"(?:desde|a partir del?)|siguientes? a(?:l)?|a contar de|posteriores? a(?:l)?|despues de(?:l)?)\b"
    r"(?P<what>[^,;.:]{3,60})"
)
_THAT = re.compile(r" *aquel(?:la)?\b")


def starts(claim: Claim) -> Iterator[str]:
    """A term counted from an event that the law never counts from, beside a sentence with another start."""
    if not claim.near or not claim.amounts or not about(claim):
        return
    said, there = _events(claim.folded), _events(claim.there)
    if said and there and not said & there and not said & _events(claim.law):
        yield START.format(there=short(claim.nearest))


def _events(folded: str) -> set[str]:
    """Kinds of the events that the terms of a text are counted from.

    «Desde aquel» is any event named before, if it names none itself.
    """
    found: set[str] = set()
    for match in _FROM.finditer(folded):
        named = _named(match["what"])
        found |= _named(folded[: match.start()]) if _THAT.match(match["what"]) and not named else named
    return found


def _named(folded: str) -> set[str]:
    return {kind for kind, pattern in _events_known().items() if pattern.search(folded)}


@cache
def _events_known() -> dict[str, re.Pattern[str]]:
    return {kind: re.compile(rf"\b(?:{words})") for kind, words in read("claims.toml")["events"].items()}
