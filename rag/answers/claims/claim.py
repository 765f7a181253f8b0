"""A sentence of an answer and the sentences of the law that it may be about. Pure functions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rag.text.quantities import Quantity, quantities, spelt
from rag.text.segmentation import sentences
from rag.text.textnorm import fold, stems

NEAR = 0.45
"""Share of the stems of a sentence that a sentence of the law has, for the two to say the same."""
FEWEST = 3
"""Stems of a clause that is compared alone: padding must not hide it."""
SHOWN = 12
"""Words of the law that a reason shows."""

_MARKUP = re.compile(r"<!--.*?-->|[*_~`#]+")
CLAUSE = re.compile(r"[,.](?!\d)|[;:()]|\s[—–-]\s")


@dataclass(frozen=True)
class Claim:
    """A sentence with what it is held against.

    Attributes:
        said: the sentence without markup.
        near: the sentences of the cited texts that say something of the same, the nearest first.
        texts: the texts that it cites.
        given: texts of the person, whose amounts are those of the case.
    """

    said: str
    near: tuple[str, ...]
    texts: tuple[str, ...]
    given: tuple[str, ...]

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
    def law(self) -> str:
        """The cited texts, folded."""
        return fold("\n".join(self.texts))

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


def claim(sentence: str, texts: Sequence[str], given: Sequence[str]) -> Claim:
    """The sentence, with the sentences of the texts that are near enough."""
    said = " ".join(_MARKUP.sub("", sentence).replace("|", ",").split())
    parts = [frozenset(stems(said))]
    parts += [part for one in CLAUSE.split(said) if len(part := frozenset(stems(one))) >= FEWEST]
    law = [one for text in texts for one in _sentences(text)]
    shares = ((max(len(part & held) / max(1, len(part)) for part in parts), one) for one, held in law)
    near = sorted((pair for pair in shares if pair[0] >= NEAR), reverse=True)
    return Claim(said, tuple(one for _, one in near), tuple(texts), tuple(given))


@lru_cache(maxsize=128)
def _sentences(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The sentences of a text of the law, each with its stems."""
    said = (text[span.start : span.end] for span in sentences(text))
    return tuple((one, frozenset(stems(one))) for one in said)


def clauses(folded: str) -> list[str]:
    """What stands between commas, stops, brackets and dashes."""
    return [one for part in CLAUSE.split(folded) if (one := part.strip())]


def short(sentence: str) -> str:
    """The first words of a sentence of the law, as a reason shows them."""
    said = sentence.split()
    return " ".join(said) if len(said) <= SHOWN else f"{' '.join(said[:SHOWN])}…"
