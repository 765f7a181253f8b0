"""Months and days of service between two dates, both included."""

import calendar
from dataclasses import dataclass
from datetime import date, timedelta

from calculations.outcome import Step, refs
from calculations.written_amounts import several, short
from core.errors import InputError

LONGEST_YEARS = 60
REVERSED = (
    "La fecha de fin ({end:%d/%m/%Y}) es anterior a la de inicio ({start:%d/%m/%Y}): corrija una de las dos."
)
OUTSIDE = (
    "Los periodos que no cuentan deben estar entre el inicio y el fin de la relación laboral, uno tras otro: "
    "corrija esas fechas."
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


def whole_months(start: date, end: date) -> int:
    """Months that have passed whole from one day to the same day of a later month."""
    months = (end.year - start.year) * 12 + end.month - start.month
    return months - (add_months(start, months) > end)


def days_between(start: date, end: date) -> int:
    """Days from one to the other, both included."""
    return (end - start).days + 1


@dataclass(frozen=True)
class Service:
    """Time of service between two days, without the periods in `left_out` (first day, last day, first day…).

    Raises:
        InputError: a period is not within the time.
    """

    start: date
    end: date
    left_out: tuple[date, ...] = ()

    def __post_init__(self) -> None:
        if self.left_out and (self.left_out[0] < self.start or self.left_out[-1] > self.end):
            raise InputError(OUTSIDE)

    def months(self, first: date = date.min, last: date = date.max) -> int:
        """Months begun between two of its days."""
        first = max(first, self.start)
        last = self._shortened(first, min(last, self.end))
        return months_begun(first, last) if last >= first else 0

    def years(self) -> tuple[int, int]:
        """(complete years, days of the last one)."""
        after = self._shortened(self.start, self.end) + timedelta(days=1)
        years = whole_months(self.start, after) // 12
        return years, (after - add_months(self.start, years * 12)).days

    def steps(self) -> list[Step]:
        served = days_between(self.start, self.end)
        steps = [
            Step(
                text="Tiempo de servicio",
                formula=f"del {short(self.start)} al {short(self.end)}, ambos incluidos",
                result=f"{several(served, 'día', 'días')}; "
                + months_told(months_begun(self.start, self.end)),
            )
        ]
        if self.left_out:
            spans = [f"del {short(first)} al {short(last)}" for first, last in self._spans()]
            lost = self._lost(self.start, self.end)
            left = f"{several(lost, 'día', 'días')}; quedan {months_told(self.months())}"
            text = "Tiempo que no cuenta como servicio"
            steps.append(Step(text=text, formula=" y ".join(spans), result=left, refs=refs("art. 46.2 ET")))
        return steps

    def _spans(self) -> list[tuple[date, date]]:
        return list(zip(self.left_out[::2], self.left_out[1::2], strict=True))

    def _lost(self, first: date, last: date) -> int:
        spans = [(max(first, one), min(last, other)) for one, other in self._spans()]
        return sum(days_between(one, other) for one, other in spans if one <= other)

    def _shortened(self, first: date, last: date) -> date:
        return last - timedelta(days=self._lost(first, last))


def months_told(count: int) -> str:
    """'12 meses completos o comenzados'."""
    return several(count, "mes completo o comenzado", "meses completos o comenzados")
