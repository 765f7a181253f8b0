"""Fractions, degrees of kinship and dates that the cited text does not have. Pure functions."""

import re
from collections.abc import Iterator

from rag.answers.claims.amounts import AMOUNT
from rag.answers.claims.claim import Claim
from rag.text.textnorm import fold

_MONTHS = "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre"
_FRACTION = re.compile(
    r"\b(?:(?:un|dos|tres|cuatro|cinco|la|el|una) )?(?:(mitad|doble|triple|cuadruple|terci[oa]s?"
    r"|octav[oa]s?|decim[oa]s?)"
    r"|(?:(?<=un )|(?<=tres )|(?<=una ))(cuart[oa]s?|quint[oa]s?"
    r"|sext[oa]s?)(?: partes?)?)\b(?! parte del mes)"
)
_DEGREE = re.compile(r"\b(primer|segundo|tercer|cuarto|quinto|1\.?|2\.?|3\.?|4\.?) grado\b")
_DATE = re.compile(rf"\b(\d{{1,2}}|primero) de ({_MONTHS})\b")
_DEGREES = {"1": "primer", "2": "segundo", "3": "tercer", "4": "cuarto"}
_SHOWN = re.compile(r"[÷/=×]")


def measures(claim: Claim) -> Iterator[str]:
    """A fraction, a degree or a date of the sentence that neither the law nor the person has.

    Only where the law has one of that kind.
    """
    given = fold(" ".join(claim.given))
    for pattern in (_FRACTION, _DEGREE, _DATE):
        there = {_key(match) for match in pattern.finditer(claim.law)}
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


def _key(match: re.Match[str]) -> str:
    parts = [one for one in match.groups() if one]
    first = re.sub(r"as?$", "o", parts[0].rstrip(".")) if parts[0] != "mitad" else parts[0]
    return " ".join([_DEGREES.get(first, first), *parts[1:]]).rstrip("s")


def _of_an_amount(claim: Claim) -> bool:
    """True for «la mitad de los treinta»: half of an amount that the sentence has."""
    return bool(re.search(r"\bmitad de (?:los|las|esos|esas) \d", claim.spelt))
