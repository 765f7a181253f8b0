"""Votes in the chat and the review page: queue, one answer, verdict, case of evaluation."""

import pytest
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from core.errors import StorageError
from domain.reviews import QueueFilter, ReviewVerdict, Vote
from pages.parts.review.queue import PAGE_SIZE
from rag.evaluation.reviewed_cases import CorrectCitation
from rag.shared.cited_answer import Answer
from rag.shared.messages import MessageState
from service.program.assembly import App
from storage.tables.reviews import ReviewViewRow
from tests.pages.corpus import links, pressed
from tests.pages.driver import HOSTILE, html, labels, page_at
from tests.pages.driver import opened as chat

SECONDS = 60
VACATIONS = "¿Cuántos días de vacaciones tengo?"
WEATHER = "¿Qué tiempo hará mañana en Cuenca?"
ARTICLE = "X-LTF"


def ask(whole: App, question: str, owner: str = "local", conversation: str | None = None) -> int:
    """The id of the answer."""
    conversation = conversation or whole.database.conversations.create(owner, "").id
    run = whole.runs.start(owner, conversation, question)
    assert run.done.wait(SECONDS)
    return run.message_id


def store(whole: App, question: str, text: str, conversation: str | None = None) -> int:
    """The id of an answer with this text, as if a model had written it."""
    owner = "ana"
    conversation = conversation or whole.database.conversations.create(owner, "").id
    _, reply = whole.database.conversations.ask(owner, conversation, question)
    answer = Answer(answer=text, confidence=0.5, notes=text)
    whole.database.conversations.finish(reply.id, MessageState.COMPLETE, text, answer, None)
    return reply.id


def item(answer: int) -> AppTest:
    return page_at("review", answer=str(answer))


def judge(page: AppTest, answer: int, verdict: ReviewVerdict) -> AppTest:
    page.button_group(key=f"verdict-{answer}").set_value(verdict).run()
    assert not page.exception, page.exception
    return page


# In the chat


def test_a_vote_that_cannot_be_stored_is_told(whole: App, monkeypatch: pytest.MonkeyPatch) -> None:
    conversation = whole.database.conversations.create("local", "").id
    ask(whole, VACATIONS, conversation=conversation)
    page = chat(conversation)

    def full(*_: object) -> None:
        raise StorageError("El disco está lleno.")

    monkeypatch.setattr(whole.database.feedback, "vote", full)
    page.get("feedback")[0].set_value(1).run()
    assert not page.exception
    assert "El disco está lleno." in html(page)


# The queue


def test_the_queue_is_searched_and_stepped_through_as_it_is_filtered(whole: App) -> None:
    first, _, last = (store(whole, text, "R") for text in ("Una excedencia", "Otra cosa", "Dos excedencias"))
    page = page_at("review")
    page.text_input(key="queue-search").set_value("excedencia").run()
    assert list(links(page)) == ["Dos excedencias", "Una excedencia"]
    assert "2 sin revisar" in html(page)
    page.query_params["answer"] = str(last)
    page.run()
    assert page.button(key="step-back").disabled
    pressed(page, "step-on")
    assert page.query_params["answer"] == str(first)
    assert page.button(key="step-on").disabled


def test_an_empty_queue_says_so(whole: App) -> None:
    assert "Todavía no hay respuestas" in html(page_at("review"))


def test_the_queue_shows_answers_of_every_owner_and_filters_them(whole: App) -> None:
    good, refused = ask(whole, VACATIONS), ask(whole, WEATHER, "ana")
    whole.database.feedback.vote("local", good, Vote.DOWN, "No lo <b>entiendo</b>")
    page = page_at("review")
    assert links(page) == {WEATHER: f"answer={refused}", VACATIONS: f"answer={good}"}
    shown = html(page)
    assert "«No lo &lt;b&gt;entiendo&lt;/b&gt;»" in shown
    assert "voto negativo" in shown
    assert "sin respuesta" in shown
    page.selectbox(key="queue-vote").set_value("Voto negativo").run()
    assert list(links(page)) == [VACATIONS]
    page.selectbox(key="queue-answer").set_value("Sin respuesta").run()
    assert "Ninguna respuesta coincide" in html(page)
    page.selectbox(key="queue-vote").set_value("Todas").run()
    assert list(links(page)) == [WEATHER]
    page.selectbox(key="queue-answer").set_value("Todas").run()
    page.selectbox(key="queue-matter").set_value("El tiempo").run()
    assert list(links(page)) == [WEATHER]
    page.selectbox(key="queue-matter").set_value("Todas").run()
    page.selectbox(key="queue-sort").set_value(page.selectbox(key="queue-sort").options[1]).run()
    assert not page.exception


