"""Impossible numbers, dates and ECLIs of rulings. Pure functions."""

import re
from collections.abc import Iterator
from datetime import date

from law import dates
from law.labels import fold

FIRST_YEAR = 1900
MOST_OF_THE_CONSTITUTIONAL = 400
"""Judgments of the Constitutional Court in a year, which are numbered from one."""
_FORM = re.compile(
    r"ECLI:(?P<country>[A-Z]{2}):(?P<court>[A-Z][A-Z0-9]{0,6}):(?P<year>\d{4}):(?P<number>[A-Z0-9.]{1,25})"
)
_SPANISH = re.compile(
    r"TS|TC|AN|TSJ(?:AND|AR|AS|BAL|CANT|CL|CLM|CAT|CV|EXT|GAL|ICAN|LR|M|MU|NA|PV|CE|ML)?"
    r"|AP[A-Z]{1,3}|J[A-Z]{1,4}|AM|TSM"
)
_COURTS = {"ES": _SPANISH, "EU": re.compile(r"[CTF]")}
_SPANISH_NUMBER = re.compile(r"[0-9]+A?B?")
_DATE = re.compile(rf"{dates.SPELLED}|{dates.NUMERIC}")
_NUMBERED = re.compile(r"\d{1,6}/(?:\d{4}|\d{2})")
_CODES = {
    "STS": ("TS",), "ATS": ("TS",), "STC": ("TC",), "ATC": ("TC",), "SAN": ("AN",), "AAN": ("AN",),
    "STSJ": ("TSJ",), "ATSJ": ("TSJ",), "SAP": ("AP",), "SJS": ("JSO",), "STJUE": ("C", "T"),
}  # fmt: skip
_REGIONS = {
    "andalucia": "AND", "aragon": "AR", "asturias": "AS", "baleares": "BAL", "cantabria": "CANT",
    "castilla y leon": "CL", "castilla-la mancha": "CLM", "castilla la mancha": "CLM", "cataluna": "CAT",
    "valenciana": "CV", "extremadura": "EXT", "galicia": "GAL", "canarias": "ICAN", "la rioja": "LR",
    "madrid": "M", "murcia": "MU", "navarra": "NA", "pais vasco": "PV",
}  # fmt: skip
_BY_YEAR = frozenset({"STC", "ATC", "STS", "ATS", "SAN", "STSJ"})
"""Courts whose numbers carry the year of the ruling."""


def year_of(number: str) -> int | None:
    """2020 of '123/2020' and of '123/20'; None for an empty number and for one of another form."""
    year = _NUMBERED.fullmatch(number) and number.partition("/")[2]
    if not year:
        return None
    return int(year) if len(year) == 4 else int(year) + (1900 if int(year) > 50 else 2000)


def number_problems(court: str, number: str, day_words: str, today: date) -> Iterator[str]:
    """Faults of the number and the date, in Spanish sentences.

    Args:
        day_words: the date as it is written, with its year.
    """
    day, year = dates.parse(day_words), year_of(number)
    if day is None and _DATE.search(day_words):
        yield "La fecha no existe en el calendario."
    if day and day > today:
        yield "La fecha es posterior a hoy."
    if number and not _NUMBERED.fullmatch(number):
        yield "El número no tiene la forma «número/año»."
    if year is None:
        return
    order = int(number.partition("/")[0])
    if order == 0:
        yield "El número cero no lo lleva ninguna resolución."
    if year > today.year:
        yield f"El año {year} no ha llegado."
    if day and court in _BY_YEAR and year != day.year:
        yield f"El número es de {year} y la fecha, de {day.year}."
    if court == "STC" and order > MOST_OF_THE_CONSTITUTIONAL:
        yield f"El Tribunal Constitucional no ha dictado {order} sentencias en un año."


def appeal_problems(appeal: str, day: date | None) -> Iterator[str]:
    """Faults of the number of the appeal that a ruling of that day decides."""
    year = year_of(appeal)
    if year and day and year > day.year:
        yield f"El recurso es de {year} y la fecha de la resolución, de {day.year}."


def region_problems(words: str, ecli: str) -> Iterator[str]:
    """The sentence for an ECLI of another tribunal superior than the words of the citation."""
    form, told = _FORM.fullmatch(ecli), fold(words)
    region = next((code for name, code in _REGIONS.items() if re.search(rf"\b{name}\b", told)), "")
    code = form["court"] if form else ""
    if region and code.startswith("TSJ") and code not in ("TSJ", f"TSJ{region}"):
        yield f"El ECLI es del órgano «{code}», y la resolución, de otro tribunal superior."


def ecli_problems(court: str, number: str, day: date | None, ecli: str, today: date) -> Iterator[str]:
    """Faults of the ECLI, alone or beside the rest, in Spanish sentences."""
    form = _FORM.fullmatch(ecli)
    if form is None:
        if ecli:
            yield "El ECLI no tiene la forma «ECLI:país:órgano:año:número»."
        return
    year, code, country = int(form["year"]), form["court"], form["country"]
    courts = _COURTS.get(country)
    if courts is None or not courts.fullmatch(code):
        yield f"«{country}:{code}» no es un órgano de España ni de la Unión Europea."
    elif country == "ES" and not _SPANISH_NUMBER.fullmatch(form["number"]):
        yield "El número del ECLI español solo lleva cifras, y una «A» final en los autos."
    if not FIRST_YEAR <= year <= today.year:
        yield f"El año del ECLI, {year}, no es posible."
    if day and day.year != year:
        yield f"El ECLI es de {year} y la fecha, de {day.year}."
    expected = _CODES.get(court, ())
    if (expected and not code.startswith(expected)) or (court == "STS" and code.startswith("TSJ")):
        yield f"El ECLI es del órgano «{code}», que no es el de la resolución citada."
    if court == "STC" and number and form["number"].strip("A") != number.partition("/")[0]:
        yield "El número del ECLI no es el de la sentencia."
