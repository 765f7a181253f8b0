"""Denials of the sentence where the law grants, and the other way round. Pure functions."""

import re
from collections.abc import Iterator

from rag.answers.claims.claim import Claim, clauses, short
from rag.answers.claims.words import keys, verb
from rag.text.textnorm import stems

DENIED = "lo que se cita dice lo contrario: «{there}»"
SHORTEST = 4
"""Letters of the shortest stem that may be the beginning of another."""

NO = r"(?:no|tampoco|nunca|jamas)"
_AUXILIARY = (
    r"(?:podran?|pueden?|puedan?|podria\w*|seran?|es|son|han?|ven?|veran?|quedan?|quedaran?|deberan?"
    r"|deben?|cabe|cabra"
    r"|tienen? que|tendran? que)"
)
_DENIES = re.compile(
    rf"\b{NO}\s+(?:(?:se|le|les|lo|la|los|las|nos)\s+)?(?:{_AUXILIARY}\s+(?:ser\s+|de\s+|que\s+)?)?"
    r"(?!ten\w+ derecho\b)(?P<word>[a-z]{4,})\b(?!(?:\s+\w+){0,4}\s+(?:mas|menos) de\b)"
    r"(?![^,;:.]*\b(?:sol[oa]|unilateral\w*|por su cuenta)\b)"
)
_NEVER = re.compile(
    rf"\b(?:en ningun caso|bajo ningun concepto|de ningun modo"
    rf"|en modo alguno)\s+(?:se\s+)?(?:{_AUXILIARY}\s+(?:ser\s+)?)?(?P<word>[a-z]{{4,}})\b"
)
_WITHOUT_DOING = re.compile(
    r"\bsin (?:que (?:se )?(?:quepa|pueda\w*|sea posible) )?(?P<word>[a-z]{2,}(?:ar|er|ir)(?:l[aoe]s?|se)?)\b"
    r"|\b(?:nunca|jamas) (?:con|por|en|mediante) (?:l[ao]s? |el )?(?P<thing>[a-z]{5,})\b"
    r"|\ben (?:lugar|vez) de (?:l[ao]s? |el )?(?P<other>[a-z]{5,})\b"
)
_AGAIN = re.compile(r"\b(?:ni|en ningun caso|ningun\w*)\b")
ANY = re.compile(
    r"\b(?:no|ni|sin|nunca|jamas|tampoco|nul[oa]s?|salvo|excepto|excluid\w+|exclu\w+|ningun\w*|carec\w+"
    r"|menos|prohib\w+|vedad\w+"
    r"|imposib\w+|improced\w+|dispens\w+|exim\w+|exent\w+|priv\w+|pierd\w+|perdid\w+)\b"
)
_IF = re.compile(
    r"\b(?:si|cuando|en (?:el )?(?:caso|supuesto|supuestos) de que|quien(?:es)?|siempre que)\b[^,;:.]*"
    rf"|\b(?:en caso )?de {NO} [a-z]+[aei]r(?:se)?\b[^,;:.]*"
)
_IF_NOT = re.compile(rf"(?:(?!{NO}\b)[a-z]+ ){{0,6}}{NO} ")
"""The beginning of a condition with a negation: what it denies is a case and no rule."""
_NEVER_APART = re.compile(r",? (en ningun caso),")
_EXCEPTS = re.compile(r"\b(?:salvo|excepto|a menos que|con excepcion de|a excepcion de)\b[^;.]*")
_FAILS = re.compile(
    r"\b(?:incumplimientos? del?|(?:falta|ausencia) de)(?: (?:el|la|los|las))? [a-z]+|\bincumplimientos?\b"
)
"""A thing that fails: «la falta de pago» says of nobody that he pays."""
_CONCLUDES = re.compile(
    r"\b(?:de modo que|asi que|por lo que|por (?:lo )?tanto|luego|entonces|de forma que"
    r"|de manera que)\b[^;:.]*"
)
"""The conclusion of the sentence about the case: «de modo que no es regular»."""
_TURNS = re.compile(r"\b(?:salvo|excepto|a menos|sino|pero|aunque|unicamente|solo|solamente)\b")
_RIGHT_NO = re.compile(
    rf"\b{NO}\b(?: [a-z]+){{0,3}}? derechos?\b|\bcare\w+ de (?:tod[oa] |el |su )?derecho"
    rf"|\bsin (?:ningun |el )?derecho|\bpierd\w+ (?:el|su|tod[oa]) derecho"
    r"|\b(?:en ningun caso|nunca|jamas|ningun\w*)\b(?: [a-z]+){0,6}? derecho|\bprivad\w+ del? derecho"
    r"|\bderecho alguno\b"
)
_RIGHT = re.compile(
    r"\b(?:tiene|tienen|tendra|tendran|tenga|tengan|da|dan|dara|daran|genera\w*|reconoce\w*|con"
    r"|conserva\w*|mantiene|mantendra\w*|otorga\w*)"
    r",? (?:[a-z]+,? ){0,3}derecho"
)
_WITHOUT = re.compile(rf"\b(?:sin|si no|cuando no|quien(?:es)? no|menos de)\b[^;.]*\b{NO}\b")
"""A right denied to who lacks a requisite, which the law says the other way round."""
_LIMITED = re.compile(
    r"\b(?:mas|menos|exced\w+|super\w+|inferior\w*|mayor\w*|menor\w*|maxim\w+|minim\w+|hasta|tope"
    r"|rebas\w+|pas\w+ de|solo|unicamente)\b"
)
_MODAL = re.compile(r"\b(?:podran?|pued[ea]n?|cabe|cabra)\b")
_NO_MODAL = re.compile(
    rf"\b(?:{NO}|en ningun caso) (?:se )?(?:podran?|pued[ea]n?|cabe|cabra)\b|\b(?:prohib\w+|vedad\w+)\b"
)


