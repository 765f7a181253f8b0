"""A brief in one line without what its page puts inside words and between them. Pure functions."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from casework.briefs.brief_lines import PARAGRAPH
from law.cited_span import Span
from text.textnorm import HIDDEN

_S = TypeVar("_S", bound=Span)
_OF_THE_PAGE = re.compile(
    rf"(?<=[a-záéíóúüñ])[-‐\u00ad]\s+(?=[a-záéíóúüñ]{{2}})(?!(?:y|e|o|u|ni)\s)|(?<=[\s{PARAGRAPH}])\s+"
    rf"|[{HIDDEN}\u200c\u200d]+"
)
"""The hyphen of a word broken at the end of a line, the spaces after the first one, and signs nobody sees."""
_USUAL = str.maketrans(
    {**dict.fromkeys("‐‑", "-"), **dict.fromkeys("⁄∕", "/"), **dict.fromkeys("\u00a0\u202f\u205f\u3000", " ")}
    | {space: " " for space in range(0x2000, 0x200B)}
)
"""The usual forms of hyphens, bars and spaces of word processors."""


_MARKS = re.compile(r"(?<=[^\s\d])\[\^?\d{1,3}\]|(?<=\d)\[\^?\d{1,3}\](?=[\s,.;:)])|[*_]{1,3}|[¹²³⁰⁴-⁹]")
"""Emphasis as Markdown writes it, and the marks of notes."""


class Squeezed(NamedTuple):
    """A text, and the offset of each of its characters in the longer one that it was made of."""

    text: str
    origins: Sequence[int]

    def squeezed(self, stretches: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Stretches of the longer text where this one has them."""
        return [
            (bisect_left(self.origins, start), bisect_left(self.origins, end)) for start, end in stretches
        ]

    def restored(self, span: _S, line: str) -> _S:
        """A stretch of this text where the longer one, `line`, has it."""
        start, end = self.origins[span.start], self.origins[span.end - 1] + 1
        return span.model_copy(update={"start": start, "end": end, "text": line[start:end]})


def without_marks(text: str) -> str:
    """The text, as long as it is, without emphasis and marks of notes: «LOLS[1]», «**ET**»."""
    return _MARKS.sub(lambda match: " " * len(match[0]), text)


def squeezed(line: str) -> Squeezed:
    """The text with whole words, single spaces and the usual hyphens and bars."""
    origins: list[int] = []
    cursor = 0
    for match in _OF_THE_PAGE.finditer(line):
        origins += range(cursor, match.start())
        cursor = match.end()
    origins += range(cursor, len(line))
    return Squeezed("".join(map(line.__getitem__, origins)).translate(_USUAL), origins)
