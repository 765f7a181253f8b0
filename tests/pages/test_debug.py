"""«Detalle técnico» of an answer: its stages, calls and scores, as text."""

import json

import pytest

from pages.parts.answer.said import readable
from pages.parts.common.words import today
from rag.shared.messages import MessageState
from rag.shared.trace import AnswerRecord
from tests.pages.driver import HOSTILE, asked, html, last_id, opened, set_open
from tests.pages.fakes import OWNER, FakeApp
from tests.pages.samples import answer, trace_of


def test_the_debug_view_shows_every_stage_as_text(app: FakeApp) -> None:
    conversation = asked(app, "¿Cuánto dura?")
    page = opened(conversation)
    assert not any(panel.label == "Detalle técnico" for panel in page.expander)
    page.checkbox[0].check().run()
    set_open(page, f"debug-{last_id(app, conversation)}")
    assert [tab.label for tab in page.tabs] == [
        "Comprensión de la pregunta",
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
    for expected in ("21/11/2026 (la de hoy)", "plazo o duración", "Aragón", "materia del corpus", "el BOA"):
        assert expected in shown
    assert (
        "1 llamada a un modelo de lenguaje (1.280 tokens) · 1 cálculo de vectores con vectores-1 · " in shown
    )
    for expected in ("Instrucciones que recibe el modelo", "<p>Responda solo con el contexto.</p>"):
        assert expected in shown
    assert "Orden de los fragmentos" not in shown and "reordenación" in shown
    assert "Tal como llegó (JSON)" in shown and "<p>Son veintiún días [C1].</p>" in shown
    assert "NEED" not in shown
    assert any(button.label == "Descargar traza (JSON)" for button in page.get("download_button"))


def test_the_debug_view_never_reads_markdown_of_a_trace(app: FakeApp) -> None:
    conversation = app.database.conversations.create(OWNER, "Plazo")
    _, pending = app.database.conversations.ask(OWNER, conversation.id, "¿Plazo?", today())
    app.database.conversations.finish(
        pending.id, MessageState.COMPLETE, "x", answer(), trace_of(HOSTILE, draft=HOSTILE)
    )
    page = opened(conversation.id)
    page.checkbox[0].check().run()
    set_open(page, f"debug-{pending.id}")
    assert "&lt;script&gt;alert(1)" in html(page)
    assert not any("evil" in element.value for element in page.markdown)
    assert "<img" not in html(page)


def test_an_answer_without_a_language_model_counts_no_call_of_one(app: FakeApp) -> None:
    app.runs.waits = True
    conversation = asked(app, "¿Cuánto dura?")
    answered = last_id(app, conversation)
    app.runs.runs.clear()
    trace = trace_of("¿Cuánto dura?")
    offline = trace.model_copy(
        update={"stages": tuple(one for one in trace.stages if not isinstance(one, AnswerRecord))}
    )
    app.database.conversations.finish(answered, MessageState.COMPLETE, "x", answer(), offline)
    page = opened(conversation)
    next(box for box in page.checkbox if box.key == "debug").check().run()
    shown = html(set_open(page, f"debug-{answered}"))
    assert "sin modelo de lenguaje · 1 cálculo de vectores con vectores-1 · normativa" in shown
    assert "21 leídos" in shown and "21 enviados" not in shown


def test_tables_of_scores_have_the_decimal_comma_and_keep_the_fragment_in_sight(app: FakeApp) -> None:
    conversation = asked(app, "¿Cuánto dura?")
    page = opened(conversation)
    page.checkbox[0].check().run()
    set_open(page, f"debug-{last_id(app, conversation)}")
    tables = [
        json.loads(table.proto.columns) for table in page.dataframe if {"BM25", "Total"} & {*table.value}
    ]
    assert len(tables) > 3
    for columns in tables:
        assert columns.pop("Fragmento")["pinned"]
        assert {
            column["type_config"]["format"] for column in columns.values() if "type_config" in column
        } == {"localized"}
    assert any("Total" in columns for columns in tables)
    assert not any("Pasaje afín" in table.value for table in page.dataframe), "no fragment has that score"


@pytest.mark.parametrize("reply", ['{"a":' * 900 + "1" + "}" * 900, "[" * 100_000, '{"answer": '])
def test_a_reply_that_nests_too_deeply_or_is_cut_is_shown_as_it_came(reply: str) -> None:
    assert reply[:5].replace('"', "&#34;") in readable(reply)
