"""A sentence of an answer and the sentences of the law that it may be about. Pure functions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from rag.answers.claims.words import keys
from rag.text.quantities import Quantity, quantities, spelt
from rag.text.segmentation import sentences
from rag.text.textnorm import fold, stems

NEAR = 0.45
"""Share of the stems of a sentence that a sentence of the law has, for the two to say the same."""
FEWEST = 3
"""Stems of a clause that is compared alone: padding must not hide it."""
ENOUGH, PART, MORE = 2, 4, 1
"""Keys that a claim shares with a sentence quoted beside it, to be about it (or one in PART of those of a
short one), and how many more of them another sentence of the law may have."""
SHOWN = 12
"""Words of the law that a reason shows."""

_MARKUP = re.compile(r"<!--.*?-->|[*_~`#]+")
_HEADING = re.compile(r"(?:Art[íi]culo|Disposici[óo]n|Anexo)\b")
CLAUSE = re.compile(r"[,.](?!\d)|[;:()]|\s[—–-]\s")


@dataclass(frozen=True)
class Claim:
    """A sentence with what it is held against.

    Attributes:
        said: the sentence without markup.
        near: the sentences of the cited texts that say something of the same, the nearest first.
        texts: the texts that it cites.
        given: texts of the person, whose amounts are those of the case.
        beside: the sentences of the law that the answer quotes beside the claim.
        quoted: True if the first near sentence is one of them.
    """

    said: str
    near: tuple[str, ...]
    texts: tuple[str, ...]
    given: tuple[str, ...]
    beside: tuple[str, ...] = ()
    quoted: bool = False

    @cached_property
    def folded(self) -> str:
        return fold(self.said)

    @property
    def nearest(self) -> str:
        return self.near[0] if self.near else ""

    @cached_property
    def there(self) -> str:
        """The nearest sentence of the law, folded; empty without any."""
        return fold(self.nearest)

    @cached_property
    def shared(self) -> frozenset[str]:
        """The keys that the claim and the nearest sentence share."""
        return keys(self.said) & keys(self.nearest)

    @cached_property
    def law(self) -> str:
        """The cited texts, folded."""
        return _law(self.texts)

    @cached_property
    def spelt(self) -> str:
        """The sentence folded, its numbers in digits."""
        return spelt(self.said)

    @cached_property
    def amounts(self) -> tuple[Quantity, ...]:
        return quantities(self.said)

    @cached_property
    def known(self) -> tuple[Quantity, ...]:
        """The amounts of the law."""
        return tuple(one for text in self.texts for one in quantities(text))

    @cached_property
    def of_case(self) -> tuple[Quantity, ...]:
        """The amounts of the person's case."""
        return tuple(one for text in self.given for one in quantities(text))


def claim(
    sentence: str, texts: Sequence[str], given: Sequence[str] = (), quotes: Sequence[str] = ()
) -> Claim:
    """The sentence, with the sentences of the texts that are near enough.

    Args:
        quotes: what the answer quotes beside the sentence, letter by letter from the texts.
    """
    said = " ".join(_MARKUP.sub("", sentence).replace("|", ",").split())
    parts = [frozenset(stems(said))]
    parts += [part for one in CLAUSE.split(said) if len(part := frozenset(stems(one))) >= FEWEST]
    law = [one for text in texts for one in _sentences(text)]
    shares = ((max(len(part & held.stems) / max(1, len(part)) for part in parts), held.text) for held in law)
    near = [text for _, text in sorted((pair for pair in shares if pair[0] >= NEAR), reverse=True)]
    beside = _quoted(law, quotes)
    first = _first(said, law, beside)
    if first:
        near = [first, *(one for one in near if one != first)]
    shown = tuple(one.text for one in beside)
    return Claim(said, tuple(near), tuple(texts), tuple(given), shown, quoted=bool(first))


@lru_cache(maxsize=64)
def _law(texts: tuple[str, ...]) -> str:
    return fold("\n".join(texts))


class _Sentence(NamedTuple):
    """A sentence of the law with its stems, its keys and its words in one line."""

    text: str
    stems: frozenset[str]
    keys: frozenset[str]
    plain: str
    amounts: frozenset[tuple[str, float]]


def _quoted(law: Sequence[_Sentence], quotes: Sequence[str]) -> list[_Sentence]:
    plain = [" ".join(quote.split()) for quote in quotes]
    return [one for one in law if any(one.plain in quote or quote in one.plain for quote in plain)]


def _first(said: str, law: Sequence[_Sentence], beside: Sequence[_Sentence]) -> str:
    """The quoted sentence that a claim is most likely about; '' if another one shares many more keys.

    Amounts count as keys: a list says the same of each of its ages.
    """
    if not beside:
        return ""
    own, amounts = keys(said), _amounts(said)

    def alike(one: _Sentence) -> int:
        return len(own & one.keys) + len(amounts & one.amounts)

    best = max(beside, key=alike)
    shared = alike(best)
    most = max((alike(one) for one in law if not _HEADING.match(one.text)), default=0)
    enough = shared >= ENOUGH or PART * shared >= len(best.keys) > 0
    return best.text if enough and shared + MORE >= most else ""


@lru_cache(maxsize=128)
def _sentences(text: str) -> tuple[_Sentence, ...]:
    """The sentences of a text of the law."""
    said = (text[span.start : span.end] for span in sentences(text))
    return tuple(
        _Sentence(one, frozenset(stems(one)), keys(one), " ".join(one.split()), _amounts(one)) for one in said
    )


def _amounts(text: str) -> frozenset[tuple[str, float]]:
    return frozenset((one.kind, one.value) for one in quantities(text))


def clauses(folded: str) -> list[str]:
    """The text between commas, stops, brackets and dashes."""
    return [one for part in CLAUSE.split(folded) if (one := part.strip())]


def short(sentence: str) -> str:
    """The first words of a sentence of the law, as a reason shows them."""
    said = sentence.split()
    return " ".join(said) if len(said) <= SHOWN else f"{' '.join(said[:SHOWN])}…"
