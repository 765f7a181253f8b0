"""Permission, prohibition, duty and freedom, in the words of each side. Pure functions."""

import re
from collections.abc import Iterator

from rag.answers.claims.claim import Claim, short
from rag.answers.claims.modal import DUTY, FACULTY
from rag.answers.claims.negation import DENIED, NO
from rag.answers.claims.words import keys
from rag.text.quantities import quantities
from rag.text.textnorm import fold

SHARE, FEWEST, FIRM = 0.5, 2, 3
"""Share of the keys of a claim that its near sentence has; fewest shared keys with a quoted sentence, and
those by which a denial of what the law allows is about the same."""

EXCEPTION = re.compile(
    r"\b(?:salvo|excepto|a menos que|sin perjuicio|a excepcion|con excepcion|sino)\b[^;.]*"
)
HEDGED = re.compile(
    r"\b(?:salvo|excepto|a menos|si|cuando|siempre que|solo|unicamente|en caso de|mientras|aunque"
    r"|a falta de)\b"
)
"""Words of a sentence that keeps a condition or an exception of the law."""

_LIMIT = re.compile(
    rf"\b(?:{NO}|sin que|en ningun caso)\b (?:\w+ ){{0,5}}?(?:exced\w+|super\w+|rebas\w+|sobrepas\w+"
    r"|inferior\w*|menor\w*|mayor\w*|mas de|menos de|pasar de|bajar de|durar|por debajo|por encima"
    r"|prolongar\w*)"
)
"""«No podrá exceder de» forbids nothing that another sentence allows."""
_ALLOWED = re.compile(r"\bno (?:imped\w+|impid\w+|prohib\w+|hay (?:obstaculo|inconveniente|impedimento))\b")
"""Negations that allow, read before those that forbid."""
_NEVER = re.compile(
    rf"\b(?:{NO}|ni|nadie|ningun\w*|en ningun caso)\b (?:\w+ ){{0,2}}?(?:podra\w*|pued[ea]\w*|pudiendo"
    r"|pudiera\w*|cabe|cabra|quepa|es (?:posible|licit[oa]|valid[oa])|admit\w+|permit\w+|autoriz\w+)\b"
    r"|\b(?:prohib\w+|vedad[oa]s?)\b|\bsin que (?:\w+ ){0,6}?(?:pued\w+|quepa)\b"
    r"|\b(?:es|sera|son|seran|siendo) nul[oa]s?\b|\bnul[oa]s? (?:tod[oa]|cualquier)\b"
)
_FREE = re.compile(
    rf"\b(?:{NO}|sin|ni)\b (?:\w+ ){{0,3}}?(?:obligad[oa]s?|obligatori[oa]s?|obliga|exig\w+"
    r"|ha[cg][ea] falta|(?:es|sera|sea) (?:necesari[oa]|precis[oa])|preceptiv[oa]s?|necesit\w+|precisa"
    r"|requ[ei]r\w+"
    r"|requier\w+)\b|\b(?:es|son|sera|seran|sea|sean|caracter|resulta) (?:[a-z]+ ){0,2}?(?:voluntari[oa]s?"
    r"|facultativ[oa]s?"
    r"|potestativ[oa]s?|opcional(?:es)?)\b|\b(?:voluntariamente|sin necesidad de)\b"
)
_MAY = re.compile(
    r"\b(?:podra\w*|pued[ea]n?|cabe|cabra|se admit\w+|permit\w+|autoriz\w+|habilitad\w+ para"
    r"|nada (?:obsta|impide|se opone)"
    r"|(?:es|son|sera|seran) (?:perfectamente |plenamente )?(?:posible|licit[oa]s?|valid[oa]s?))\b"
)
_MUST = re.compile(
    r"\b(?:es un deber|tienen? (?:el deber|la obligacion) de|deb[ea]n?|debera\w*|han? de|habra\w* de"
    r"|tienen? que|tendra\w* que|hay que|habra que"
    r"|obligad[oa]s?|obligatori\w+|preceptiv\w+|necesariamente|forzos\w+|imprescindible|indispensable"
    r"|exig\w+|hacen? falta|(?:es|sera|resulta) (?:necesari[oa]|precis[oa])|requ[ei]r\w+|requier\w+)\b"
)
_STANCES = (("may", _ALLOWED), ("never", _NEVER), ("free", _FREE), ("may", _MAY), ("must", _MUST))
"""Each is taken out of the text before the next one is looked for."""
_ALWAYS = re.compile(
    r"\b(?:siempre(?! que)|automatic\w+|necesariamente|en todo caso|forzos\w+|inevitabl\w+"
    r"|obligatoriamente|inexcusabl\w+)\b"
)
_ASIDE = re.compile(r"\ben ningun caso, [^;.:]{0,150}?, (?=[^,;.:]*\b(?:podra|pued))")
"""«En ningún caso, tampoco en…, podrá»: what stands between is left out."""
_WHO_NOT = re.compile(rf"\b(?:que|quien(?:es)?) {NO}\b[^,;.]*")
"""Those whom a permission leaves out: «frente a empresarios que no estén en concurso»."""
_INVERSE = re.compile(r"\b(?:neg|opon|imped|impid|rechaz|evit|rehus|exim|libr|sustra)\w*\b")
"""Verbs by which a ban is a permission of the other side: «no puede negarse»."""
_IMPERSONAL = re.compile(
    r"\b(?:no|sin|ni|que) (?:se )?(?:exig|hac|hag|es |sea |requ|necesi|precisa)|facultativ|voluntari"
    r"|potestativ"
)


