"""Reader of the files of holidays and figures, which a firm edits; a wrong one is told and left out."""

import tomllib
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, TypeVar

from calculations.calendars import Seat
from calculations.holiday_files import seats_of
from calculations.official_figures import Facts, Figure
from calculations.written_amounts import LARGEST
from core.errors import ConfigurationError

HOLIDAYS, FIGURES = "holidays", "figures"
LARGEST_FILE = 1_000_000
TOO_LARGE = "es demasiado grande para un archivo de datos; revíselo."
WRITTEN = "no está bien escrito ({why}); corrija esa línea."
UNREADABLE = "no se puede leer; compruebe que es texto UTF-8 con fechas y nombres."
NO_FIGURES = "no tiene ninguna tabla [[figure]]; añada una o quite el archivo."
INCOMPLETE = (
    "la cifra {number} no está completa; revise name, since, until, amount y source (fechas en orden e "
    "importe positivo)."
)
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
    found = tables.get("figure")
    if not isinstance(found, list):
        raise ConfigurationError(NO_FIGURES)
    return [_figure(number, table) for number, table in enumerate(found, 1)]


def _figure(number: int, table: Any) -> Figure:
    try:
        name, source = str(table["name"]), str(table["source"])
        since, until, amount = table["since"], table["until"], Decimal(str(table["amount"]))
        good = type(since) is date and type(until) is date and since <= until
        if not (good and amount.is_finite() and 0 < amount <= LARGEST and name and source):
            raise ValueError
    except (KeyError, TypeError, ValueError, InvalidOperation):
        raise ConfigurationError(INCOMPLETE.format(number=number)) from None
    return Figure(name, since, until, amount, source)
