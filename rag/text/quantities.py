"""Amounts with a unit in Spanish text: «medio año» and «seis meses» are the same amount. Pure functions."""

import re
from functools import lru_cache
from typing import NamedTuple

from rag.text.figures import digits
from rag.text.textnorm import fold, stems

_UNITS = tuple(
    (re.compile(pattern), kind, size)
    for pattern, kind, size in (
        (r"dias?\b", "days", 1.0),
        (r"semanas?\b", "days", 7.0),
        (r"quincenas?\b", "days", 15.0),
        (r"mes(?:es)?\b|mensualidad(?:es)?\b", "months", 1.0),
        (r"trimestres?\b", "months", 3.0),
        (r"semestres?\b", "months", 6.0),
        (r"anos?\b|anualidad(?:es)?\b", "months", 12.0),
        (r"horas?\b", "hours", 1.0),
        (r"minutos?\b", "hours", 1 / 60),
        (r"euros?\b|€", "euros", 1.0),
        (r"por ciento\b|por 100\b|%", "percent", 1.0),
        (r"puntos?\b", "points", 1.0),
        (r"ve(?:z|ces)\b", "times", 1.0),
    )
)
_VALUE = re.compile(
    r"(?<![\w.,/])(?P<value>\d[\d.]*(?:,\d+)?|una?|otr[oa]|medi[oa])\s+(?=\w|%|€)|(?P<glued>\d[\d.]*(?:,\d+)?)(?=[%€])"
)
_RANGE = re.compile(r"\b(\d[\d.,]*\d) (?:y|a|hasta) (\d[\d.,]*\d) (euros|dias|meses|anos|horas)\b")
_LIMIT = re.compile(
    r"\b(?:hasta|maxim\w+|minim\w+|exced\w+|superior\w*|inferior\w*|mas de|menos|mayor\w*|menor\w*|dentro"
    r"|limite|tope|super\w+|rebas\w+|pas\w+ de|bajar de|antes de|lleg\w+ a|alcan\w+|por debajo|por encima)"
    r"\b[^.;:]*$"
)
_LIMIT_AFTER = re.compile(r"[^,.;:]{0,25}\b(?:como (?:maximo|minimo)|o mas|o menos|por lo menos|al menos)\b")
_DAYS = re.compile(r"\s+(habil|natural)es\b")
_COUNTED = re.compile(r"(?!trabajador|persona|emplead|primer|siguient|ultim|anterior)[a-z]{5,}s\b")
_BEFORE, _AFTER = 40, 40
"""Characters around an amount in which a word may make a limit of it."""


class Quantity(NamedTuple):
    """An amount: its kind and size compare with those of others.

    Attributes:
        shown: as written, with digits and without accents.
        limit: True for «hasta», «más de», «como mínimo»…
        days: 'habil' or 'natural', of days that are told to be so.
    """

    kind: str
    value: float
    shown: str
    limit: bool
    days: str = ""

    @property
    def article(self) -> bool:
        """True for «un año» and the like: Spanish writes the article like the number."""
        return self.shown.split()[0] in {"un", "una", "otro", "otra", "1"}


@lru_cache(maxsize=256)
def quantities(text: str) -> tuple[Quantity, ...]:
    """The amounts with a unit of a text, in their order."""
    said = fold(digits(text))
    found = []
    said = _RANGE.sub(lambda match: f"{match[1]} {match[3]} {match[2]} {match[3]}", said)
    for match in _VALUE.finditer(said):
        number, place = match["value"] or match["glued"], match.end()
        for unit, kind, size in _UNITS:
            if measured := unit.match(said, place):
                limit = _LIMIT.search(said[max(0, match.start() - _BEFORE) : match.start()])
                limit = limit or _LIMIT_AFTER.match(said[measured.end() : measured.end() + _AFTER])
                value = round(_value(number) * size, 4)
                which = _DAYS.match(said, measured.end())
                found.append(
                    Quantity(
                        kind, value, f"{number} {measured[0]}", limit is not None, which[1] if which else ""
                    )
                )
                break
        else:
            if counted := _COUNTED.match(said, place):
                shown = f"{number} {counted[0]}"
                found.extend(Quantity(stem, _value(number), shown, limit=False) for stem in stems(counted[0]))
    return tuple(found)


def _value(number: str) -> float:
    if number[0] in "uom":
        return 0.5 if number.startswith("medi") else 1.0
    whole, _, decimals = number.partition(",")
    return float(f"{whole.replace('.', '')}.{decimals or 0}")
