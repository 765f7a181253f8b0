"""A text as the finders of personal data read it: with its plain form and its words, made once."""

import re
from collections.abc import Container, Iterator
from typing import NamedTuple

from masking.plain import plain
from text.textnorm import STOPWORDS

SMALL_WORDS = 0.4
_WORD = re.compile(r"[^\W\d_]+")
# As scans have them: a letter read for a digit («B1O2244l7»), a digit for a letter («C0RRALES», «NlF»).
_NO_DIGIT = re.compile(
    r"(?<!\w)(?=[A-Z]?[OoIl]{0,9}\d|[A-Z]\d)[A-Z]?[\dOoIl]{2,24}[A-Za-z]?(?!\w)|(?<=\d )l(?= \d)"
)
_DIGITS = str.maketrans("OoIl", "0011")
_NO_LETTER = re.compile(
    r"(?P<o>(?<=[^\W\d_])0(?=[^\W\d_]{2})|(?<=[^\W\d_]{2})0(?![\d_])(?=[^\W\d_]|(?!\w))"
    r"|(?<=(?<!\w)[A-Z])0(?=[A-Z](?!\w)))|(?<=[A-ZÑ])l(?=[A-ZÑ])|(?<=[A-Z]\.)l(?=\.)|(?<!\w)l(?=[A-ZÑ]{2})"
)
_BROKEN = re.compile(r"(?<=[^\W\d_])-\n(?P<rest>[^\W\d_]+)")


class Page(NamedTuple):
    """A text, the same in plain letters (`masking.plain`), and its plain words with their offsets."""

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


def corrected(text: str) -> str:
    """The text, as long as it was, with the digits and letters that a scan takes for each other put right."""
    if "__" in text:
        # The line of a form to write on.
        text = re.sub(r"__+", lambda line: " " * len(line[0]), text)
    digits = _NO_DIGIT.sub(_as_digits, text)
    return _NO_LETTER.sub(lambda match: ("o" if _is_small(match) else "O") if match["o"] else "I", digits)


def _as_digits(match: re.Match[str]) -> str:
    """The run with its inner letters as digits, if it has digits enough; outer letters may be its own."""
    run = match[0]
    if run.isdigit():
        return run
    if len(run) == 1:
        return "1"
    own = run[0].isalpha() and run[0] not in "OoIl"
    first, last = int(own), len(run) - (run[-1].isalpha() and run[-1] not in "OoIl")
    inner = run[first:last].translate(_DIGITS)
    few = (first or last < len(run)) and sum(char.isdigit() for char in run) < 4
    return run if few else run[:first] + inner + run[last:]


def _is_small(match: re.Match[str]) -> bool:
    return match.string[match.start() - 1].islower()


def shouts(page: Page) -> bool:
    """True for sentences all in capitals, where a capital tells nothing; a form has few small words."""
    if not page.text.isupper() or len(page.low) != len(page.text.lower()):
        return False
    return sum(word in STOPWORDS for word, _ in page.words) > SMALL_WORDS * len(page.words)


def page(text: str) -> Page:
    """The text, ready to be searched."""
    low = plain(text)
    return Page(text, low, [(match[0], match.start()) for match in _WORD.finditer(low)])
