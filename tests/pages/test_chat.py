"""The chat page: starting, following and stopping answers; the list of conversations."""

import threading
from datetime import date
from functools import partial
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from core import processor
from core.turns import Turns
from domain.accounts import LOCAL
from domain.reviews import Vote
from law.norm_names import NormCatalogue
from pages.parts.chat import live
from pages.parts.chat.conversations import DELETE
from pages.parts.chat.welcome import NOTICE
from pages.parts.common.page import View
from rag.shared.cited_answer import Answer
from rag.shared.messages import MessageState
from service.members.member import Member
from service.program.notices import PREPARING
from storage.chat.feedback import SqlFeedbackStore
from tests.hostile import live_html
from tests.pages.driver import HOSTILE, asked, html, labels, opened, press
from tests.pages.fakes import (
    OWNER,
    FakeApp,
    FakeCorpus,
    progress,
)


def choose(page: AppTest, conversation: str, option: str) -> AppTest:
    page.menu_button(key=f"menu-{conversation}").click(option).run()
    assert not page.exception, page.exception
    return page


# Empty state


def test_the_empty_page_says_what_it_is_what_it_holds_and_what_to_ask(app: FakeApp) -> None:
    page = opened()
    assert "<h1>Articulado</h1>" in html(page)
    assert "2 textos cargados: normas, sentencias y criterios" in html(page)
    assert sum(label.startswith("¿") for label in labels(page)) == 4
    assert app.notices[0] in html(page)


def test_whoever_may_ask_first_reads_that_an_automatic_system_answers(app: FakeApp) -> None:
    assert NOTICE in html(opened())
    app.database.corpus = FakeCorpus(listed=())
    assert NOTICE in html(opened())


def test_an_empty_corpus_says_how_to_fill_it(app: FakeApp) -> None:
    app.database.corpus = FakeCorpus(listed=())
    assert "Todavía no hay ninguna norma cargada" in html(opened())


def test_while_the_demo_norms_are_loaded_it_says_so_and_that_one_can_ask(app: FakeApp) -> None:
    app.database.corpus, app.demo.under_way = FakeCorpus(listed=()), True
    app.notices = (PREPARING,)
    page = opened()
    assert PREPARING in html(page)
    assert "Todavía no hay ninguna norma cargada" not in html(page)
    assert not page.chat_input[0].disabled
    app.database.corpus, app.demo.under_way = FakeCorpus(), False
    assert "2 textos cargados" in html(page.run())


def test_what_names_no_article_is_told_and_leaves_the_box_empty(app: FakeApp) -> None:
    app.holdings = SimpleNamespace(catalogue=lambda: NormCatalogue([]))  # type: ignore[attr-defined]
    page = opened()
    page.text_input(key="lookup").set_value("vacaciones").run()
    assert "no nombra un artículo" in html(page)
    assert page.text_input(key="lookup").value == ""
    page.run()
    assert "no nombra un artículo" not in html(page)


def test_an_example_question_is_asked_when_it_is_pressed(app: FakeApp) -> None:
    page = press(opened(), "¿Cuántos días")
    assert app.runs.asked[0][0].startswith("¿Cuántos días")
    assert "veintiún días" in html(page)
    assert page.query_params["c"]


def test_a_text_that_is_too_long_is_refused_with_its_length_and_stays_in_the_box(app: FakeApp) -> None:
    text = "Me han despedido. " * 1200
    page = opened()
    page.chat_input[0].set_value(text).run()
    assert not page.exception
    assert "21\\.599 caracteres" in page.toast[0].value
    assert page.chat_input[0].proto.set_value
    assert page.chat_input[0].proto.value == text
    assert app.database.conversations.conversations(OWNER) == []


def test_a_long_text_within_the_limit_is_asked_whole(app: FakeApp) -> None:
    page = opened()
    page.chat_input[0].set_value("Me han despedido. " * 1000).run()
    assert len(app.runs.asked[0][0]) > 17_000


# Conversations


def test_the_address_reopens_a_conversation_and_an_unknown_one_is_told(app: FakeApp) -> None:
    conversation = asked(app, "¿Cuánto dura?")
    assert "veintiún días" in html(opened(conversation))
    page = opened("desconocida")
    assert page.toast[0].value == "No existe esa conversación\\."
    assert "<h1>Articulado</h1>" in html(page)