def test_a_long_queue_goes_by_pages_and_a_filter_starts_at_the_first(whole: App) -> None:
    for number in range(PAGE_SIZE + 2):
        store(whole, f"Pregunta {number}", "R")
    page = page_at("review")
    assert f"{PAGE_SIZE + 2} respuestas, de la 1 a la {PAGE_SIZE}" in html(page)
    assert len(links(page)) == PAGE_SIZE
    page.session_state["queue-page"] = 2
    page.run()
    assert list(links(page)) == ["Pregunta 1", "Pregunta 0"]
    page.selectbox(key="queue-review").set_value("Sin revisar").run()
    assert len(links(page)) == PAGE_SIZE


# One answer


def test_an_answer_is_shown_with_what_it_read_its_sources_its_vote_and_its_trace(whole: App) -> None:
    conversation = whole.database.conversations.create("ana", "").id
    ask(whole, "¿Cuándo se avisa si dimito?", "ana", conversation)
    answer = ask(whole, VACATIONS, "ana", conversation)
    whole.database.feedback.vote("ana", answer, Vote.UP, "Gracias")
    page = item(answer)
    shown = html(page)
    assert "Conversación anterior que leyó (2 mensajes)" in shown
    assert "Antes, la persona: ¿Cuándo se avisa si dimito?" in shown
    assert "Fuentes citadas" in shown
    assert "voto positivo" in shown
    assert "<p>Gracias</p>" in shown
    assert "Nadie la ha revisado." in shown
    page.session_state[f"trace-of-{answer}"] = True
    page.run()
    assert not page.exception
    assert "Búsqueda en normativa" in [tab.label for tab in page.tabs]
    with whole.database.engines.read() as session:
        looks = [(row.reviewer, row.message_id) for row in session.scalars(select(ReviewViewRow))]
    assert looks == [("local", answer)]


def test_what_people_and_models_wrote_is_text(whole: App) -> None:
    conversation = whole.database.conversations.create("ana", "").id
    store(whole, HOSTILE, HOSTILE, conversation)
    answer = store(whole, HOSTILE, HOSTILE, conversation)
    whole.database.feedback.vote("ana", answer, Vote.DOWN, HOSTILE)
    whole.database.reviews.judge("local", answer, ReviewVerdict.WRONG, must_refuse=True, notes=HOSTILE)
    whole.database.reviews.save_case("local", answer, case_from(whole, answer))
    page = item(answer)
    home = page_at("review")
    home.session_state["review-tab"] = "Casos de evaluación"
    home.run()
    queue = page_at("review")
    for view in (page, home, queue):
        assert not view.exception
        assert "&lt;script" in html(view)
        assert "<script" not in html(view)
        assert "<img" not in html(view)
    labels_of = [link.proto.label for view in (page, home, queue) for link in view.get("page_link")]
    assert any("evil" in label for label in labels_of)
    assert not any("![x]" in label for label in labels_of)


def case_from(whole: App, answer: int):  # type: ignore[no-untyped-def]
    from service.review_cases import case_of

    return case_of(whole.database.reviews.item("local", answer, 6), {})


def test_a_refusal_judged_correct_becomes_a_case_that_must_be_refused(whole: App) -> None:
    answer = ask(whole, WEATHER, "ana")
    page = judge(item(answer), answer, ReviewVerdict.CORRECT)
    assert "Artículos que responden" not in "".join(one.label for one in page.text_input)
    assert page.button(key="make-case").disabled
    pressed(page, "save-verdict")
    assert "Se espera que se rechace" in html(page)
    pressed(page, "make-case")
    [case] = whole.database.reviews.cases()
    assert (case.question, case.relevant, case.category) == (WEATHER, (), "review")
    assert "En «Casos de revisión»" in html(page)
    assert "Convertir en caso de evaluación" not in labels(page)


