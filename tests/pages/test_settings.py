"""«Ajustes»: each choice is stored under its person at once, and counts where it is about."""

from datetime import date

import pytest
from streamlit.testing.v1 import AppTest

from domain.audit import AuditAction
from domain.preferences import DefaultDay, Notice, Preferences, Theme
from pages.parts.chat.law_day import LABEL
from pages.parts.chat.tour import STEPS
from pages.parts.common.ended import ENDED, WATCHED
from pages.parts.common.words import today
from rag.run.runs import Run
from rag.shared.cited_answer import AnswerLength
from tests.pages.driver import ROUTER, html, labels, opened, page_at, press
from tests.pages.fakes import OWNER, FakeApp, with_accounts

DAY = date(2019, 3, 14)
QUESTION = "¿Cuántos días de descanso hay?"


def choose(page: AppTest, name: str, value: object) -> AppTest:
    page.segmented_control(key=f"chosen-{name}").set_value(value).run()
    assert not page.exception, page.exception
    return page


def ask(page: AppTest, question: str = QUESTION) -> AppTest:
    page.chat_input[0].set_value(question).run()
    assert not page.exception, page.exception
    return page


def test_every_choice_is_stored_at_once_and_shown_again(app: FakeApp) -> None:
    page = page_at("settings")
    choose(page, "theme", Theme.DARK)
    choose(page, "length", AnswerLength.DETAILED)
    choose(page, "day", DefaultDay.ASK)
    choose(page, "notice", Notice.TAB)
    page.toggle(key="chosen-shortcuts").set_value(False).run()
    stored = app.database.preferences.read(OWNER)
    assert stored == Preferences(
        theme=Theme.DARK,
        length=AnswerLength.DETAILED,
        day=DefaultDay.ASK,
        notice=Notice.TAB,
        shortcuts=False,
    )
    again = page_at("settings")
    shown = {name: again.segmented_control(key=f"chosen-{name}").value for name in ("theme", "length", "day")}
    assert shown == {"theme": Theme.DARK, "length": AnswerLength.DETAILED, "day": DefaultDay.ASK}
    assert 'data-theme="dark" data-shortcuts="false" data-notice="tab"' in html(again)
    entries = app.audit.log.entries()
    assert {(one.action, one.detail["what"]) for one in entries} == {(AuditAction.CHANGED, "preferences")}
    assert len(entries) == 5


def test_one_persons_choices_are_not_anothers(app: FakeApp) -> None:
    accounts = with_accounts(app, "rosa=admin", "ana=abogado")
    choose(page_at("settings"), "theme", Theme.DARK)
    rosa = accounts.named(None, "rosa").id
    accounts.enter("ana")
    assert page_at("settings").segmented_control(key="chosen-theme").value is Theme.SYSTEM
    assert app.database.preferences.read(rosa).theme is Theme.DARK


def test_a_fixed_day_counts_once_there_is_one_and_then_for_each_new_conversation(app: FakeApp) -> None:
    page = choose(page_at("settings"), "day", DefaultDay.FIXED)
    assert app.database.preferences.read(OWNER) == Preferences()
    assert "hasta entonces se aplica la normativa de hoy" in html(page)
    page.date_input(key="chosen-fixed_day").set_value(DAY).run()
    assert app.database.preferences.read(OWNER) == Preferences(day=DefaultDay.FIXED, fixed_day=DAY)
    page.date_input(key="chosen-fixed_day").set_value(None).run()
    assert "día fijo" in page.toast[0].value
    page = opened()
    assert page.date_input[0].value == DAY
    assert "no de hoy. Es su fecha de «Ajustes»." in html(page)
    ask(page)
    page.date_input[0].set_value(today()).run()
    ask(page)
    assert "no de hoy" not in html(page).rpartition("art-warn")[2]
    ask(press(page, "Nueva consulta"))
    assert [as_of for _, as_of in app.runs.asked] == [DAY, None, DAY]


