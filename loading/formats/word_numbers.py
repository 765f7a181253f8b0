"""Automatic numbers of a DOCX: the text that Word writes before a paragraph, which the file does not hold.

ISO/IEC 29500-1, 17.9 (numbering). A level keeps counting until a higher level advances; its text names the
levels that it shows: «Artículo %1.», «%1.%2».
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

from text.numerals import NUMERALS, ORDINALS

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
LEVELS = 9
MOST_BASES = 20
"""Styles that are looked at, each based on the next; nobody nests as many."""
BULLET = "-"
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Numbers:
    """The numbers of a document's paragraphs, asked for in their order.

    Args:
        numbering, styles: the XML elements of those parts; None when the file has none.
    """

    def __init__(self, numbering: Any, styles: Any) -> None:
        parts = list(numbering) if numbering is not None else []
        self._levels = {
            _id(one, "abstractNumId"): {
                _level(lvl): lvl for lvl in one.iterfind(f"{W}lvl") if _level(lvl) < LEVELS
            }
            for one in parts
            if one.tag == f"{W}abstractNum"
        }
        self._lists = {_id(one, "numId"): one for one in parts if one.tag == f"{W}num"}
        self._styles = {
            _id(one, "styleId"): one for one in (styles.iterfind(f"{W}style") if styles is not None else ())
        }
        self._counts: dict[str, list[int | None]] = {}
        self._restarted: set[tuple[str, int]] = set()

    def before(self, paragraph: Any) -> str:
        """The number of a paragraph as Word shows it, '-' for a bullet; '' without one."""
        list_id, at = self._of(paragraph)
        one = self._lists.get(list_id)
        if one is None:
            return ""
        abstract = _value(one, "abstractNumId")
        levels = self._with_overrides(one, abstract)
        if at not in levels:
            return ""
        counts = self._counts.setdefault(abstract, [None] * LEVELS)
        counts[at] = self._next(one, list_id, at, levels[at], counts[at])
        counts[at + 1 :] = [None] * (LEVELS - at - 1)
        return _shown(levels, at, counts)

    def _of(self, paragraph: Any) -> tuple[str, int]:
        """(list, level) of a paragraph: its own, else that of its style or of those it is based on."""
        properties = paragraph.find(f"{W}pPr")
        found = _numbering(properties)
        style = _value(properties, "pStyle")
        seen: set[str] = set()
        while "numId" not in found and style in self._styles and style not in seen and len(seen) < MOST_BASES:
            seen.add(style)
            of_style = _numbering(self._styles[style].find(f"{W}pPr"))
            found = of_style | found
            if "numId" in of_style and "ilvl" not in found:
                found["ilvl"] = self._level_of(of_style["numId"], style)
            style = _value(self._styles[style], "basedOn")
        return found.get("numId", ""), _number(found.get("ilvl", "0"))

    def _level_of(self, list_id: str, style: str) -> str:
        one = self._lists.get(list_id)
        levels = self._levels.get(_value(one, "abstractNumId"), {}) if one is not None else {}
        return next((str(at) for at, lvl in levels.items() if _value(lvl, "pStyle") == style), "0")

    def _with_overrides(self, one: Any, abstract: str) -> dict[int, Any]:
        changed = {
            _number(_id(override, "ilvl")): level
            for override in _overrides(one)
            if (level := override.find(f"{W}lvl")) is not None and _number(_id(override, "ilvl")) < LEVELS
        }
        return {**self._levels.get(abstract, {}), **changed}

    def _next(self, one: Any, list_id: str, at: int, level: Any, count: int | None) -> int:
        for override in _overrides(one):
            start = _value(override, "startOverride")
            if start and _number(_id(override, "ilvl")) == at and (list_id, at) not in self._restarted:
                self._restarted.add((list_id, at))
                return _number(start)
        return _number(_value(level, "start") or "1") if count is None else count + 1


def _shown(levels: dict[int, Any], at: int, counts: list[int | None]) -> str:
    level = levels[at]
    if _value(level, "numFmt") == "bullet":
        return BULLET
    text = _value(level, "lvlText")
    legal = level.find(f"{W}isLgl") is not None
    for other in range(LEVELS):
        if f"%{other + 1}" in text:
            kind = _value(levels[other], "numFmt") if other in levels and not (legal and other < at) else ""
            start = _number(_value(levels[other], "start") or "1") if other in levels else 1
            count = counts[other]
            text = text.replace(f"%{other + 1}", formatted(start if count is None else count, kind))
    return text.strip()


def formatted(number: int, kind: str) -> str:
    """A number in a format of Word (`w:numFmt`); decimal when it is another one or has no word for it.

    The words are Spanish: 1 as 'ordinal' is «1.º», as 'ordinalText' «Primero».
    """
    return FORMATS.get(kind, str)(number) if number > 0 else str(number)


def _roman(number: int) -> str:
    text = ""
    for value, letters in _ROMAN:
        times, number = divmod(number, value)
        text += letters * times
    return text


def _letters(number: int) -> str:
    return _LETTERS[(number - 1) % 26] * ((number - 1) // 26 + 1)


def _word(words: Sequence[str], ending: str, number: int) -> str:
    return f"{words[number - 1]}{ending}".capitalize() if number <= len(words) else str(number)


FORMATS: dict[str, Callable[[int], str]] = {
    "none": lambda _: "",
    "lowerRoman": _roman,
    "upperRoman": lambda number: _roman(number).upper(),
    "lowerLetter": _letters,
    "upperLetter": lambda number: _letters(number).upper(),
    "decimalZero": lambda number: f"{number:02}",
    "ordinal": lambda number: f"{number}.º",
    "ordinalText": partial(_word, ORDINALS, "o"),
    "cardinalText": partial(_word, NUMERALS, ""),
}


def _numbering(properties: Any) -> dict[str, str]:
    """The list and the level of paragraph properties, those that they name."""
    found = properties.find(f"{W}numPr") if properties is not None else None
    return dict(_named(found)) if found is not None else {}


def _named(found: Any) -> Iterator[tuple[str, str]]:
    for name in ("numId", "ilvl"):
        if value := _value(found, name):
            yield name, value


def _value(parent: Any, name: str) -> str:
    child = parent.find(f"{W}{name}") if parent is not None else None
    return "" if child is None else str(child.get(f"{W}val") or "")


def _overrides(one: Any) -> Iterator[Any]:
    """Changes of a list to its levels, at most one a level."""
    return islice(one.iterfind(f"{W}lvlOverride"), LEVELS)


def _id(element: Any, name: str) -> str:
    return str(element.get(f"{W}{name}") or "")


def _level(lvl: Any) -> int:
    return _number(_id(lvl, "ilvl"))


def _number(text: str) -> int:
    """A whole number of the file from 0 to 9,999; 0 for anything else."""
    return min(int(text[:5]), 9_999) if text.isascii() and text.isdigit() else 0
