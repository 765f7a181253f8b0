"""Words changed in what is otherwise a copy of a sentence of the law. Pure functions."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from rag.answers.claims.claim import Claim, short
from rag.answers.claims.words import in_one
from rag.text.figures import digits
from rag.text.textnorm import fold

CHANGED = "el texto dice «{there}» donde aquí se dice «{said}»"
ADDED = "el texto no dice «{said}»"
LEFT_OUT = "al texto le falta aquí «{there}»"
LITERAL, COPIED = 12, 0.7
"""Words in a row, and share of the words of a sentence, that make it a copy."""
MOST_CHANGES, FEW = 2, 3

_ENUMERATOR = re.compile(r"^(?:\d{1,2}\.|[a-zñ]{1,2}\)|\d{1,2}\.?[ªº])\s")
_WORD = re.compile(r"\w+")
_REFERENCE = re.compile(
    r"\b(?:(?:articulos?|apartados?|letras?|numeros?|ley|estatuto|real decreto)\b(?:\s+(?:\d[\d.]*"
    r"|[a-z])\b)?)"
)
_WEIGHTY = re.compile(
    r"\d[\d.,]*|\b(?:no|ni|sin|con|nunca|tampoco|salvo|excepto|siempre|solo|unicamente|si|EMPLOYER"
    r"|WORKER|comite"
    r"|representant\w*|juez|podra\w*|pued\w+|deber\w*|debe\w*|MINIMUM|MAXIMUM|menos|mas|antes|despues"
    r"|habil\w*|natural\w*"
    r"|improcedent\w*|procedent\w*|nul[oa]\w*|voluntari\w+|obligatori\w+|anterior\w*|posterior\w*"
    r"|inferior\w*|superior\w*"
    r"|hasta|algun\w*|ningun\w*|eleccion\w*|expres[oa]\w*|tacit[oa]\w*|motivad\w+|escrit\w+|verbal\w*"
    r"|grave\w*|leve\w*"
    r"|diari\w+|semanal\w*|mensual\w*|anual\w*|dias?|mes(?:es)?|anos?|horas?|brut[oa]\w*|net[oa]\w*"
    r"|parcial\w*|total\w*)\b"
)
_TURNING = frozenset({"no", "sin", "con", "ni", "nunca", "jamas", "tampoco"})
_WITH = re.compile(r"\bcon\b")
"""Turns «sin» round; in the place of other words («en el que conste») it says the same."""
_PARTIES = frozenset({"EMPLOYE", "WORKER"})
"""Left out where nobody else is named: «hay que avisar» for «la empresa deberá avisar»."""
_CONDITION = re.compile(
    r"^(?:salvo|excepto|siempre que|a menos que|si)\b|\b(?:salvo que|salvo pacto|excepto)\b"
)
_ANY_NEGATION = re.compile(
    r"\b(?:no|ni|sin|nunca|tampoco|nul[oa]s?|salvo|excepto|excluid\w+|exclu\w+|ningun\w*|carec\w+|menos)\b"
)


class _Gap(NamedTuple):
    """Words of the law, those that the sentence has in their place, and more of the law where it goes on."""

    gone: list[str]
    new: list[str]
    around: Sequence[str] = ()

    def moved(self, there: Sequence[str]) -> bool:
        """True for added words that the sentence of the law, folded, has elsewhere."""
        return not self.gone and f" {fold(' '.join(self.new))} " in f" {' '.join(there)} "


def changes(claim: Claim) -> Iterator[str]:
    """Differences of a sentence that copies one of the law, the first MOST_CHANGES."""
    said, folded = _words(claim.said)
    if len(said) < LITERAL:
        return
    for one in claim.near:
        there, plain = _words(_ENUMERATOR.sub("", one))
        matcher = SequenceMatcher(None, plain, folded, autojunk=False)
        blocks = [block for block in matcher.get_matching_blocks() if block.size >= FEW]
        if sum(block.size for block in blocks) < max(LITERAL, COPIED * len(said)):
            continue
        gaps = [
            _Gap(there[first.a + first.size : second.a], said[first.b + first.size : second.b])
            for first, second in pairwise(blocks)
        ]
        first, last = blocks[0], blocks[-1]
        if 0 < first.b <= FEW and first.a:
            before = there[: first.a]
            gaps.insert(0, _Gap(before[-FEW:], said[: first.b], before))
        end = last.b + last.size
        if 0 < len(said) - end <= FEW:
            after = there[last.a + last.size :][: 2 * FEW]
            gaps.append(_Gap(after[: len(said) - end + 1], said[end:], after))
        for gone, new, _ in [gap for gap in gaps if not gap.moved(plain) and _matters(gap)][:MOST_CHANGES]:
            told = CHANGED if gone and new else ADDED if new else LEFT_OUT
            yield told.format(there=short(" ".join(gone)), said=short(" ".join(new)))
        return


@lru_cache(maxsize=1024)
def _words(text: str) -> tuple[list[str], list[str]]:
    """The words of a text as written, and folded."""
    written = _WORD.findall(text)
    return written, [fold(word) for word in written]


def _matters(gap: _Gap) -> bool:
    """True for weighty words that a copy has changed, added or left out.

    Other words left out may be a summary; references may be added.
    """
    gone, new = " ".join(gap.gone), " ".join(gap.new)
    was, now = _plain(gone), _plain(_REFERENCE.sub(" ", fold(new)))
    if not new.strip():
        return bool(_CONDITION.search(was)) or (len(was.split()) <= FEW and bool(_ANY_NEGATION.search(was)))
    turned = [{*side.split()} & _TURNING for side in (was, now)]
    if gone and turned[0] | turned[1] == {"con"}:
        was, now, turned = _WITH.sub(" ", was), _WITH.sub(" ", now), []
    if turned and turned[0] != turned[1] and (gone or "no" in now.split()):
        return True
    has, had = _weights(now), _weights(was)
    lost = had - has if has & _PARTIES else had - has - _PARTIES
    return bool(has - had - _weights(_plain(" ".join(gap.around)))) or (
        bool(lost) and len(was.split()) <= 2 * FEW
    )


def _plain(text: str) -> str:
    return in_one("copies", fold(digits(text)))


def _weights(text: str) -> set[str]:
    return {match[0][:7].rstrip("s") for match in _WEIGHTY.finditer(text)}
