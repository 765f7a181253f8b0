"""The words of a quotation looked up in a text: letter by letter with its cuts, or the nearest ones. Pure."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from casework.briefs.joined_text import squeezed
from law.diff import Change, Run, compare
from law.provision_reading import read_provision
from rag.answers.quotation_widening import left_out_turns
from rag.answers.quoted_words import places
from rag.answers.verbatim import locate, typeset

CUT = " (…) "
LIKE = 0.5
"""Share of common words from which a stretch of the law counts as what the quotation meant."""
_WORD = re.compile(r"\w+|[^\w\s]")
_CUTS = re.compile(r"[(\[]\s*(?:…|\.\s?\.\s?\.)\s*[)\]]|…|\.\.\.|\[[^\[\]\n]{2,200}\]")
_SIC = re.compile(r"\s*[(\[]\s*sic\s*[)\]]", re.IGNORECASE)
_ONE_LETTER = re.compile(r"\[(\w)\](?=\w)")
_EMPHASIS = re.compile(
    r"\s*[(\[](?:el )?(?:énfasis|subrayado|negrita|cursiva)[^)\]]{0,40}[)\]]", re.IGNORECASE
)
_ENDS_IN_NO = re.compile(r"\b(?:no|ni|nunca|tampoco)(?:\s+(?:se|le|les|lo|la|los|las))?\s*$", re.IGNORECASE)
_BEFORE_VERB = 20
_EDGE = " \t\n.,;:¶-–—«»“”\"'‘’"


_typeset = lru_cache(maxsize=20_000)(typeset)
"""Of single words, which texts share."""


class Found(NamedTuple):
    """Where a quotation stands in a text: the stretches of its pieces, in order."""

    spans: tuple[tuple[int, int], ...]

    @property
    def start(self) -> int:
        return self.spans[0][0]

    @property
    def end(self) -> int:
        return self.spans[-1][1]


class Near(NamedTuple):
    """The likest words of a text: share of words in common, and runs from it to the quotation."""

    likeness: float
    runs: tuple[Run, ...]


def pieces(quote: str) -> list[str]:
    """The words of a quotation between its cuts, without «[sic]» and notes on its emphasis."""
    whole = squeezed(quote.replace("¶", " ")).text
    plain = _ONE_LETTER.sub(r"\1", _EMPHASIS.sub("", _SIC.sub("", whole)))
    parts = (part.strip(_EDGE) for part in _CUTS.split(plain))
    return [part for part in parts if re.search(r"\w", part)]


def find_quotation(parts: Sequence[str], text: str) -> Found | None:
    """Where the pieces stand in the text, each after the one before it; None if one does not."""
    spans = places(parts, text)
    return Found(tuple(spans)) if spans else None


def may_hold(parts: Sequence[str], plain: str) -> bool:
    """True unless a text, as `typeset` writes it, surely lacks one of the pieces; cheap."""
    return all(part[1:] in plain for part in parts)


def prepared(parts: Sequence[str]) -> list[str]:
    """The pieces as `may_hold` compares them."""
    return [typeset(part).strip() for part in parts]


def nearest(parts: Sequence[str], text: str) -> Near:
    """The stretch of the text that is most like the quotation, compared word by word."""
    runs: list[Run] = []
    common = total = 0.0
    for number, part in enumerate(parts):
        start, end, likeness = _window(part, text)
        size = len(_WORD.findall(part))
        common, total = common + likeness * size, total + size
        if number:
            runs.append(Run(kind=Change.EQUAL, text=CUT))
        runs += compare(*prepared((text[start:end], part)))
    return Near(common / total if total else 0.0, tuple(runs))


def _window(part: str, text: str) -> tuple[int, int, float]:
    """Start and end of the likest stretch of the text, and the share of words in common."""
    exact = locate(part, text)
    if exact:
        return *exact, 1.0
    words = list(_WORD.finditer(text))
    law = [_typeset(word[0].lower()) for word in words]
    said = [_typeset(word) for word in _WORD.findall(part.lower())]
    if not law or not said:
        return 0, 0, 0.0
    blocks = SequenceMatcher(None, law, said, autojunk=False).get_matching_blocks()
    anchor = max(blocks, key=lambda one: one.size)
    if not anchor.size:
        return 0, 0, 0.0
    slack = len(said) // 3 + 4
    low = max(0, anchor.a - anchor.b - slack)
    high = min(len(law), anchor.a - anchor.b + len(said) + slack)
    inner = [
        one
        for one in SequenceMatcher(None, law[low:high], said, autojunk=False).get_matching_blocks()
        if one.size
    ]
    if not inner:
        return 0, 0, 0.0
    start = max(low, low + inner[0].a - inner[0].b)
    last = inner[-1]
    stop = min(high, low + last.a + last.size + (len(said) - last.b - last.size))
    likeness = 2 * sum(one.size for one in inner) / (len(said) + max(stop - start, 1))
    return words[start].start(), words[max(stop - 1, start)].end(), likeness


def hides_a_no(found: Found, text: str) -> bool:
    """True if a cut swallows the «no» of the words that follow it: «podrán (…) exigirse»."""
    pairs = zip(found.spans, found.spans[1:], strict=False)
    return any(_ENDS_IN_NO.search(text[one[1] : two[0]]) for one, two in pairs)


def lost_no(found: Found, text: str) -> str:
    """The «no» of the verb that the words begin with, right before them: that of «no recaerá»; or empty."""
    lost = _ENDS_IN_NO.search(text[max(0, found.start - _BEFORE_VERB) : found.start])
    return lost[0] if lost else ""


def turned(found: Found, text: str) -> str:
    """A word beside the quotation, or that it cuts out, which turns or limits it; empty without any."""
    inside = [text[one[1] : two[0]] for one, two in zip(found.spans, found.spans[1:], strict=False)]
    return left_out_turns(read_provision(text), found.start, found.end, inside)
