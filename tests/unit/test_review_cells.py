"""Cells of a review table by rules: the sentence that answers, letter by letter, or an honest gap."""

import json
from itertools import count
from typing import NamedTuple

import pytest

from casework.matters.paper_fragments import Fragment
from casework.matters.rule_cell import LONGEST, answering_sentence, lines_of, nearest
from lexicon.paper_fields import field_of, fields, ready_lists
from rag.answers.verbatim import locate
from service.config import ROOT
from tests.growth import assert_linear

FOLDER = ROOT / "data" / "evaluation" / "review"


class Case(NamedTuple):
    """A cell of a paper with what a true quotation holds: all of `holds`, or one of `other`; or a gap."""

    document: str
    question: str
    holds: tuple[str, ...]
    other: tuple[str, ...]

    def right(self, found):
        if found is None or not self.holds:
            return found is None and not self.holds
        return all(one in found.quote for one in self.holds) or any(one in found.quote for one in self.other)


def cases(name):
    read = map(json.loads, (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines())
    return [
        Case(one["document"], one["question"], tuple(one["holds"]), tuple(one.get("or", ()))) for one in read
    ]


def answered(case):
    return answering_sentence(case.question, lines((FOLDER / f"{case.document}.md").read_text("utf-8")))


def lines(*texts):
    return list(lines_of(Fragment(number=i, page=i, text=text) for i, text in enumerate(texts, start=1)))


@pytest.mark.parametrize("name", ["cells", "held_out"])
def test_no_cell_is_answered_wrongly(name):
    wrong = [one for one in cases(name) if (found := answered(one)) is not None and not one.right(found)]
    assert wrong == []


@pytest.mark.parametrize(("name", "least"), [("cells", 0.97), ("held_out", 0.68)])
def test_as_many_cells_are_answered_as_were_when_it_was_measured(name, least):
    wanted = [one.right(answered(one)) for one in cases(name) if one.holds]
    assert sum(wanted) / len(wanted) >= least


def test_the_answer_stands_in_its_quotation_and_the_quotation_in_its_page():
    first, second = "Muy señor nuestro:\nLe despedimos.", "El despido surtirá efectos el 4 de mayo de 2026."
    found = answering_sentence("Fecha de efectos", lines(first, second))
    assert (found.answer, found.fragment, found.page) == ("4 de mayo de 2026", 2, 2)
    assert locate(found.quote, second) and found.answer in found.quote


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Salario", "El salario anual no será de 20.000 euros en ningún caso."),
        ("Indemnización", "No le corresponde indemnización alguna, ni los 5.000 euros que reclama."),
        ("Fecha de efectos", "La sanción no surtirá efectos el 3 de marzo de 2026."),
        ("Salario", "Su compañera percibe un salario anual de 30.000 euros."),
        ("Indemnización", "Renuncia usted a la indemnización de 5.000 euros."),
        ("Indemnización", "La indemnización sería de 5.000 euros si el despido fuese improcedente."),
        ("Antigüedad", "La antigüedad que usted alega, de 1 de enero de 2010, se rechaza."),
        (
            "Importe de las horas extraordinarias",
            "Las horas extraordinarias se descansan; el importe es de 9 euros.",
        ),
    ],
)
def test_what_a_sentence_denies_is_never_shown_without_its_denial(question, text):
    found = answering_sentence(question, lines(text))
    assert found.answer == text


def test_a_date_counted_from_the_signature_is_no_signature():
    text = "El pago se hará en el plazo de cinco días desde la firma de este acuerdo."
    assert answering_sentence("Firma", lines(text)) is None


def test_the_minimum_wage_is_nobodys_salary():
    assert (
        answering_sentence(
            "Salario", lines("El salario mínimo interprofesional es de 1.184 euros mensuales.")
        )
        is None
    )


def test_of_two_values_in_one_sentence_none_is_picked():
    text = "Percibirá una retribución de 1.200 euros, o de 1.500 euros si pasa a jefa."
    assert answering_sentence("Salario", lines(text)).answer == text


def test_a_document_that_says_two_things_is_told_to():
    text = "El despido surtirá efectos el 4 de mayo de 2026.\nFecha de efectos: 9 de mayo de 2026"
    found = answering_sentence("Fecha de efectos", lines(text))
    assert found.answer == "El despido surtirá efectos el 4 de mayo de 2026."
    assert found.rival == "Fecha de efectos: 9 de mayo de 2026"


@pytest.mark.parametrize("question", ["", "¿?", "fecha", "¿cuánto?", "de la que el"])
def test_a_question_that_asks_nothing_gets_nothing(question):
    assert (
        answering_sentence(
            question, lines("El despido surtirá efectos el 4 de mayo de 2026 y son 300 euros.")
        )
        is None
    )


def test_a_question_that_asks_more_than_a_field_is_not_answered_with_the_field():
    assert field_of("Forma de pago de la indemnización") is not None
    text = "La indemnización asciende a 9.746 euros."
    assert answering_sentence("Forma de pago de la indemnización", lines(text)) is None
    assert answering_sentence("Indemnización", lines(text)).answer == "9.746 euros"


def test_a_row_of_a_table_gives_its_amount():
    table = "| Concepto | Importe |\n| --- | --- |\n| Salario base | 1.284,60 |\n| Plus | 12,00 |"
    assert answering_sentence("Salario", lines(table)).answer == "1.284,60"


def test_every_ready_question_is_about_its_own_field():
    asked = [one.name for one in fields() if one.says]
    assert [field_of(one).name for one in asked] == asked
    assert {name for names in ready_lists().values() for name in names} == {*asked}


def test_the_nearest_parts_of_a_long_document_are_those_with_the_words():
    texts = [f"Relleno número {i} sin interés." for i in range(30)]
    texts[17] = "El despido surtirá efectos el 4 de mayo de 2026."
    found = nearest("Fecha de efectos", lines(*texts), 3)
    assert len(found) == 3 and 18 in [one.number for one in found]


@pytest.mark.parametrize("between", ["\n", " "])
@pytest.mark.parametrize("piece", ["=", "a", "1.", "salario ", "| "])
@pytest.mark.parametrize("asked", ["Salario", "Fecha de efectos", "¿Cuánto vale el plus de nocturnidad?"])
def test_hostile_text_costs_by_its_length(asked, piece, between):
    serial = count()
    # Just short of a line that nothing is read of; none is twice the same, which is read once.
    line = (piece * LONGEST)[: LONGEST - 20]

    def work(size):
        answering_sentence(asked, lines(between.join(f"{next(serial)} {line} euros" for _ in range(size))))

    assert_linear(work, 400)