def stances(claim: Claim) -> Iterator[str]:
    """A thing that one side allows and the other forbids, or requires and leaves free."""
    if not claim.near or not about(claim):
        return
    if EXCEPTION.search(claim.there) and HEDGED.search(claim.folded):
        return
    said, there = _stances(claim.folded), _stances(claim.there)
    if said and there:
        said -= frozenset(stance for one in _rivals(claim) for stance in _stances(fold(one)))
    if _turned(claim, said, there) or ("must" in said - there and "free" in there - said):
        yield DENIED.format(there=short(claim.nearest))
    elif _freed(claim, said, there):
        yield DUTY.format(there=short(claim.nearest))
    elif there == {"may"} and "may" not in said and _always(claim):
        yield FACULTY.format(there=short(claim.nearest))


def about(claim: Claim) -> bool:
    """True for a claim that is about its near sentence: a quoted one with FEWEST keys, another with SHARE.

    An amount that both have counts as a key.
    """
    least = FEWEST if claim.quoted else max(FEWEST, SHARE * len(keys(claim.said)))
    if len(claim.shared) >= least or not claim.amounts:
        return len(claim.shared) >= least
    there = {(one.kind, one.value) for one in quantities(claim.nearest)}
    return len(claim.shared) + sum((one.kind, one.value) in there for one in claim.amounts) >= least


def _rivals(claim: Claim) -> list[str]:
    """The other near sentences that share as many keys with the claim: it may be about one of them."""
    own = keys(claim.said)
    return [one for one in claim.near[1:] if len(own & keys(one)) >= len(claim.shared)]


def _stances(folded: str) -> frozenset[str]:
    """Any of 'never', 'may', 'free' and 'must', of a text without its limits and its exceptions."""
    folded = _ASIDE.sub("en ningun caso ", folded)
    rest, found = EXCEPTION.sub(" ", _LIMIT.sub(" ", folded)), set()
    for name, pattern in _STANCES:
        rest, times = pattern.subn(" ", rest)
        found |= {name} if times else set()
    return frozenset(found)


def _freed(claim: Claim, said: frozenset[str], there: frozenset[str]) -> bool:
    """True for what nobody has to do by one side and somebody has to by the other."""
    turned = "free" in said - there and "must" in there - said and "may" not in there
    return turned and bool(_IMPERSONAL.search(claim.folded))


def _always(claim: Claim) -> bool:
    return bool(_ALWAYS.search(claim.folded)) and not _ALWAYS.search(claim.there)


def _turned(claim: Claim, said: frozenset[str], there: frozenset[str]) -> bool:
    """True for what one side alone allows and the other alone forbids."""
    if "may" in said - there and "never" in there - said:
        return True
    left_out = " ".join(match[0] for match in _WHO_NOT.finditer(claim.there))
    if keys(left_out) & claim.shared and not _WHO_NOT.search(claim.folded):
        return False
    inverse = _INVERSE.search(claim.folded) or _INVERSE.search(claim.there)
    return "never" in said - there and "may" in there - said and len(claim.shared) >= FIRM and not inverse
