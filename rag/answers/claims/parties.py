"""Who is bound: the employer on one side and the worker on the other. Pure functions."""

import re
from collections.abc import Iterator

from rag.answers.claims.claim import Claim, short
from rag.text.textnorm import stems

BOUND = "lo que se cita se refiere a {there}: «{quoted}»"
NAMES = {"employer": "la empresa", "worker": "la persona trabajadora", "others": "otras personas"}

_OTHERS = (
    r"(?:representa\w+(?: legal\w*)?(?: y sindical\w*)? de (?:los|las)(?: personas)? trabajador\w+"
    r"|representa\w+ (?:legal|sindical)\w*"
    r"|delegad[oa]s? \w+(?: de personal)?|comites? de empresa|empresa usuaria|juez\w*|autoridad laboral"
    r"|entidad\w*|mutuas?|inspeccion|fondo|servicio publico)"
)
_EMPLOYER = r"empresari[oa]s?|empresas?|emplead(?:or|ora)(?:es)?|parte empleadora|patronal|compania"
_WORKER = (
    r"(?:persona )?trabajador(?:es|as?)?|personas trabajadoras|(?:persona )?empleada?s?"
    r"|empleados?|asalariad[oa]s?|operari[oa]s?"
)
_PARTY = re.compile(rf"\b(?:(?P<others>{_OTHERS})|(?P<employer>{_EMPLOYER})|(?P<worker>{_WORKER}))\b")
_MODAL = re.compile(
    r"\b(?:podran?|pued[ea]n?|debera\w*|deb[ea]n?|habra\w* de|han? de|tendra\w*|tienen?|garantiza\w*"
    r"|corresponde\w*|esta\w* obligad\w+|asum\w+"
    r"|(?!manera|entera|primera|tercera|carrera|espera|cartera)[a-z]{3,}(?:ara|(?<!i)era|ira|aran|(?<!i)eran"
    r"|iran))\b"
)
_AGENT = re.compile(
    rf"\b(?:(?:asum|pag|abon|soport|sufrag|coste)(?:a|an|e|en|ara|aran|ira|iran)|por|a cargo de"
    rf"|de cuenta de|cuenta de|a costa de)l? (?:el |la |los |las |su "
    rf"|cada )?(?={_PARTY.pattern})"
)
_PASSIVE = re.compile(
    r"\b(?:ser|sera|seran|sido|es|son|fue|satisfech\w+|sufragad\w+|abonad\w+|pagad\w+|asumid\w+|cargo"
    r"|cuenta|costa|compensad\w+)\b"
)
_TO = re.compile(
    rf"\b(?:opcion|eleccion|decision|carga|facultad|obligacion"
    rf"|derecho)\b[^,;.]{{0,20}}\b(?:corresponde\w*|es|sera|compete|incumbe)\b(?: siempre)? (?:al? "
    rf"|del? )(?:la |los |las |el )?(?={_PARTY.pattern})"
)
SHARE = 0.5
"""Share of the stems of the sentence, its parties apart, that the law has."""


def parties(claim: Claim) -> Iterator[str]:
    """The one party that may, must or pays in the sentence, where the law has the other one."""
    if not claim.near or not _same_thing(claim) or re.search(r"\bnul[oa]s?\b", claim.folded):
        return
    for who in (_agent, subject):
        said, there = who(claim.folded), who(claim.there)
        if said in NAMES and there in NAMES and said != there and "others" not in (said, there):
            yield BOUND.format(there=NAMES[there], quoted=short(claim.nearest))
            return


def _same_thing(claim: Claim) -> bool:
    own = set(stems(_PARTY.sub(" ", claim.folded)))
    held = set(stems(_PARTY.sub(" ", claim.there)))
    return len(own & held) >= SHARE * len(own)


def subject(folded: str) -> str:
    """The only kind of party before the first verb of duty or faculty; '' without any, or with two."""
    modal = _MODAL.search(folded)
    if not modal:
        return ""
    kinds = {str(match.lastgroup) for match in _PARTY.finditer(folded[: modal.start()])}
    return kinds.pop() if len(kinds) == 1 else ""


def _agent(folded: str) -> str:
    """The only kind of party after «por», «a cargo de»…, of a sentence in the passive voice."""
    if not _PASSIVE.search(folded):
        return ""
    kinds = {
        str(party.lastgroup)
        for match in (*_AGENT.finditer(folded), *_TO.finditer(folded))
        if (party := _PARTY.match(folded, match.end()))
    }
    return kinds.pop() if len(kinds) == 1 else ""
