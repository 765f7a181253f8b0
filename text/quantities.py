"""Amounts with a unit in Spanish text: «medio año» and «seis meses» are the same amount. Pure functions."""

import re
from functools import lru_cache
from typing import NamedTuple

from text.figures import digits
from text.textnorm import fold_for_search, stems

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
        (r"por ciento\b|por 100\b|%|puntos? porcentual(?:es)?\b", "percent", 1.0),
        (r"puntos?\b", "points", 1.0),
        (r"ve(?:z|ces)\b", "times", 1.0),
        (r"al (?:ano|mes|dia)\b|a la semana\b", "rate", 1.0),
        (r"de la (?:manana|madrugada)\b|en punto\b", "clock", 1.0),
        (r"de la (?:tarde|noche)\b", "evening", 1.0),
    )
)
_VALUE = re.compile(
    r"(?<![\w.,/])(?P<value>\d[\d.]*(?:,\d+)?|una?|otr[oa]|medi[oa])\s+(?=\w|%|€)"
    r"|(?P<glued>\d[\d.]*(?:,\d+)?)(?=[%€])"
)
_ADJECTIVE = re.compile(r"(?!trabajador|emplead)[a-z]{3,}[oa]s\s+")
"""Words that may stand between a number and its unit: «los ciento ochenta primeros días»."""
_SPELLINGS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b(\d+) \(\1\)"), r"\1"),
    (re.compile(r"(?:\beur|€)\s*(\d[\d.]*(?:,\d+)?)\b(?!\s*(?:euros|€))"), r"\1 euros"),
    (
        re.compile(r"\b(\d[\d.,]*\d) (?:y|a|hasta) (\d[\d.,]*\d) (euros|dias|meses|anos|horas)\b"),
        r"\1 \3 \2 \3",
    ),
    (re.compile(r"\b(\d+) (horas?|dias?|semanas?|mes(?:es)?|anos?) y medi[oa]\b"), r"\1,5 \2"),
    (re.compile(r"\b(?:una? )?(hora|dia|semana|mes|ano) y medi[oa]\b"), r"1,5 \1"),
    # «Las 22 horas» is a time; «las 40 horas semanales» and «las 9 horas diarias» are an amount.
    (
        re.compile(
            r"\blas (2[0-4]|[01]?\d)(?:[:.]00)? (?:horas|h)\b"
            r"(?! (?:al|semanal|diari|mensual|anual|extra|ordinari|efectiv|lectiv|complement))"
        ),
        r"las \1 en punto",
    ),
    *(
        (re.compile(rf"\buna {name}(?: larga)? de\b"), value)
        for name, value in (("decena", "10"), ("docena", "12"), ("veintena", "20"), ("treintena", "30"))
    ),
)
_ROMAN = re.compile(
    r"\b(?=[IVX])X{0,3}(IX|IV|V?I{0,3})(?= (?:horas?|d[ií]as?|semanas?|mes(?:es)?"
    r"|años?)\b)"
)
_ROMANS = {"I": 1, "V": 5, "X": 10}
_LIMIT = re.compile(
    r"\b(?:hasta|maxim\w+|minim\w+|exced\w+|superior\w*|inferior\w*|mas de|menos|mayor\w*|menor\w*|dentro"
    r"|limite|tope|super\w+|rebas\w+|pas\w+ de|bajar de|antes de|lleg\w+ a|alcan\w+|por debajo|por encima)"
    r"\b[^.;:]*$"
)
_LIMIT_AFTER = re.compile(
    r"[^,.;:]{0,25}\b(?:como (?:maximo|minimo)|o mas|o menos|por lo menos"
    r"|al menos)\b"
)
_DAYS = re.compile(r"\s+(?:(habil|laborabl)|(natural))es\b")
_COUNTED = re.compile(r"(?!trabajador|persona|emplead|primer|siguient|ultim|anterior)[a-z]{5,}s\b")
_BEFORE, _AFTER = 70, 40
"""Characters around an amount in which a word may make a limit of it."""


class Quantity(NamedTuple):
    """An amount: its kind and size compare with those of others.

    Attributes:
        shown: as written, with digits and without accents.
        limit: True for «hasta», «más de», «como mínimo»…
        days: 'habil' or 'natural', of days that are told to be so.
        before, after: the folded words around it, _BEFORE and _AFTER characters at most.
    """

    kind: str
    value: float
    shown: str
    limit: bool
    days: str = ""
    before: str = ""
    after: str = ""

    @property
    def article(self) -> bool:
        """True for «un año» and the like: Spanish writes the article like the number."""
        return self.shown.split()[0] in {"un", "una", "otro", "otra", "1"}


@lru_cache(maxsize=512)
def quantities(text: str) -> tuple[Quantity, ...]:
    """The amounts with a unit of a text, in their order."""
    said = spelt(text)
    return tuple(one for match in _VALUE.finditer(said) for one in _read(said, match))


@lru_cache(maxsize=512)
def spelt(text: str) -> str:
    """The text folded, numbers in digits and amounts in one spelling: «ocho (8) horas» is «8 horas»."""
    said = digits(fold_for_search(digits(_ROMAN.sub(lambda match: str(_roman(match[0])), text))))
    for pattern, plain in _SPELLINGS:
        said = pattern.sub(plain, said)
    return said


def _roman(number: str) -> int:
    values = [_ROMANS[letter] for letter in number]
    return sum(
        -one if one < following else one for one, following in zip(values, [*values[1:], 0], strict=True)
    )


def _read(said: str, match: re.Match[str]) -> list[Quantity]:
    """The amounts of a number: one with a unit, else one for each stem of what it counts."""
    number, place = match["value"] or match["glued"], match.end()
    before = said[max(0, match.start() - _BEFORE) : match.start()]
    adjective = _ADJECTIVE.match(said, place)
    for start in (place, adjective.end()) if adjective else (place,):
        for unit, kind, size in _UNITS:
            if measured := unit.match(said, start):
                after = said[measured.end() : measured.end() + _AFTER]
                value = round(_value(number) * size, 4)
                if kind == "evening":
                    value += 12 if value < 12 else 0
                which = _DAYS.match(said, measured.end())
                return [
                    Quantity(
                        "clock" if kind == "evening" else kind,
                        value,
                        f"{number} {measured[0]}",
                        bool(_LIMIT.search(before) or _LIMIT_AFTER.match(after)),
                        ("natural" if which[2] else "habil") if which else "",
                        before,
                        after,
                    )
                ]
    if counted := _COUNTED.match(said, place):
        shown = f"{number} {counted[0]}"
        after = said[counted.end() : counted.end() + _AFTER]
        return [
            Quantity(stem, _value(number), shown, limit=False, before=before, after=after)
            for stem in stems(counted[0])
        ]
    return []


def _value(number: str) -> float:
    if number[0] in "uom":
        return 0.5 if number.startswith("medi") else 1.0
    whole, _, decimals = number.partition(",")
    return float(f"{whole.replace('.', '')}.{decimals or 0}")
