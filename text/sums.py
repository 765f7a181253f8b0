"""Calculations that a text shows («33 días × 5 años = 165 días», «el 10 % de 220 son 22»), done again.

Words between numbers count as units and are passed over; what is no whole calculation is none. Pure
functions.
"""

import re
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from text.markers import MARKER

MAX_TOKENS = 60
MAX_DIGITS = 15
ROUGHLY, ROUNDED = Fraction(1, 100), Fraction(1, 5000)
"""Share of the value by which a result may differ that calls itself approximate, or that follows a division,
whose quotient may have been rounded on the way."""
CALENDAR = frozenset({"7", "12", "30", "31", "52", "100", "360", "365", "366"})
"""Days, weeks and months of a month and a year, and the hundred of a percentage, as figures."""

_NUMBER = r"\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+(?:[.,]\d+)?"
_DATE = re.compile(rf"\b\d{{1,2}}[/.-]\d{{1,2}}[/.-]\d{{2,4}}\b|\b\d{{1,4}}/(?:19|20)\d\d\b|{MARKER}")
_PART = re.compile(r"[;:\n]|(?<!\d)\.(?=\s|$)|(?<=\d)\.(?=\s+\D|\s*$)")
_EQUALS = re.compile(r"([=≈]|\b(?:son|suman|hacen|equivalen? a)(?= (?:unos |unas )?\d))", re.I)
_ROUGH = re.compile(r"\s*(?:aprox|unos|unas|alrededor|cerca)", re.I)
_TOKEN = re.compile(
    rf"(?P<number>{_NUMBER})|(?P<percent>%|\bpor ciento\b)"
    r"|(?P<sign>(?:(?<=\s)[-–]|[+−×·*÷/(])(?=\s*[\d(])|\))|\b(?P<word>x|por|entre|más|menos|de)(?=\s+[\d(])",
    re.I,
)
_SIGNS = {
    **dict.fromkeys("-−–", "−"),
    **dict.fromkeys("×·*x", "×"),
    **dict.fromkeys("÷/", "÷"),
    "por": "×",
    "entre": "÷",
    "más": "+",
    "menos": "−",
}


class Sum(NamedTuple):
    """A calculation as shown and as it should be.

    Attributes:
        shown: the calculation in one spelling, '33 × 5 = 160'.
        result: its result as written.
        right: True if the result is right, to the last digit given or to what rounding explains.
        value: the right result, at most two decimals, in Spanish format.
        operands: its other numbers, as written.
    """

    shown: str
    result: str
    right: bool
    value: str
    operands: tuple[str, ...]


class _NotASum(ValueError):
    """The tokens are not one whole calculation."""


def sums(text: str) -> list[Sum]:
    """The calculations of a text whose result it gives, in order; its dates and markers are left out."""
    found: list[Sum] = []
    for part in _PART.split(_DATE.sub(" ", text)):
        pieces = _EQUALS.split(part)
        sides = list(zip(["", *pieces[1::2]], pieces[::2], strict=True))
        for (_, left), (equals, right) in pairwise(sides):
            if (one := _sum(left, right, rough=equals == "≈")) is not None:
                found.append(one)
    return found


def _sum(left: str, right: str, *, rough: bool) -> Sum | None:
    tokens, after = _tokens(left)[-MAX_TOKENS:], _tokens(right)[:MAX_TOKENS]
    done = next((one for start in range(len(tokens)) if (one := _whole(tokens[start:]))), None)
    if done is None or not after or not _is_number(after[0]):
        return None
    value, shown = done
    stated = _number(after[0])
    accepted = [stated, stated / 100] if after[1:2] == ["%"] else [stated]
    if (points := _points(shown)) is not None:
        accepted.append(stated - points + value)
    decimals = len(after[0].partition(",")[2])
    margin = Fraction(1, 10**decimals)
    if after[1:2] == ["%"]:
        margin = margin / 100
    if rough or _ROUGH.match(right):
        margin = max(margin, abs(value) * ROUGHLY)
    if "÷" in shown:
        margin = max(margin, abs(value) * ROUNDED)
    if (chained := _whole(after)) is not None:
        accepted.append(chained[0])
    return Sum(
        shown=" ".join([*shown, "=", after[0]]),
        result=after[0],
        right=any(abs(value - one) < margin for one in accepted),
        value=_spanish(value),
        operands=tuple(token for token in shown if _is_number(token)),
    )


def _points(tokens: list[str]) -> Fraction | None:
    """The value of a sum of percentages in points, «65 % + 5 × 2»; None for another calculation."""
    places = [place for place, token in enumerate(tokens) if token == "%"]
    added = all(tokens[one + 1 : one + 2] in ([], ["+"], ["−"]) for one in places)
    if places[:1] != [1] or not added:
        return None
    whole = _whole([token for token in tokens if token != "%"])
    return whole[0] if whole else None


def _tokens(text: str) -> list[str]:
    """Numbers, signs and brackets of a text in one spelling; its words are left out."""
    tokens: list[str] = []
    for match in _TOKEN.finditer(text):
        written = match[0].lower()
        if match["number"]:
            tokens.append(match[0])
        elif match["percent"]:
            tokens.append("%")
        elif written != "de":
            tokens.append(_SIGNS.get(written, written))
        elif tokens[-1:] == ["%"]:
            tokens.append("×")
    return tokens


def _whole(tokens: list[str]) -> tuple[Fraction, list[str]] | None:
    """(the value, the tokens) if all of them are one calculation, with a sign at least."""
    if not any(token in "+−×÷" for token in tokens):
        return None
    rest = list(tokens)
    try:
        value = _added(rest)
    except (_NotASum, ZeroDivisionError):
        return None
    return None if rest else (value, tokens)


def _added(rest: list[str]) -> Fraction:
    value, _ = _multiplied(rest)
    while rest and rest[0] in "+−":
        sign = rest.pop(0)
        term, percent = _multiplied(rest)
        change = value * term if percent else term
        value = value + change if sign == "+" else value - change
    return value


def _multiplied(rest: list[str]) -> tuple[Fraction, bool]:
    """(the value, True if it is a percentage alone: 1.000 − 5 % takes 5 % of the 1.000)."""
    value, percent = _factor(rest)
    while rest and rest[0] in "×÷":
        sign, percent_before = rest.pop(0), percent
        factor, percent = _factor(rest)
        value = value * factor if sign == "×" else value / factor
        percent = percent and percent_before
    return value, percent


def _factor(rest: list[str]) -> tuple[Fraction, bool]:
    token = rest.pop(0) if rest else ""
    if token == "(":
        value = _added(rest)
        if not rest or rest.pop(0) != ")":
            raise _NotASum
    elif _is_number(token) and len(token) <= MAX_DIGITS:
        value = _number(token)
    else:
        raise _NotASum
    percent = bool(rest) and rest[0] == "%"
    if percent:
        rest.pop(0)
        value /= 100
    return value, percent


def _is_number(token: str) -> bool:
    return token[:1].isdigit()


def _number(written: str) -> Fraction:
    """The value of a number in Spanish format; a point that parts no thousands parts decimals."""
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?", written):
        written = written.replace(".", "")
    return Fraction(written.replace(",", "."))


def _spanish(value: Fraction) -> str:
    whole = f"{float(value):,.2f}".removesuffix(".00")
    return whole.translate(str.maketrans(",.", ".,"))
