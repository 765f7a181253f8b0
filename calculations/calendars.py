"""Working days of the seat of a court: Saturdays, Sundays and its holidays do not count."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from core.errors import InputError
from text.textnorm import words

ONE = timedelta(days=1)
SUNDAY = 6
TYPED = "día inhábil que usted indica"
NO_YEAR = (
    "No hay festivos de {year} para {seat}, y sin ellos no se puede contar el plazo: los hay de {years}. "
    "Revise la fecha, o pida a quien administra Articulado que añada los de ese año."
)
LATER = (
    "con {which}, el plazo puede acabar más tarde, nunca antes. Compruebe el calendario y escríbalas en "
    "«Otros días inhábiles de la sede» de «Calcular»."
)
NATIONAL_ONLY = "De {year} solo se han descontado las fiestas nacionales de fecha fija: " + LATER.format(
    which="las autonómicas y locales de {seat} y el Viernes Santo"
)
NO_LOCAL = "De {seat} faltan fiestas locales ({years}), que no se han descontado: " + LATER.format(
    which="ellas"
)
NATIONAL = {
    (1, 1): "Año Nuevo",
    (5, 1): "Fiesta del Trabajo",
    (8, 15): "Asunción de la Virgen",
    (10, 12): "Fiesta Nacional",
    (11, 1): "Todos los Santos",
    (12, 6): "Día de la Constitución",
    (12, 8): "Inmaculada Concepción",
    (12, 25): "Natividad del Señor",
}
"""Holidays that no comunidad can replace and that have a date of their own (art. 45 RD 2001/1983)."""
STRICT_CHRISTMAS = date(2022, 12, 24)
"""From then on 24 December to 6 January are no working days either (art. 43.4 LRJS)."""


@dataclass(frozen=True)
class Seat:
    """Holidays of one place.

    Attributes:
        days: year to day to name; of the year after the last one only `NATIONAL` is known, so that no term
            is found to end later than it does; others are not known.
        region: its comunidad; empty for a place that a firm adds.
        others: its other names.
        lacking: year to how many of its local days are not known.
        sources: year to the official list of its holidays.
        typed: days that a person adds.
    """

    name: str
    days: Mapping[int, Mapping[date, str]]
    region: str = ""
    others: tuple[str, ...] = ()
    lacking: Mapping[int, int] = field(default_factory=dict)
    sources: Mapping[int, str] = field(default_factory=dict)
    typed: frozenset[date] = frozenset()

    @property
    def keys(self) -> set[str]:
        """Its names as they are compared."""
        return {place_key(name) for name in (self.name, *self.others)}

    def holiday(self, day: date) -> str:
        """Name of the holiday on that day, or ''. Raises InputError: its year is not known."""
        if self.national_only(day):
            found = NATIONAL.get((day.month, day.day), "")
        elif day.year in self.days:
            found = self.days[day.year].get(day, "")
        else:
            years = ", ".join(map(str, sorted(self.days)))
            raise InputError(NO_YEAR.format(year=day.year, seat=self.name, years=years))
        return found or (TYPED if day in self.typed else "")

    def national_only(self, day: date) -> bool:
        """True in the year after the last one with data."""
        return day.year == max(self.days, default=0) + 1

    def closed_too(self, days: Iterable[date]) -> "Seat":
        """The same seat, whose holidays are these days as well."""
        return replace(self, typed=frozenset(days))

    def overlaid(self, other: "Seat") -> "Seat":
        """The same seat with the years that another file gives it."""
        return replace(
            self,
            days={**self.days, **other.days},
            lacking={**self.lacking, **other.lacking},
            sources={**self.sources, **dict.fromkeys(other.days, ""), **other.sources},
        )

    def doubts(self, since: date, until: date) -> tuple[str, ...]:
        """Warnings about a term between two days, in Spanish."""
        told = []
        if self.national_only(until):
            told.append(NATIONAL_ONLY.format(year=until.year, seat=self.name))
        lacking = [str(year) for year in range(since.year, until.year + 1) if self._lacking(year)]
        if lacking:
            told.append(NO_LOCAL.format(seat=self.name, years=" y ".join(lacking)))
        return tuple(told)

    def source(self, since: date, until: date) -> str:
        """The official lists of the years of a term, in Spanish; may be empty."""
        years = (year for year in range(since.year, until.year + 1) if self.sources.get(year))
        return ", ".join(f"{year}: {self.sources[year]}" for year in years)

    def _lacking(self, year: int) -> bool:
        """Local days fall on no Sunday and on no other holiday."""
        known = self.days.get(year, {})
        new = [day for day in self.typed if day.year == year and day.weekday() != SUNDAY and day not in known]
        return self.lacking.get(year, 0) > len(new)


def place_key(name: str) -> str:
    """The name of a place without its accents, capitals and marks."""
    return " ".join(words(name))


@dataclass(frozen=True)
class WorkingDays:
    """The days that count towards a term at a seat.

    Attributes:
        recess: True where August and, since 2022, 24 December to 6 January do not count.
    """

    seat: Seat
    recess: bool = False

    def why_not(self, day: date) -> str:
        """Why the day does not count, in Spanish, or ''. Raises InputError: its year is not known."""
        holiday = self.seat.holiday(day)
        if day.weekday() >= 5:
            return "sábado" if day.weekday() == 5 else "domingo"
        if holiday:
            return holiday
        return self._recess(day) if self.recess else ""

    def counts(self, day: date) -> bool:
        """Raises InputError: its year is not known."""
        return not self.why_not(day)

    def next(self, day: date) -> date:
        """The first working day after that one."""
        day += ONE
        while not self.counts(day):
            day += ONE
        return day

    def after(self, day: date, number: int) -> date:
        """The working day of that number (1, 2…) after a day."""
        for _ in range(number):
            day = self.next(day)
        return day

    def between(self, after: date, until: date) -> list[date]:
        """Working days after one day, until another, which is included."""
        return [day for day in _days(after, until) if self.counts(day)]

    def skipped(self, after: date, until: date) -> list[tuple[date, str]]:
        """Days between, weekends apart, that do not count, each with its reason."""
        days = _days(after, until)
        return [(day, why) for day in days if day.weekday() < 5 and (why := self.why_not(day))]

    @staticmethod
    def _recess(day: date) -> str:
        if day.month == 8:
            return "agosto"
        christmas = (day.month, day.day) >= (12, 24) or (day.month, day.day) <= (1, 6)
        return "del 24 de diciembre al 6 de enero" if christmas and day >= STRICT_CHRISTMAS else ""


def _days(after: date, until: date) -> Iterator[date]:
    return (after + ONE * place for place in range(1, (until - after).days + 1))
