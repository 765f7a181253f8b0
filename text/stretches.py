"""The stretch of a text where words of a search stand."""

import re
from collections.abc import Collection

from core.values import Value
from text.markers import MARKER
from text.textnorm import words

LENGTH, BEFORE = 140, 40
_RUN = re.compile("[\\w\u0300-\u036f]+")
_MARKS = re.compile(rf"\s?{MARKER}|\*\*|^\s*#{{1,6}}\s", re.MULTILINE)


class Stretch(Value):
    """Part of a text on one line; `marks` are the places, from and to, of the words that were searched."""

    text: str
    marks: tuple[tuple[int, int], ...]


def stretch_of(text: str, wanted: Collection[str]) -> Stretch | None:
    """About LENGTH characters from shortly before the first word that begins as one wanted; None without one.

    Marks of citations and of headings and bold are left out.

    Args:
        wanted: folded (`text.textnorm.words`).
    """
    line = " ".join(_MARKS.sub("", text).split())
    beginnings = tuple(wanted)
    found = (run for run in _RUN.finditer(line) if _begins(run[0], beginnings))
    first = next(found, None)
    if first is None:
        return None
    start = _start(line, first.start())
    end = max(first.end(), start + LENGTH)
    if end < len(line):
        end = max(first.end(), line.rfind(" ", start, end + 1))
    lead, tail = "…" if start else "", "…" if end < len(line) else ""
    marks = [first.span()]
    for run in found:
        if run.end() > end:
            break
        marks.append(run.span())
    offset = len(lead) - start
    return Stretch(
        text=lead + line[start:end] + tail, marks=tuple((one + offset, two + offset) for one, two in marks)
    )


def _begins(run: str, beginnings: tuple[str, ...]) -> bool:
    return any(word.startswith(beginnings) for word in words(run))


def _start(line: str, first: int) -> int:
    """A beginning of a word up to BEFORE characters before that place."""
    if first <= BEFORE:
        return 0
    gap = line.find(" ", first - BEFORE, first)
    return first if gap < 0 else gap + 1
