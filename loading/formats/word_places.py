"""The XML elements that the text of a DOCX was read from: each is followed by a mark of its number.

The marks pass through the reader as letters do, so that numbers, notes and tables may move the text around
them; they stand behind it because readers look at how a line begins.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, NamedTuple

from loading.formats.encoding import clean

_HIGH, _LOW, _BITS = 0xF0000, 0x100000, 15
_MARK = re.compile("([\U000f0000-\U000f7fff])([\U00100000-\U00107fff])")


class Letter(NamedTuple):
    """A character of the text, the element that it was read from, if any, and its place in that."""

    sign: str
    element: Any = None
    start: int = 0
    end: int = 0


def unmarked(text: str) -> str:
    """The text without marks."""
    return text if text.isascii() else _MARK.sub("", text)


class Places:
    """The elements of one document, in the order in which they are read."""

    def __init__(self) -> None:
        self._read: list[tuple[Any, str]] = []

    def marked(self, element: Any, text: str) -> str:
        """The text of an element with its mark; blank texts have none."""
        if not clean(text).strip():
            return text
        number, text = len(self._read), unmarked(text)
        self._read.append((element, text))
        return f"{text}{chr(_HIGH + (number >> _BITS))}{chr(_LOW + (number & (1 << _BITS) - 1))}"

    def letters(self, marked: str) -> list[Letter]:
        """The characters of a marked text without blanks."""
        found: list[Letter] = []
        at = 0
        for mark in _MARK.finditer(marked):
            element, raw = self._read[(ord(mark[1]) - _HIGH << _BITS) + ord(mark[2]) - _LOW]
            found += reversed(list(_backwards(marked[at : mark.start()], element, raw)))
            at = mark.end()
        return [*found, *(Letter(sign) for sign in marked[at:] if not sign.isspace())]


def _backwards(text: str, element: Any, raw: str) -> Iterator[Letter]:
    """The letters of a text that ends with that of an element, from the last one to the first."""
    left = _signs(element, raw)
    for sign in reversed(text):
        if not sign.isspace():
            # A bar that a table escapes, or a number before the text, is not in the element.
            yield left.pop() if left and left[-1].sign == sign else Letter(sign)


def _signs(element: Any, raw: str) -> list[Letter]:
    """The characters of an element as the reader cleans them: without blanks, accents with their letter."""
    found: list[Letter] = []
    at = 0
    while at < len(raw):
        end = at + 1
        while end < len(raw) and unicodedata.combining(raw[end]):
            end += 1
        found += (Letter(one, element, at, end) for one in clean(raw[at:end]) if not one.isspace())
        at = end
    return found
