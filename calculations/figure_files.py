"""Reader of the files of holidays and figures, which a firm edits: errors name the file and the remedy."""

import tomllib
from collections.abc import Iterable
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from calculations.calendars import Seat
from calculations.official_figures import Facts, Figure
from calculations.written_amounts import LARGEST
from core.errors import ConfigurationError

HOLIDAYS, FIGURES = "holidays", "figures"
FEWEST, MOST = 14, 15
LARGEST_FILE = 1_000_000


def read_facts(folders: Iterable[Path]) -> Facts:
    """The seats and figures of these folders, each with `holidays` and `figures` inside.

    A file of a later folder takes the place of one of the same name in an earlier one.

    Raises:
        ConfigurationError: a file cannot be used; the sentence names it.
    """
    holidays: dict[str, Path] = {}
    figures: dict[str, Path] = {}
    for folder in folders:
        holidays |= {file.name: file for file in sorted((folder / HOLIDAYS).glob("*.toml"))}
        figures |= {file.name: file for file in sorted((folder / FIGURES).glob("*.toml"))}
    return Facts(
        seats={file.stem: _seat(file) for _, file in sorted(holidays.items())},
        figures=tuple(figure for _, file in sorted(figures.items()) for figure in _figures(file)),
    )


def _tables(file: Path) -> dict[str, Any]:
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise ConfigurationError(f"{file.name}: es demasiado grande para un archivo de datos; revíselo.")
        return tomllib.loads(file.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(
            f"{file.name}: no está bien escrito ({error}); corrija esa línea."
        ) from error
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigurationError(
            f"{file.name}: no se puede leer; compruebe que es texto UTF-8 con fechas y nombres."
        ) from error


def _seat(file: Path) -> Seat:
    tables = _tables(file)
    name = tables.pop("seat", None)
    tables.pop("region", None)
    if not isinstance(name, str) or not name.strip():
        raise ConfigurationError(f'{file.name}: falta el nombre de la sede; añada una línea seat = "Madrid".')
    years: dict[int, dict[date, str]] = {}
    for key, table in tables.items():
        if not (key.isdecimal() and len(key) == 4 and isinstance(table, dict)):
            raise ConfigurationError(
                f"{file.name}: «{key}» no es un año; cada tabla se llama como su año, [2026]."
            )
        years[int(key)] = {_day(file, int(key), day): _name(file, day, said) for day, said in table.items()}
        if not FEWEST <= len(years[int(key)]) <= MOST:
            raise ConfigurationError(
                f"{file.name}: el año {key} tiene {len(table)} festivos y deben ser "
                f"{FEWEST}, o {MOST} con uno "
                "recuperable (art. 37.2 ET); complételo o quite ese año."
            )
    return Seat(name.strip(), years, file.name)


def _day(file: Path, year: int, text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ConfigurationError(
            f"{file.name}: «{text}» no es una fecha que exista; escríbala como {year}-05-01."
        ) from None
    if day.year != year:
        raise ConfigurationError(
            f"{file.name}: «{text}» está en la tabla de {year}; póngala en la de su año."
        )
    return day


def _name(file: Path, day: str, said: object) -> str:
    if not isinstance(said, str) or not said.strip():
        raise ConfigurationError(f'{file.name}: falta el nombre del festivo {day}; escriba {day} = "nombre".')
    return said.strip()


def _figures(file: Path) -> list[Figure]:
    found = _tables(file).get("figure")
    if not isinstance(found, list):
        raise ConfigurationError(
            f"{file.name}: no tiene ninguna tabla [[figure]]; añada una o quite el archivo."
        )
    return [_figure(file, number, table) for number, table in enumerate(found, 1)]


def _figure(file: Path, number: int, table: Any) -> Figure:
    wanted = "name, since, until, amount y source"
    try:
        name, source = str(table["name"]), str(table["source"])
        since, until, amount = table["since"], table["until"], Decimal(str(table["amount"]))
        good = type(since) is date and type(until) is date and since <= until
        if not (good and amount.is_finite() and 0 < amount <= LARGEST and name and source):
            raise ValueError
    except (KeyError, TypeError, ValueError, InvalidOperation):
        raise ConfigurationError(
            f"{file.name}: la cifra {number} no está completa; revise {wanted} (fechas "
            "en orden e importe positivo)."
        ) from None
    return Figure(name, since, until, amount, source)