def test_a_day_chosen_for_one_conversation_is_not_taken_along_to_the_next(app: FakeApp) -> None:
    page = opened()
    page.date_input[0].set_value(DAY).run()
    ask(page)
    page = press(page, "Nueva consulta")
    assert page.date_input[0].value == today()
    ask(page)
    assert [as_of for _, as_of in app.runs.asked] == [DAY, None]


def test_who_wants_to_be_asked_for_the_day_is_asked_once_a_conversation(app: FakeApp) -> None:
    app.database.preferences.change(OWNER, day=DefaultDay.ASK)
    page = ask(opened())
    assert app.runs.asked == [] and QUESTION in html(page)
    box = next(one for one in page.date_input if one.key == "day-asked")
    assert (box.label, box.value) == (LABEL, today())
    box.set_value(DAY).run()
    page = press(page, "Preguntar a esa fecha")
    assert app.runs.asked == [(QUESTION, DAY)]
    assert "Preguntar a esa fecha" not in labels(page)
    assert f"Consulta a fecha de {DAY:%d/%m/%Y}" in html(page)
    ask(page, "¿Y en agosto?")
    assert app.runs.asked[-1] == ("¿Y en agosto?", DAY)
    page = ask(press(page, "Nueva consulta"), "¿Otra?")
    assert len(app.runs.asked) == 2, "a new conversation is asked for its day again"
    press(page, "Preguntar a esa fecha")
    assert app.runs.asked[-1] == ("¿Otra?", None)


def test_a_question_whose_day_is_not_told_goes_back_into_the_box(app: FakeApp) -> None:
    app.database.preferences.change(OWNER, day=DefaultDay.ASK)
    page = press(ask(opened()), "Cancelar")
    assert app.runs.asked == [] and app.database.conversations.conversations(OWNER) == []
    assert page.chat_input[0].proto.value == QUESTION


def test_a_day_that_is_already_chosen_is_not_asked_for(app: FakeApp) -> None:
    app.database.preferences.change(OWNER, day=DefaultDay.ASK)
    page = opened()
    page.date_input[0].set_value(DAY).run()
    ask(page)
    assert app.runs.asked == [(QUESTION, DAY)]


@pytest.mark.parametrize("length", AnswerLength)
def test_a_question_is_asked_with_the_length_that_is_chosen(app: FakeApp, length: AnswerLength) -> None:
    app.database.preferences.change(OWNER, length=length)
    app.runs.waits = True
    ask(opened())
    (run,) = app.runs.of(OWNER)
    assert run.length is length


# First steps


def test_the_first_steps_are_shown_until_they_are_closed_and_again_on_request(app: FakeApp) -> None:
    page = opened()
    for number, (title, _) in enumerate(STEPS, start=1):
        assert f"Primeros pasos · {number} de {len(STEPS)}" in html(page) and title in html(page)
        if number < len(STEPS):
            page = press(page, "Paso siguiente")
    page = press(page, "Paso anterior")
    assert f"Primeros pasos · {len(STEPS) - 1} de" in html(page)
    press(page, "Cerrar")
    assert app.database.preferences.read(OWNER).toured
    assert "Primeros pasos" not in html(opened())
    press(page_at("settings"), "Volver a verlos")
    assert f"Primeros pasos · 1 de {len(STEPS)}" in html(opened())


def test_the_first_steps_hold_no_question_up(app: FakeApp) -> None:
    page = ask(opened())
    assert app.runs.asked == [(QUESTION, None)]
    assert "veintiún días" in html(page) and "Primeros pasos" in html(page)


def test_the_first_steps_are_over_after_three_questions_in_one_conversation(app: FakeApp) -> None:
    page = ask(ask(opened()))
    assert "Primeros pasos" in html(page)
    assert "Primeros pasos" not in html(ask(page))


