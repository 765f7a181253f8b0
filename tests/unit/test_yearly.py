"""Tables and lists with a row or a sentence for each year."""

from datetime import date

import pytest

from rag.answers.passage_selection import stretches
from rag.answers.yearly_rows import of_its_year
from rag.question.asked_day import time_scope
from rag.shared.hits import Hit
from tests.factories import make_chunk

TABLE = "\n".join(
    (
        "Disposición transitoria primera. Edad de los fareros.",
        "La edad se aplicará según el cuadro:",
        "| Año | Edad exigida |",
        "| --- | --- |",
        "| 2024 | 60 años y 2 meses |",
        "| 2025 | 60 años y 4 meses |",
        "| A partir del año 2026 | 61 años |",
    )
)
LIST = "\n".join(
    (
        "Disposición transitoria segunda. Cotización de los faros.",
        "La cotización será de los siguientes puntos porcentuales:",
        "En el año 2023, será de 0,60 puntos porcentuales por faro.",
        "En el año 2024, será de 0,70 puntos porcentuales por faro.",
        "En el año 2025, será de 0,80 puntos porcentuales por faro.",
        "Por cada boya se añadirá la mitad de los puntos anteriores.",
    )
)


RANGES = "\n".join(
    (
        "Disposición transitoria tercera. Aceite de los fareros.",
        "El aceite se dará según el cuadro:",
        "| Años | Litros |",
        "| --- | --- |",
        "| Hasta 2012 | 1 |",
        "| Desde 2013 hasta 2016 | 2 |",
        "| 2017-2020 | 3 |",
        "| De 2021 a 2026 | 4 |",
        "| A partir de 2027 | 5 |",
    )
)


def said(query: str, text: str, year: int) -> list[str]:
    found = stretches([(0, Hit(chunk=make_chunk(text=text, section=text.partition("\n")[0]), score=1.0))])
    time = time_scope(query, date(2026, 6, 1))
    over = {line for one in found for line in one.piece.headers}
    return [one.piece.text for one in of_its_year(query, found, year, time) if one.piece.text not in over]


@pytest.mark.parametrize(
    ("query", "year", "row"),
    [
        ("edad de los fareros", 2025, "| 2025 | 60 años y 4 meses |"),
        ("edad de los fareros en 2024", 2026, "| 2024 | 60 años y 2 meses |"),
        ("edad de los fareros", 2026, "| A partir del año 2026 | 61 años |"),
        ("edad de los fareros en 2031", 2025, "| A partir del año 2026 | 61 años |"),
    ],
)
def test_of_a_table_of_years_only_the_row_of_the_year_is_left(query: str, year: int, row: str) -> None:
    assert said(query, TABLE, year) == [row]


def test_of_a_list_of_years_only_the_sentence_of_the_year_and_those_of_every_year_are_left() -> None:
    assert said("cotización de los faros", LIST, 2024) == [LIST.splitlines()[3], LIST.splitlines()[5]]


@pytest.mark.parametrize(
    ("query", "text", "year", "left"),
    [
        ("edad de los fareros en 2010", TABLE, 2026, 3),
        ("edad de los fareros en 2024 y 2025", TABLE, 2026, 3),
        ("¿En qué año será la edad de los fareros de 61?", TABLE, 2025, 2),
        ("edad de los fareros el año que viene", TABLE, 2025, 2),
        ("tabla de edad de los fareros", TABLE, 2025, 3),
        ("evolución de la edad de los fareros", TABLE, 2026, 3),
        ("cotización de los faros", LIST, 2040, 4),
        ("edad", TABLE.replace("| 2024 | 60 años y 2 meses |\n", ""), 2026, 2),
    ],
)
def test_years_that_are_not_there_or_several_that_are_asked_for_leave_them(
    query: str, text: str, year: int, left: int
) -> None:
    assert len(said(query, text, year)) == left


@pytest.mark.parametrize(
    ("query", "litres"),
    [
        ("aceite de los fareros", "4"),
        ("aceite de los fareros en 2018", "3"),
        ("aceite de los fareros en 2010", "1"),
        ("aceite de los fareros en 2016", "2"),
        ("aceite de los fareros en 2031", "5"),
        ("¿Qué aceite me dan si empecé a trabajar en 2015?", "4"),
        ("aceite de los fareros según el Real Decreto 8/2015", "4"),
    ],
)
def test_a_row_of_several_years_is_that_of_each_of_them(query: str, litres: str) -> None:
    (row,) = said(query, RANGES, 2026)
    assert row.endswith(f"| {litres} |")


def test_what_a_sentence_says_since_a_year_goes_on_being_so() -> None:
    kept = "Desde el 1 de enero de 2023, se pagará además un plus de faro."
    assert kept in said("cotización de los faros", f"{LIST}\n{kept}", 2025)
    both = "En el año 2026, será de 0,90. En el año 2027, será de 1,00 puntos por faro."
    assert both in said("cotización de los faros", f"{LIST}\n{both}", 2025)
