"""A finished answer on the chat page: its text, sources and copy."""

from datetime import date
from typing import Any
from urllib.parse import quote_plus

import pytest
from streamlit.testing.v1 import AppTest

from lexicon.ties import overtaken
from loading.formats.boe_xml import ended
from pages.parts.answer import sources
from pages.parts.answer.export import answer_text
from pages.parts.common.words import today
from rag.answers.aside import with_aside
from rag.answers.joined_answers import joined
from rag.answers.provenance import EXTRACT
from rag.shared.cited_answer import Answer, Source
from rag.shared.messages import MessageState
from rag.shared.trace import SplitRecord
from tests.pages.driver import HOSTILE, asked, html, labels, last_id, opened, set_open
from tests.pages.fakes import OWNER, FakeApp
from tests.pages.samples import BLOCK, NORM, QUOTE, answer, citation, refusal, trace_of

# Asking and reading


def test_a_question_gets_an_answer_with_chips_confidence_date_and_sources(app: FakeApp) -> None:
    page = opened()
    page.chat_input[0].set_value("¿Cuánto dura el descanso?").run()
    shown = html(page)
    assert [message.name for message in page.chat_message] == ["user", "assistant"]
    assert "<strong>veintiún días</strong>" in shown
    assert 'aria-label="Cita comprobada 1: LTI · Artículo 7">1</a>' in shown
    assert 'href="/normativa?doc=' in shown
    assert 'data-text="/fuente?doc=' in shown
    assert "Confianza alta" in shown
    assert f"Se aplica la normativa vigente a {today():%d/%m/%Y}" in shown
    assert "Revise su convenio." in shown
    assert EXTRACT in shown
    assert page.expander[0].label == "**1** · LTI · Artículo 7 · Descanso estival"


def test_the_chosen_date_goes_with_the_question(app: FakeApp) -> None:
    page = opened()
    page.date_input[0].set_value(date(2019, 3, 14)).run()
    assert "Consulta a fecha de 14/03/2019" in html(page)
    page.chat_input[0].set_value("¿Cuánto dura el descanso?").run()
    assert app.runs.asked == [("¿Cuánto dura el descanso?", date(2019, 3, 14))]
    assert "Se aplica la normativa vigente a 14/03/2019" in html(page)


def test_a_date_chosen_just_before_sending_goes_with_the_question(app: FakeApp) -> None:
    page = opened()
    page.date_input[0].set_value(date(2019, 3, 14))
    page.chat_input[0].set_value("¿Cuánto dura el descanso?").run()
    page.date_input[0].set_value(None)
    page.chat_input[0].set_value("¿Y hoy?").run()
    assert app.runs.asked == [("¿Cuánto dura el descanso?", date(2019, 3, 14)), ("¿Y hoy?", None)]


def test_an_article_is_drawn_when_its_source_is_opened(app: FakeApp) -> None:
    conversation = asked(app, "¿Cuánto dura el descanso?")
    page = opened(conversation)
    assert "<mark>" not in html(page)
    shown = html(set_open(page, f"source-{last_id(app, conversation)}-0"))
    assert f"<mark>{QUOTE}</mark>" in shown
    assert "CAPÍTULO II Descansos" in shown
    assert "Cita comprobada letra por letra" in shown
    assert "Vigente desde 01/01/2020" in shown
    assert "&lt;b&gt;visible&lt;/b&gt;" in shown
    assert page.get("link_button")[0].proto.url == "https://www.boe.es/buscar/act.php?id=BOE-A-2001-1"


