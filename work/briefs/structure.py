"""Apartados and letters of a wording. Pure functions."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from law import labels
from law.norms import BlockVersion
from text.segmentation import Unit, apartados

_MARK = r"(?m)^[ \t\u00a0]*"
_GLUED = re.compile(r"(?m)^[ \t\u00a0]*(?:\d{1,2}\.|[a-zñ]\))(?=[A-ZÁÉÍÓÚÑ(«¿])")
"""«2.(Derogado)», «1.La jornada», as the BOE has it in places: a mark without the space that makes it one."""


@lru_cache(maxsize=512)
def _units(text: str) -> tuple[Unit, ...]:
    """The numbering of a wording, which many citations ask for."""
    glued = [one.end() for one in _GLUED.finditer(text)]
    if not glued:
        return tuple(apartados(text))
    spaced = "".join(text[first:last] + " " for first, last in pairwise((0, *glued))) + text[glued[-1] :]
    ends = [end + number for number, end in enumerate(glued)]

    def shifted(place: int) -> int:
        return place - bisect_left(ends, place)

    return tuple(one._replace(start=shifted(one.start), end=shifted(one.end)) for one in apartados(spaced))


def holds(version: BlockVersion, apartado: str | None, letter: str | None) -> bool:
    """True if the wording has that apartado and that letter; only what it surely lacks is False."""
    text = version.text
    units = _units(text)
    if apartado:
        inside = [unit for unit in units if apartado in _steps(unit)]
        if not inside and not re.search(rf"{_MARK}{re.escape(apartado)}\s?[.)ºª]", text):
            return False
        if letter and inside:
            return _lettered([text[unit.start : unit.end] for unit in inside], inside, letter)
    return not letter or _lettered([text], units, letter)


def _lettered(texts: list[str], units: Sequence[Unit], letter: str) -> bool:
    if any(letter in _steps(unit) for unit in units):
        return True
    return any(re.search(rf"(?<![\w]){letter}\)\s", text) for text in texts)


def _cited(version: BlockVersion, apartado: str | None, letter: str | None) -> list[Unit]:
    """The units of an apartado or letter: what is named so, else all that have it among their steps.

    «2» is the apartado, and «1.n.2» a rule of another one.
    """
    steps = [one for one in (apartado, letter) if one]
    name = ".".join(steps)
    exact = [unit for unit in _units(version.text) if f"{unit.label}.".startswith(f"{name}.")]
    return exact or [unit for unit in _units(version.text) if all(step in _steps(unit) for step in steps)]


def is_gone(version: BlockVersion, apartado: str | None, letter: str | None) -> bool:
    """True if the wording says of that apartado or letter only that it was repealed or suppressed."""
    found = [
        version.text[unit.start : unit.end]
        for unit in _cited(version, apartado, letter)
        if apartado or letter
    ]
    return bool(found) and all(labels.is_gone(_without_mark(text)) for text in found)


def part(version: BlockVersion, apartado: str | None, letter: str | None) -> str:
    """The words of an apartado or letter in one line; those of the whole wording if it is not set apart."""
    units = _cited(version, apartado, letter) if apartado or letter else []
    pieces = [version.text[unit.start : unit.end] for unit in units] or [version.text]
    return " ".join(" ".join(pieces).split())


def apartado_at(version: BlockVersion, start: int) -> str:
    """The label of the unit, '3' or '1.c', that holds that offset; empty before the first mark."""
    return next((unit.label for unit in _units(version.text) if unit.start <= start < unit.end), "")


def _steps(unit: Unit) -> list[str]:
    return unit.label.split(".")


def _without_mark(text: str) -> str:
    return re.sub(r"^\s*(?:\d{1,2}|[a-zñ]{1,2})\s?[.)ºª]+[-–]?\s*", "", text).strip()
