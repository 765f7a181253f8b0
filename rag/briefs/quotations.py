"""Quotations of a brief: their words, and the provision that the brief gives for each. Pure functions."""

import re
from collections.abc import Sequence

from rag.answers.quoted import MIN_WORDS, in_marks
from rag.briefs.findings import Provision, Quotation, Ruling, Span
from rag.briefs.lines import PARAGRAPH

FAR = 320
CLOSE = 70
_IN_BRACKETS = re.compile(r"[»”\"’'\s.,;]*[(\[]\s*(?:[a-záéíóúA-Z.]{1,12}\s+){0,3}")
_SOON_AFTER = re.compile(
    r"[»”\"’'\s]*[,–—-]?\s*(?:seg[úu]n|conforme|como|tal|en palabras|a tenor|dice|dec[íi]a|dispon[eí]a?"
    r"|establec[eí]a?|reza(?:ba)?|proclama|se[ñn]ala(?:ba)?|ordena|ex|de acuerdo|de conformidad|por mandato"
    r"|en expresi[óo]n|exig[eí]a?|prev[ée](?:[íi]a)?|recog[eí]a?|afirma|a[ñn]ade|declara|concluye|advierte"
    r"|precisa|sostiene)\b[^.;«»¶]{0,60}"
)
_INTRODUCED = re.compile(
    r"(?::|\b(?:que|dice|dispone|establece|señala|reza|ordena|proclama|prev[ée]|exige|declara|prescribe"
    r"|literal(?:mente)?|tenor|como|seg[úu]n el cual|cuando|al decir|expresa|recoge|impone))"
    r"\s*[,:]?\s*[(\[…. ]*$"
)
_LISTED = re.compile(r"\s*(?:,|y|e|,\s*y|en relaci[óo]n con(?: el| los)?)\s*")


def quotations(text: str) -> list[Span]:
    """The quotations of a text as `lines.flat` has it; less than MIN_WORDS words may be a name or a term."""
    found = []
    for start, end in in_marks(text.replace(PARAGRAPH, "\n")):
        words = text[start:end].strip(f" {PARAGRAPH}")
        if len(re.findall(r"\w+", words)) >= MIN_WORDS:
            begin = text.index(words, start)
            found.append(Span(start=begin, end=begin + len(words), text=words))
    return found


def attributed(
    text: str, spans: Sequence[Span], provisions: Sequence[Provision], rulings: Sequence[Ruling]
) -> list[Quotation]:
    """Each quotation with the provisions that the text gives for it."""
    return [_attributed(text, span, spans, provisions, rulings) for span in spans]


def _attributed(
    text: str,
    span: Span,
    spans: Sequence[Span],
    provisions: Sequence[Provision],
    rulings: Sequence[Ruling],
) -> Quotation:
    cited: list[Provision | Ruling] = [*provisions, *rulings]
    after = [one for one in cited if 0 <= one.start - span.end <= CLOSE]
    in_brackets = [one for one in after if _IN_BRACKETS.fullmatch(text[span.end : one.start])]
    if in_brackets:
        return _quotation(text, span, in_brackets[0], provisions)
    before = _before(text, span, spans, cited)
    introduced = _INTRODUCED.search(text[max(0, span.start - 60) : span.start].rstrip(" «“\"'‘"))
    if before and introduced:
        return _quotation(text, span, before, provisions)
    soon = [one for one in after if _SOON_AFTER.fullmatch(text[span.end : one.start])]
    if soon:
        return _quotation(text, span, soon[0], provisions)
    if before:
        return _quotation(text, span, before, provisions)
    return Quotation(**span.model_dump())


def _before(
    text: str, span: Span, spans: Sequence[Span], cited: Sequence[Provision | Ruling]
) -> Provision | Ruling | None:
    """The last citation before the quotation, in its paragraph or in the one that announces it."""
    floor = text.rfind(PARAGRAPH, 0, span.start)
    opening = text[floor + 1 : span.start].strip(" «“\"'‘")
    if floor >= 0 and not opening and text[:floor].rstrip(f" {PARAGRAPH}").endswith((":", ",")):
        floor = text.rfind(PARAGRAPH, 0, len(text[:floor].rstrip(f" {PARAGRAPH}")))
    # An article that stands in a parenthesis after an earlier quotation is that one's.
    earlier = [one.end for one in spans if one.end < span.start]
    last = max(earlier, default=-1)
    near = [
        one for one in cited if floor < one.start and one.end <= span.start and span.start - one.end <= FAR
    ]
    own = [
        one for one in near if not (one.start > last >= 0 and _IN_BRACKETS.fullmatch(text[last : one.start]))
    ]
    return max(own, key=lambda one: one.start, default=None)


def _quotation(text: str, span: Span, of: Provision | Ruling, provisions: Sequence[Provision]) -> Quotation:
    if isinstance(of, Ruling):
        return Quotation(**span.model_dump(), of_ruling=True)
    place = list(provisions).index(of)
    cited = [place]
    while cited[0] > 0 and _LISTED.fullmatch(text[provisions[cited[0] - 1].end : provisions[cited[0]].start]):
        cited.insert(0, cited[0] - 1)
    while cited[-1] + 1 < len(provisions) and _LISTED.fullmatch(
        text[provisions[cited[-1]].end : provisions[cited[-1] + 1].start]
    ):
        cited.append(cited[-1] + 1)
    return Quotation(**span.model_dump(), cited=tuple(cited))
