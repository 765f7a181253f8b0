"""Tables and lists with a row or a sentence for each year."""

import pytest

from rag.answers.selection import stretches
from rag.answers.yearly import of_its_year
from rag.types import Hit
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


def said(query: str, text: str, year: int) -> list[str]:
    found = stretches([(0, Hit(chunk=make_chunk(text=text, section=text.partition("\n")[0]), score=1.0))])
    return [one.piece.text for one in of_its_year(query, found, year)]


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
        ("edad de los fareros en 2024 y 2025", TABLE, 2026, 2),
        ("evolución de la edad de los fareros", TABLE, 2026, 3),
        ("cotización de los faros", LIST, 2040, 4),
        ("edad", TABLE.replace("| 2024 | 60 años y 2 meses |\n", ""), 2026, 2),
    ],
)
def test_years_that_are_not_there_or_several_that_are_asked_for_leave_them(
    query: str, text: str, year: int, left: int
) -> None:
    assert len(said(query, text, year)) == left
