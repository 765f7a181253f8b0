"""The inspector page: why an article came out, the six tools as forms, past answers run again."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.answer.trace_words import PARAMETERS, TOOL_NAMES
from pages.parts.inspector.replay import what
from pages.parts.inspector.result import highlights_html
from pages.parts.inspector.tools import PURPOSES
from rag.evaluation.rankings import Change
from rag.tools.tool_contract import TOOLS
from service.program.assembly import App
from tests.pages.corpus import links
from tests.pages.driver import HOSTILE, drawn, html, page_at

SECONDS = 60
VACATIONS = "¿Cuántos días de vacaciones tengo?"
TABS = ("¿Por qué salió esto?", "Herramientas", "Respuestas anteriores")


def submit(page: AppTest, label: str) -> AppTest:
    next(button for button in page.button if button.label == label).click()
    return drawn(page)


def analysed(question: str) -> AppTest:
    page = page_at("inspector", {"inspector-tab": TABS[0]})
    page.text_input(key="why-question").set_value(question)
    return submit(page, "Analizar")


def with_tool(name: str) -> AppTest:
    page = page_at("inspector", {"inspector-tab": TABS[1]})
    page.session_state["tool"] = name
    return drawn(page)


def answered(whole: App, question: str) -> int:
    conversation = whole.database.conversations.create("local", question).id
    current = whole.runs.start("local", conversation, question)
    assert current.done.wait(SECONDS)
    return current.message_id


# Why


def test_a_question_shows_its_lists_side_by_side_and_the_weight_of_each_feature(whole: App) -> None:
    page = analysed(VACATIONS)
    shown = html(page)
    for column in ("Parecido", "Pregunta afín", "Palabras (BM25)", "Fusión", "Orden final"):
        assert f'<th scope="col">{column}</th>' in shown
    assert '<span class="art-chip" role="note" aria-label="lugar final 1">1</span>' in shown
    assert "Condiciones aplicadas" in shown
    assert any("Total" in frame.value.columns for frame in page.dataframe)
    assert links(page)["LTF · Artículo 2"].startswith("doc=X-LTF&block=")


def test_an_article_that_lost_is_told_where_it_stood_and_what_it_lacked(whole: App) -> None:
    page = analysed(VACATIONS)
    page.text_input(key="why-article").set_value("art. 7 LTF")
    shown = html(drawn(page))
    assert "Ley del Trabajo Ficticio · Artículo 7. Dimisión." in shown
    assert "Frente al primero" in shown
    assert "Lista" in shown


@pytest.mark.parametrize(
    ("text", "said"),
    [("vacaciones", "No se reconoce"), ("art. 99 LTF", "no está en el corpus"), ("art. 3", "ninguna norma")],
)
def test_an_article_that_is_not_there_is_told(whole: App, text: str, said: str) -> None:
    page = analysed(VACATIONS)
    page.text_input(key="why-article").set_value(text)
    drawn(page)
    assert said in page.error[0].value.replace("\\", "")


def test_an_empty_question_is_told(whole: App) -> None:
    assert "Escriba una pregunta" in analysed("  ").error[0].value


def test_what_was_asked_is_shown_as_text(whole: App) -> None:
    shown = html(analysed(" ".join(HOSTILE.split())))
    assert "&lt;script" in shown
    assert "<script" not in shown
    assert "<img" not in shown


# Tools


def test_every_tool_and_every_parameter_has_a_spanish_name() -> None:
    assert set(TOOL_NAMES) == set(PURPOSES) == set(TOOLS)
    boxes = {name for tool in TOOLS.values() for name in tool.params.model_fields} - {"as_of"}
    assert boxes == set(PARAMETERS), "the day has a box of its own"


@pytest.mark.parametrize(
    ("tool", "boxes", "found"),
    [
        ("tool_lexical_search", {"query": "vacaciones"}, "<mark>vacaciones</mark>"),
        ("tool_semantic_search", {"query": "vacaciones anuales"}, "Similitud"),
        ("tool_structure_search", {"keywords": "calendario"}, "Artículo 3. Calendario laboral"),
        ("tool_regex_search", {"pattern": "veinte d.as"}, "<mark>veinte días</mark>"),
        ("tool_file_section", {}, "Artículo 1."),
        ("tool_file_content", {}, "caracteres"),
    ],
)
def test_each_tool_runs_from_its_form(whole: App, tool: str, boxes: dict[str, str], found: str) -> None:
    page = with_tool(tool)
    for name, value in boxes.items():
        page.text_input(key=f"{tool}-{name}").set_value(value)
    for box in page.selectbox:
        if box.label == "Documento":
            box.set_value("ltf.md")
    page = submit(page, "Ejecutar")
    assert not page.error, page.error[0].value
    assert found in html(page)


def test_a_result_opens_to_its_text_neighbours_and_cross_references(whole: App) -> None:
    page = with_tool("tool_lexical_search")
    page.text_input(key="tool_lexical_search-query").set_value("calendario de vacaciones")
    page = submit(page, "Ejecutar")
    page.session_state["tool-open-1"] = True
    shown = html(drawn(page))
    assert not page.error, page.error[0].value
    assert "<dt>Anterior</dt><dd>Artículo 1" in shown
    assert "<dt>Siguiente</dt><dd>Artículo 3" in shown
    assert "LTF · Artículo 3" in links(page)


def test_a_result_says_which_answers_cite_it(whole: App) -> None:
    answered(whole, VACATIONS)
    page = with_tool("tool_lexical_search")
    page.text_input(key="tool_lexical_search-query").set_value("vacaciones anuales retribuidas")
    page = submit(page, "Ejecutar")
    page.session_state["tool-open-1"] = True
    assert f"<dt>Citado en (sus últimas 20 consultas)</dt><dd>{VACATIONS}" in html(drawn(page))


def test_the_exact_text_of_the_contract_is_at_hand(whole: App) -> None:
    page = with_tool("tool_lexical_search")
    page.text_input(key="tool_lexical_search-query").set_value("dimisión")
    page = submit(page, "Ejecutar")
    page.session_state["tool-exact"] = True
    assert drawn(page).code[0].value.startswith("[RESULTADOS DE TU BÚSQUEDA]")


def test_a_call_that_fails_says_why(whole: App) -> None:
    page = with_tool("tool_regex_search")
    page.text_input(key="tool_regex_search-pattern").set_value("(")
    page = submit(page, "Ejecutar")
    assert "no es válida" in page.error[0].value


@pytest.mark.parametrize(
    ("passage", "shown"),
    [
        ("el <em>plazo</em> es &lt;b&gt;", "el <mark>plazo</mark> es &lt;b&gt;"),
        ("&lt;em&gt; no es <em>marca</em>", "&lt;em&gt; no es <mark>marca</mark>"),
        ("<script>x</script> <em>a", "&lt;script&gt;x&lt;/script&gt; <mark>a</mark>"),
        ("<em>a</em><img src=x>", "<mark>a</mark>&lt;img src=x&gt;"),
        ("a</em> <em><em>b", "a <mark>b</mark>"),
    ],
)
def test_only_what_matched_is_marked_in_a_passage(passage: str, shown: str) -> None:
    assert highlights_html((passage,)) == f'<div class="art-law"><p>{shown}</p></div>'


# Past answers


def test_without_answers_the_replay_says_so(whole: App) -> None:
    assert "Todavía no hay respuestas" in html(page_at("inspector", {"inspector-tab": TABS[2]}))


def test_a_past_answer_shows_its_trace_and_runs_again_with_its_differences(whole: App) -> None:
    answer = answered(whole, VACATIONS)
    page = page_at("inspector", {"inspector-tab": TABS[2]})
    assert "Búsqueda en normativa" in [tab.label for tab in page.tabs]
    assert page.selectbox(key="replay-answer").value == answer
    page = submit(page, "Volver a ejecutar")
    assert "Se conservan los mismos fragmentos." in html(page)
    page.selectbox(key=f"replay-{answer}-rerank").set_value("none")
    page = submit(page, "Volver a ejecutar")
    assert "sin reordenar" in html(page)
    assert "LTF · Artículo 2" in html(page)
    stored = whole.database.conversations.trace("local", answer)
    assert stored is not None
    assert stored.stage("rerank").strategy == "heuristic"


def test_answers_of_others_are_not_offered(whole: App) -> None:
    conversation = whole.database.conversations.create("ana", VACATIONS).id
    assert whole.runs.start("ana", conversation, VACATIONS).done.wait(SECONDS)
    assert "Todavía no hay respuestas" in html(page_at("inspector", {"inspector-tab": TABS[2]}))


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [(None, 1, "entra"), (2, None, "sale"), (3, 3, "igual"), (3, 1, "sube 2"), (1, 2, "baja 1")],
)
def test_a_change_of_place_is_said_in_a_word(before: int | None, after: int | None, said: str) -> None:
    assert what(Change("LTF · Artículo 2", "x", before, after)) == said
