"""The chat page: starting, following and stopping answers; the list of conversations."""

from datetime import date

import pytest

from pages.parts.chat.welcome import NOTICE
from rag.law.norm_names import NormCatalogue
from rag.types import Answer, MessageState
from tests.pages.driver import asked, html, labels, opened, press
from tests.pages.fakes import (
    OWNER,
    FakeApp,
    FakeCorpus,
    progress,
)

# Empty state


def test_the_empty_page_says_what_it_is_what_it_holds_and_what_to_ask(app: FakeApp) -> None:
    page = opened()
    assert "<h1>Articulado</h1>" in html(page)
    assert "2 normas · 12.519 fragmentos" in html(page)
    assert sum(label.startswith("¿") for label in labels(page)) == 4
    assert app.notices[0] in html(page)


def test_whoever_may_ask_first_reads_that_an_automatic_system_answers(app: FakeApp) -> None:
    assert NOTICE in html(opened())
    app.corpus = FakeCorpus(listed=())
    assert NOTICE in html(opened())


def test_an_empty_corpus_says_how_to_fill_it(app: FakeApp) -> None:
    app.corpus = FakeCorpus(listed=())
    assert "El corpus está vacío" in html(opened())


def test_what_names_no_article_is_told_and_leaves_the_box_empty(app: FakeApp) -> None:
    app.catalogue = lambda: NormCatalogue([])  # type: ignore[attr-defined]
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
    assert app.conversations.conversations(OWNER) == []


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


def test_long_histories_show_the_last_twenty_and_the_rest_on_request(app: FakeApp) -> None:
    page = opened(asked(app, *(f"Pregunta {number}" for number in range(1, 14))))
    assert len(page.chat_message) == 20
    press(page, "Ver anteriores")
    assert len(page.chat_message) == 26
    assert "Ver anteriores" not in labels(page)


def test_the_latest_twelve_conversations_are_listed_and_older_ones_on_request(app: FakeApp) -> None:
    for number in range(1, 16):
        asked(app, f"Pregunta {number}")
    page = opened()
    assert len([label for label in labels(page) if label.startswith("Pregunta")]) == 12
    press(page, "Ver más consultas")
    assert len([label for label in labels(page) if label.startswith("Pregunta")]) == 15
    assert "Ver más consultas" not in labels(page)


def test_an_older_conversation_that_is_open_is_listed_and_can_be_deleted(app: FakeApp) -> None:
    oldest = asked(app, "La primera de todas")
    for number in range(1, 15):
        asked(app, f"Pregunta {number}")
    page = opened(oldest)
    listed = [label for label in labels(page) if label.startswith(("La primera", "Pregunta"))]
    assert listed[0].startswith("La primera de todas")
    assert len(listed) == 13
    press(page, "Eliminar la consulta")
    next(button for button in page.button if button.key == "delete-yes").click().run()
    assert oldest not in {c.id for c in app.conversations.conversations(OWNER)}


def test_a_conversation_is_renamed_and_deleted_with_confirmation(app: FakeApp) -> None:
    page = opened(asked(app, "¿Cuánto dura?"))
    next(box for box in page.text_input if box.label == "Título").set_value("Descansos")
    press(page, "Guardar título")
    assert [c.title for c in app.conversations.conversations(OWNER)] == ["Descansos"]
    press(page, "Eliminar la consulta")
    assert app.conversations.conversations(OWNER), "nothing is deleted before it is confirmed"
    next(button for button in page.button if button.key == "delete-yes").click().run()
    assert app.conversations.conversations(OWNER) == []
    assert "<h1>Articulado</h1>" in html(page)


def test_a_title_is_text_and_not_markdown(app: FakeApp) -> None:
    asked(app, "![x](https://evil.example/x.png) **uno**")
    label = next(label for label in labels(opened()) if "evil" in label)
    assert r"\!\[x\]\(https\:" in label
    assert r"\*\*uno\*\*" in label


def test_a_new_query_leaves_the_conversation(app: FakeApp) -> None:
    page = press(opened(asked(app, "¿Cuánto dura?")), "Nueva consulta")
    assert "<h1>Articulado</h1>" in html(page)
    assert not page.chat_message


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
    conversation = app.conversations.create(OWNER, "Plazo")
    _, pending = app.conversations.ask(OWNER, conversation.id, "¿Qué plazo hay?", date(2020, 5, 1))
    app.conversations.finish(pending.id, state, "Texto a medias", None, None)
    page = opened(conversation.id)
    assert line in html(page)
    assert "Texto a medias" in html(page)
    press(page, "Volver a preguntar")
    assert app.runs.asked == [("¿Qué plazo hay?", date(2020, 5, 1))]


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


def test_an_internal_error_is_told_without_its_detail(app: FakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> Answer:
        raise RuntimeError("secreto interno")

    monkeypatch.setattr(app.corpus, "counts", broken)
    page = opened()
    assert page.error[0].value.startswith("Se ha producido un error interno")
    assert "secreto" not in page.error[0].value
