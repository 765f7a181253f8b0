"""The day a term runs from, another one than the law's (dies a quo). Pure functions."""

import re
from collections.abc import Iterator

from rag.answers.claims.claim import Claim, short
from rag.answers.claims.stance import about

START = "en lo que se cita se cuenta desde otro momento: «{there}»"

_EVENTS = {
    "notice": r"notifi[cq]\w+|comuni[cq]\w+|recepcion|recib\w+|traslad\w+ del escrito",
    "knowledge": r"conoc\w+|enter\w+|supo|sepa",
    "signing": r"firm\w+|suscri\w+|celebr\w+",
    "request": r"solicit\w+|present\w+|reclam\w+|registro",
    "publication": r"publi[cq]\w+",
    "end": r"extinci\w+|extingui\w+|cese|despid\w+|terminaci\w+|finaliz\w+|acab\w+|conclu\w+",
    "breach": r"comision|comet\w+|infraccion",
    "start": r"inici\w+|comienz\w+|empez\w+|empiez\w+|alta\b|ingreso",
    "due": r"venc\w+|exigib\w+|pud\w+ (?:ejercit|reclam|exig)\w+",
    "birth": r"nacimiento|nac[ei]\w*|adopcion|acogimiento",
    "judgement": r"sentencia|firmeza|resolucion|auto\b",
    "leave": r"\bbaja\b",
    "fact": r"hecho causante|se produ\w+|hubiera producido|accidente|falleci\w+|muerte",
}
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
    return {kind for kind, words in _EVENTS.items() if re.search(rf"\b(?:{words})", folded)}
