"""Amounts beside the words of another amount of the same text: «60 % the first 180 days». Pure functions."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from rag.answers.claims.claim import Claim, short
from rag.text.quantities import quantities, spelt
from rag.text.segmentation import has_row, sentences
from rag.text.textnorm import stems

SWAPPED = "en lo que se cita, «{said}» va con otras palabras: «{there}»"
KINDS = frozenset({"days", "months", "hours", "euros", "percent"})
LEAD = 5
"""Words between commas that may belong to the amount after them: «las graves, a los veinte días»."""
SHORT = 4
"""Most words of a stretch of which a single word standing elsewhere is enough."""
RARE = 2
"""Most stretches of the law that may hold a word which tells one amount from another."""
_PARTS = re.compile(r",(?!\d)|[;:]|(?<!\d)\.(?!\d)|\by\b|\bni\b|\bo\b")
_NEGATION = re.compile(r"\b(?:no|sin)\b")
_JOINED = re.compile(
    r"\b(?:sea el|sea la|sean? de|tanto|con independencia|independientemente"
    r"|cualquiera que sea|indistintamente)\b"
    r"(?P<cases>[^;.]*)"
)
"""Words of a sentence that puts two cases together: «sea el contrato indefinido o temporal»."""
_DIGITS = re.compile(r"\d+")


class Part(NamedTuple):
    """A stretch with amounts of one kind, a range for one, the sentence around it, and the words of both."""

    kind: str
    values: frozenset[float]
    words: frozenset[str]
    amount: str
    shown: str
    within: str
    around: frozenset[str]


def order(claim: Claim) -> Iterator[str]:
    """An amount of the law beside words that the law has only beside another amount of that kind."""
    if any(map(has_row, claim.texts)):
        return
    law = [part for text in claim.texts for part in _parts(text)]
    if claim.quoted and (other := _joined(claim, _parts(claim.nearest))):
        yield other
        return
    for one in _parts(claim.said):
        same = [part for part in law if part.kind == one.kind]
        own = [part for part in same if one.values & part.values]
        others = [part for part in same if not one.values & part.values]
        if any(part.within == claim.nearest for part in own):
            others = [part for part in others if part.within == claim.nearest]
        others = [part for part in others if not part.values & _numbers(one.shown)]
        if not own or not others or _NEGATION.search(one.shown):
            continue
        rare = {word for word in one.words if sum(word in part.words for part in same) <= RARE}
        needed = 1 if len(one.words) <= SHORT else 2
        best = max(others, key=lambda part: len(rare & part.words))
        told = rare & best.words
        held = [part.words if part.within == best.within else part.around for part in own]
        if all(
            len(told - words) >= needed
            and not (rare & words) - best.words
            and len(one.words & words) < len(one.words & best.words)
            for words in held
        ):
            yield SWAPPED.format(said=one.amount, there=short(best.shown))
            return


def _numbers(shown: str) -> frozenset[float]:
    """The numbers of a stretch, those without a unit too: «365 días más 180»."""
    return frozenset(float(number) for number in _DIGITS.findall(shown))


def _joined(claim: Claim, parts: tuple[Part, ...]) -> str:
    """Reason to doubt one amount said of two cases when the law has another for one; '' if none."""
    found = _JOINED.search(claim.folded)
    cases = frozenset(stems(found["cases"])) if found else frozenset()
    said = {(one.kind, one.value) for one in claim.amounts}
    for own, other in product(parts, parts):
        unsaid = not any((other.kind, value) in said for value in other.values)
        its = any((own.kind, value) in said for value in own.values)
        if its and unsaid and own.kind == other.kind and cases & (other.words - own.words):
            return SWAPPED.format(said=own.amount, there=short(other.shown))
    return ""


@lru_cache(maxsize=256)
def _parts(text: str) -> tuple[Part, ...]:
    found = []
    for span in sentences(text):
        waiting, sentence = "", text[span.start : span.end]
        around = frozenset(stems(sentence))
        for part in _PARTS.split(spelt(sentence)):
            amounts = [one for one in quantities(part) if one.kind in KINDS and not one.article]
            if not amounts:
                waiting = part if len(part.split()) <= LEAD else ""
                continue
            shown, waiting = f"{waiting} {part}", ""
            for kind in {one.kind: None for one in amounts}:
                own = [one for one in amounts if one.kind == kind]
                values = {f"{one.value:g}" for one in amounts if one.kind != kind}
                words = frozenset(
                    {*stems(_DIGITS.sub(" ", shown)), *values}
                    - {stem for one in own for stem in stems(one.shown)}
                )
                found.append(
                    Part(
                        kind,
                        frozenset(one.value for one in own),
                        words,
                        own[0].shown,
                        " ".join(shown.split()),
                        sentence,
                        around,
                    )
                )
    return tuple(found)
