"""Working days of the seat of a court: Saturdays, Sundays and its holidays do not count."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from core.errors import InputError

ONE = timedelta(days=1)
NO_YEAR = (
    "No hay festivos de {year} para {seat}, y sin ellos no se puede contar el plazo: añádalos en el archivo "
    "«{file}» de la carpeta «holidays» de la instalación (tiene los de {years})."
)
NATIONAL_ONLY = (
    "De {year} solo se han descontado las fiestas nacionales de fecha fija: con las autonómicas y locales de "
    "{seat} y el Viernes Santo, el plazo puede acabar más tarde, nunca antes. Compruebe el calendario, o "
    "añádalo en el archivo «{file}» de la carpeta «holidays» de la instalación."
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
        file: name of the file they come from.
    """

    name: str
    days: Mapping[int, Mapping[date, str]]
    file: str = ""

    def holiday(self, day: date) -> str:
        """Name of the holiday on that day, or ''. Raises InputError: its year is not known."""
        if self.national_only(day):
            return NATIONAL.get((day.month, day.day), "")
        if day.year not in self.days:
            years = ", ".join(map(str, sorted(self.days)))
            raise InputError(NO_YEAR.format(year=day.year, seat=self.name, file=self.file, years=years))
        return self.days[day.year].get(day, "")

    def national_only(self, day: date) -> bool:
        """True in the year after the last one with data."""
        return day.year == max(self.days, default=0) + 1

    def doubts(self, until: date) -> tuple[str, ...]:
        """Warnings about a term that ends on that day, in Spanish."""
        if not self.national_only(until):
            return ()
        return (NATIONAL_ONLY.format(year=until.year, seat=self.name, file=self.file),)


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
