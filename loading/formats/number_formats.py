"""Numbers of a spreadsheet as it shows them in Spanish: «1.512,60 €», «21,5%», «01/03/2024», «37:30».

ISO/IEC 29500-1, 18.8.30 and 18.8.31 (number formats). A format that depends on conditions, and fractions,
give the plain number: nothing is rounded that the sheet does not round.
"""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from typing import NamedTuple

GENERAL = "General"
BUILT_IN = {
    **{1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00"},
    **dict.fromkeys(range(14, 18), "dd/mm/yyyy"),
    **{17: "mmm-yy", 18: "h:mm", 19: "h:mm:ss", 20: "h:mm", 21: "h:mm:ss", 22: "dd/mm/yyyy h:mm"},
    **{37: "#,##0", 38: "#,##0", 39: "#,##0.00", 40: "#,##0.00", 41: "#,##0", 42: '#,##0 "€"'},
    **{43: "#,##0.00", 44: '#,##0.00 "€"', 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss", 48: "0.0E+0"},
}
"""Formats that a file names by their number alone, as Excel in Spanish shows them."""
MAX_FORMAT = 255
MAX_DECIMALS = 30
_DIGITS = 10
_WHOLE = Decimal(10) ** 15
_LAST_DAY = 2_958_465
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|\[(?P<bracket>[^\]]*)\]?|[_*].|(?P<general>general|@)'
    r"|(?:AM/PM|A/P)|(?P<digits>(?=[.,]?[0#?])[0#?.,]+)|(?P<power>E[+-])|(?P<date>y+|m+|d+|h+|s+(?:\.0+)?)"
    r"|(?P<plain>.)",
    re.IGNORECASE | re.DOTALL,
)
_ELAPSED = re.compile(r"h+|m+|s+", re.IGNORECASE)


class Token(NamedTuple):
    """A piece of a format: 'text', 'digits', 'date', 'elapsed', 'general', 'condition' or 'power'."""

    kind: str
    text: str


def shown(number: Decimal, code: str, since_1904: bool = False) -> str:
    """The number in a format; a day as dd/mm/yyyy, whatever the order in the format.

    Args:
        since_1904: True if the workbook counts days from 1904 instead of 1900.
    """
    sections = _sections(code)
    at = 1 if number < 0 and len(sections) > 1 else 2 if not number and len(sections) > 2 else 0
    section = sections[at]
    if any(token.kind in {"date", "elapsed"} for token in section):
        return _moment(section, number, since_1904)
    text = _filled(section, abs(number))
    signed = number < 0 and not at and any(char in "123456789" for char in text)
    return f"-{text}" if signed else text


def is_day(code: str) -> bool:
    """True for a format of days or times."""
    return any(token.kind in {"date", "elapsed"} for token in _sections(code)[0])


def unformatted(number: Decimal) -> str:
    """The number without a format: whole, or in ten digits with a comma."""
    if number == number.to_integral_value() and abs(number) < _WHOLE:
        return str(int(number))
    rounded = Context(prec=_DIGITS).create_decimal(number).normalize()
    small = abs(rounded) < Decimal("1e-9") or abs(rounded) >= _WHOLE
    return (str(rounded) if small else format(rounded, "f")).replace(".", ",")


_PLAIN = ((Token("general", ""),),)


@lru_cache(maxsize=4096)
def _sections(code: str) -> tuple[tuple[Token, ...], ...]:
    """The format's sections: for positive numbers, negative ones, zero and texts."""
    found: list[list[Token]] = [[]]
    for match in _TOKEN.finditer(code if 0 < len(code) <= MAX_FORMAT else GENERAL):
        kind, text = match.lastgroup, match[match.lastgroup] if match.lastgroup else ""
        if (kind, text) == ("plain", ";"):
            found.append([])
        elif kind in {"digits", "date", "general", "power"}:
            found[-1].append(Token(kind, text.lower()))
        elif kind == "bracket":
            found[-1] += _bracket(text)
        elif kind:
            found[-1].append(Token("percent" if (kind, text) == ("plain", "%") else "text", text))
    kinds = {token.kind for section in found for token in section}
    return _PLAIN if kinds & {"condition", "power"} else tuple(map(tuple, found))


