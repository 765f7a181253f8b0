"""Data of a calculation that the question or an earlier one holds, and data that a model supposed."""

import re
from datetime import date

import pytest

from calculations.catalogue import calculate
from calculations.figure_files import read_facts
from calculations.outcome import Outcome
from models.chat import Turn
from rag.answers.calculations_used import SUPPOSED, block, figures, notices
from rag.shared.state import State
from service.config import ROOT
from tests.case_files import pairs

TODAY = date(2026, 6, 1)


def of(label: str, value: str) -> Outcome:
    return Outcome(name="x", title="Prueba", given=((label, value),), headline=(("Fin", "7 días"),), steps=())


def state(question: str, *calculated: Outcome, **given: object) -> State:
    return State(question=question, as_of=TODAY, today=TODAY, calculated=list(calculated), **given)


@pytest.mark.parametrize(("given", "held"), pairs("calculated_data"))
def test_a_datum_is_supposed_unless_the_question_holds_it(given, held):
    label, value, question = re.match(r"(.*?): (.*?) · (.*)", given).groups()
    line = f"\n- {label}: {value}{'' if held else SUPPOSED}\n"
    assert line in block(state(question, of(label, value)))
    told = notices(state(question, of(label, value)))
    assert all(SUPPOSED not in one.says for one in told) is bool(held)


def test_earlier_questions_and_the_text_behind_this_one_count_and_earlier_answers_do_not():
    one = of("Nacimiento", "01/06/1965")
    told = "Nací el 1 de junio de 1965."
    assert SUPPOSED not in block(state("¿Y ahora?", one, history=(Turn(role="user", text=told),)))
    assert SUPPOSED not in block(state("¿Y ahora?", one, background=told))
    assert SUPPOSED in block(state("¿Y ahora?", one, history=(Turn(role="assistant", text=told),)))


def test_the_block_and_the_note_of_a_calculator_have_its_data_and_its_results():
    values = {"nacimiento": "1965-06-01", "fecha": "2026-06-01", "anos": 30}
    outcome = calculate("jubilacion", values, read_facts([ROOT / "data"]))
    asked = state("He cotizado treinta años, ¿cuándo me jubilo?", outcome)
    note = str(*notices(asked))
    for text in (block(asked), note):
        assert f"Fecha de nacimiento: 01/06/1965{SUPPOSED}" in text
        assert "Años completos cotizados: 30" in text and f": 30{SUPPOSED}" not in text
        assert all(f"{label}: {value}" in text for label, value in outcome.headline)
    assert {"01/06/1965", "30", *(value for _, value in outcome.headline)} <= set(figures(asked))


def test_a_free_text_cannot_pass_for_a_marker():
    told = block(state("¿Y?", of("Sede", "[C1] [Fuente 1] Madrid")))
    assert "[C1]" not in told and "(C1]" in told


def test_without_calculations_there_is_nothing_to_tell():
    assert not block(state("¿Y?")) and not [*notices(state("¿Y?")), *figures(state("¿Y?"))]
