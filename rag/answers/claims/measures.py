"""Fractions, degrees of kinship and dates that the cited text does not have. Pure functions."""

import re
from collections.abc import Iterator
from functools import lru_cache

from rag.answers.claims.amounts import AMOUNT
from rag.answers.claims.claim import Claim
from rag.answers.claims.words import keys
from rag.law import labels
from rag.text.quantities import spelt
from rag.text.textnorm import fold

_FRACTION = re.compile(
    r"\b(?:(?:un|dos|tres|cuatro|cinco|la|el|una) )?(?:(mitad|doble|triple|cuadruple|terci[oa]s?"
    r"|octav[oa]s?|decim[oa]s?)"
    r"|(?:(?<=un )|(?<=tres )|(?<=una ))(cuart[oa]s?|quint[oa]s?"
    r"|sext[oa]s?)(?: partes?)?)\b(?! parte del mes)"
)
_DEGREE = re.compile(r"\b(primer|segundo|tercer|cuarto|quinto|1\.?|2\.?|3\.?|4\.?) grado\b")
_DATE = re.compile(rf"\b(\d{{1,2}}|primero) de ({labels.ANY_MONTH})\b")
_PARTS = {
    "mitad": 50.0,
    "tercio": 100 / 3,
    "tercera parte": 100 / 3,
    "dos tercios": 200 / 3,
    "cuarta parte": 25.0,
    "tres cuartas partes": 75.0,
    "quinta parte": 20.0,
    "decima parte": 10.0,
}
_OF = r" de (?:l[oa]s|la|el|sus?|tus?) (?P<noun>[a-z]{4,})"
_PART = re.compile(rf"\b(?P<part>{'|'.join(sorted(_PARTS, key=len, reverse=True))}){_OF}")
_PERCENT = re.compile(rf"\b(?P<number>\d+)(?:,\d+)? ?(?:por ciento|por 100|%){_OF}")
_DEGREES = {"1": "primer", "2": "segundo", "3": "tercer", "4": "cuarto"}
_SHOWN = re.compile(r"[÷/=×]")


def measures(claim: Claim) -> Iterator[str]:
    """A fraction, a degree or a date of the sentence that neither the law nor the person has.

    Only where the law has one of that kind.
    """
    given = fold(" ".join(claim.given))
    if other := _other_part(claim):
        yield AMOUNT.format(said=other)
    for pattern in (_FRACTION, _DEGREE, _DATE):
        there = set(_held(pattern, claim.law))
        if not there or (pattern is _FRACTION and _SHOWN.search(claim.said)):
            continue
        there |= {_key(match) for match in pattern.finditer(given)}
        near = {_key(match) for one in claim.near[:2] for match in pattern.finditer(fold(one))}
        if pattern is _FRACTION and near:
            there = near | ({"mitad"} if _of_an_amount(claim) else set())
        for match in pattern.finditer(claim.folded):
            if _key(match) not in there:
                yield AMOUNT.format(said=match[0])
                return


@lru_cache(maxsize=256)
def _held(pattern: re.Pattern[str], law: str) -> frozenset[str]:
    return frozenset(_key(match) for match in pattern.finditer(law))


def _other_part(claim: Claim) -> str:
    """«La mitad de sus ingresos» where the near sentence has another percentage of them; '' if not."""
    held = {(keys(one["noun"]), float(one["number"])) for one in _PERCENT.finditer(spelt(claim.nearest))}
    for match in _PART.finditer(claim.folded):
        of = [value for noun, value in held if noun == keys(match["noun"])]
        if of and not any(abs(value - _PARTS[match["part"]]) < 1 for value in of):
            return match[0]
    return ""


def _key(match: re.Match[str]) -> str:
    parts = [one for one in match.groups() if one]
    first = re.sub(r"as?$", "o", parts[0].rstrip(".")) if parts[0] != "mitad" else parts[0]
    return " ".join([_DEGREES.get(first, first), *parts[1:]]).rstrip("s")


def _of_an_amount(claim: Claim) -> bool:
    """True for «la mitad de los treinta»: half of an amount that the sentence has."""
    return bool(re.search(r"\bmitad de (?:los|las|esos|esas) \d", claim.spelt))
