"""Many answers and several reviewers: marks, verdicts at once, assignment, the file, the way to Inspector."""

import csv
import io
from collections.abc import Sequence

import pytest
from openpyxl import load_workbook
from streamlit.testing.v1 import AppTest

from core.errors import Forbidden, InputError
from domain.accounts import Role
from domain.reviews import QueueFilter, ReviewVerdict, Vote
from pages.parts.review.many import _file
from pages.parts.review.words import COLUMNS, row_of
from rag.evaluation.reviewed_cases import CorrectCitation
from rag.shared.cited_answer import Answer
from rag.shared.messages import MessageState
from service.members.member import Member
from service.program.assembly import App
from tests.pages.corpus import links, pressed
from tests.pages.driver import drawn, html, opened, page_at
from tests.pages.test_roles import Office, office, shared_office  # noqa: F401


def stored(program: App, owner: str, *questions: str) -> list[int]:
    """Ids of complete answers, each in a conversation of its own."""
    found, conversations = [], program.database.conversations
    for question in questions:
        _, reply = conversations.ask(owner, conversations.create(owner, "").id, question)
        answer = Answer(answer="R", confidence=0.5)
        conversations.finish(reply.id, MessageState.COMPLETE, "R", answer, None)
        found.append(reply.id)
    return found


def marking(marked: Sequence[int], **state: object) -> AppTest:
    page = page_at("review", {"queue-many": True})
    for answer in marked:
        page.checkbox(key=f"mark-{answer}").check()
    for key, value in state.items():
        page.session_state[key.replace("_", "-")] = value
    return drawn(page)


def test_a_verdict_on_several_answers_is_that_of_each_and_what_was_judged_meanwhile_is_left(
    whole: App,
) -> None:
    first, second, third = stored(whole, "ana", "¿a?", "¿b?", "¿c?")
    page = marking([first, second], many_verdict=ReviewVerdict.WRONG, many_notes="Falta el plazo.")
    assert "2 marcadas en esta página" in html(page)
    whole.database.reviews.judge("otra", second, ReviewVerdict.CORRECT)
    pressed(page, "many-judge")
    assert "En 1 no, y siguen marcadas: Otra persona" in page.toast[0].value.replace("\\", "")
    verdicts = {
        one.message_id: one.verdict for one in whole.database.reviews.queue("x", QueueFilter()).entries
    }
    assert verdicts == {first: ReviewVerdict.WRONG, second: ReviewVerdict.CORRECT, third: None}
    assert whole.database.reviews.item("x", first, 0).judgments[0].notes == "Falta el plazo."
    assert [page.checkbox(key=f"mark-{one}").value for one in (first, second)] == [False, True]
    pressed(page, "mark-all")
    assert "3 marcadas en esta página" in html(page)


def test_a_verdict_on_an_answer_whose_norm_has_gone_stays_and_says_so(whole: App) -> None:
    [answer] = stored(whole, "ana", "¿a?")
    wanted = (CorrectCitation(norm="X-IDA", article="1"),)
    whole.database.reviews.judge("local", answer, ReviewVerdict.RETRIEVAL_MISS, citations=wanted)
    shown = html(page_at("review", answer=str(answer)))
    assert "La norma X-IDA ya no está cargada" in shown and "Fallo de búsqueda" in shown


def test_the_queue_as_it_is_filtered_is_a_file_without_formulas(whole: App) -> None:
    risky, _ = stored(whole, "ana", "=HYPERLINK(1)", "¿Otra?")
    whole.database.feedback.vote("ana", risky, Vote.DOWN, "@SUM(A1)")
    found = whole.database.reviews.queue("x", QueueFilter(vote=Vote.DOWN)).entries
    rows = [row_of(one, {"ana": "-Ana"}) for one in found]
    [names, line] = csv.reader(io.StringIO(_file("csv", rows).decode("utf-8-sig")))
    sheet = load_workbook(io.BytesIO(_file("xlsx", rows))).worksheets[0]
    assert names == list(COLUMNS) == [cell.value for cell in sheet[1]]
    assert line == [cell.value or "" for cell in sheet[2]]
    told = dict(zip(names, line, strict=True))
    assert (told["Pregunta"], told["Persona"], told["Comentario"]) == ("'=HYPERLINK(1)", "'-Ana", "'@SUM(A1)")
    assert told["Veredicto"] == "sin revisar"
    page = pressed(page_at("review"), "queue-export")
    assert not page.error
    assert [one.proto.label for one in page.get("download_button")] == ["Descargar (2 respuestas)"]


@pytest.fixture
def reviewer(office: Office) -> Member:  # noqa: F811
    """The one at the browser."""
    return office.enter(Role.REVIEWER)


def test_a_reviewer_takes_an_answer_and_only_an_admin_gives_it_to_others(
    office: Office,  # noqa: F811
    reviewer: Member,
) -> None:
    [answer], own = stored(office.program, "ana", "¿Quién la revisa?"), reviewer.identity.id
    page = page_at("review", answer=str(answer))
    box = page.selectbox(key=f"assigned-{answer}")
    assert len(box.options) == 2 and box.value == ""
    box.set_value(own).run()
    assert reviewer.reviews.item(answer, 0).assigned == own
    page = page_at("review")
    page.selectbox(key="queue-assigned").set_value(own).run()
    assert list(links(page)) == ["¿Quién la revisa?"]
    admin = office.program.accounts.allowed(reviewer.reviews.permission)
    assert admin == [own]
    with pytest.raises(Forbidden):
        reviewer.reviews.assign(answer, "admin")
    with pytest.raises(Forbidden):
        office.enter(Role.ADMIN).reviews.assign(answer, own)
    everything = office.accounts.change(None, own, roles=[Role.REVIEWER, Role.ADMIN])
    try:
        with pytest.raises(InputError, match="no puede revisar"):
            office.enter(Role.REVIEWER).reviews.assign(answer, "nadie")
        assert everything.id == own
    finally:
        office.accounts.change(None, own, roles=[Role.REVIEWER])


@pytest.mark.parametrize(("role", "shown"), [(Role.LAWYER, False), (Role.REVIEWER, True)])
def test_an_answer_leads_to_its_page_in_inspector_for_who_may_open_it(
    office: Office,  # noqa: F811
    role: Role,
    *,
    shown: bool,
) -> None:
    who = office.enter(role).identity.id
    [answer] = stored(office.program, who, "¿Y esto?")
    [conversation] = office.program.database.conversations.conversations(who)[:1]
    assert (f"answer={answer}" in links(opened(conversation.id)).values()) is shown


def test_inspector_opens_the_answer_of_somebody_else_and_the_look_is_recorded(
    office: Office,  # noqa: F811
    reviewer: Member,
) -> None:
    [answer] = stored(office.program, "ana", "¿De quién es?")
    page = page_at("inspector", answer=str(answer))
    assert page.session_state["inspector-tab"] == "Respuestas anteriores"
    assert page.selectbox(key="replay-answer").options[0].startswith("¿De quién es?")
    last = office.program.audit.log.entries()[0]
    assert (last.actor, last.action, last.target) == (reviewer.identity.id, "read", str(answer))
    assert "No existe esa respuesta" in page_at("inspector", answer="999999").toast[0].value


def test_the_technical_detail_stays_as_the_person_left_it(whole: App) -> None:
    opened().checkbox(key="debug").check().run()
    assert whole.database.preferences.read("local").detail
    assert opened().checkbox(key="debug").value
