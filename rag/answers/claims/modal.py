"""A duty of the law told as a faculty, or a faculty as a duty. Pure functions."""

import re
from collections.abc import Iterator

from rag.answers.claims.claim import Claim, short
from rag.answers.claims.negation import NO
from rag.text.textnorm import fold, stems

FACULTY = "lo que se cita es una facultad y no un deber: «{there}»"
DUTY = "lo que se cita es un deber y no una facultad: «{there}»"

_THEN = (
    r"\s+(?:(?:se|ser|haber|tambien|igualmente|asimismo|siempre|necesariamente"
    r"|en todo caso)\s+)*(?P<word>(?!entend|consider|afirm|conclu|deci)[a-z]{4,})"
)
_CAN = re.compile(
    rf"\b(?:podran?|pued[ea]n?|podrian?|cabra?|cabe|(?:es|son|sera|seran) libres? (?:de|para)"
    rf"|esta\w* facultad\w+ para|queda\w* en libertad (?:de|para)"
    rf"|tienen? la (?:facultad|posibilidad|opcion) de){_THEN}"
)
_MUST = re.compile(
    r"\b(?:deberan?|deb[ea]n?|debera|habra de|habran? de|hay que|han? de|tendran? que|tienen? que"
    r"|obligad[oa]s? a|obligacion de"
    r"|es obligatorio|es preceptivo|es imperativo|es necesario|es forzoso|sera obligatorio|sera preceptivo"
    rf"|viene\w* obligad[oa]s? a){_THEN}"
)
_SAYS_FACULTY = re.compile(
    r"\b(?:facultativ\w+|potestativ\w+|opcional\w*|discrecional\w*|queda\w* en libertad|(?:es"
    r"|son) libres? de|si (?:lo )?(?:quiere|desea|estima)\w*"
    r"|a su (?:eleccion|voluntad|arbitrio|criterio)|no esta\w* obligad\w+|no tienen? (?:la )?obligacion"
    r"|no (?:es|sera) obligatori\w+|no tienen? que|no tienen? por que|voluntari\w+)\b"
)
_SAYS_DUTY = re.compile(
    r"\b(?:preceptiv\w+|necesariamente|forzos\w+|imperativ\w+|obligatoriamente|ineludibl\w+"
    r"|esta\w* obligad\w+|inexcusabl\w+)\b"
)
_LAW_CAN = re.compile(r"\b(?:podran?|pued[ea]n?|podria\w*)\b")
_LAW_MUST = re.compile(
    r"\b(?:debera\w*|deb[ea]n?|habra\w* de|han? de|obligad\w+ a|obligacion\w*|obligatori\w+"
    r"|garantizar[a-z]+|vendr\w+ obligad\w+)\b"
)
MOST = 0.5
"""Share of the stems of the sentence that the law has, for a word of duty or faculty to be about the same."""


def modals(claim: Claim) -> Iterator[str]:
    """The same verb, or the same thing, as a duty on one side and as a faculty on the other."""
    near = " . ".join(fold(one) for one in (claim.nearest, *claim.beside))
    can, must = _governed(_CAN, near), _governed(_MUST, near)
    says_can, says_must = _governed(_CAN, claim.folded), _governed(_MUST, claim.folded)
    if (says_must & can) - must - says_can or _told(claim, _SAYS_DUTY, _LAW_CAN, _LAW_MUST):
        yield FACULTY.format(there=short(claim.nearest))
    elif (says_can & must) - can - says_must or _told(claim, _SAYS_FACULTY, _LAW_MUST, _LAW_CAN):
        yield DUTY.format(there=short(claim.nearest))


def _told(claim: Claim, says: re.Pattern[str], other: re.Pattern[str], same: re.Pattern[str]) -> bool:
    """True if the sentence says by a word what the near sentence says otherwise by its only modal."""
    found = says.search(claim.folded)
    if not found or says.search(claim.there) or same.search(claim.there) or not other.search(claim.there):
        return False
    own = set(stems(says.sub(" ", claim.folded)))
    no = re.search(rf"\b{NO}\s+(?:\w+\s+){{0,2}}$", claim.folded[: found.start()])
    return not no and len(own & set(stems(claim.there))) >= MOST * len(own) and not _denies(claim.there)


def _denies(there: str) -> bool:
    return bool(re.search(rf"\b{NO} (?:se )?(?:podra|pued|deb|tendra que)", there))


def _governed(modal: re.Pattern[str], folded: str) -> set[str]:
    return {
        stem
        for match in modal.finditer(folded)
        if not re.search(rf"\b{NO}\s+(?:se\s+|esta\w*\s+)?$", folded[: match.start()])
        for stem in stems(match["word"])
    }
