"""Figures of a text, used to check that every figure of an answer is supported. Pure functions."""

import re
from collections import Counter
from collections.abc import Iterable
from math import inf

from text_to_num import alpha2digit

from text.markers import MARKER
from text.numerals import NUMERALS

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_MEASURED = re.compile(r"\d[\d.,]*\s+([^\W\d]{3,})")
_THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3})+")
_LISTED = re.compile(r"^\s*\d{1,2}[.)](?=\s)", re.M)
_SMALL = frozenset({"0", "1"})
_LEFT_OUT = {word: str(value) for value, word in enumerate(NUMERALS[1:20], start=2)} | {
    "veintiún": "21",
    "treinta y un": "31",
    "dieciseis": "16",
    "veintidos": "22",
    "veintitres": "23",
    "veintiseis": "26",
}
_LEFT_OUT_RE = re.compile(rf"\b(?=[cdnoqstv])(?:{'|'.join(_LEFT_OUT)})\b", re.I)
# Letters that `re.I` takes for an i or an s, and `lower` does not.
_SAME_LETTERS = (("ı", "i"), ("İ", "I"), ("ſ", "s"))
_THIN = re.compile(r"[\u00a0\u2009\u202f ](?<=\d.)(?:(?<! )(?=\d{3}(?!\d))|(?<= )(?=\d{3} ?(?:euros?\b|€)))")
"""The separator of thousands; a plain space may also part two numbers, unless euros follow."""

_LENGTH = re.compile(r"(?<![\d.,])(\d{1,2}\.\d{3}|\d{1,4}) (d[ií]as?|semanas?|mes(?:es)?|años?)\b", re.I)
_AND_A_HALF = re.compile(r"\b(\d+) (horas?|d[ií]as?|semanas?|mes(?:es)?|años?) y medi[oa]\b", re.I)
_AGE = re.compile(
    r"\b(?:teng[oa]|tiene[ns]?|edad|cumpl\w+|con|a|hij[oa]s?|mayor(?:es)?|menor(?:es)?|[uú]ltim[oa]s)"
    r"(?: de| los)? $",
    re.I,
)
_SPENT = re.compile(r"[^.,;?\d]{0,30}\b(?:cotiz|trabaj|antig|contrat|servicio|empresa|alta\b|prestaci)", re.I)
_IN_DAYS = {"d": 1, "s": 7, "m": 30, "a": 365}
_RANGE = re.compile(
    r"\b(?:desde|de|entre) ([\d.]*\d)\b(?:[^|\d]{0,12}\b(?:hasta|a|y)(?: l[oa]s)? ([\d.]*\d)\b)?"
    r"|(?<![\d.])([\d.]*\d) (?:a|hasta|[-–]) ([\d.]*\d)\b",
    re.I,
)


_COUNTED = re.compile(r"(?<![\d./])(\d[\d.]*) ([^\W\d]{4,})")
_STAFF = re.compile(
    r"\b(?:somos|plantilla de) (?:(?:unos|casi|ya) )?(\d[\d.]*)(?! [^\W\d]*(?:soci|herman|autónom))"
    r"|(?<![\d./])(\d[\d.]*) (?:personas|emplead[oa]s|trabajadoras|operari[oa]s|[ed][ne] plantilla)\b",
    re.I,
)
_BOUNDS = re.compile(
    r"\b(?:de|desde|entre) (?P<low>[\d.]*\d)"
    r"(?:(?: [^\W\d]+)? (?:a|hasta|y) (?P<high>[\d.]*\d)| en adelante| o más)\b"
    r"|\b(?:hasta|menos de) (?P<most>[\d.]*\d)\b|\b(?:más de|a partir de) (?P<least>[\d.]*\d)\b",
    re.I,
)


def figures(text: str) -> set[str]:
    """Numbers of a text in one spelling: digits or Spanish words, '1.250,50' as '1250.5'.

    A number with a point that is not a thousands mark ('48.4', article and apartado) also gives its
    parts. 0 and 1 are left out, because Spanish writes its article «un» like the number.
    """
    return figures_in(digits(text))


def figures_in(counted: str) -> set[str]:
    """The `figures` of a text whose numbers are in `digits` already."""
    found: set[str] = set()
    for token in _NUMBER.findall(counted):
        found.add(_canonical(token))
        found.update(_parts(token))
    return found - _SMALL