def test_the_articles_that_answer_are_named_graded_and_taken_out(whole: App) -> None:
    answer = ask(whole, WEATHER, "ana")
    page = judge(item(answer), answer, ReviewVerdict.RETRIEVAL_MISS)
    box = page.text_input(key=f"articles-{answer}")
    box.set_value("el artículo 999 de la LTF").run()
    assert "El corpus no tiene ese artículo en vigor" in html(page)
    page.text_input(key=f"articles-{answer}").set_value("artículos 1 y 2 de la LTF").run()
    pressed(page, f"add-{ARTICLE}-1")
    pressed(page, f"add-{ARTICLE}-2")
    assert page.button(key=f"add-{ARTICLE}-2").disabled
    page.selectbox(key=f"grade-{answer}-{ARTICLE}-1").set_value(1).run()
    page.text_area(key=f"notes-{answer}").set_value("Buscaba mal.").run()
    pressed(page, "save-verdict")
    [judgment] = whole.database.reviews.item("local", answer, 0).judgments
    assert judgment.notes == "Buscaba mal."
    assert judgment.citations == (
        CorrectCitation(norm=ARTICLE, article="1", grade=1),
        CorrectCitation(norm=ARTICLE, article="2", grade=2),
    )
    assert "Fallo de búsqueda" in html(page)

    # A second verdict starts from the articles of the first one.
    judge(page, answer, ReviewVerdict.INCOMPLETE)
    pressed(page, f"remove-{answer}-{ARTICLE}-1")
    pressed(page, "save-verdict")
    last, first = whole.database.reviews.item("local", answer, 0).judgments
    assert [one.article for one in last.citations] == ["2"]
    assert first == judgment
    pressed(page, "make-case")
    assert [one.relevant for one in whole.database.reviews.cases()] == [last.citations]


def test_an_answer_that_had_to_be_refused(whole: App) -> None:
    answer = ask(whole, VACATIONS)
    page = judge(item(answer), answer, ReviewVerdict.WRONG)
    pressed(page, "add-cited")
    page.checkbox(key=f"must-refuse-{answer}").check().run()
    assert not [one for one in page.text_input if one.label.startswith("Artículos")]
    pressed(page, "save-verdict")
    assert "Incorrecta · debía rechazarse" in html(page)
    pressed(page, "make-case")
    assert whole.database.reviews.cases()[0].relevant == ()


def test_a_verdict_without_articles_says_why_it_is_no_case(whole: App) -> None:
    answer = ask(whole, VACATIONS)
    page = pressed(judge(item(answer), answer, ReviewVerdict.WRONG), "save-verdict")
    assert "Indique al menos un artículo que responda" in html(page)
    assert page.button(key="make-case").disabled


def test_a_verdict_takes_the_typed_article_and_makes_a_case_that_the_answer_fails(whole: App) -> None:
    answer = ask(whole, VACATIONS)
    page = judge(item(answer), answer, ReviewVerdict.WRONG)
    page.text_area(key=f"facts-{answer}").set_value("cien días de salario")
    page.multiselect(key=f"surplus-{answer}").set_value([(ARTICLE, "2")])
    page.text_input(key=f"articles-{answer}").set_value("lo de siempre").run()
    pressed(page, "save-verdict")
    assert "No se reconoce ningún artículo en «lo de siempre»" in page.toast[0].value
    assert whole.database.reviews.item("local", answer, 0).judgments == ()
    page.text_input(key=f"articles-{answer}").set_value("artículo 1 de la LTF").run()
    pressed(page, "save-verdict")
    shown = html(page)
    assert "Se espera que cite" in shown and "que diga «cien días de salario»" in shown
    assert "La respuesta juzgada falla este caso: trae citas que sobran, no cita el artículo que" in shown
    pressed(page, "make-case")
    [case] = whole.database.reviews.cases()
    assert [(one.norm, one.article) for one in case.relevant] == [(ARTICLE, "1")]
    pressed(page, "withdraw-verdict")
    assert whole.database.reviews.item("local", answer, 0).standing is None
    assert "retirado el" in html(page)


def test_a_later_verdict_brings_the_case_up_to_date_and_a_case_can_be_taken_out(whole: App) -> None:
    answer = ask(whole, VACATIONS)
    page = judge(item(answer), answer, ReviewVerdict.CORRECT)
    pressed(pressed(page, "save-verdict"), "make-case")
    whole.database.reviews.judge("otro", answer, ReviewVerdict.WRONG, must_refuse=True)
    page.run()
    assert "Poner el caso al día" in labels(page)
    pressed(page, "make-case")
    assert whole.database.reviews.cases()[0].relevant == ()
    pressed(page, "drop-case")
    assert whole.database.reviews.cases() == []


def test_the_cases_are_listed_and_removed(whole: App) -> None:
    answer = store(whole, "¿Una **pregunta**?", "R")
    whole.database.reviews.judge("local", answer, ReviewVerdict.WRONG, must_refuse=True)
    whole.database.reviews.save_case("local", answer, case_from(whole, answer))
    page = page_at("review")
    page.session_state["review-tab"] = "Casos de evaluación"
    page.run()
    assert "<b>¿Una **pregunta**?</b>" in html(page)
    pressed(page, f"drop-review-{answer}")
    assert "Todavía no hay casos" in html(page)
    assert whole.database.reviews.queue("local", QueueFilter()).total == 1
