"""Figures and days that an answer may derive from what was read and asked."""

from datetime import date

import pytest

from law.dates import days_named, without_days
from rag.answers.derived_figures import counts, days_told, explained, otherwise, paragraphs, spans
from tests.case_files import pairs

TODAY = date(2026, 6, 1)


@pytest.mark.parametrize(("text", "named"), pairs("days_named"))
def test_the_days_of_a_text_are_named(text: str, named: str) -> None:
    assert "; ".join("-".join(str(part) for part in day if part) for day in days_named(text)) == named


def test_a_text_without_its_days_keeps_its_other_figures() -> None:
    assert without_days("Del 3 al 10 de mayo de 2026 son 7 días.") == "Del  son 7 días."


@pytest.mark.parametrize(
    ("said", "nowhere"),
    [
        ("Rige desde el 12 de febrero de 2012.", []),
        ("Hasta el 11 de febrero de 2012.", []),
        ("Desde el 13 de febrero.", []),
        ("Hasta el 31 de diciembre de 2026.", []),
        ("Desde el 12 de febrero de 2013.", [(12, 2, 2013)]),
        ("El 3 de mayo.", [(3, 5, 0)]),
    ],
)
def test_a_day_stands_where_it_its_eve_or_the_next_one_does_and_with_its_year(
    said: str, nowhere: list[tuple[int, int, int]]
) -> None:
    law = ["Los contratos desde el 12 de febrero de 2012. A partir del año 2027."]
    assert [tuple(day) for day in days_told(said, law, [], TODAY)[1]] == nowhere


def test_the_intervals_between_days_are_counted_with_the_last_one_in_or_out() -> None:
    found = set(spans([date(2012, 2, 12), date(2025, 9, 30)]))
    assert {"13", "7", "19", "163", "164"} <= found
    assert "7" in set(spans([date(2026, 11, 3), date(2026, 11, 10)]))


@pytest.mark.parametrize(
    ("figure", "answer", "explains"),
    [
        ("36", "Con 24 y los 12 de antes son 36.", True),
        ("6", "La mitad de 12, es decir, 6.", True),
        ("1.155", "El 70 de 1.650 son 1.155.", True),
        ("37", "Con 24 y los 12 de antes son 37.", False),
        ("36", "Son 36.\n\nHay 24 y 12.", False),
    ],
)
def test_a_figure_is_explained_by_one_step_of_others_in_its_paragraph(
    figure: str, answer: str, explains: bool
) -> None:
    assert explained(figure, paragraphs(answer), [figure]) == explains


@pytest.mark.parametrize(
    ("given", "answer", "something"),
    [
        (["¿Cuántos días de vacaciones tengo?"], "Son treinta días.", False),
        (["Tengo dos hijos. ¿Cuántos días?"], "Son treinta días.", True),
        (["Me despidieron el 3 de mayo."], "Son veinte días.", True),
        (["¿Cuánto es el salario mínimo?"], "Son 1.221 euros.", True),
    ],
)
def test_there_is_something_to_count_from_with_a_figure_of_the_question_or_with_money(
    given: list[str], answer: str, something: bool
) -> None:
    assert counts(given, answer) == something


def test_numbers_that_say_the_same_count() -> None:
    said = otherwise(["entre un octavo y la mitad", "el 95 por ciento", "treinta y ocho años y seis meses"])
    assert {12.5, 50.0, 0.95, 38.5} <= said
