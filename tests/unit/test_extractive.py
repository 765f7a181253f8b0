"""The answer without a model: complete, verbatim sentences, those that give what is asked first."""

import pytest

from rag.answers.contract import QUOTE_MAX
from rag.answers.extractive import Passage, best, by_terms, said
from rag.answers.quotable import quotable, shorten_sentence
from rag.types import Hit
from tests.factories import make_chunk

TEXT = (
    "Artículo 7. Descanso inventado. Reglas.\n"
    "1. Toda persona descansará una vez al año según lo pactado.\n"
    "En ningún caso la duración será inferior a quince días seguidos.\n"
    "2. El descanso comprende los siguientes casos:\n"
    "a) El que se pacte con dos meses de antelación por las partes."
)


def chunk(**changes):
    return make_chunk(text=TEXT, section="Artículo 7. Descanso inventado. Reglas.", start=0, **changes)


def test_neither_the_heading_nor_the_announcement_of_a_list_is_quoted():
    texts = [piece.text for piece in quotable(chunk())]
    assert not any("Reglas" in text or text.endswith(":") for text in texts)
    assert len(texts) == 3


def test_every_quotable_sentence_stands_in_the_text_where_it_says():
    for start, text, *_ in quotable(chunk()):
        assert TEXT[start : start + len(text)] == text


@pytest.mark.parametrize(
    ("query", "expected"),
    [("¿Cuántos días de descanso hay?", "quince días"), ("¿Cuántos meses de antelación?", "dos meses")],
)
def test_a_figure_in_the_unit_asked_for_comes_first(query, expected):
    best = by_terms(query, (), [(0, Hit(chunk=chunk(), score=1.0))])[0]
    assert expected in best.text


def test_a_sentence_too_long_to_quote_is_cut_at_a_clause():
    long = "La persona descansará, " * 40
    short = shorten_sentence(long)
    assert len(short) <= QUOTE_MAX
    assert long.startswith(short)
    assert short.endswith("descansará")


def test_a_sentence_without_any_clause_to_cut_at_is_not_quoted():
    assert shorten_sentence("palabra" * 100) == ""


HEADER = "| Grupo profesional | 2025 (euros) | 2026 (euros) |"
ROWS = (
    "| Grupo 1. Técnicos | 1.980,40 | 2.039,81 |",
    "| Grupo 2. Capataces de cuadra | 1.742,15 | 1.794,41 |",
    "| Grupo 3. Mozos | 1.512,60 | 1.557,98 |",
)
SALARIES = "\n".join(
    (
        "Artículo 9. Salario base.",
        "1. Es el de la tabla siguiente:",
        HEADER,
        "| --- | --- | --- |",
        *ROWS,
        "Fin de la tabla de salarios.",
    )
)
SCALE = "\n".join(
    (
        "Artículo 9. Duración.",
        "| Período cotizado | Días de prestación |",
        "|:---|---:|",
        "| Desde 540 hasta 719 | 180 |",
        "| Desde 720 hasta 899 | 240 |",
        "| Desde 2.160 | 720 |",
    )
)


def tabled(text: str):
    return make_chunk(text=text, section=text.split("\n", maxsplit=1)[0], start=0)


def test_a_row_is_quoted_whole_and_with_the_header_of_its_table():
    found = quotable(tabled(SALARIES))
    assert [(piece.text, piece.headers) for piece in found] == [
        *((row, (HEADER,)) for row in ROWS),
        ("Fin de la tabla de salarios.", ()),
    ]
    assert all(SALARIES[piece.start :].startswith(piece.text) for piece in found)


@pytest.mark.parametrize(
    ("query", "row"),
    [
        ("¿Cuál es el salario base del grupo 3 en 2026?", ROWS[2]),
        ("salario de los mozos", ROWS[2]),
        ("¿Cuánto cobran los capataces?", ROWS[1]),
    ],
)
def test_the_row_that_is_asked_about_is_the_only_one_of_its_table(query, row):
    quoted = best(by_terms(query, (), [(0, Hit(chunk=tabled(SALARIES), score=1.0))]))
    assert [passage.quotes for passage in quoted if passage.headers] == [(HEADER, row)]