def denials(claim: Claim) -> Iterator[str]:
    """A verb, or a right, that one side denies and the other has without any negation."""
    if not claim.near:
        return
    if _rights(claim) or _verbs(claim) or _permissions(claim):
        yield DENIED.format(there=short(claim.nearest))


def _rights(claim: Claim) -> bool:
    """True if one side gives a right and the other takes it, in clauses on the same thing."""
    said, there = _right(claim.folded), _right(claim.there)
    return {said, there} == {"yes", "no"} and not _WITHOUT.search(claim.folded)


def _right(folded: str) -> str:
    """'yes', 'no', or '' for a text that has both or neither."""
    no = bool(_RIGHT_NO.search(folded))
    rest = _RIGHT_NO.sub(" ", folded)
    yes = bool(_RIGHT.search(rest))
    return "" if yes == no else "yes" if yes else "no"


def _verbs(claim: Claim) -> bool:
    said, there = (_NEVER_APART.sub(r" \1", one) for one in (_CONCLUDES.sub(" ", claim.folded), claim.there))
    if max((_negations(one) for one in clauses(said)), default=0) > 1 or _of_exception(said, there):
        return False
    if _EXCEPTS.search(said):
        said, there = _EXCEPTS.sub(" ", said), _EXCEPTS.sub(" ", there)
    mine, its = _denied(said), _denied(there)
    if _meet(mine - its, _affirmed(there) - its):
        return True
    # The law's «si no se paga» is opposed to «si se paga», and to no other sentence that speaks of paying.
    rule = _IF.sub(lambda match: " " if _IF_NOT.match(match[0]) else match[0], there)
    own, other = (" , ".join(_IF.findall(one)) for one in (said, there))
    return _meet(_denied(rule) - mine, _affirmed(said) - mine) or _meet(
        _denied(other) - mine, _affirmed(own) - mine
    )


def _of_exception(said: str, there: str) -> bool:
    """True for a sentence about what the law excepts from its rule."""
    excepted = " ".join(match[0] for match in _EXCEPTS.finditer(there))
    own = keys(_EXCEPTS.sub(" ", said))
    return len(own & keys(excepted)) > len(own & keys(_EXCEPTS.sub(" ", there)))


def _meet(denied: set[str], affirmed: set[str]) -> bool:
    """True for the same verb in both: «subsistirá» has a longer stem than «subsiste»."""
    return any(
        one == other
        or (
            min(len(one), len(other)) >= SHORTEST
            and one[:SHORTEST] == other[:SHORTEST]
            and (one.startswith(other) or other.startswith(one))
        )
        for one in denied
        for other in affirmed
    )


def _negations(clause: str) -> int:
    """Negations of a clause; «ni» and «en ningún caso» beside «no» are the same one."""
    count = len(ANY.findall(clause))
    return count - len(_AGAIN.findall(clause)) if re.search(rf"\b{NO}\b", clause) else count


def _affirmed(folded: str) -> set[str]:
    heard = (_FAILS.sub(" ", one) for one in clauses(folded) if not ANY.search(one))
    return {verb(stem) for one in heard for stem in stems(one)}


def _denied(folded: str) -> set[str]:
    return {
        verb(stem)
        for pattern in (_DENIES, _NEVER)
        for match in pattern.finditer(folded)
        for stem in stems(match["word"])
    } | {
        verb(stem)
        for match in _WITHOUT_DOING.finditer(folded)
        for stem in stems(match["word"] or match["thing"] or match["other"])
    }


def _permissions(claim: Claim) -> bool:
    """True if all that one side says with «poder» is denied and the other allows it, of the same thing."""
    said, there = claim.folded, claim.there
    if any(pattern.search(text) for pattern in (_LIMITED, _TURNS) for text in (said, there)):
        return False
    no_said, no_there = bool(_NO_MODAL.search(said)), bool(_NO_MODAL.search(there))
    yes_said = bool(_MODAL.search(_NO_MODAL.sub(" ", said))) and not ANY.search(said)
    yes_there = bool(_MODAL.search(_NO_MODAL.sub(" ", there)) or _RIGHT.search(there)) and not ANY.search(
        there
    )
    if not ((no_there and yes_said and not yes_there) or (no_said and yes_there and not yes_said)):
        return False
    own, held = set(stems(said)), set(stems(there))
    return len(own & held) >= 0.6 * len(own)
