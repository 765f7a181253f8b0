"""An amount that the law has, but in another sentence than the one quoted for it. Pure functions."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from rag.answers.claims.amounts import excused, has
from rag.answers.claims.claim import Claim
from rag.answers.claims.stance import about
from rag.answers.claims.words import keys
from rag.text.quantities import Quantity, quantities, spelt
from rag.text.segmentation import sentences

ELSEWHERE = "lo que se cita junto a la frase no dice «{said}» sino «{there}»"
FEWEST = 2
"""Keys of the sentence that the quoted one has, for its amount to be the one in question."""


_AT = re.compile(r"\b(?P<verb>prescri|caduc|vence|expira)\w* (?:\w+ ){0,2}?al (?P<unit>ano|mes|dia)\b")
_PERSONS = r"(?:trabajador\w+|personas?|emplead[oa]s|asalariad[oa]s)"
_FROM = re.compile(
    rf"\b(?:desde|a partir de|al menos|mas de|menos de|hasta)(?: los| las)? (?P<from>\d+) {_PERSONS}"
    rf"|\b(?P<more>\d+) o mas {_PERSONS}"
)


class _Place(NamedTuple):
    """A sentence of the law, the text it is of, its amounts and its keys."""

    text: str
    source: str
    amounts: tuple[Quantity, ...]
    keys: frozenset[str]


def elsewhere(claim: Claim) -> Iterator[str]:
    """An amount that stands only where the law says less of the same than in the quoted sentence.

    The quoted sentence has another amount of that kind, and everything that the claim shares with the others.
    """
    if not claim.quoted or not about(claim):
        return
    yield from _thresholds(claim)
    yield from _at_once(claim)
    if not claim.amounts:
        return
    places = [one for text in claim.texts for one in _places(text)]
    beside = next((one for one in places if one.text == claim.nearest), None)
    if beside is None:
        return
    own = keys(claim.said)
    for one in claim.amounts:
        there = [other for other in beside.amounts if other.kind == one.kind]
        told = any(f"{other.value:g}" in claim.spelt.split() for other in there)
        if not there or told or has(one, beside.amounts) or one.article or excused(one, claim):
            continue
        holding = [place for place in places if has(one, place.amounts)]
        shared = own & beside.keys
        if any(place.source != beside.source for place in holding):
            continue
        if holding and len(shared) >= FEWEST and all(own & place.keys < shared for place in holding):
            yield ELSEWHERE.format(said=one.shown, there=there[0].shown)
            return


def _at_once(claim: Claim) -> Iterator[str]:
    """«Caduca al año» where the quoted sentence has other terms."""
    found = _AT.search(claim.folded)
    terms = [one for one in quantities(claim.nearest) if found and one.kind in {"days", "months", "hours"}]
    if found and terms and not re.search(rf"\b{found['verb']}[^;.]* (?:al|un) {found['unit']}\b", claim.law):
        yield ELSEWHERE.format(said=f"al {found['unit'].replace('ano', 'año')}", there=terms[0].shown)


def _thresholds(claim: Claim) -> Iterator[str]:
    """A number of workers from which a rule holds, where the quoted sentence has another one."""
    said = _numbers(claim.spelt)
    there = _numbers(spelt(claim.nearest)) if said else set()
    own = {number for number in said if number not in " ".join(map(spelt, claim.given)).split()}
    if own and there and not own & there:
        yield ELSEWHERE.format(said=f"{min(own)} personas", there=f"{min(there)} personas")


def _numbers(said: str) -> set[str]:
    return {match["from"] or match["more"] for match in _FROM.finditer(said)}


@lru_cache(maxsize=128)
def _places(text: str) -> tuple[_Place, ...]:
    said = [text[span.start : span.end] for span in sentences(text)]
    return tuple(_Place(one, text, quantities(one), keys(one)) for one in said)
