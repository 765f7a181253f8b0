"""Reader of the files of holidays: one of a comunidad with its seats, or one of a seat that a firm adds."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from calculations.calendars import NATIONAL, SUNDAY, Seat
from core.errors import ConfigurationError

FEWEST, MOST = 14, 15
"""Holidays of a year: fourteen, and one more that is made up for (art. 37.2 ET, art. 45 RD 2001/1983)."""
LOCAL = 2
NO_NAME = 'falta de quién son las fiestas; añada una línea seat = "Madrid", o region y [seats].'
NO_NAMES = "cada sede de [seats] lleva la lista de sus otros nombres, que puede ser []; revise «{seat}»."
NO_NUMBER = "«local_days» es el número de fiestas propias de cada sede, de 0 a 4; corríjalo."
NO_PLACE = "las fiestas locales de {year} son de «{seat}», que no es una de sus sedes; corrija el nombre."
NO_YEAR = "«{key}» no es un año; cada tabla se llama como su año, [2026]."
NO_DAY = "«{day}» no es una fecha que exista; escríbala como {year}-05-01."
OTHER_YEAR = "«{day}» está en la tabla de {year}; póngala en la de su año."
UNNAMED = 'falta el nombre del festivo {day}; escriba {day} = "nombre".'
MISCOUNTED = (
    "el año {year} tiene {count} festivos, con los nacionales y {local} locales, y deben ser {fewest}, o "
    "{most} con uno recuperable (art. 37.2 ET); complételo o quite ese año."
)
Days = dict[date, str]


def seats_of(tables: dict[str, Any]) -> list[Seat]:
    """The seats that the tables of a file give.

    Each `[2026]` has the holidays of that year, but for national ones with a date of their own, `source` and,
    in `[2026.local.Sevilla]`, those of one seat. A file that says `seat` has all of one seat.

    Raises:
        ConfigurationError: they cannot be used; the sentence does not name the file.
    """
    region, local = tables.pop("region", ""), tables.pop("local_days", LOCAL)
    name, places = tables.pop("seat", None), tables.pop("seats", None)
    if isinstance(name, str) and name.strip():
        region, local, places = "", 0, {name.strip(): []}
    if not (isinstance(region, str) and isinstance(places, dict) and places):
        raise ConfigurationError(NO_NAME)
    if type(local) is not int or not 0 <= local <= 4:
        raise ConfigurationError(NO_NUMBER)
    for seat, others in places.items():
        if not (isinstance(others, list) and all(isinstance(one, str) for one in others)):
            raise ConfigurationError(NO_NAMES.format(seat=seat))
    years = {_year(key, table): table for key, table in tables.items()}
    sources = {year: str(table.pop("source", "")) for year, table in years.items()}
    own = {year: _own(year, table.pop("local", {}), places) for year, table in years.items()}
    shared = {year: _shared(year, table, local) for year, table in years.items()}
    return [
        Seat(
            seat,
            {year: days | own[year].get(seat, {}) for year, days in shared.items()},
            region=region,
            others=tuple(others),
            lacking={year: local - len(own[year].get(seat, {})) for year in shared},
            sources={year: said for year, said in sources.items() if said},
        )
        for seat, others in places.items()
    ]


def _year(key: str, table: object) -> int:
    if not (key.isdecimal() and len(key) == 4 and int(key) and isinstance(table, dict)):
        raise ConfigurationError(NO_YEAR.format(key=key))
    return int(key)


def _own(year: int, tables: object, places: Mapping[str, object]) -> dict[str, Days]:
    if not isinstance(tables, dict):
        raise ConfigurationError(NO_PLACE.format(year=year, seat=tables))
    for seat, table in tables.items():
        if seat not in places or not isinstance(table, dict):
            raise ConfigurationError(NO_PLACE.format(year=year, seat=seat))
    return {seat: _days(year, table) for seat, table in tables.items()}


def _shared(year: int, table: Mapping[str, object], local: int) -> Days:
    national = {date(year, *day): name for day, name in NATIONAL.items()}
    found = national | _days(year, table)
    count = sum(day.weekday() != SUNDAY for day in found) + local
    if not FEWEST <= count <= MOST:
        raise ConfigurationError(
            MISCOUNTED.format(year=year, count=count, local=local, fewest=FEWEST, most=MOST)
        )
    return found


def _days(year: int, table: Mapping[str, object]) -> Days:
    return {_day(year, day): _name(day, said) for day, said in table.items()}


def _day(year: int, text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ConfigurationError(NO_DAY.format(day=text, year=year)) from None
    if day.year != year:
        raise ConfigurationError(OTHER_YEAR.format(day=text, year=year))
    return day


def _name(day: str, said: object) -> str:
    if not isinstance(said, str) or not said.strip():
        raise ConfigurationError(UNNAMED.format(day=day))
    return said.strip()