def test_long_histories_show_the_last_two_exchanges_and_earlier_ones_on_request(app: FakeApp) -> None:
    page = opened(asked(app, *(f"Pregunta {number}" for number in range(1, 18))))
    assert len(page.chat_message) == 4
    assert "Pregunta 16" in html(page) and "Pregunta 15" not in html(page)
    press(page, "Ver anteriores")
    assert len(page.chat_message) == 24
    press(page, "Ver anteriores")
    assert len(page.chat_message) == 34
    assert "Ver anteriores" not in labels(page)


def test_a_short_history_is_shown_whole_and_stays_while_the_next_questions_come(app: FakeApp) -> None:
    page = opened(asked(app, *(f"Pregunta {number}" for number in range(1, 6))))
    assert len(page.chat_message) == 10
    for number in range(6, 9):
        page.chat_input[0].set_value(f"Pregunta {number}").run()
        page.run()
    assert "Pregunta 1" in html(page) and "Pregunta 8" in html(page)
    assert len(page.chat_message) == 16


def test_the_votes_of_a_page_are_read_at_once_and_a_later_drawing_reads_them_again(
    app: FakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = asked(app, "Pregunta 1", "Pregunta 2")
    question, answer, *_ = app.database.conversations.messages(OWNER, conversation)
    app.database.feedback.vote(OWNER, answer.id, Vote.DOWN, "Falta el plazo")
    single: list[int] = []
    with monkeypatch.context() as patched:
        patched.setattr(SqlFeedbackStore, "feedback", lambda *given: single.append(given[-1]))
        page = opened(conversation)
    assert single == []
    assert page.text_input(key=f"comment-{answer.id}").value == "Falta el plazo"
    view = View(Member(app, LOCAL), debug=False, can_ask=True)  # type: ignore[arg-type]
    view.read_ahead([question, answer])
    app.database.feedback.withdraw(OWNER, answer.id)
    assert view.vote(answer.id) is not None
    assert view.vote(answer.id) is None


def test_the_latest_twelve_conversations_are_listed_and_older_ones_on_request(app: FakeApp) -> None:
    for number in range(1, 16):
        asked(app, f"Pregunta {number}")
    page = opened()
    assert len([label for label in labels(page) if label.startswith("Pregunta")]) == 12
    press(page, "Ver más consultas (12 de 15)")
    assert len([label for label in labels(page) if label.startswith("Pregunta")]) == 15
    assert not [label for label in labels(page) if label.startswith("Ver más")]


def test_an_older_conversation_that_is_open_is_listed_and_can_be_deleted(app: FakeApp) -> None:
    oldest = asked(app, "La primera de todas")
    for number in range(1, 15):
        asked(app, f"Pregunta {number}")
    page = opened(oldest)
    listed = [label for label in labels(page) if label.startswith(("La primera", "Pregunta"))]
    assert listed[0].startswith("La primera de todas")
    assert len(listed) == 13
    choose(page, oldest, DELETE)
    next(button for button in page.button if button.key == "delete-yes").click().run()
    assert oldest not in {c.id for c in app.database.conversations.conversations(OWNER)}


def test_what_a_search_has_found_is_text(app: FakeApp) -> None:
    asked(app, f"despido {HOSTILE}")
    page = opened()
    page.text_input(key="conversation-search").set_value("despido").run()
    assert "<mark>despido</mark> &lt;img" in html(page)
    assert live_html(html(page)) == []


def test_a_title_is_text_and_not_markdown(app: FakeApp) -> None:
    asked(app, "![x](https://evil.example/x.png) **uno**")
    label = next(label for label in labels(opened()) if "evil" in label)
    assert r"\!\[x\]\(https\:" in label
    assert r"\*\*uno\*\*" in label


# Unfinished answers


@pytest.mark.parametrize(
    ("state", "line"),
    [
        (MessageState.STOPPED, "Respuesta detenida a petición suya"),
        (MessageState.INTERRUPTED, "Respuesta interrumpida"),
        (MessageState.FAILED, "No se pudo completar la respuesta."),
    ],
)
def test_an_unfinished_answer_says_so_and_can_be_asked_again(
    app: FakeApp, state: MessageState, line: str
) -> None:
    conversation = app.database.conversations.create(OWNER, "Plazo")
    _, pending = app.database.conversations.ask(OWNER, conversation.id, "¿Qué plazo hay?", date(2020, 5, 1))
    app.database.conversations.finish(pending.id, state, "Texto a medias", None, None)
    page = opened(conversation.id)
    assert line in html(page)
    assert "Texto a medias" in html(page)
    press(page, "Volver a preguntar")
    assert app.runs.asked == [("¿Qué plazo hay?", date(2020, 5, 1))]


def test_an_answer_whose_sentences_are_being_judged_says_so(app: FakeApp) -> None:
    app.runs.waits = True
    conversation = asked(app, "¿Cuánto dura?")
    run = app.runs.active(OWNER, conversation)
    assert run is not None
    progress(run, "answer", current="sentences", text="Son veintiún días.")
    shown = html(opened(conversation))
    assert "Comprobación frase a frase…" in shown
    assert "la confianza se dirá al terminar" in shown and "verificando citas" not in shown


def test_an_answer_under_way_shows_its_stages_and_draft_and_can_be_stopped(app: FakeApp) -> None:
    app.runs.waits = True
    conversation = asked(app, "¿Cuánto dura?")
    run = app.runs.active(OWNER, conversation)
    assert run is not None
    progress(run, "decompose", "search", current="answer", text="Son **veintiún** [C1] <img src=x>")
    page = opened(conversation)
    shown = html(page)
    assert "Análisis de la consulta</span><time>120 ms</time>" in shown
    assert "Redacción…" in shown
    assert "verificando citas…" in shown
    assert "<strong>veintiún</strong> [C1] &lt;img src=x&gt;" in shown
    assert page.chat_input[0].disabled
    press(page, "Detener")
    page.run()
    assert "Respuesta detenida" in html(page)
    assert not page.chat_input[0].disabled


def test_the_first_drawing_waits_for_the_first_stage_while_others_draw_theirs(
    app: FakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.runs.waits = True
    conversation = app.database.conversations.create(OWNER, "¿Vacaciones?").id
    run = app.runs.start(OWNER, conversation, "¿Vacaciones?")
    drawn: list[bool] = []

    def other_page() -> None:
        with one_at_a_time.turn(OWNER):
            drawn.append(True)

    def meanwhile(seconds: float) -> bool:
        other = threading.Thread(target=other_page)
        other.start()
        other.join(30)
        progress(run, current="decompose")
        return True

    one_at_a_time = Turns(1, 1, 9, 9)
    for module in (processor, live):
        monkeypatch.setattr(module, "PROCESSOR", one_at_a_time)
    monkeypatch.setattr(run.begun, "wait", meanwhile)
    assert "Análisis de la consulta…" in html(opened(conversation))
    assert drawn == [True]


def test_a_page_without_news_waits_until_there_is_some(app: FakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    app.runs.waits = True
    conversation = app.database.conversations.create(OWNER, "¿Vacaciones?").id
    run = app.runs.start(OWNER, conversation, "¿Vacaciones?")
    progress(run, current="decompose")
    glances: list[float] = []

    def glance(seconds: float) -> bool:
        glances.append(seconds)
        if glances.count(live.GLANCE_SECONDS) == 3:
            progress(run, current="search")
        return False

    monkeypatch.setattr(run.done, "wait", glance)
    monkeypatch.setattr(live, "_Drawn", partial(live._Drawn, live._news(run)))
    page = opened(conversation)
    assert not page.exception
    assert "Búsqueda" in html(page)
    assert glances.count(live.GLANCE_SECONDS) == 3


def test_an_internal_error_is_told_without_its_detail(app: FakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> Answer:
        raise RuntimeError("secreto interno")

    monkeypatch.setattr(app.database.corpus, "counts", broken)
    page = opened()
    assert page.error[0].value.startswith("Se ha producido un error interno")
    assert "secreto" not in page.error[0].value
