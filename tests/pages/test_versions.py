"""Putting a question right, having it answered again, and going back to what was there before."""

from datetime import date

import pytest
from streamlit.testing.v1 import AppTest

from rag.shared.messages import MessageState
from tests.hostile import TEXTS, live_html
from tests.pages.driver import HOSTILE, asked, html, labels, opened, press
from tests.pages.fakes import OWNER, FakeApp

WRONG, RIGHT = "¿Cuánto dura el descanzo?", "¿Cuánto dura el descanso?"
THEN = date(2019, 5, 3)
EDIT, AGAIN, SEND = "Corregir la pregunta", "Volver a responder", "Preguntar de nuevo"


def questions(app: FakeApp, conversation: str) -> list[str]:
    return [
        one.text for one in app.database.conversations.messages(OWNER, conversation, 50) if one.role == "user"
    ]


def edit(page: AppTest, text: str, place: int = -1) -> AppTest:
    """Open the editor of a question, the last by default, and ask that text in its place."""
    [button for button in page.button if button.label == EDIT][place].click().run()
    page.text_area[0].set_value(text)
    return press(page, SEND)


def test_at_either_end_there_is_no_further_version(app: FakeApp) -> None:
    page = edit(opened(asked(app, WRONG)), RIGHT)
    ends = {button.label: button.disabled for button in page.button if button.label.startswith("Versión")}
    assert ends == {"Versión anterior": False, "Versión siguiente": True}


def test_a_question_with_one_version_says_nothing_of_versions(app: FakeApp) -> None:
    page = opened(asked(app, WRONG))
    assert "Versión" not in html(page)
    assert not any(label.startswith("Versión") for label in labels(page))


def test_what_a_search_finds_in_another_version_is_opened_there(app: FakeApp) -> None:
    conversation = asked(app, WRONG, "¿Y la indemnización?")
    page = edit(opened(conversation), RIGHT, place=0)
    page.text_input(key="conversation-search").set_value("indemnizacion").run()
    page.button(key=f"current-{conversation}").click().run()
    assert "Versión 1 de 2" in html(page)
    assert questions(app, conversation) == [WRONG, "¿Y la indemnización?"]
    page.button(key=f"current-{conversation}").click().run()
    assert "Versión 1 de 2" in html(page)


def test_the_version_that_was_shown_last_is_shown_after_a_reload(app: FakeApp) -> None:
    conversation = asked(app, WRONG)
    press(edit(opened(conversation), RIGHT), "Versión anterior")
    assert "Versión 1 de 2" in html(opened(conversation))


def test_an_answer_that_did_not_finish_is_replaced_and_kept(app: FakeApp) -> None:
    chat = app.database.conversations.create(OWNER, "Plazo")
    _, pending = app.database.conversations.ask(OWNER, chat.id, RIGHT)
    app.database.conversations.finish(pending.id, MessageState.STOPPED, "A medias", None, None)
    page = press(opened(chat.id), "Volver a preguntar")
    assert "A medias" not in html(page)
    press(page, "Versión anterior")
    assert "A medias" in html(page)


def test_the_day_of_the_question_is_kept_unless_another_is_chosen(app: FakeApp) -> None:
    chat = app.database.conversations.create(OWNER, "Plazo")
    app.runs.start(OWNER, chat.id, RIGHT, THEN)
    page = press(opened(chat.id), EDIT)
    assert "Se aplicará la normativa vigente a 03/05/2019" in html(page)
    press(page, SEND)
    assert app.runs.asked[-1] == (RIGHT, THEN)
    page.date_input[0].set_value(date(2021, 1, 4)).run()
    press(page, AGAIN)
    assert app.runs.asked[-1] == (RIGHT, date(2021, 1, 4))


def test_the_editor_is_left_without_a_change(app: FakeApp) -> None:
    conversation = asked(app, WRONG)
    page = press(press(opened(conversation), EDIT), "Cancelar")
    assert not page.text_area and questions(app, conversation) == [WRONG]
    assert len(app.runs.asked) == 1


@pytest.mark.parametrize("text", ["", "  ", "\u200b", "x" * 20_001])
def test_a_text_that_is_refused_stays_in_the_editor(app: FakeApp, text: str) -> None:
    conversation = asked(app, WRONG)
    page = press(opened(conversation), EDIT)
    page.text_area[0].set_value(text)
    press(page, SEND)
    assert page.toast and page.text_area[0].value == text
    assert questions(app, conversation) == [WRONG]


def test_while_an_answer_is_under_way_nothing_is_edited_or_chosen(app: FakeApp) -> None:
    page = edit(opened(asked(app, WRONG)), RIGHT)
    app.runs.waits = True
    press(page, AGAIN)
    assert EDIT not in labels(page) and AGAIN not in labels(page)
    assert all(button.disabled for button in page.button if button.label.startswith("Versión"))


def test_what_was_deleted_in_another_window_is_told(app: FakeApp) -> None:
    conversation = asked(app, WRONG)
    page = press(opened(conversation), EDIT)
    app.database.conversations.delete(OWNER, conversation)
    press(page, SEND)
    assert page.toast[0].value == "No existe esa conversación\\."


def test_a_question_that_would_leave_the_machine_is_shown_first(app: FakeApp) -> None:
    app.sends_out = True
    conversation = asked(app, WRONG)
    page = opened(conversation)
    next(one for one in page.toggle if one.label.startswith("Ver ")).set_value(True).run()
    edit(page, "Mi clienta Lucía Martín, DNI 12345678Z")
    assert "12345678Z" not in page.code[0].value
    assert questions(app, conversation) == [WRONG]
    press(page, "Enviar así")
    assert "Versión 2 de 2" in html(page)


def test_a_hostile_text_in_the_editor_is_text_in_the_page(app: FakeApp) -> None:
    page = opened(asked(app, WRONG))
    for text in (HOSTILE, *TEXTS[:: len(TEXTS) // 12]):
        edit(page, text[:5000])
        assert not page.exception
        assert live_html(html(page)) == []
        if page.text_area:
            press(page, "Cancelar")
