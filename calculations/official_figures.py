"""Data of calculations that changes from year to year: holidays and official figures."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from difflib import get_close_matches

from calculations.calendars import Seat, place_key
from core.errors import InputError

NO_SEAT = (
    "No hay festivos de «{name}». {nearest}Elija la capital de su provincia u otra sede de la misma "
    "comunidad, y escriba las fiestas locales en «Otros días inhábiles de la sede»."
)
NEAREST = "¿Quería decir {names}? "
NO_SEATS = "No hay festivos de ninguna sede: pida a quien administra Articulado que los añada."
NO_FIGURE = (
    "No hay un dato comprobado de «{name}» para el {day:%d/%m/%Y}: escriba usted el importe, o pida a quien "
    "administra Articulado que lo añada, con la norma que lo fija."
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
    """Seats and figures, and a sentence for each file of theirs that cannot be used."""

    seats: tuple[Seat, ...] = ()
    figures: tuple[Figure, ...] = ()
    problems: tuple[str, ...] = ()

    def seat(self, name: str, closed: Iterable[date] | None = None) -> Seat:
        """The seat of one of its names, without regard to accents or case, closed on these days as well.

        Raises:
            InputError: there is none.
        """
        wanted = place_key(name)
        for seat in self.seats:
            if wanted in seat.keys:
                return seat.closed_too(closed or ())
        if not self.seats:
            raise InputError(NO_SEATS)
        raise InputError(NO_SEAT.format(name=name[:60], nearest=self._nearest(wanted)))

    def figure(self, name: str, day: date) -> Figure:
        """The figure in force on a day. Raises InputError: none is known."""
        if found := self.known(name, day):
            return found
        raise InputError(NO_FIGURE.format(name=name, day=day))

    def known(self, name: str, day: date) -> Figure | None:
        """The figure in force on a day, or None."""
        return next((one for one in self.figures if one.name == name and one.since <= day <= one.until), None)

    def _nearest(self, wanted: str) -> str:
        known = {key: seat.name for seat in self.seats for key in seat.keys}
        near = dict.fromkeys(known[key] for key in get_close_matches(wanted, known, n=2, cutoff=0.75))
        return NEAREST.format(names=" o ".join(f"«{name}»" for name in near)) if near else ""
