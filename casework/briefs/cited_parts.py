"""Apartados and letters in the words that cite an article, one or each of a list. Pure functions."""

import re
from itertools import pairwise
from typing import NamedTuple

from casework.briefs import forms
from casework.briefs.findings import Provision
from law import labels
from law.labels import fold
from law.reference_reading import Item

_AND = r"\s*(?:,\s*[yeo]\s|,|\s[yeo]\s)\s*"
_LETTERS = re.compile(rf"(?<![a-zñ\d])[a-zñ]\)(?:(?:{_AND}|[yeo]\s)[a-zñ]\))+")
_NUMBERS = re.compile(
    rf"(?:(?<=\d\.)|(?:apartados?|apdos?\.?|aptdos?\.?|numeros?|nums\.?|n\.?\s?[º°]s)\s+){forms.FEW}[ºª]?(?:{_AND}{forms.FEW}(?![./]))+"
)
_VALUE = re.compile(r"(?:,\s*[yeo]\s+|[yeo]\s+)?(?:\b\d{1,2}(?=\D|$)|(?<![a-zñ])[a-zñ](?=\)))")


class Part(NamedTuple):
    """An apartado, a letter, both or neither (the whole article), and the stretch of the words it is in."""

    start: int
    end: int
    apartado: str | None
    letter: str | None


def parts(words: str, item: Item) -> list[Part]:
    """The parts of an article that the words cite: «54.2.b) y d) ET» are two."""
    apartado, letter = _first(words, item)
    plain = fold(words) if len(fold(words)) == len(words) else words.lower()
    listed = _LETTERS.search(words.lower()) or (None if letter else _NUMBERS.search(plain))
    if listed is None or item.until:
        return [Part(0, len(words), apartado, letter)]
    values = list(_VALUE.finditer(words.lower(), *listed.span()))
    starts = [0, *(one.start() for one in values[1:]), len(words)]
    found = []
    for value, (start, end) in zip(values, pairwise(starts), strict=True):
        said = value[0].split()[-1].strip(",")
        stretch = words[start:end].rstrip(" ,")
        is_letter = said.isalpha()
        found.append(
            Part(
                start,
                start + len(stretch),
                apartado if is_letter else said,
                said if is_letter else None,
            )
        )
    return found


def _first(words: str, item: Item) -> tuple[str | None, str | None]:
    apartado = item.apartado
    if apartado is None and (found := forms.APARTADO.search(fold(words))):
        number = labels.number(found[1])
        apartado = str(number[0]) if number else found[1]
    letter = forms.LETTER.search(words.lower())
    return apartado, next((group for group in letter.groups() if group), None) if letter else None


def part_again(
    value: str, what: str, sub: str | None, last: Provision, *, own: bool
) -> tuple[str | None, str | None]:
    """Apartado and letter of one part of the provision cited last: «2», «tercero», «c)»."""
    if what.startswith(("parr", "pfo", "inciso")):
        return (last.apartado, last.letter) if own else (None, None)
    value = value.rstrip(").ºª")
    number = labels.parse_number(value) if len(value) > 1 or value.isdigit() else None
    if number:
        return number[0], sub
    return (last.apartado if own else None), value
