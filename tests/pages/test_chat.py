"""The chat page, run by Streamlit's AppTest over real conversations and scripted answers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import bootstrap
from pages._words import today
from rag.types import Answer, MessageState
from tests.pages.fakes import (
    OWNER,
    QUOTE,
    FakeApp,
    FakeCorpus,
    answer,
    citation,
    fake_app,
    progress,
    refusal,
    trace_of,
)

ROUTER = str(Path(__file__).parents[2] / "app.py")
HOSTILE = (
    '<img src="https://evil.example/a.png" onerror="alert(1)"> <script>alert(1)</script>\n\n'
    "![x](https://evil.example/b.png) [pulse](https://evil.example) [C1] [C9]\n\n"
    '<span class="art-chip">C7</span> :material/home: $x^2$'
)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[FakeApp]:
    fake = fake_app(tmp_path)
    bootstrap.override(fake)  # type: ignore[arg-type]
    yield fake
    bootstrap.override(None)


def opened(conversation: str | None = None) -> AppTest:
    page = AppTest.from_file(ROUTER, default_timeout=20)
    if conversation:
        page.query_params["c"] = conversation
    page.run()
    assert not page.exception, page.exception
    return page


def asked(app: FakeApp, *questions: str) -> str:
    conversation = app.conversations.create(OWNER, questions[0])
    for question in questions:
        app.runs.start(OWNER, conversation.id, question, today())
    return conversation.id


def last_id(app: FakeApp, conversation: str) -> int:
    return app.conversations.messages(OWNER, conversation)[-1].id


def html(page: AppTest) -> str:
    return "\n".join(element.value for element in page.html)


def labels(page: AppTest) -> list[str]:
    return [button.label for button in page.button]


def press(page: AppTest, label: str) -> AppTest:
    next(button for button in page.button if button.label.startswith(label)).click().run()
    assert not page.exception, page.exception
    return page


def set_open(page: AppTest, key: str) -> AppTest:
    page.session_state[key] = True
    page.run()
    assert not page.exception, page.exception
    return page


# Empty state


def test_the_empty_page_says_what_it_is_what_it_holds_and_what_to_ask(app: FakeApp) -> None:
    page = opened()
    assert "<h1>Articulado</h1>" in html(page)
    assert "2 normas · 12.519 fragmentos" in html(page)
    assert sum(label.startswith("¿") for label in labels(page)) == 4
    assert app.notices[0] in html(page)


def test_an_empty_corpus_says_how_to_fill_it(app: FakeApp) -> None:
    app.corpus = FakeCorpus(listed=())
    assert "El corpus está vacío" in html(opened())


def test_an_example_question_is_asked_when_it_is_pressed(app: FakeApp) -> None:
    page = press(opened(), "¿Cuántos días")
    assert app.runs.asked[0][0].startswith("¿Cuántos días")
    assert "veintiún días" in html(page)
    assert page.query_params["c"]


# Asking and reading


def test_a_question_gets_an_answer_with_chips_confidence_date_and_sources(app: FakeApp) -> None:
    page = opened()
    page.chat_input[0].set_value("¿Cuánto dura el descanso?").run()
    shown = html(page)
    assert [message.name for message in page.chat_message] == ["user", "assistant"]
    assert "<strong>veintiún días</strong>" in shown
    assert 'title="Fuente C1: LTI · Artículo 7">C1</span>' in shown
    assert "Confianza alta" in shown
    assert f"Normativa vigente a {today():%d/%m/%Y}" in shown
    assert "Revise su convenio." in shown
    assert page.expander[0].label == "**C1** · LTI · Artículo 7 · pág. —"


def test_the_chosen_date_goes_with_the_question(app: FakeApp) -> None:
    page = opened()
    page.date_input[0].set_value(date(2019, 3, 14)).run()
    assert "Consulta a fecha de 14/03/2019" in html(page)
    page.chat_input[0].set_value("¿Cuánto dura el descanso?").run()
    assert app.runs.asked == [("¿Cuánto dura el descanso?", date(2019, 3, 14))]
    assert "Normativa vigente a 14/03/2019" in html(page)


def test_no_article_is_read_until_its_source_is_opened(app: FakeApp) -> None:
    conversation = asked(app, "¿Cuánto dura el descanso?")
    page = opened(conversation)
    assert app.corpus.reads == 0
    shown = html(set_open(page, f"source-{last_id(app, conversation)}-0"))
    assert f"<mark>{QUOTE}</mark>" in shown
    assert "CAPÍTULO II Descansos" in shown
    assert "Cita comprobada letra por letra" in shown
    assert "Vigente desde 01/01/2020" in shown
    assert "&lt;b&gt;visible&lt;/b&gt;" in shown
    assert page.get("link_button")[0].proto.url == "https://www.boe.es/buscar/act.php?id=BOE-A-2001-1"


def test_a_summary_is_labelled_and_an_unknown_address_is_not_a_link(app: FakeApp) -> None:
    source = citation(official=False, norm_id="resumen", url="https://evil.example/x", verified=False)
    app.runs.outcome = lambda _: answer(citations=(source,))
    conversation = asked(app, "¿Cuánto dura?")
    page = set_open(opened(conversation), f"source-{last_id(app, conversation)}-0")
    assert "Resumen no oficial" in html(page)
    assert "Cita comprobada" not in html(page)
    assert not page.get("link_button")
    assert any("https://evil.example/x" in text.value for text in page.text)


def test_a_refusal_is_no_error_and_says_where_to_look(app: FakeApp) -> None:
    app.runs.outcome = lambda _: refusal()
    page = opened(asked(app, "¿Cuánto pago de renta?"))
    assert "Sin respuesta verificada" in html(page)
    assert "Qué falta y dónde puede estar" in html(page)
    assert "Confianza" not in html(page)
    assert not page.error
    assert not page.expander


@pytest.mark.parametrize(
    ("confidence", "band"),
    [(0.0, "baja"), (0.29, "baja"), (0.3, "moderada"), (0.69, "moderada"), (0.7, "alta"), (1.0, "alta")],
)
def test_confidence_is_named_by_its_half_open_band(app: FakeApp, confidence: float, band: str) -> None:
    app.runs.outcome = lambda _: answer(confidence=confidence)
    assert f"Confianza {band}" in html(opened(asked(app, "¿Cuánto?")))


def test_text_of_a_model_is_never_markup(app: FakeApp) -> None:
    app.runs.outcome = lambda _: answer(HOSTILE, notes=HOSTILE)
    page = opened(asked(app, HOSTILE))
    shown = html(page)
    for forbidden in ("<img", "<script", "<a ", 'onerror="alert', 'class="art-chip">C7'):
        assert forbidden not in shown
    assert shown.count('class="art-chip"') == 1, "only the marker of a citation that exists is a chip"
    assert "![x](https://evil.example/b.png)" in shown
    markdown = [element.value for element in page.markdown]
    assert not any("evil" in value for value in markdown)
    assert not any("](" in label and "\\](" not in label for label in labels(page))


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
    assert "Análisis de la consulta</span><time>0,1 s</time>" in shown
    assert "Redacción…" in shown
    assert "verificando citas…" in shown
    assert "<strong>veintiún</strong> [C1] &lt;img src=x&gt;" in shown
    assert page.chat_input[0].disabled
    press(page, "Detener")
    page.run()
    assert "Respuesta detenida" in html(page)
    assert not page.chat_input[0].disabled


# Conversations


def test_the_address_reopens_a_conversation_and_an_unknown_one_is_told(app: FakeApp) -> None:
    conversation = asked(app, "¿Cuánto dura?")
    assert "veintiún días" in html(opened(conversation))
    page = opened("desconocida")
    assert page.toast[0].value == "No existe esa conversación."
    assert "<h1>Articulado</h1>" in html(page)


def test_long_histories_show_the_last_twenty_and_the_rest_on_request(app: FakeApp) -> None:
    page = opened(asked(app, *(f"Pregunta {number}" for number in range(1, 14))))
    assert len(page.chat_message) == 20
    press(page, "Ver anteriores")
    assert len(page.chat_message) == 26
    assert "Ver anteriores" not in labels(page)


def test_a_conversation_is_renamed_and_deleted_with_confirmation(app: FakeApp) -> None:
    page = opened(asked(app, "¿Cuánto dura?"))
    page.text_input[0].set_value("Descansos")
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


# Debug and copy


def test_the_debug_view_shows_every_stage_as_text(app: FakeApp) -> None:
    conversation = asked(app, "¿Cuánto dura?")
    page = opened(conversation)
    assert not any(panel.label == "Depuración" for panel in page.expander)
    page.checkbox[0].check().run()
    set_open(page, f"debug-{last_id(app, conversation)}")
    assert [tab.label for tab in page.tabs] == [
        "Análisis de la consulta",
        "Búsqueda en normativa",
        "Selección de fragmentos",
        "Remisiones",
        "Comprobación del contexto",
        "Redacción",
        "Verificación de citas",
        "Ejecución",
    ]
    frame = page.dataframe[0].value
    assert list(frame["Fragmento"]) == ["LTI · Artículo 7", "LTI · Artículo 8"]
    assert {"Coseno", "BM25", "Fusión", "Reordenación", "Origen"} <= set(frame.columns)
    shown = html(page)
    for expected in ("descanso estival duración", "vacaciones", "artículo 8", "812", "parcial", "Hola"):
        assert expected in shown
    codes = [code.value for code in page.code]
    assert "Responda solo con el contexto." in codes
    assert any(button.label == "Descargar traza (JSON)" for button in page.get("download_button"))


def test_the_debug_view_never_reads_markdown_of_a_trace(app: FakeApp) -> None:
    conversation = app.conversations.create(OWNER, "Plazo")
    _, pending = app.conversations.ask(OWNER, conversation.id, "¿Plazo?", today())
    app.conversations.finish(
        pending.id, MessageState.COMPLETE, "x", answer(), trace_of(HOSTILE, draft=HOSTILE)
    )
    page = opened(conversation.id)
    page.checkbox[0].check().run()
    set_open(page, f"debug-{pending.id}")
    assert HOSTILE in [code.value for code in page.code]
    assert not any("evil" in element.value for element in page.markdown)
    assert "<img" not in html(page)


def test_the_copied_text_is_complete(app: FakeApp) -> None:
    page = press(opened(asked(app, "¿Cuánto dura el descanso?")), "Copiar respuesta")
    text = page.code[0].value
    for expected in (
        "CONSULTA\n¿Cuánto dura el descanso?",
        "RESPUESTA\nSon veintiún días al año [1].",
        "[1] Ley 1/2001, de 2 de enero, del Trabajo Inventado. Artículo 7 (Descanso estival).",
        f"«{QUOTE}»",
        "Vigente desde 01/01/2020; cita comprobada letra por letra; BOE-A-2001-1.",
        "https://www.boe.es/buscar/act.php?id=BOE-A-2001-1",
        f"sobre la normativa vigente a {today():%d/%m/%Y}",
    ):
        assert expected in text


def test_an_internal_error_is_told_without_its_detail(app: FakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> Answer:
        raise RuntimeError("secreto interno")

    monkeypatch.setattr(app.corpus, "counts", broken)
    page = opened()
    assert page.error[0].value.startswith("Se ha producido un error interno")
    assert "secreto" not in page.error[0].value