def test_the_first_steps_are_over_after_three_conversations_until_they_are_asked_for(app: FakeApp) -> None:
    for _ in range(3):
        assert "Primeros pasos" in html(opened())
        ask(opened())
    assert "Primeros pasos" not in html(opened())
    press(page_at("settings"), "Volver a verlos")
    assert "Primeros pasos" in html(opened())


def test_each_person_has_their_own_first_steps(app: FakeApp) -> None:
    accounts = with_accounts(app, "rosa=admin", "ana=abogado")
    press(opened(), "Cerrar")
    accounts.enter("ana")
    assert "Primeros pasos" in html(opened())


# Answers that end elsewhere. The router, which tells of them, runs in an AppTest at its first drawing only.


def drawn(before: AppTest | None = None, conversation: str = "") -> AppTest:
    """The first page, in the window of `before`."""
    page = AppTest.from_file(ROUTER, default_timeout=20)
    for name in (WATCHED, ENDED):
        if before is not None and name in before.session_state:
            page.session_state[name] = before.session_state[name]
    if conversation:
        page.query_params["c"] = conversation
    page.run()
    assert not page.exception, page.exception
    return page


def links(page: AppTest) -> list[str]:
    return [
        one.proto.query_string
        for one in page.get("page_link")
        if one.proto.label.startswith("Respuesta terminada")
    ]


@pytest.fixture
def under_way(app: FakeApp) -> Run:
    app.runs.waits = True
    return app.runs.start(OWNER, app.database.conversations.create(OWNER, QUESTION).id, QUESTION)


def test_an_answer_that_ends_while_its_person_is_elsewhere_is_told_once_and_linked_until_opened(
    app: FakeApp, under_way: Run
) -> None:
    page = drawn()
    assert links(page) == [] and page.session_state[WATCHED] == {under_way.conversation_id}
    app.runs.end(under_way)
    page = drawn(page)
    assert "Ha terminado una respuesta" in page.toast[0].value
    assert links(page) == [f"c={under_way.conversation_id}"]
    page = drawn(page)
    assert not page.toast and len(links(page)) == 1
    page = drawn(page, under_way.conversation_id)
    assert links(page) == []
    assert links(drawn(page)) == []


def test_of_many_that_ended_the_last_are_linked_and_the_others_counted(app: FakeApp) -> None:
    app.runs.waits = True
    created = app.database.conversations.create
    under_way = [app.runs.start(OWNER, created(OWNER, QUESTION).id, QUESTION) for _ in range(5)]
    page = drawn()
    for one in under_way:
        app.runs.end(one)
    page = drawn(page)
    assert len(links(page)) == 3 and len(page.toast) == 1
    assert "Y 2 terminadas más, en «Consultas anteriores»." in [one.value for one in page.caption]


def test_an_answer_that_ends_before_its_persons_eyes_is_not_told(app: FakeApp, under_way: Run) -> None:
    page = drawn(conversation=under_way.conversation_id)
    app.runs.end(under_way)
    page = drawn(page)
    assert not page.toast and links(page) == []


def test_who_wants_no_notice_gets_none(app: FakeApp, under_way: Run) -> None:
    app.database.preferences.change(OWNER, notice=Notice.NONE)
    page = drawn()
    app.runs.end(under_way)
    page = drawn(page)
    assert not page.toast and links(page) == []


def test_a_conversation_that_is_gone_by_then_is_not_told(app: FakeApp, under_way: Run) -> None:
    page = drawn()
    app.runs.end(under_way)
    app.database.conversations.delete(OWNER, under_way.conversation_id)
    page = drawn(page)
    assert links(page) == [] and not page.toast


def test_the_answers_of_others_are_not_told(app: FakeApp, under_way: Run) -> None:
    with_accounts(app, "rosa=admin")
    page = drawn()
    assert page.session_state[WATCHED] == set()
    app.runs.end(under_way)
    assert links(drawn(page)) == []
