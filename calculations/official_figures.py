"""Law and calendars as data of a day: holidays, and the figures that a provision or a decree fixes."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from difflib import get_close_matches

from calculations.calendars import Seat, place_key
from calculations.outcome import Ref, refs
from core.errors import InputError
from lexicon.ties import Tie
from text import rows
from text.segmentation import is_row

NO_SEAT = (
    "No hay festivos de «{name}». {nearest}Elija la capital de su provincia u otra sede de la misma "
    "comunidad, y escriba las fiestas locales en «Otros días inhábiles de la sede»."
)
NEAREST = "¿Quería decir {names}? "
NO_SEATS = "No hay festivos de ninguna sede: pida a quien administra Articulado que los añada."
UNKNOWN = (
    "No hay ningún dato comprobado de «{name}»: pida a quien administra Articulado que lo añada, con la "
    "norma que lo fija."
)
LATER = (
    "No hay un dato comprobado de «{name}» para el {day:%d/%m/%Y}: el último conocido, de {source}, llega "
    "hasta el {until:%d/%m/%Y}. Escriba usted el importe si el cálculo lo pide, o pida a quien administra "
    "Articulado que cargue la norma que lo fije."
)
EARLIER = (
    "No hay un dato comprobado de «{name}» para el {day:%d/%m/%Y}: el primero es del {since:%d/%m/%Y} "
    "({source}). Consulte la norma que regía antes."
)
NOT_LOADED = (
    "Falta el cuadro del {source}, de donde sale «{name}»: no está en la norma cargada, o la norma no lo "
    "está. Pida a quien administra Articulado que la cargue desde el BOE."
)
FROM_TEXT = "cuadro"
"""Value of a figure whose rows are read from the table of its provision, as it is loaded."""

Rows = tuple[tuple[Decimal, ...], ...]
ReadRows = Callable[[str, str, date], Rows]
"""Rows of numbers in the wording of a provision, by norm and block, on a day; () without a table."""


def numeric_rows(text: str) -> Rows:
    """The rows of the tables of a wording whose cells are all numbers."""
    found = (rows.cells(line) for line in text.splitlines() if is_row(line))
    numbers = ([one.rstrip(" %").replace(".", "").replace(",", ".") for one in cells] for cells in found)
    return tuple(
        tuple(map(Decimal, cells))
        for cells in numbers
        if all(re.fullmatch(r"\d+(\.\d+)?", one) for one in cells)
    )


@dataclass(frozen=True)
class Figure:
    """A value that the law fixes from its first day to the last, with the provision or decree that says it.

    Attributes:
        amount: the value; of several, the rows of its scale are in `rows`.
        before: sentence for days before the first of its name.
        tie: the wording on which it was checked, if its provision is of the corpus.
    """

    name: str
    since: date
    until: date
    amount: Decimal
    source: str
    unit: str = ""
    cited: bool = False
    before: str = ""
    rows: Rows = ()
    from_text: bool = False
    tie: Tie | None = None

    @property
    def refs(self) -> tuple[Ref, ...]:
        return refs(self.source) if self.cited else ()

    @property
    def whole(self) -> int:
        return int(self.amount)

    @property
    def share(self) -> Decimal:
        """Of a percentage, the part of one."""
        return self.amount / 100

    def row(self, value: Decimal | int) -> tuple[Decimal, ...]:
        """The values of the last row of the scale that begins at or below this one; () below the first."""
        return next((row[1:] for row in reversed(self.rows) if row[0] <= value), ())


@dataclass(frozen=True)
class Facts:
    """Seats and figures, and a sentence for each file of theirs that cannot be used."""

    seats: tuple[Seat, ...] = ()
    figures: tuple[Figure, ...] = ()
    problems: tuple[str, ...] = ()
    read_rows: ReadRows = field(default=lambda norm, block, day: (), compare=False)

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
        """The figure in force on a day. Raises InputError: none is known, or its table is not loaded."""
        found = self.known(name, day)
        if found is None:
            raise InputError(self._missing(name, day))
        if not found.from_text:
            return found
        return self._from_text(found, day)

    def known(self, name: str, day: date) -> Figure | None:
        """The figure in force on a day, or None."""
        return next((one for one in self._of(name) if one.since <= day <= one.until), None)

    def between(self, name: str, start: date, end: date) -> list[tuple[date, date, Figure]]:
        """(first day, last day, figure) of each value that is in force between two days, both included."""
        self.figure(name, start)
        spans = [(max(start, one.since), min(end, one.until), one) for one in self._of(name)]
        return sorted((span for span in spans if span[0] <= span[1]), key=lambda span: span[0])

    @property
    def ties(self) -> tuple[Tie, ...]:
        """The provisions of the figures, with the wordings on which they were checked."""
        return tuple(dict.fromkeys(one.tie for one in self.figures if one.tie))

    def _of(self, name: str) -> list[Figure]:
        return [one for one in self.figures if one.name == name]

    def _missing(self, name: str, day: date) -> str:
        known = sorted(self._of(name), key=lambda one: one.since)
        if not known:
            return UNKNOWN.format(name=name)
        if day >= known[0].since:
            last = max((one for one in known if one.until < day), key=lambda one: one.until)
            return LATER.format(name=name, day=day, source=last.source, until=last.until)
        first = known[0]
        return first.before or EARLIER.format(name=name, day=day, since=first.since, source=first.source)

    def _from_text(self, figure: Figure, day: date) -> Figure:
        rows: Sequence[tuple[Decimal, ...]] = ()
        if figure.tie:
            rows = self.read_rows(*figure.tie.of[0], day)
        if not rows:
            raise InputError(NOT_LOADED.format(name=figure.name, source=figure.source))
        return Figure(**{**vars(figure), "rows": tuple(sorted(rows)), "from_text": False})

    def _nearest(self, wanted: str) -> str:
        known = {key: seat.name for seat in self.seats for key in seat.keys}
        near = dict.fromkeys(known[key] for key in get_close_matches(wanted, known, n=2, cutoff=0.75))
        return NEAREST.format(names=" o ".join(f"«{name}»" for name in near)) if near else ""
