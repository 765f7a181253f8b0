"""A text as the finders of personal data read it: with its plain form and its words, made once."""

import re
from collections.abc import Container, Iterator
from typing import NamedTuple

from rag.privacy.plain import plain
from rag.text.textnorm import STOPWORDS

SMALL_WORDS = 0.4
_WORD = re.compile(r"[^\W\d_]+")
_BROKEN = re.compile(r"(?<=[^\W\d_])-\n(?P<rest>[^\W\d_]+)")


class Page(NamedTuple):
    """A text, the same in plain letters (`rag.privacy.plain`), and its plain words with their offsets."""

    text: str
    low: str
    words: list[tuple[str, int]]

    def places(self, openers: Container[str]) -> Iterator[tuple[str, int]]:
        """The words that are among `openers`, with their offsets."""
        return (word for word in self.words if word[0] in openers)


def windows(text: str, core: re.Pattern[str], room: int) -> Iterator[tuple[int, int]]:
    """Where `core` occurs, with `room` characters on each side, joined where they touch."""
    start = end = -1
    for match in core.finditer(text):
        if match.start() - room > end:
            if end > 0:
                yield start, end
            start = max(0, match.start() - room)
        end = match.end() + room
    if end > 0:
        yield start, min(end, len(text))


def unbroken(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text, as long as it was, with words joined that a hyphen divides at the end of a line.

    «Fa-⏎chadas» becomes «Fachadas» and two blanks; offsets of what has changed are told too.
    """
    changed: list[tuple[int, int]] = []

    def joined(broken: re.Match[str]) -> str:
        rest = broken["rest"]
        if rest[0].isupper() and not text[broken.start() - 1].isupper():
            return broken[0]
        changed.append(broken.span())
        return f"{rest}  "

    return _BROKEN.sub(joined, text) if "-\n" in text else text, changed


def shouts(page: Page) -> bool:
    """True for sentences all in capitals, where a capital tells nothing; a form has few small words."""
    if not page.text.isupper() or len(page.low) != len(page.text.lower()):
        return False
    return sum(word in STOPWORDS for word, _ in page.words) > SMALL_WORDS * len(page.words)


def page(text: str) -> Page:
    """The text, ready to be searched."""
    low = plain(text)
    return Page(text, low, [(match[0], match.start()) for match in _WORD.finditer(low)])