@pytest.mark.parametrize(
    ("query", "days"),
    [
        ("¿Cuánto dura la prestación con dos años cotizados?", "240"),
        ("He cotizado 18 meses, ¿cuánto dura?", "180"),
        ("Con seis años cotizados, ¿cuánto dura la prestación?", "720"),
        ("¿Cuánto dura con 899 días?", "240"),
    ],
)
def test_the_row_whose_range_holds_the_time_asked_about_comes_first(query, days):
    first = by_terms(query, (), [(0, Hit(chunk=tabled(SCALE), score=1.0))])[0]
    assert first.text.endswith(f"| {days} |")


def test_rows_of_different_tables_do_not_hide_each_other():
    passages = [
        Passage(0, 0, "| a |", 1.0, ("H1",)),
        Passage(1, 0, "| b |", 0.7, ("H1",)),
        Passage(0, 9, "| c |", 0.8, ("H1",)),
    ]
    assert [passage.text for passage in best(passages)] == ["| a |", "| b |"]


def test_a_table_of_rows_too_long_to_quote_is_not_quoted():
    long = "| " + "palabra " * 80 + "|"
    assert quotable(tabled(f"Artículo 9. Tabla.\n{long}\n| --- |\n{long}")) == []
    (short,) = quotable(tabled(f"Artículo 9. Tabla.\n{long}\n| --- |\n{ROWS[0]}"))
    assert short.headers == ()


@pytest.mark.parametrize(
    ("text", "header", "expected"),
    [
        ("Una frase entera.", "", "«Una frase entera.»"),
        ("| Mozos | 1.512,60 |", "| Grupo | 2025 |", "Grupo: Mozos · 2025: 1.512,60"),
        ("| Mozos \\| peones |  |", "| Grupo | 2025 |", "Grupo: Mozos | peones"),
        ("| Mozos | 1.512,60 |", "", "Mozos · 1.512,60"),
        ("| Mozos | 1.512,60 | más |", "| Grupo | 2025 |", "Mozos · 1.512,60 · más"),
    ],
)
def test_a_row_is_said_with_the_names_of_its_columns(text, header, expected):
    assert said(Passage(0, 0, text, 1.0, (header,) if header else ())) == expected


AGES = "\n".join(
    (
        "Artículo 9. Edad.",
        "| Año | Cotizado | Edad |",
        "| --- | --- | --- |",
        "| 2025 | Menos de 37 años | 66 años y 8 meses |",
        "| 2026 | 38 años y 3 meses o más | 65 años |",
        "| 2026 | Menos de 38 años y 3 meses | 66 años y 10 meses |",
    )
)


@pytest.mark.parametrize(
    "query", ["¿A qué edad me jubilo en 2026?", "edad en 2026 con 38 años cotizados o más"]
)
def test_a_year_that_is_named_leaves_out_the_rows_of_others_and_keeps_its_cases_together(query):
    quoted = best(by_terms(query, (), [(0, Hit(chunk=tabled(AGES), score=1.0))]))
    assert [said(passage) for passage in sorted(quoted, key=lambda one: one.start)] == [
        "Año: 2026 · Cotizado: 38 años y 3 meses o más · Edad: 65 años",
        "Año: 2026 · Cotizado: Menos de 38 años y 3 meses · Edad: 66 años y 10 meses",
    ]


def test_a_year_in_the_header_leaves_no_row_out():
    pieces = by_terms("salario de los mozos en 2026", (), [(0, Hit(chunk=tabled(SALARIES), score=1.0))])
    assert sum(bool(piece.headers) for piece in pieces) == len(ROWS)


def test_a_sentence_that_goes_on_says_so():
    text = f"Artículo 9. Regla.\n{'El plazo inventado es de diez días, ' * 20}salvo pacto en contrario."
    (cut,) = quotable(tabled(text))
    assert cut.cut
    quoted = by_terms("plazo inventado", (), [(0, Hit(chunk=tabled(text), score=1.0))])
    assert said(quoted[0]).endswith("» (…)")
