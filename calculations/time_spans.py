"""Months and days of service between two dates, both included."""

import calendar
from datetime import date

from core.errors import InputError

LONGEST_YEARS = 60
REVERSED = (
    "La fecha de fin ({end:%d/%m/%Y}) es anterior a la de inicio ({start:%d/%m/%Y}): corrija una de las dos."
)
TOO_LONG = "Entre {start:%d/%m/%Y} y {end:%d/%m/%Y} hay más de {years} años: revise las fechas."


def add_months(day: date, months: int) -> date:
    """The same day of a later month, or its last one if that month has no such day."""
    total = day.year * 12 + day.month - 1 + months
    year, month = divmod(total, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def check_order(start: date, end: date) -> None:
    """Raises InputError: the end is before the start, or further from it than a working life."""
    if end < start:
        raise InputError(REVERSED.format(start=start, end=end))
    if end >= add_months(start, LONGEST_YEARS * 12):
        raise InputError(TOO_LONG.format(start=start, end=end, years=LONGEST_YEARS))


def months_begun(start: date, end: date) -> int:
    """Months from one day to the other, both included; a month that has begun counts whole."""
    months = (end.year - start.year) * 12 + end.month - start.month
    return months + (add_months(start, months) <= end)


def days_between(start: date, end: date) -> int:
    """Days from one to the other, both included."""
    return (end - start).days + 1
