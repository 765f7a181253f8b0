"""An amount of the law with the other end of its limit, the other side of a day, or in another period."""

import re
from collections.abc import Iterable, Iterator

from rag.answers.claims.claim import Claim, short
from rag.text.quantities import Quantity, quantities, spelt

TURNED = "lo que se cita pone esa cantidad de otro modo: «{there}»"

_NOT = r"\b(?:no|nunca|tampoco|en ningun caso|ningun\w*) (?:\w+ ){0,6}?"
_AT_MOST = re.compile(
    rf"(?:{_NOT}(?:exced\w+|super\w+|rebas\w+|pas\w+ de|mas de|sobrepas\w+|mayor\w*)|\bmaxim\w+"
    rf"|\bcomo mucho|\ba lo sumo|\ba mas tardar"
    r"|\btope|\blimite)\b[^,;:\d]*$"
    r"|\bantes de (?:que )?(?:pas\w+|transcurr\w+|se cumpl\w+|cumpl\w+|acab\w+|termin\w+)"
    r"(?: los| las)? $"
)
_AT_MOST_AFTER = re.compile(
    r"[^,;:.]{0,15}\b(?:como (?:maximo|mucho)|a lo sumo|de tope|maxim[oa]s?)\b|,? como (?:maximo|mucho)\b"
)
_AT_LEAST = re.compile(
    rf"(?:{_NOT}(?:inferior\w*|menor\w*|menos de|bajar de)|\bminim\w+|\bal menos|\bpor lo menos"
    rf"|\bcomo poco)\b[^,;:\d]*$"
)
_AT_LEAST_AFTER = re.compile(
    r"[^,;:.]{0,15}\b(?:como (?:minimo|poco)|al menos|por lo menos|minim[oa]s?)\b|,? como (?:minimo|poco)\b"
)
_MORE = re.compile(r"\b(?:mas de|superior(?:es)? a|mayor(?:es)? de)\s*$")
_LESS = re.compile(r"\b(?:menos de|inferior(?:es)? a|menor(?:es)? de)\s*$")
_DENIED = re.compile(_NOT + r"(?:\w+ )?$")
_EARLIER = re.compile(r"[^,;:.]{0,20}?\b(?:antes|de antelacion|anterior(?:es|idad)?|previ[oa]s?)\b")
_EARLIER_BEFORE = re.compile(r"\b(?:antelacion|anticipacion)\b[^,;:.\d]{0,25}$")
_LATER = re.compile(r"[^,;:.]{0,20}?\b(?:despues|siguientes?|posterior(?:es)?)\b")
_PERIODS = (
    ("hora", re.compile(r"\s*(?:de [a-z]+ )?(?:por (?:cada )?hora|la hora|cada hora|/hora)\b")),
    (
        "dia",
        re.compile(r"\s*(?:de [a-z]+ )?(?:diari[oa]s?|al dia|por (?:cada )?(?:dia|jornada)|cada dia|/dia)\b"),
    ),
    ("semana", re.compile(r"\s*(?:de [a-z]+ )?(?:semanal(?:es)?|a la semana|por semana|cada semana)\b")),
    ("mes", re.compile(r"\s*(?:de [a-z]+ )?(?:mensual(?:es)?|al mes|por mes|cada mes|/mes)\b")),
    ("ano", re.compile(r"\s*(?:de [a-z]+ )?(?:anual(?:es)?|al ano|por ano|por cada ano|cada ano|/ano)\b")),
)
_PASSED = re.compile(
    r"\b(?:podra\w*|pued[ea]n?|cabe|cabra|es posible|se permite\w*|se admite\w*) (?:(?!no )[a-z]+ ){0,5}?"
    r"(?:(?P<more>superar|exceder de|exceder|rebasar|pasar de|mas de|superior(?:es)? a|mayor(?:es)? de)"
    r"|(?:bajar de|menos de|inferior(?:es)? a|menor(?:es)? de))(?: l[ao]s)? $"
)
_SUPPOSED = re.compile(r"\b(?:si|cuando|salvo|solo|unicamente|convenio|acuerdo|pact\w+)\b")
_ADJECTIVES = {"diari": "dia", "semanal": "semana", "mensual": "mes", "anual": "ano"}
_AVERAGE = re.compile(
    r"\b(?:promedio|media|computo|referencia)\b[^;.,]{0,40}?"
    r"(?:\b(?P<number>\d+|una?) (?P<unit>dia|semana|mes|ano)"
    r"|\b(?P<word>diari|semanal|mensual|anual))"
)


def limits(claim: Claim) -> Iterator[str]:
    """An amount that the law has, with a maximum for a minimum, before for after, or by another period.

    Only where every place in which the law has it says the other.
    """
    for one in claim.amounts:
        quoted = quantities(claim.nearest) if claim.quoted else ()
        there = _alike(one, quoted) or _alike(one, claim.known)
        if _beyond(one) and {_bound(other) for other in there} == {_beyond(one)}:
            yield TURNED.format(there=_place(there[0]))
            return
        for side in (_bound, _threshold, _time, _period):
            said, held = side(one), {side(other) for other in there}
            if said and held and said not in held and "" not in held:
                yield TURNED.format(there=_place(there[0]))
                return
    own, its = _averages(claim.spelt), _averages(spelt(claim.nearest))
    if own and its and not own & its:
        yield TURNED.format(there=short(claim.nearest))


def _beyond(one: Quantity) -> str:
    """'most' of an amount that may be passed by the sentence, 'least' of one that may be missed; '' else."""
    found = _PASSED.search(one.before)
    if not found or _DENIED.search(one.before[: found.start()]) or _SUPPOSED.search(one.before):
        return ""
    return "most" if found["more"] else "least"


def _alike(one: Quantity, others: Iterable[Quantity]) -> list[Quantity]:
    return [other for other in others if (other.kind, other.value) == (one.kind, one.value)]


def _averages(said: str) -> set[str]:
    """Periods over which a text takes an average: {'1 mes'}."""
    return {
        f"{match['number'].replace('una', '1').replace('un', '1')} {match['unit']}"
        if match["unit"]
        else f"1 {_ADJECTIVES[match['word']]}"
        for match in _AVERAGE.finditer(said)
    }


def _place(held: Quantity) -> str:
    return short(f"{held.before.split(' ', 1)[-1]}{held.shown}{held.after.rsplit(' ', 1)[0]}")


def _bound(one: Quantity) -> str:
    most = bool(_AT_MOST.search(one.before) or _AT_MOST_AFTER.match(one.after))
    least = bool(_AT_LEAST.search(one.before) or _AT_LEAST_AFTER.match(one.after))
    return "" if most == least else "most" if most else "least"


def _threshold(one: Quantity) -> str:
    for name, pattern in (("more", _MORE), ("less", _LESS)):
        found = pattern.search(one.before)
        if found and not _DENIED.search(one.before[: found.start()]):
            return name
    return ""


def _time(one: Quantity) -> str:
    if one.kind not in ("days", "months", "hours"):
        return ""
    early = _EARLIER.match(one.after) or _EARLIER_BEFORE.search(one.before)
    late = _LATER.match(one.after)
    return "" if bool(early) == bool(late) else "early" if early else "late"


def _period(one: Quantity) -> str:
    if one.kind == "rate":
        return ""
    return next((name for name, pattern in _PERIODS if pattern.match(one.after)), "")
