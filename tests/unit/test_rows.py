"""Rows of tables: headers of one row or two, the columns that a question asks about, what a row says."""

from datetime import date

import pytest

from rag.answers.asked_rows import asked_rows
from rag.answers.passage_selection import stretches
from rag.answers.quotable import quotable
from rag.answers.written_answer import draft
from rag.shared.hits import Context, Hit
from rag.shared.state import State
from tests.factories import make_chunk
from text import rows

HEADERS = (
    "| Grupo | Puesto | Residencias | Residencias | Domicilio | Domicilio |",
    "| Grupo | Puesto | 2025 | 2026 | 2025 | 2026 |",
)
NURSE = "| A | Enfermería | 1.894,76 | 1.951,60 | 1.790,00 | 1.843,70 |"
CARER = "| C | Gerocultura, auxiliar | 1.284,82 | 1.323,36 | 1.268,37 | 1.306,42 |"
OTHER = "| D | Lavandería | 1.200,00 | 1.236,00 | 1.190,00 | 1.225,70 |"
LAST = "| D | Cocina | 1.300,00 | 1.339,00 | 1.290,00 | 1.328,70 |"
TABLE = "\n".join(("Anexo I. Salario base.", HEADERS[0], "| --- |" + " --- |" * 5, HEADERS[1], NURSE, CARER))


def hit(text: str, **fields: object) -> Hit:
    return Hit(chunk=make_chunk(text=text, section="Anexo I. Salario base.", **fields), score=1.0)


def test_a_second_row_of_the_header_is_quoted_with_each_row_and_is_no_row() -> None:
    found = quotable(hit(TABLE).chunk)
    assert [(piece.text, piece.headers) for piece in found] == [(NURSE, HEADERS), (CARER, HEADERS)]


def test_columns_are_named_by_all_rows_of_the_header() -> None:
    named = rows.names(HEADERS, 6)
    assert named == [
        "Grupo",
        "Puesto",
        "Residencias 2025",
        "Residencias 2026",
        "Domicilio 2025",
        "Domicilio 2026",
    ]
    assert rows.names(HEADERS, 5) == [""] * 5


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("salario en 2026", "Residencias 2026: 1.323,36 · Domicilio 2026: 1.306,42"),
        ("salario a domicilio", "Domicilio 2025: 1.268,37 · Domicilio 2026: 1.306,42"),
        ("salario a domicilio en 2026", "Domicilio 2026: 1.306,42"),
        (
            "salario",
            "Residencias 2025: 1.284,82 · Residencias 2026: 1.323,36 · "
            "Domicilio 2025: 1.268,37 · Domicilio 2026: 1.306,42",
        ),
    ],
)
def test_a_row_is_said_by_the_columns_that_are_asked_about(query: str, said: str) -> None:
    columns = rows.asked_columns(query, CARER, HEADERS)
    assert rows.row_in_words(CARER, HEADERS, columns) == f"Grupo: C · Puesto: Gerocultura, auxiliar · {said}"


@pytest.mark.parametrize(
    ("query", "row"),
    [("cuánto cobra una gerocultora en 2026", CARER), ("sueldo de la enfermera", NURSE)],
)
def test_a_job_said_with_another_ending_chooses_its_row(query: str, row: str) -> None:
    (chosen,) = asked_rows(query, (), stretches([(0, hit(TABLE))]))
    assert chosen.quotes == (*HEADERS, row)


def test_a_row_that_goes_on_from_an_earlier_part_is_a_row_and_no_header() -> None:
    found = quotable(hit(f"{NURSE}\n{CARER}", start=300).chunk)
    assert [(piece.text, piece.headers) for piece in found] == [(NURSE, ()), (CARER, ())]


def test_a_part_that_begins_with_a_table_of_its_own_has_its_header() -> None:
    text = TABLE.partition("\n")[2]
    assert [piece.headers for piece in quotable(hit(text, start=300).chunk)] == [HEADERS, HEADERS]


@pytest.mark.parametrize(
    ("row", "label"),
    [
        ("| Grupo 3. Oficiales | 1.512,60 | 30 días |", "Grupo 3. Oficiales"),
        ("| De 161 a 185 | 2,9 |", "De 161 a 185"),
        ("| 2026 | 1.736 |", ""),
    ],
)
def test_the_label_of_a_row_is_what_is_no_value(row: str, label: str) -> None:
    assert rows.label(row) == label


def test_the_header_of_a_table_that_goes_on_in_another_part_is_cited_from_the_part_that_has_it() -> None:
    first = hit(TABLE, part=1, id="n/anexo#1", block_id="anexo")
    second = hit(f"{OTHER}\n{LAST}", part=2, id="n/anexo#2", block_id="anexo", start=len(TABLE))
    chosen, *_ = asked_rows("cuánto cobra la cocina en 2026", (), stretches([(0, first), (1, second)]))
    assert chosen.quotes == (*HEADERS, LAST)
    state = State(question="cuánto cobra la cocinera", as_of=date(2026, 1, 1))
    state.context = Context(hits=(first, second))
    markers = {citation.quote: citation.marker for citation in draft([chosen], state, 0.5).citations}
    assert markers == {HEADERS[0]: "C1", HEADERS[1]: "C1", LAST: "C2"}