def measured(text: str) -> list[str]:
    """Nouns that follow a number, as written: 'treinta días naturales' gives 'días'."""
    return measured_in(digits(text))


def measured_in(counted: str) -> list[str]:
    """The `measured` of a text whose numbers are in `digits` already."""
    return _MEASURED.findall(counted)


def days(text: str) -> list[int]:
    """Lengths of time in days, in order: «dos años» gives 730, «18 meses» 540; ages are left out."""
    said = digits(text)
    return [
        _whole(found[1]) * _IN_DAYS[found[2][0].lower()]
        for found in _LENGTH.finditer(said)
        if not _AGE.search(said[: found.start()]) or _SPENT.match(said, found.end())
    ]


def holds(row: str, length: int) -> bool:
    """True if a range of a table's row holds it: «Desde 720 hasta 899», «6 a 12», «Desde 2.160»."""
    ranges = ((one or other, last or end) for one, last, other, end in _RANGE.findall(row))
    return any(_whole(low) <= length <= (_whole(high) if high else length) for low, high in ranges)


def counted(text: str) -> list[tuple[int, str]]:
    """The numbers of a text with the nouns after them: «120 trabajadores» gives (120, 'trabajadores').

    So do «somos 120» and «120 en plantilla», as the law says it.
    """
    said = digits(text)
    staff = {_whole(one or other): "trabajadores" for one, other in _STAFF.findall(said)}
    return [*((_whole(number), noun) for number, noun in _COUNTED.findall(said)), *staff.items()]


def bounds(text: str) -> tuple[float, float] | None:
    """The first range of a text, both ends included: «de ciento uno a doscientos cincuenta», «hasta cien»."""
    found = _BOUNDS.search(digits(text))
    if found is None:
        return None
    low, high = found["low"] or found["least"], found["high"] or found["most"]
    return (_whole(low) if low else 0), (_whole(high) if high else inf)


def _whole(number: str) -> int:
    return int(number.replace(".", ""))


def unsupported_figures(answer: str, texts: Iterable[str]) -> list[str]:
    """Numbers, dates and article numbers of the answer that stand in none of the texts (X.23), as written.

    The numbers of its lists («2. …») are left out. The texts are read until each of the others is found.
    """
    told = dict.fromkeys(_NUMBER.findall(digits(_LISTED.sub("", re.sub(MARKER, "", answer)))))
    known = set(_SMALL)
    reading = iter(texts)
    while unknown := [one for one in told if not _stands(one, known)]:
        if (text := next(reading, None)) is None:
            break
        known |= figures(text)
    return unknown


def _stands(token: str, known: set[str]) -> bool:
    return _canonical(token) in known or (bool(_parts(token)) and _parts(token) <= known)


def digits(text: str) -> str:
    """The text with its Spanish numbers in digits, but «un», which Spanish writes like the article.

    `alpha2digit` leaves lone units as words.
    """
    for letter, plain in _SAME_LETTERS:
        text = text.replace(letter, plain)
    turned = alpha2digit(_THIN.sub(".", text), "es")
    return _LEFT_OUT_RE.sub(lambda match: _LEFT_OUT[match[0].lower()], turned)


def measured_digits(text: str) -> str:
    """The text with its numbers in digits, halves of a unit too: «siete años y medio» is '7,5 años'."""
    return _AND_A_HALF.sub(r"\1,5 \2", digits(text))


def _parts(token: str) -> set[str]:
    if "," in token or _THOUSANDS.fullmatch(token) or "." not in token:
        return set()
    return {part.lstrip("0") or "0" for part in token.split(".")}


def _canonical(token: str) -> str:
    whole, _, decimals = token.partition(",")
    if _THOUSANDS.fullmatch(whole):
        whole = whole.replace(".", "")
    decimals = decimals.rstrip("0")
    value = f"{whole}.{decimals}" if decimals else whole
    return value.lstrip("0") or "0"


def footprint(text: str) -> Counter[str]:
    """Counts of each number of a text, as written in digits; a faithful copy keeps them (X.27)."""
    return Counter(_NUMBER.findall(text))
