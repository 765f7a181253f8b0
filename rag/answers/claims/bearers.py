"""Who pays, decides, answers or proves, as subject, as agent or after «a cargo de». Pure functions."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from rag.answers.claims.claim import Claim, short
from rag.answers.claims.parties import NAMES, subject
from rag.answers.claims.stance import about

BEARER = "lo que se cita lo pone a cargo de otra parte: «{there}»"

_KINDS = {
    "government": r"gobierno|ministeri[oa]\w*|consejo de ministros",
    "usuaria": r"(?:empresas? )?usuarias?|empresas? clientes?",
    "agency": r"empresas? de trabajo temporal|ett",
    "principal": r"(?:empresas? |empresari[oa]s? )?principal(?:es)?|contratistas?|comitentes?",
    "manager": (
        r"instituto (?:nacional|social)|inss|tesoreria|entidad(?:es)? gestoras?|servicio publico|sepe"
        r"|mutuas?|seguridad social|administracion(?: publica)?|estado"
    ),
    "fund": r"fondo de garantia|fogasa",
    "court": r"juez\w*|juzgado\w*|tribunal\w*|magistrad\w+|autoridad judicial|jurisdiccion",
    "authority": r"autoridad laboral|inspeccion\w*|inspector\w*",
    "representatives": (
        r"representantes?(?: legal(?:es)?)?(?: de (?:los|las) (?:trabajador\w+|personas trabajadoras))?"
        r"(?: del personal)?|representacion (?:legal )?de (?:los|las) (?:trabajador\w+|personas trabajadoras)"
        r"|organizaciones sindicales|comites? de empresa|delegad[oa]s? de personal"
        r"|delegad[oa]s? sindical(?:es)?|sindicatos?"
    ),
    "defendant": r"(?:parte )?demandad[oa]s?|quien se (?:le )?impute",
    "claimant": r"demandantes?|parte actora|quien (?:la |lo )?(?:alega|demanda|denuncia|reclama)",
    "employer": r"empresari[oa]s?|empresas?|emplead(?:or|ora|ores|oras)|patronal|compania",
    "worker": (
        r"personas? trabajadoras?|trabajador(?:es|as?)?|emplead[oa]s?|asalariad[oa]s?|victimas?"
        r"|beneficiari[oa]s?"
    ),
}
_ARTICLE = r"(?:(?:el|la|los|las|su|sus|propi[oa]|cada|dich[oa]|un|una) ){0,2}"
_PARTY = re.compile(rf"{_ARTICLE}(?:{'|'.join(f'(?P<{kind}>{words})' for kind, words in _KINDS.items())})\b")
_PRONOUN = re.compile(r"(?:est[ea]|estos|estas|aquel|aquella|el mismo|la misma|los mismos|ell[oa]s?)\b")
_WHO = rf"(?={_ARTICLE}(?:{'|'.join(_KINDS.values())})\b|{_PRONOUN.pattern})"
_ROLES = {
    "pays": r"pag|abon|sufrag|asum|soport|coste|carg|corr",
    "decides": r"opci|opt|elec|elig|elij|decid|decis|design|nombr|fija|determin",
    "answers": r"respon",
    "proves": r"prueb|prob|acredit|justific|aportaci",
}
_PAYS = r"(?:pag|abon|sufrag|asum|soport|coste|decid|elig|elij|opt|respond|fij|design|nombr|prueb|prob)"
_TO = re.compile(
    r"\b(?:corresponde\w*|incumbe\w*|compete\w*|reca[eiy]\w*|pesa\w*|pesando|carga sobre|toca\w*)"
    rf" (?:[a-z]+ ){{0,6}}?(?:al|a|sobre|en|del|de) {_WHO}"
)
_CHARGE = re.compile(
    r"\b(?:a cargo|por cuenta|de cuenta|cuenta|a costa|en manos|a expensas|potestad|decision|eleccion)"
    rf" (?:de|del) {_WHO}"
)
_BY = re.compile(
    r"\b(?:satisfech|sufragad|abonad|pagad|asumid|costead|soportad|designad|elegid|nombrad|decidid|fijad)[oa]s?"
    rf" (?:\w+ ){{0,2}}?por (?:y entre )?{_WHO}"
)
_ENDINGS = r"(?:a|an|e|en|era|eran|ara|aran|ira|iran|ar|er|ir)?"
_VERB_FIRST = re.compile(rf"\b{_PAYS}{_ENDINGS} {_WHO}")
_SUBJECT_END = re.compile(
    rf" (?:(?:quien|quienes|la que|el que|las que|los que) )?(?:[a-z]+ ){{0,4}}?{_PAYS}{_ENDINGS}\b"
)
_FREE_FOR = re.compile(rf"\bsin (?:ningun |ninguna )?(?:coste|cargo|gasto|costo)(?: \w+){{0,2}} para {_WHO}")
_VOID = re.compile(r"\b(?:nul[oa]s?|prohib\w+|sin valor|no vale\w*)\b")
"""Words of a sentence that speaks of who may not bear it."""
_NOT = re.compile(r"\b(?:no|nunca|tampoco|ni|en ningun caso|jamas)\b[^,;.:]*$")
_WITHIN = re.compile(r"\b(?:no|tampoco|en ningun caso|nunca|jamas)\b")

_SIDES = (
    frozenset({"worker", "claimant", "representatives"}),
    frozenset({"employer", "defendant", "agency", "principal"}),
    frozenset({"employer", "usuaria", "principal"}),
    frozenset({"manager", "fund", "authority"}),
    frozenset({"court", "authority"}),
)
"""Parties that may be the same person: a worker is the one who claims or the one represented."""


class Bearers(NamedTuple):
    """Kinds of parties that bear something, kinds that do not, and the roles that the sentence speaks of."""

    yes: frozenset[str]
    no: frozenset[str]
    roles: frozenset[str]


def bearers(claim: Claim) -> Iterator[str]:
    """A burden, a cost or a choice of one party that the near sentence gives to another one."""
    if not claim.near or not about(claim):
        return
    if _VOID.search(claim.folded):
        return
    said, there = _bearers(claim.folded), _bearers(claim.there)
    if not there.yes and (party := subject(claim.there)) in NAMES and party != "others":
        there = there._replace(yes=frozenset({party}))
    if not said.roles & there.roles and said.roles and there.roles:
        return
    both = said.yes | there.yes
    other = said.yes and there.yes and not said.yes & there.yes and not any(both <= side for side in _SIDES)
    if other or said.yes & there.no - there.yes or said.no & there.yes - said.yes:
        yield BEARER.format(there=short(claim.nearest))


def _bearers(folded: str) -> Bearers:
    yes: set[str] = set()
    no: set[str] = set()
    for pattern in (_TO, _CHARGE, _BY, _VERB_FIRST):
        for match in pattern.finditer(folded):
            if kinds := _party(folded, match.end()):
                (no if _denied(folded, match.start(), match.end()) else yes).update(kinds)
    for match in _PARTY.finditer(folded):
        if (after := _SUBJECT_END.match(folded, match.end())) and not _led(folded, match.start()):
            (no if _denied(folded, match.start(), after.end()) else yes).add(str(match.lastgroup))
    for match in _FREE_FOR.finditer(folded):
        no.update(_party(folded, match.end()))
    roles = {role for role, stems in _ROLES.items() if re.search(rf"\b(?:{stems})", folded)}
    return Bearers(frozenset(yes), frozenset(no), frozenset(roles))


def _party(folded: str, place: int) -> set[str]:
    """The kinds of party at a place; of a pronoun, the only one that the sentence named before."""
    if found := _PARTY.match(folded, place):
        return {str(found.lastgroup)}
    if _PRONOUN.match(folded, place):
        named = {str(one.lastgroup) for one in _PARTY.finditer(folded[:place])}
        return named if len(named) == 1 else set()
    return set()


def _denied(folded: str, start: int, end: int) -> bool:
    return bool(_NOT.search(folded[:start]) or _WITHIN.search(folded[start:end]))


def _led(folded: str, start: int) -> bool:
    """True for a party after a preposition, which is no subject: «los bienes de la empresa pagarán»."""
    return bool(re.search(r"\b(?:de|del|a|al|por|para|con|sin|en|contra|ante|y|o) $", folded[:start]))