def test_a_source_that_a_later_law_displaced_says_so_of_the_days_after(
    app: FakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = overtaken("BOE-A-1999-346", "a2", date(2026, 1, 1))
    assert entry is not None and entry.whole
    monkeypatch.setattr(sources, "overtaken", lambda norm, block, day: entry if day.year >= 2022 else None)
    for year, told in ((2021, False), (2023, True)):
        app.runs.outcome = lambda _, year=year: answer(as_of=date(year, 6, 1))
        conversation = asked(app, "¿Cuánto dura?")
        page = set_open(opened(conversation), f"source-{last_id(app, conversation)}-0")
        assert ("<b>Precepto superado.</b>" in html(page)) is told
        assert (entry.says in html(page)) is told


def test_quotations_of_one_article_share_one_source(app: FakeApp) -> None:
    other = "Las discrepancias se resolverán por sorteo"
    app.runs.outcome = lambda _: answer(citations=(citation(), citation(quote=other)))
    conversation = asked(app, "¿Cuánto dura?")
    page = set_open(opened(conversation), f"source-{last_id(app, conversation)}-0")
    assert len(page.expander) == 1
    assert f"<mark>{QUOTE}</mark>" in html(page)
    assert f"<mark>{other}</mark>" in html(page)
    assert "2 citas comprobadas" in html(page)


def named_only(block_id: str = "a8") -> Source:
    """A source under another marker than that of `citation`, without a quotation."""
    other = citation(marker="C2", block_id=block_id, chunk_id=f"BOE-A-2001-1/{block_id}@2020-01-01#2")
    return Source(**other.model_dump(include=set(Source.model_fields)))


def copied(app: FakeApp, conversation: str) -> str:
    """The text that «Copiar» gives of the last answer."""
    asked, message = app.database.conversations.exchange(OWNER, last_id(app, conversation))
    assert message.answer
    return answer_text(asked.text, message.answer, today(), today(), app.database.corpus.norm)


def test_a_quotation_inside_another_one_is_copied_once(app: FakeApp) -> None:
    part = citation(quote=QUOTE[:30])
    app.runs.outcome = lambda _: answer(citations=(part, citation()))
    text = copied(app, asked(app, "¿Cuánto dura?"))
    assert text.count(QUOTE[:30]) == text.count(QUOTE) == 1


def test_a_source_that_is_only_named_is_never_said_to_be_checked(app: FakeApp) -> None:
    text = "Son veintiún días [C1]. Y se sortean [C2]."
    app.runs.outcome = lambda _: answer(text, sources=(named_only(),))
    app.database.corpus.stored[NORM.id, "a8"] = BLOCK
    conversation = asked(app, "¿Cuánto dura?")
    page = opened(conversation)
    shown = html(page)
    assert 'aria-label="Cita comprobada 1: LTI · Artículo 7"' in shown
    assert shown.count('class="art-chip art-named"') == 1
    assert 'aria-label="Fuente 2, sin cita comprobada: LTI' in shown
    assert "Fuentes nombradas, sin cita comprobada <span>1</span>" in shown
    page = set_open(page, f"named-{last_id(app, conversation)}-0")
    shown = html(page)
    assert "Fuente nombrada, sin cita comprobada" in shown
    assert "Cita comprobada letra por letra" not in shown
    assert "<mark>" not in shown and QUOTE in shown
    cited, _, named = copied(app, conversation).partition("FUENTES NOMBRADAS, SIN CITA COMPROBADA\n[2] ")
    assert "comprobado letra por letra" in cited
    assert "Fuente nombrada, sin cita comprobada" in named or "fuente nombrada" in named
    assert "comprobado letra por letra" not in named


def test_fragments_of_one_article_are_one_source_with_one_number(app: FakeApp) -> None:
    other = "Las discrepancias se resolverán por sorteo"
    second = citation(marker="C7", chunk_id="BOE-A-2001-1/a7@2020-01-01#2", quote=other)
    text = "Se sortean [C7]. Son veintiún días [C4] [C7]. Y [C9]."
    fragment = named_only("a7").model_copy(update={"marker": "C9"})
    app.runs.outcome = lambda _: answer(text, citations=(citation(marker="C4"), second), sources=(fragment,))
    conversation = asked(app, "¿Cuánto dura?")
    page = set_open(opened(conversation), f"source-{last_id(app, conversation)}-0")
    shown = html(page)
    assert [panel.label for panel in page.expander] == ["**1** · LTI · Artículo 7 · Descanso estival"]
    assert f"<mark>{QUOTE}</mark>" in shown and f"<mark>{other}</mark>" in shown
    assert shown.count('aria-label="Cita comprobada 1: LTI') == 2, "two side by side are one"
    assert shown.count('aria-label="Fuente 1, sin cita comprobada: LTI') == 1, "the sentence has no quotation"
    said = copied(app, conversation)
    assert "Se sortean [1]. Son veintiún días [1]. Y [1]." in said
    assert said.count("[1] Ley 1/2001") == 1 and "[2]" not in said


def test_each_quotation_stands_once_in_the_page(app: FakeApp) -> None:
    shown = html(opened(asked(app, "¿Cuánto dura?")))
    assert shown.count(quote_plus(QUOTE)) == 1
    on_screen, _, on_paper = shown.partition('<section class="art-printed">')
    assert QUOTE not in on_screen and on_paper.count(QUOTE) == 1


def test_an_unverified_quotation_has_no_mark_of_a_checked_one(app: FakeApp) -> None:
    app.runs.outcome = lambda _: answer(citations=(citation(verified=False),))
    assert "Cita comprobada 1" not in html(opened(asked(app, "¿Cuánto dura?")))


def test_a_named_source_that_left_the_corpus_says_so(app: FakeApp) -> None:
    app.runs.outcome = lambda _: answer("Se sortean [C2].", citations=(), sources=(named_only(),))
    conversation = asked(app, "¿Cuánto dura?")
    app.database.corpus.stored.clear()
    shown = html(set_open(opened(conversation), f"named-{last_id(app, conversation)}-0"))
    assert "Este artículo ya no está entre los textos cargados" in shown
    assert "Lo citado ya no está entre los textos cargados" in shown


def test_a_quotation_that_left_the_corpus_is_shown_with_a_warning(app: FakeApp) -> None:
    app.database.corpus.stored.clear()
    conversation = asked(app, "¿Cuánto dura?")
    page = set_open(opened(conversation), f"source-{last_id(app, conversation)}-0")
    assert f'<blockquote class="art-quote">{QUOTE}</blockquote>' in html(page)
    assert "ya no está entre los textos cargados" in html(page)
    assert "Comprobada al responder; ya no está cargada" in html(page)
    assert "✔ Cita comprobada letra por letra" not in html(page)


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


def test_a_courtesy_is_shown_as_one_line(app: FakeApp) -> None:
    app.runs.outcome = lambda _: answer("De nada.", refusal=True, citations=(), confidence=0.0)
    page = opened(asked(app, "gracias"))
    assert "De nada." in html(page)
    assert "Sin respuesta verificada" not in html(page)
    assert "Se aplica la normativa" not in html(page)


def test_what_is_shown_apart_is_folded(app: FakeApp) -> None:
    app.runs.outcome = lambda _: answer(with_aside(["Uno [C1]."], ["Otro."]))
    shown = html(opened(asked(app, "¿Cuánto dura?")))
    assert shown.index("Uno") < shown.index('<details class="art-aside">') < shown.index("Otro.")


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
    for forbidden in ("<img", "<script", 'onerror="alert', 'class="art-chip">C7'):
        assert forbidden not in shown
    assert shown.count('<a class="art-chip"') == 1, "only the marker of a citation that exists is a chip"
    assert shown.count("<a ") == 3, "that one, and what copies and saves the answer"
    assert "![x](https://evil.example/b.png)" in shown
    markdown = [element.value for element in page.markdown]
    assert not any("evil" in value for value in markdown)
    assert not any("](" in label and "\\](" not in label for label in labels(page))


# Copy


def test_the_copied_text_is_complete(app: FakeApp) -> None:
    text = copied(app, asked(app, "¿Cuánto dura el descanso?"))
    for expected in (
        "CONSULTA\n¿Cuánto dura el descanso?",
        "RESPUESTA\nSon veintiún días al año [1].",
        "[1] Ley 1/2001, de 2 de enero, del Trabajo Inventado. Artículo 7 (Descanso estival).",
        f"«{QUOTE}»",
        "Vigente desde 01/01/2020; comprobado letra por letra; BOE-A-2001-1.",
        "https://www.boe.es/buscar/act.php?id=BOE-A-2001-1",
        f"sobre la normativa vigente a {today():%d/%m/%Y}",
    ):
        assert expected in text


# The law after the answer


def cited_in_2019(app: FakeApp) -> str:
    app.runs.outcome = lambda _: answer(citations=(citation(valid_from=date(2001, 2, 1)),))
    return asked(app, "¿Cuánto duraba el descanso?")


def to_norms(page: AppTest) -> list[Any]:
    """The links of a page to the corpus."""
    return [link for link in page.get("page_link") if "doc=" in link.proto.query_string]


def test_an_answer_whose_article_changed_says_so_and_leads_to_the_comparison(app: FakeApp) -> None:
    page = opened(cited_in_2019(app))
    assert "La norma cambió después." in html(page)
    assert "Artículo 7 · Ley del Trabajo Inventado: nueva redacción desde el 01/01/2020." in html(page)
    [link] = to_norms(page)
    assert link.proto.query_string == "doc=BOE-A-2001-1&block=a7&to=2020-01-01&from=2001-02-01"


def test_an_answer_whose_norm_was_deleted_says_so_in_the_open(app: FakeApp) -> None:
    conversation = asked(app, "¿Cuánto dura el descanso?")
    app.database.corpus.stored.clear()
    page = opened(conversation)
    told = "Lo citado ya no está entre los textos cargados y no se puede comprobar.</b>"
    assert f"{told} Artículo 7 · Ley del Trabajo Inventado." in html(page)
    assert "La norma cambió" not in html(page)
    assert not to_norms(page)


def test_an_answer_whose_norm_was_repealed_says_since_when_in_the_open(app: FakeApp) -> None:
    conversation = asked(app, "¿Cuánto dura el descanso?")
    block = ended(BLOCK, date(2024, 5, 31))
    app.database.corpus.stored[NORM.id, BLOCK.id] = block
    told = "Artículo 7 · Ley del Trabajo Inventado: sin vigencia desde el 01/06/2024."
    assert f"La norma cambió después.</b> {told}" in html(opened(conversation))


def test_an_answer_on_the_wording_in_force_says_nothing(app: FakeApp) -> None:
    page = opened(asked(app, "¿Cuánto dura el descanso?"))
    assert "La norma cambió" not in html(page)


def test_changes_are_looked_up_again_only_when_the_corpus_has_changed(app: FakeApp) -> None:
    page = opened(cited_in_2019(app))
    read = app.database.corpus.reads
    page.run()
    assert app.database.corpus.reads == read
    app.database.corpus.loads += 1
    page.run()
    assert app.database.corpus.reads > read


def test_a_source_leads_to_its_article_in_the_corpus(app: FakeApp) -> None:
    conversation = asked(app, "¿Cuánto dura el descanso?")
    page = set_open(opened(conversation), f"source-{last_id(app, conversation)}-0")
    [link] = to_norms(page)
    assert link.proto.query_string == "doc=BOE-A-2001-1&block=a7"


# Several questions


def two_parts() -> Answer:
    return joined(
        ["¿Cuánto dura el descanso?", "¿Cuánto se [C9] cobra?"],
        [answer("El descanso dura **veintiún días** [C1]."), refusal()],
        ["¿Y el tiempo?"],
    )


def test_the_answers_to_several_questions_are_numbered_each_with_its_sources(app: FakeApp) -> None:
    app.runs.outcome = lambda question: two_parts()
    page = opened(asked(app, "Una carta larga"))
    shown = html(page)
    assert '<h3 class="art-asked">1. ¿Cuánto dura el descanso?</h3>' in shown
    assert '<h3 class="art-asked">2. ¿Cuánto se [C9] cobra?</h3>' in shown
    assert shown.index("1. ¿Cuánto dura") < shown.index("Confianza alta") < shown.index("2. ¿Cuánto se")
    assert shown.count("Sin respuesta verificada</p>") == 1
    assert "Sin respuesta verificada: pregunta 2." in shown
    assert "«¿Y el tiempo?»" in shown
    assert page.expander[0].label.startswith("**1** · LTI")


def test_the_trace_of_several_questions_shows_the_stages_of_the_chosen_one(app: FakeApp) -> None:
    app.runs.waits = True
    conversation = asked(app, "Una carta larga")
    answered = last_id(app, conversation)
    app.runs.runs.clear()
    parts = tuple(trace_of(part.question) for part in two_parts().parts)
    whole = trace_of("Una carta larga").model_copy(
        update={"stages": (SplitRecord(questions=("uno", "dos")),), "parts": parts}
    )
    app.database.conversations.finish(answered, MessageState.COMPLETE, "x", two_parts(), whole)
    page = opened(conversation)
    next(box for box in page.checkbox if box.key == "debug").check().run()
    page = set_open(page, f"debug-{answered}")
    assert [option[:2] for option in page.selectbox[0].options] == ["1.", "2."]
    assert "Preguntas del texto" in [tab.label for tab in page.tabs]
    assert "Verificación de citas" in [tab.label for tab in page.tabs]