def _bracket(text: str) -> list[Token]:
    if text.startswith("$"):
        return [Token("text", text[1:].partition("-")[0])]
    if _ELAPSED.fullmatch(text):
        return [Token("elapsed", text.lower())]
    return [Token("condition", text)] if text[:1] in {"<", ">", "="} else []


def _filled(section: Sequence[Token], number: Decimal) -> str:
    """The section's text with the number in its place."""
    patterns = [token.text for token in section if token.kind == "digits"]
    number *= Decimal(100) ** min(sum(token.kind == "percent" for token in section), 3)
    if len(patterns) > 1 and (any(t.text == "/" for t in section) or set("".join(patterns)) & set(".,")):
        return unformatted(number)
    pieces = iter(_split(number, patterns) if len(patterns) > 1 else [_fixed(number, p) for p in patterns])
    out = ""
    for token in section:
        if token.kind == "digits":
            out += next(pieces)
        elif token.kind == "general":
            out += unformatted(number)
        else:
            out += token.text
    return " ".join(out.split())


def _fixed(number: Decimal, pattern: str) -> str:
    """The number with the decimals, the thousands and the zeros of a pattern such as '#,##0.00'."""
    whole, _, fraction = pattern.partition(".")
    scaled = len(whole) - len(whole.rstrip(",")) + len(fraction) - len(fraction.rstrip(","))
    fraction = fraction.replace(",", "").replace(".", "")[:MAX_DECIMALS]
    number /= Decimal(1000) ** min(scaled, 5)
    places = Decimal(1).scaleb(-len(fraction))
    rounded = number.quantize(places, ROUND_HALF_UP, Context(prec=400))
    integer, _, decimals = format(rounded, "f").partition(".")
    optional = len(fraction) - len(fraction.rstrip("#?"))
    kept = len(decimals.rstrip("0")) if optional else len(decimals)
    decimals = decimals[: max(kept, len(fraction) - optional)]
    integer = integer.lstrip("0").zfill(whole.count("0"))
    if "," in whole.rstrip(","):
        integer = f"{int(integer or 0):,}".replace(",", ".").zfill(whole.count("0")) if integer else ""
    return f"{integer},{decimals}" if decimals else integer


def _split(number: Decimal, patterns: Sequence[str]) -> list[str]:
    """The digits of a whole number for patterns with signs between them, such as '00-00'."""
    digits = _fixed(number, "0" * sum(map(len, patterns)))
    pieces: list[str] = []
    for pattern in reversed(patterns[1:]):
        digits, piece = digits[: -len(pattern)], digits[-len(pattern) :]
        pieces.insert(0, piece)
    return [digits, *pieces]


def _moment(section: Sequence[Token], number: Decimal, since_1904: bool) -> str:
    """The day and the time of a serial number, or the hours that have gone by."""
    if not 0 <= number <= _LAST_DAY:
        return unformatted(number)
    units = [token.text for token in section if token.kind == "date"]
    letters = {unit[0] for unit in units if not unit.startswith("m")} | _months(section)
    seconds = int((number * 86_400).to_integral_value(ROUND_HALF_UP))
    if any(token.kind == "elapsed" for token in section):
        return f"{seconds // 3600}:{seconds // 60 % 60:02}" + (
            f":{seconds % 60:02}" if "s" in letters else ""
        )
    days, second = divmod(seconds, 86_400)
    # Excel counts a 29 February 1900 that never was.
    start = date(1904, 1, 1) if since_1904 else date(1899, 12, 31 if days < 60 else 30)
    day = min(start + timedelta(days=days), date.max) if days < _LAST_DAY else date.max
    shape = (
        "%d/%m/%Y" if "d" in letters else "%m/%Y" if "month" in letters else "%Y" if "y" in letters else ""
    )
    clock = f"{second // 3600:02}:{second // 60 % 60:02}" if letters & {"h", "minute", "s"} else ""
    return f"{day.strftime(shape)} {clock}{f':{second % 60:02}' if 's' in letters else ''}".strip()


def _months(section: Sequence[Token]) -> set[str]:
    """Meaning of the m's of a format: minutes after hours and before seconds, else months."""
    units = "".join(token.text[0] for token in section if token.kind in {"date", "elapsed"})
    return {
        "minute" if units[:at].endswith("h") or units[at + 1 :].startswith("s") else "month"
        for at, unit in enumerate(units)
        if unit == "m"
    }
