"""Reader of the files of holidays and figures, which a firm edits; a wrong one is told and left out."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, TypeVar

from calculations.calendars import Seat
from calculations.holiday_files import seats_of
from calculations.official_figures import FROM_TEXT, Facts, Figure
from calculations.written_amounts import LARGEST
from core.errors import ConfigurationError
from lexicon.ties import Kind, Tie, provisions

HOLIDAYS, FIGURES = "holidays", "figures"
LARGEST_FILE = 1_000_000
TOO_LARGE = "es demasiado grande para un archivo de datos; revíselo."
WRITTEN = "no está bien escrito ({why}); corrija esa línea."
UNREADABLE = "no se puede leer; compruebe que es texto UTF-8 con fechas y nombres."
NO_FIGURES = "no tiene ninguna tabla [[figure]]; añada una o quite el archivo."
INCOMPLETE = (
    "la cifra {number} no está completa; revise name, since, until, amount y source (fechas en orden e "
    "importe positivo), o name, cite y los valores de since si la fija un artículo."
)
_SPAN = re.compile(r"(?P<years>\d{1,2}) años(?: y (?P<months>\d{1,2}) mes(?:es)?)?")
T = TypeVar("T")


def read_facts(folders: Iterable[Path]) -> Facts:
    """The seats and figures of these folders, each with `holidays` and `figures` inside.

    A file of a later folder takes the place of one of the same name in an earlier one, also when it is wrong,
    and a seat gets the years that a later file gives it.
    """
    folders, problems = list(folders), list[str]()
    seats: list[Seat] = []
    for found in _read(folders, HOLIDAYS, seats_of, problems):
        for seat in found:
            place = next((i for i, one in enumerate(seats) if one.keys & seat.keys), None)
            if place is None:
                seats.append(seat)
            else:
                seats[place] = seats[place].overlaid(seat)
    figures = [figure for found in _read(folders, FIGURES, _figures, problems) for figure in found]
    seats.sort(key=lambda one: min(one.keys))
    return Facts(tuple(seats), tuple(figures), tuple(problems))


def _read(
    folders: Iterable[Path], kind: str, read: Callable[[dict[str, Any]], T], problems: list[str]
) -> Iterator[T]:
    """The content of every file that can be used, those of later folders last; `problems` gets the others."""
    files: dict[str, Path] = {}
    for folder in folders:
        for file in sorted((folder / kind).glob("*.toml")):
            files.pop(file.name, None)
            files[file.name] = file
    for file in files.values():
        try:
            yield read(_tables(file))
        except ConfigurationError as error:
            problems.append(f"{kind}/{file.name}: {error}")


def _tables(file: Path) -> dict[str, Any]:
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise ConfigurationError(TOO_LARGE)
        return tomllib.loads(file.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(WRITTEN.format(why=error)) from error
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigurationError(UNREADABLE) from error


def _figures(tables: dict[str, Any]) -> list[Figure]:
    """The figures of a file; one without a last day ends when the next of its name begins."""
    found = tables.get("figure")
    if not isinstance(found, list):
        raise ConfigurationError(NO_FIGURES)
    listed = [one for number, table in enumerate(found, 1) for one in _of_table(number, table)]
    starts = {(one.name, one.since) for one in listed}
    return [replace(one, until=_end(one, starts)) for one in listed]


def _end(figure: Figure, starts: set[tuple[str, date]]) -> date:
    later = [since for name, since in starts if name == figure.name and since > figure.since]
    return min([figure.until, *(since - timedelta(days=1) for since in later)])


def _of_table(number: int, table: Any) -> list[Figure]:
    """The figures of a table: `since` is the first day of `amount`, or gives each first day a value."""
    try:
        values = table["since"]
        if type(values) is date:
            values = {str(values): table["amount"]}
        cite = str(table.get("cite", ""))
        common = {
            "name": str(table["name"]),
            "until": table.get("until", date.max) if cite else table["until"],
            "source": cite or str(table["source"]),
            "unit": str(table.get("unit", "")),
            "cited": bool(cite),
            "before": str(table.get("before", "")),
            "tie": tie_of(table),
        }
        dated = ((date.fromisoformat(day), _value(one)) for day, one in values.items())
        found = [Figure(since=since, **common, **value) for since, value in dated]
        if not (found and common["name"] and common["source"] and all(map(_usable, found))):
            raise ValueError
    except (LookupError, TypeError, ValueError, AttributeError, InvalidOperation):
        raise ConfigurationError(INCOMPLETE.format(number=number)) from None
    return found


def _usable(figure: Figure) -> bool:
    amounts = [figure.amount, *(one for row in figure.rows for one in row)]
    dated = type(figure.until) is date and figure.since <= figure.until
    return dated and all(one.is_finite() and 0 <= one <= LARGEST for one in amounts)


def _value(written: Any) -> dict[str, Any]:
    """Of a number, a span of months as «66 años y 2 meses», the rows of a scale or «cuadro»."""
    if written == FROM_TEXT:
        return {"amount": Decimal(0), "from_text": True}
    if isinstance(written, list):
        rows = tuple(tuple(Decimal(str(_months(one))) for one in row) for row in written)
        return {"amount": Decimal(0), "rows": tuple(sorted(rows))}
    amount = Decimal(str(_months(written)))
    if not amount:
        raise ValueError
    return {"amount": amount}


def _months(written: Any) -> Any:
    found = _SPAN.fullmatch(written) if isinstance(written, str) else None
    return int(found["years"]) * 12 + int(found["months"] or 0) if found else written


def tie_of(table: dict[str, Any]) -> Tie | None:
    """The provisions of a table, with the hashes of the wordings on which somebody read its values."""
    if "of" not in table:
        return None
    return Tie(
        kind=Kind.FIGURE,
        of=provisions(table["of"]),
        source=table.get("cite", table.get("source", "")),
        says=table["name"],
        checked=table.get("checked"),
        sha256=tuple(table.get("sha256", ())),
    )
