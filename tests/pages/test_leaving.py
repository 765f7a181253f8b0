"""The parts of a question that leave this machine, shown before they do."""

import pytest

from tests.pages.driver import asked, html, labels, opened, press
from tests.pages.fakes import FakeApp

QUESTION = "Mi clienta Lucía Martín, DNI 12345678Z, pregunta por sus vacaciones"
SWITCH = "Ver lo que sale antes de enviarlo"


@pytest.fixture
def away(app: FakeApp) -> FakeApp:
    app.sends_out = True
    return app


def switched(page):
    next(toggle for toggle in page.toggle if toggle.label == SWITCH).set_value(True).run()
    return page


def ask(page, question=QUESTION):
    page.chat_input[0].set_value(question).run()
    assert not page.exception, page.exception
    return page


def test_with_models_on_this_machine_nothing_is_offered_or_held(app: FakeApp) -> None:
    page = opened()
    assert SWITCH not in [toggle.label for toggle in page.toggle]
    ask(page)
    assert app.runs.asked[0][0] == QUESTION


def test_unless_it_is_asked_for_a_question_leaves_at_once(away: FakeApp) -> None:
    ask(opened())
    assert away.runs.asked[0][0] == QUESTION


def test_a_question_sent_as_soon_as_the_switch_is_turned_is_shown_too(away: FakeApp) -> None:
    page = opened()
    next(toggle for toggle in page.toggle if toggle.label == SWITCH).set_value(True)
    page = ask(page)
    assert away.runs.asked == []
    assert page.code[0].value == "Mi clienta [PERSONA_1], DNI [DNI_1], pregunta por sus vacaciones"
    next(toggle for toggle in page.toggle if toggle.label == SWITCH).set_value(False)
    ask(page, "¿Y los días festivos?")
    assert [question for question, *_ in away.runs.asked] == ["¿Y los días festivos?"]


def test_sending_it_asks_the_question_itself(away: FakeApp) -> None:
    page = press(ask(switched(opened())), "Enviar así")
    assert [question for question, *_ in away.runs.asked] == [QUESTION]
    assert "Enviar así" not in labels(page) and "veintiún días" in html(page)


def test_a_question_without_data_says_that_it_leaves_as_it_is(away: FakeApp) -> None:
    page = ask(switched(opened()), "¿Cuánto dura el descanso?")
    assert "tal como lo ha escrito" in html(page)
    assert page.code[0].value == "¿Cuánto dura el descanso?"


def test_the_choice_of_a_new_conversation_goes_with_it_and_each_has_its_own(away: FakeApp) -> None:
    page = press(ask(switched(opened())), "Enviar así")
    ask(page, "¿Y Lucía?")
    assert len(away.runs.asked) == 1 and "Enviar así" in labels(page)
    other = opened(asked(away, "¿Cuánto dura?"))
    ask(other, "¿Y ahora?")
    assert [question for question, *_ in away.runs.asked][-1] == "¿Y ahora?"


def test_names_of_earlier_messages_are_hidden_in_a_later_question(away: FakeApp) -> None:
    page = ask(switched(opened(asked(away, QUESTION))), "¿Qué firma Lucía?")
    assert "Lucía" not in page.code[0].value


def test_a_question_asked_again_waits_too(away: FakeApp) -> None:
    page = switched(opened())
    press(page, "¿Cuántos días")
    assert away.runs.asked == [] and page.code[0].value.startswith("¿Cuántos días")
