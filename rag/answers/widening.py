"""Widening of a quotation to the words without which it would say something else. Pure functions."""

import re

from rag.text.segmentation import sentences

# What stands before a quotation in its sentence and turns it round or limits it, and what limits it after.
_BEFORE = re.compile(
    r"\b(?:no|nunca|jam[áa]s|tampoco|ni|sin|salvo|excepto|excepci[óo]n|menos que|[úu]nicamente|solo|s[óo]lo"
    r"|solamente|si|cuando|siempre que|siempre y cuando|en caso de|proh[íi]be\w*|prohibid[oa]s?|nul[oa]s?)\b",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\b(?:salvo|excepto|excepci[óo]n|menos que|sin perjuicio|no obstante|siempre que|siempre y cuando"
    r"|cuando|si|pero|no|ni|sin)\b",
    re.IGNORECASE,
)


def at_words(text: str, start: int, end: int) -> bool:
    """True if the stretch begins and ends where words do."""
    begins = start == 0 or not (text[start - 1].isalnum() and text[start].isalnum())
    return begins and (end == len(text) or not (text[end - 1].isalnum() and text[end].isalnum()))


def widened(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch, up to the start or end of its sentence if a negation, exception or condition is there."""
    for span in sentences(text):
        if span.start < start < span.end and _BEFORE.search(text[span.start : start]):
            start = span.start
        if span.start < end < span.end and _AFTER.search(text[end : span.end]):
            end = span.end
    return start, end
