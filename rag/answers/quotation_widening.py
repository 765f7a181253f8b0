"""Widening of a quotation to the words without which it would say something else. Pure functions."""

import re
from collections.abc import Iterable

from law.provision import Provision
from text.segmentation import Span

# What stands before a quotation in its sentence and turns it round or limits it, and what limits it after.
_BEFORE = re.compile(
    r"\b(?:no|nunca|jam[áa]s|tampoco|ni|sin|salvo|excepto|excepci[óo]n|menos que|[úu]nicamente|solo|s[óo]lo"
    r"|solamente|si|cuando|siempre que|siempre y cuando|en caso de|proh[íi]be\w*|prohibid[oa]s?|nul[oa]s?)\b",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\b(?:salvo|excepto|excepci[óo]n|menos que|sin perjuicio|no obstante|siempre que|siempre y cuando"
    r"|cuando|si|pero|no|ni|sin)\b|^\W*(?:o|u)\b",
    re.IGNORECASE,
)
# What no quotation may cut out in silence, or leave right before it or after it.
_TURNS = re.compile(r"\b(no|nunca|jam[áa]s|tampoco|salvo|excepto|a menos que)\b", re.IGNORECASE)
_LEADS = re.compile(r"\b(no|nunca|tampoco)(?:\s+\w+){0,3}\s*$", re.IGNORECASE)
_EXCEPTS = re.compile(r"(?:\w+[.)]\s+)?(salvo|excepto|a menos que)\b", re.IGNORECASE)
_LIMITS = re.compile(r"\b(salvo|excepto|a menos que|siempre que|siempre y cuando)\b", re.IGNORECASE)
# The beginning of a sentence that takes back something of the one before it.
_TAKES_BACK = re.compile(
    r"(?:de (?:est[ea]|dich[oa]|lo anterior)\b[^.;]{0,60}?\bse except[úu]\w*|se except[úu]\w*|no obstante"
    r"|sin embargo"
    r"|(?:y |y ello |ello )?(?:salvo|excepto)\b|excepcionalmente|por excepci[óo]n"
    r"|lo (?:anterior|dispuesto en (?:este|el) \w+) no\b"
    r"|(?:en todo caso, )?(?:lo anterior|est[aeo]s?|dich[oa]s?|ello)\b[^.;]{0,80}?"
    r"\b(?:no|s[óo]lo|[úu]nicamente)\b"
    r"|lo (?:establecido|dispuesto|previsto) en[^.;]{0,60}\bsalvo"
    r"|quedan? excluid\w+)",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"(?:\w{1,3}[.)] )?(?:(?:transcurrid|cumplid|finalizad|vencid|agotad|superad)[oa]s? |durante |en |de |a "
    r"|para |por |con |contra |desde |hasta |sin )?(?:dich[oa]s?|tal(?:es)?|aquel(?:l[oa]s?)?|est[aeo]s?"
    r"|el mism[oa]|l[oa]s? mism[oa]s?|lo anterior|ell[oa]s?"
    r"|(?:el|la|los|las) (?:citad|mencionad|referid|indicad)[oa]s?)\b(?! (?:artículo|ley|norma|título"
    r"|capítulo|sección|estatuto|real decreto|disposición|reglamento|código))",
    re.IGNORECASE,
)
"""The beginning of a sentence that says nothing without the one before it."""
_DECIMAL = re.compile(r"\d(?:[.,]|[\u00a0\u202f ](?=\d{3}(?!\d)))\d")
WHOLE = 900
"""Characters of a sentence that is always quoted whole: no list of words names every condition."""


def at_words(text: str, start: int, end: int) -> bool:
    """True if the stretch begins and ends where words and figures do."""
    return _between_words(text, start) and _between_words(text, end)


def _between_words(text: str, place: int) -> bool:
    if place in (0, len(text)):
        return True
    if text[place - 1].isalnum() and text[place].isalnum():
        return False
    inside = (_DECIMAL.match(text, at) for at in (place - 2, place - 1) if at >= 0)
    return not any(match and match.start() < place < match.end() for match in inside)


def widened(provision: Provision, start: int, end: int, whole: int = WHOLE) -> tuple[int, int]:
    """The stretch, up to the start and end of its sentence; of a long one, if that says a condition there.

    So is what follows it, if that takes something back: in its paragraph, or in the next that begins no part.

    Args:
        whole: characters of a sentence that is not long.
    """
    text = provision.text
    for span in provision.sentences:
        short = span.end - span.start <= whole
        if span.start < start < span.end and (short or _BEFORE.search(text[span.start : start])):
            start = span.start
        if span.start < end < span.end and (short or _AFTER.search(text[end : span.end])):
            end = span.end
    for span in provision.sentences:
        gap = text[end : span.start] if span.start > end else "."
        if not gap.strip() and gap.count("\n") < 2 and _TAKES_BACK.match(text, span.start):
            end = span.end
    return start, end


def before(provision: Provision, start: int, most: int = WHOLE) -> int:
    """The start of a stretch, or of the sentence before it, if it points back to one of its paragraph."""
    if not _POINTS_BACK.match(provision.text, start):
        return start
    for span in provision.sentences:
        gap = provision.text[span.end : start] if span.end <= start else "."
        if not gap.strip() and gap.count("\n") < 2 and start - span.start <= most:
            return start if lead(provision, span.start, span.end) else span.start
    return start


def turns(text: str) -> bool:
    """True if a text denies or excepts."""
    return bool(_TURNS.search(text))


def lead(provision: Provision, start: int, end: int) -> Span | None:
    """The sentence that announces the list of which the stretch quotes a member; None outside of any."""
    inside = (one.lead for one in provision.members if one.start <= start and end <= one.end)
    return next(inside, None)


def announced(provision: Provision, start: int, end: int) -> Span | None:
    """The members of the list that the end of the stretch announces; None if it announces none."""
    own = [one for one in provision.members if one.lead and start < one.lead.end <= end]
    return Span(own[0].start, own[-1].end) if own and own[0].start >= end else None


def left_out(provision: Provision, start: int, end: int) -> tuple[str, str]:
    """The words of its first sentence left out before the stretch, and of its last one after it."""
    before = after = ""
    for span in provision.sentences:
        if span.start < start < span.end:
            before = provision.text[span.start : start]
        if span.start < end < span.end:
            after = provision.text[end : span.end]
    return before, after


def says(text: str) -> bool:
    """True of a text with a letter or a figure."""
    return any(map(str.isalnum, text))


def left_out_turns(provision: Provision, start: int, end: int, cut: Iterable[str] = ()) -> str:
    """The first word that turns or limits a quotation and that it leaves out, 'no' or 'salvo'; or empty.

    Args:
        cut: what the quotation leaves out inside.
    """
    before, after = left_out(provision, start, end)
    inside = (_TURNS.search(words) for words in cut)
    found = (*inside, _LEADS.search(before), _EXCEPTS.match(before), _LIMITS.search(after))
    return next((one[1].lower() for one in found if one), "")
