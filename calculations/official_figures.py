"""Data of calculations that changes from year to year: holidays and official figures."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from calculations.calendars import Seat
from core.errors import InputError

NO_SEAT = (
    "No hay festivos de «{name}». Hay datos de: {known}. Añada un archivo de esa sede a "
    "la carpeta «holidays» de la instalación."
)
NO_SEATS = "No hay ningún archivo de festivos: añada el de la sede a la carpeta «holidays» de la instalación."
NO_FIGURE = (
    "No hay un dato comprobado de «{name}» para el {day:%d/%m/%Y}: escriba usted el importe, o añádalo a la "
    "carpeta «figures» de la instalación, con la norma que lo fija."
)


@dataclass(frozen=True)
class Figure:
    """An official amount, from its first day to the last for which somebody has checked it."""

    name: str
    since: date
    until: date
    amount: Decimal
    source: str


@dataclass(frozen=True)
class Facts:
    """Seats by name as it is typed in files' names ('madrid'), and figures."""

    seats: Mapping[str, Seat] = field(default_factory=dict)
    figures: tuple[Figure, ...] = ()

    def seat(self, name: str) -> Seat:
        """The seat of that name, in any case. Raises InputError: there is none."""
        wanted = name.strip().casefold()
        for key, seat in self.seats.items():
            if wanted in (key.casefold(), seat.name.casefold()):
                return seat
        if not self.seats:
            raise InputError(NO_SEATS)
        known = ", ".join(seat.name for seat in self.seats.values())
        raise InputError(NO_SEAT.format(name=name[:60], known=known))

    def figure(self, name: str, day: date) -> Figure:
        """The figure in force on a day. Raises InputError: none is known."""
        if found := self.known(name, day):
            return found
        raise InputError(NO_FIGURE.format(name=name, day=day))

    def known(self, name: str, day: date) -> Figure | None:
        """The figure in force on a day, or None."""
        return next((one for one in self.figures if one.name == name and one.since <= day <= one.until), None)
