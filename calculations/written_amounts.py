"""Amounts, days and counts as Spanish writes them, and read from what a person types."""

import re
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated, Any

from pydantic import BeforeValidator

from law import dates

CENT = Decimal("0.01")
LARGEST = Decimal(10_000_000)
EARLIEST, LATEST = date(1900, 1, 1), date(2100, 12, 31)
NO_AMOUNT = "escriba un importe como 1.850,50, sin letras"
NO_DAY = "escriba una fecha que exista, como 31/01/2025"
NO_DAYS = "escriba las fechas como 22/01/2025, 28/04/2025; «{text}» no es una que exista"
MANY_DAYS = "escriba como máximo {most} días"
NO_SPANS = "escriba cada periodo con su primer y su último día, como del 01/01/2016 al 31/12/2017, por orden"
MOST_DAYS = 16
NO_COUNT = "escriba un número entero, sin decimales"
WEEKDAYS = ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo")
_BETWEEN = re.compile(r"[,;\n]|\s+y\s+|(?<=\d)\s+(?=\d)")
_GROUPED = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d{1,4})?")
_COMMA = re.compile(r"\d{1,12}(?:,\d{1,4})?")
_POINT = re.compile(r"\d{1,12}(?:\.\d{1,4})?")


def rounded(value: Decimal) -> Decimal:
    """To the cent, halves up."""
    return value.quantize(CENT, ROUND_HALF_UP)


def euros(value: Decimal) -> str:
    """'1.850,50 €'."""
    return f"{decimal(rounded(value), 2)} €"


def decimal(value: Decimal | int, decimals: int | None = None) -> str:
    """'1.234,5': as many decimals as it has, four at most, or exactly that many."""
    if decimals is None:
        text = f"{Decimal(value).quantize(Decimal('0.0001'), ROUND_HALF_UP):,f}"
        text = text.rstrip("0").rstrip(".")
    else:
        text = f"{value:,.{decimals}f}"
    return text.translate(str.maketrans(",.", ".,"))


def day_in_words(day: date) -> str:
    """'viernes, 31 de enero de 2025'."""
    return f"{WEEKDAYS[day.weekday()]}, {dates.spelled(day)}"


def short(day: date) -> str:
    """'31/01/2025'."""
    return f"{day:%d/%m/%Y}"


def several(count: int, one: str, many: str) -> str:
    """'1 mes', '2 meses'."""
    return f"{decimal(count)} {one if count == 1 else many}"


def _amount(value: Any) -> Any:
    if isinstance(value, Decimal):
        found = value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        found = Decimal(str(value))
    else:
        text = str(value).replace("€", "").replace("\u00a0", " ").strip().removeprefix("+")
        if text.startswith(("-", "−")):
            raise ValueError("no puede ser un importe negativo")
        if _GROUPED.fullmatch(text):
            text = text.replace(".", "")
        if _COMMA.fullmatch(text):
            text = text.replace(",", ".")
        elif not _POINT.fullmatch(text):
            raise ValueError(NO_AMOUNT)
        found = Decimal(text)
    if not found.is_finite():
        raise ValueError(NO_AMOUNT)
    if found < 0:
        raise ValueError("no puede ser un importe negativo")
    if found > LARGEST:
        raise ValueError(f"revise el importe: no se admiten más de {decimal(LARGEST)} €")
    return found


def _day(value: Any) -> Any:
    found = value if isinstance(value, date) else None
    if found is None:
        text = " ".join(str(value).split())
        if re.fullmatch(dates.ANY, text, re.IGNORECASE):
            found = dates.parse(text)
    if found is None:
        raise ValueError(NO_DAY)
    if not EARLIEST <= found <= LATEST:
        raise ValueError(f"revise el año: se admiten fechas de {EARLIEST.year} a {LATEST.year}")
    return found


def _days(value: Any) -> Any:
    """Several days, in a text or one by one; the same day counts once."""
    listed = value if isinstance(value, list | tuple) else _BETWEEN.split(str(value))
    found = set()
    for one in listed:
        if str(one).strip():
            try:
                found.add(_day(one))
            except ValueError as error:
                told = NO_DAYS.format(text=str(one).strip()[:30]) if str(error) == NO_DAY else str(error)
                raise ValueError(told) from None
    if len(found) > MOST_DAYS:
        raise ValueError(MANY_DAYS.format(most=MOST_DAYS))
    return tuple(sorted(found)) or None


def _spans(value: Any) -> Any:
    """First and last day of each period, in order."""
    text = " ".join(map(str, value)) if isinstance(value, list | tuple) else " ".join(str(value).split())
    if not text:
        return None
    found = tuple(_day(one) for one in re.findall(dates.ANY, text, re.IGNORECASE))
    if not found or len(found) % 2 or len(found) > MOST_DAYS or list(found) != sorted(found):
        raise ValueError(NO_SPANS)
    return found


def _count(value: Any) -> Any:
    if isinstance(value, bool) or not re.fullmatch(r"[+-]?\d{1,9}", str(value).strip()):
        raise ValueError(NO_COUNT)
    found = int(value)
    if found < 0:
        raise ValueError("no puede ser un número negativo")
    return found


Money = Annotated[Decimal, BeforeValidator(_amount)]
Day = Annotated[date, BeforeValidator(_day)]
Days = Annotated[tuple[date, ...] | None, BeforeValidator(_days)]
Spans = Annotated[tuple[date, ...] | None, BeforeValidator(_spans)]
Count = Annotated[int, BeforeValidator(_count)]
