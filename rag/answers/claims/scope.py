"""How far a rule reaches: always or only, all or some, with or without a condition. Pure functions."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import product

from rag.answers.claims.claim import Claim, short
from rag.answers.claims.negation import DENIED
from rag.answers.claims.stance import EXCEPTION, FEWEST, FIRM, about
from rag.answers.claims.words import keys
from rag.lexicon.data import read
from rag.text.quantities import spelt

REACH = "lo que se cita no alcanza a lo mismo: «{there}»"
WITHOUT = "lo que se cita sí pide «{said}»"
UNLIMITED = "lo que se cita sí fija un límite: «{there}»"

GENERAL = re.compile(
    r"\b(?:siempre(?! que)|en todo caso|en todos los (?:casos|supuestos)|sin excepci\w+"
    r"|en cualquier (?:caso|supuesto|momento|circunstancia)|(?:de modo|de forma|de manera) automatic\w+"
    r"|automaticamente|sin mas|libremente"
    r"|incondicional\w*|sin condicion\w*|sin necesidad de"
    r"|sin que (?:haga falta|sea necesari[oa]|se requiera|se exija)"
    r"|desde el primer momento)\b"
)
"""Words of a sentence that leaves no case out."""
_USUAL = re.compile(r"\b(?:con caracter general|de ordinario|(?:por|como) regla general)\b")
_ONLY = re.compile(r"(?<!no )\b(?:solo|solamente|unicamente|exclusivamente|tan solo|excepcionalmente)\b")
_CONDITIONED = re.compile(r"\b(?:siempre (?:que|y cuando)|salvo (?:que|pacto|acuerdo)|excepto|a menos que)\b")
_KEPT = re.compile(
    r"\b(?:solo|solamente|unicamente|exclusivamente|salvo|excepto|a menos que|si|cuando|siempre que)\b"
)
_ALL = re.compile(r"\b(?:tod[oa]s? (?:l[oa]s? |el )?|cualquier |cada )(?P<noun>[a-z]{4,})")
_ONLY_OF = re.compile(rf"{_ONLY.pattern}[^,;.:]{{0,70}}")
_ONLY_ONE = re.compile(
    rf"{_ONLY.pattern} (?:al?|del?|por|con|el|la|los|las|su) (?:el |la |los |las |su )?(?P<noun>[a-z]{{4,}})"
)
_COUPLED = re.compile(
    r"\b(?P<one>[a-z]{4,})(?: [a-z]+){0,3}?(?:,| y| e| o| u)"
    r" (?:(?:al?|del?|por|con|el|la|los|las|su|sus|un|una) ){0,2}(?P<other>[a-z]{4,})"
)
"""Two members of a list without numbers: «la empresa o los representantes»."""
_ONE = re.compile(r"\b(?:un|una) (?:unic[oa]|sol[oa]) (?P<noun>[a-z]{4,})")
_SEVERAL = re.compile(
    r"\b(?:vari[oa]s|dos o mas|distint[oa]s|divers[oa]s|multiples|numeros[oa]s|mas de un[oa]?)"
    r" (?P<noun>[a-z]{4,})"
)
_BY_ITSELF = re.compile(
    r"\b(?:por si sol[oa]s?|unilateral\w*|en solitario|por su cuenta|a su (?:libre )?(?:criterio"
    r"|voluntad|arbitrio))\b"
)
_TOGETHER = re.compile(
    r"\b(?:comun acuerdo|acuerdo entre|de acuerdo con|conjuntamente|mutuo acuerdo|acuerdo de ambas)\b"
)
ABSOLUTE = re.compile(r"\b(?:siempre(?! que)|en todo caso|en ningun caso|nadie|nunca)\b")
_UNLESS = re.compile(r"\b(?:salvo|excepto|a menos) (?:que|pacto|acuerdo|si|cuando)\b")
_LACKING = re.compile(
    r"\bsin (?:necesidad de |que (?:haga falta|sea necesari[oa]|se (?:exija|requiera|precise)) "
    r"|exigir(?:se)? |acreditar )?"
    r"(?:(?:ningun|ninguna|su|el|la|un|una|previ[oa]|mas|tener|contar|con|de|que) ){0,3}(?P<noun>[a-z]{5,})"
)
_ASKING = r"con|previ[oa]|mediante|acredit\w+|exig\w+|requisit\w+|siempre que|solo (?:si|cuando)"
_NO_LIMIT = re.compile(
    r"\b(?:no (?:tiene|tienen|hay|existe|existen|fija\w*|marca\w*|establece\w*|senala\w*|preve\w*|exige\w*"
    r"|impone\w*|contempla\w*|esta sujet[oa]\w* a)"
    r"|sin que (?:[a-z]+ ){0,3}(?:marque|fije|establezca|senale|prevea|imponga|exija)|sin|carece\w* de)"
    r" (?:(?:ningun|ninguna|un|una|el|la|a|de|que|en|limite de|para ello|legal|hay|exista) ){0,3}"
    r"(?:cuantia |duracion |importe |jornada |periodo |antiguedad )?(?P<what>topes?|limites?"
    r"|maxim[oa]s?|techo|suelo|minim[oa]s?|plazos?|preaviso|antelacion)\b"
)


def scopes(claim: Claim) -> Iterator[str]:
    """A rule told of more, or of fewer, than the law has it for."""
    if not claim.near or not about(claim):
        return
    said, there = claim.folded, claim.there
    if (
        _always_for_only(said, there)
        or _some_for_all(said, there)
        or _several_for_one(said, there)
        or _alone(said, there)
        or _one_of_several(claim)
    ):
        yield REACH.format(there=short(claim.nearest))
    elif _unless(claim):
        yield DENIED.format(there=short(claim.nearest))
    elif lacking := _lacking(said, there):
        yield WITHOUT.format(said=lacking)
    elif _unlimited(said, there):
        yield UNLIMITED.format(there=short(claim.nearest))


def _always_for_only(said: str, there: str) -> bool:
    """«With general character» for what the law has «only when»."""
    general = bool(GENERAL.search(said)) and bool(_CONDITIONED.search(there) or _ONLY.search(there))
    return (general or bool(_USUAL.search(said) and _ONLY.search(there))) and not _KEPT.search(said)


def _some_for_all(said: str, there: str) -> bool:
    """«Only the firms of fifty» for «all firms»."""
    only = _ONLY_OF.search(said)
    if not only or _ONLY.search(there) or EXCEPTION.search(there):
        return False
    nouns = {key for match in _ALL.finditer(there) for key in _noun(match)}
    return bool(nouns & _nouns(only[0])) and not any(_noun(match) & nouns for match in _ALL.finditer(said))


def _several_for_one(said: str, there: str) -> bool:
    """«Several clients» for «one client only»."""
    pairs = product(_SEVERAL.finditer(said), _ONE.finditer(there))
    same = any(_noun(one) & _noun(other) for one, other in pairs)
    return same and not re.search(r"\b(?:no|ni|nunca)\b", said)


def _alone(said: str, there: str) -> bool:
    """«The firm by itself» for what the law leaves to an agreement."""
    alone = _BY_ITSELF.search(said)
    if not alone or not _TOGETHER.search(there):
        return False
    return not re.search(r"\b(?:no|ni|nunca)\b", said[: alone.start()])


def _one_of_several(claim: Claim) -> bool:
    """«Only the worker» for what the law gives to «the worker or the firm»."""
    only = _ONLY_ONE.search(claim.folded)
    if not only or _ONLY.search(claim.there) or len(claim.shared) < FIRM:
        return False
    member, said = _noun(only), _nouns(claim.folded)
    return any(
        (member & _nouns(match["one"]) and not _nouns(match["other"]) & said)
        or (member & _nouns(match["other"]) and not _nouns(match["one"]) & said)
        for match in _COUPLED.finditer(claim.there)
    )


def _unless(claim: Claim) -> bool:
    """An exception to what the law says without any: «unless agreed» beside «always»."""
    unless = _UNLESS.search(claim.folded)
    if not unless or not ABSOLUTE.search(claim.there) or EXCEPTION.search(claim.law):
        return False
    main = claim.folded[: unless.start()] or claim.folded[unless.end() :].partition(",")[2]
    return len(keys(main) & keys(claim.there)) >= FEWEST


def _lacking(said: str, there: str) -> str:
    """A requirement of the law that the sentence waives: «without seniority»; '' if none."""
    for match in _LACKING.finditer(said):
        noun = match["noun"]
        stem = re.escape(noun.rstrip("s")[:7])
        asks = rf"\b(?:{_ASKING})\b (?:[a-z]+ ){{0,4}}?{stem}"
        if re.search(asks, there) and not re.search(rf"\b(?:sin|no|ni)\b (?:[a-z]+ ){{0,6}}?{stem}", there):
            return noun
    return ""


def _unlimited(said: str, there: str) -> bool:
    """A limit denied that the near sentence has."""
    found = _NO_LIMIT.search(said)
    if not found:
        return False
    has = _limits()[found["what"][:4]]
    return bool(re.search(rf"\b(?:{has})\b[^;.]{{0,40}}?\b\d", spelt(there))) and not _NO_LIMIT.search(there)


@cache
def _limits() -> dict[str, str]:
    """Pattern of what the law says of a limit, by the beginning of its name."""
    return {name: limit["said"] for limit in read("claims.toml")["limit"] for name in limit["names"]}


def _noun(match: re.Match[str]) -> frozenset[str]:
    return _nouns(match["noun"])


def _nouns(text: str) -> frozenset[str]:
    """Keys of a text, those of nearly every sentence too: «empresas» is what «all firms» is about."""
    return keys(text) | frozenset(word[:6] for word in text.split() if len(word) >= 4)
