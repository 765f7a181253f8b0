"""Automatic numbers of an ODT: what its program writes before a paragraph, which the file does not hold.

OpenDocument 1.3, part 3, 5.3 (lists) and 16.30 to 16.34 (their styles). A list counts by itself unless it
says that it goes on with another.
"""

import re
from collections.abc import Iterable
from typing import Any

from loading.formats.office_xml import attribute, local, whole_number
from loading.formats.word_numbers import BULLET, formatted

LEVELS = 10
MAX_FORMAT = 255
OUTLINE = "Outline"
_KINDS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_SHOWN_LEVEL = re.compile(r"%(\d{1,2})%")

Counts = list[int | None]


class Lists:
    """The numbers of a document's lists and headings, asked for in their order.

    Args:
        styles: the elements that hold styles, the document's own last.
    """

    def __init__(self, styles: Iterable[Any]) -> None:
        self._levels: dict[str, dict[int, Any]] = {OUTLINE: {}}
        self._of_style: dict[str, str] = {}
        for root in styles:
            for one in root.iter("{*}list-style", "{*}outline-style"):
                name = attribute(one, "name") if local(one) == "list-style" else OUTLINE
                self._levels[name] = {whole_number(attribute(level, "level"), 1) - 1: level for level in one}
            for one in root.iter("{*}style"):
                if listed := attribute(one, "list-style-name"):
                    self._of_style[attribute(one, "name")] = listed
        self._outline = _none()
        self._by_id: dict[str, Counts] = {}
        self._by_style: dict[str, Counts] = {}

    def counts(self, element: Any) -> Counts:
        """The counts of a list that begins, or of the one that it goes on with."""
        style = attribute(element, "style-name")
        before = attribute(element, "continue-list")
        found = self._by_id.get(before) if before else None
        if found is None and attribute(element, "continue-numbering") == "true":
            found = self._by_style.get(style)
        if found is None:
            found = _none()
        self._by_id[attribute(element, "id")] = self._by_style[style] = found
        return found

    def item(self, paragraph: Any, style: str, level: int, counts: Counts, start: str) -> str:
        """The number of a list's item, BULLET for a bullet; '' without one.

        Args:
            style: the list's style; '' for that of the paragraph.
            level: from 0.
            start: the number that the item says it begins with, or ''.
        """
        style = style or self._of_style.get(attribute(paragraph, "style-name"), "")
        return self._next(self._levels.get(style, {}), level, counts, start)

    def heading(self, paragraph: Any) -> str:
        """The number of a heading outside lists; '' without one."""
        if attribute(paragraph, "is-list-header") == "true":
            return ""
        level = whole_number(attribute(paragraph, "outline-level"), 1) - 1
        return self._next(self._levels[OUTLINE], level, self._outline, attribute(paragraph, "start-value"))

    def _next(self, levels: dict[int, Any], level: int, counts: Counts, start: str) -> str:
        if level not in levels or not 0 <= level < LEVELS:
            return ""
        if local(levels[level]) in {"list-level-style-bullet", "list-level-style-image"}:
            return BULLET
        count = counts[level]
        counts[level] = (
            whole_number(start, 0) if start else _first(levels[level]) if count is None else count + 1
        )
        counts[level + 1 :] = [None] * (LEVELS - level - 1)
        return _shown(levels, level, counts)


def _none() -> Counts:
    return [None] * LEVELS


def _first(level: Any) -> int:
    return whole_number(attribute(level, "start-value"), 1)


def _shown(levels: dict[int, Any], at: int, counts: Counts) -> str:
    def number(level: int) -> str:
        style = levels.get(level)
        kind = attribute(style, "num-format") if style is not None else ""
        count = counts[level]
        first = _first(style) if style is not None else 1
        return formatted(first if count is None else count, _KINDS.get(kind, kind)) if kind else ""

    level = levels[at]
    if text := attribute(level, "num-list-format"):
        shown = _SHOWN_LEVEL.sub(lambda found: number(min(int(found[1]), LEVELS) - 1), text[:MAX_FORMAT])
        return shown.strip()
    depth = min(max(whole_number(attribute(level, "display-levels"), 1), 1), at + 1)
    numbers = filter(None, (number(one) for one in range(at - depth + 1, at + 1)))
    return f"{attribute(level, 'num-prefix')}{'.'.join(numbers)}{attribute(level, 'num-suffix')}".strip()
