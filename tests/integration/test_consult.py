"""Long consultations: a text with several questions, answered one by one, by rules and with a model."""

import asyncio
import threading
from datetime import date

import pytest

from core.errors import IndexUnavailable
from models.chat import Turn
from rag.answers.joined_answers import answers_of
from rag.question import consultation
from rag.question.consultation import Asked, questions
from rag.run.consult import consult
from rag.run.pipeline import RunFailed, RunOutcome
from rag.shared.answer_contract import ABSTENTION
from rag.shared.messages import MessageState
from rag.shared.state import Event
from service.program.assembly import App
from tests.model_replies import Reply, Request, as_json, fails, says
from tests.model_server import ModelServer
from tests.scripted import TODAY, reply

FILLER = (
    "El cliente cuenta que lleva años en la empresa y que siempre le han tratado bien sus encargados. " * 10
)
MAIL = f"""Buenos días, ¿qué tal el verano?

{FILLER}

Quisiera saber cuántos días de vacaciones le corresponden al año.
¿Cuántas horas extraordinarias puede hacer al año?
Y otra cosa: ¿cómo tributa su herencia en el impuesto de sucesiones?

Un saludo
"""
VACATIONS, OVERTIME, TAX = (
    "Cuántos días de vacaciones le corresponden al año",
    "¿Cuántas horas extraordinarias puede hacer al año?",
    "¿Cómo tributa su herencia en el impuesto de sucesiones?",
)


def asked(program: App, text: str = MAIL, **given) -> RunOutcome:
    return asyncio.run(consult(text, program.services, today=TODAY, **given))


# By rules


def test_each_question_of_a_long_text_is_answered_with_its_own_sources(program: App) -> None:
    answer = asked(program).answer
    assert [part.question for part in answer.parts] == [VACATIONS, OVERTIME, TAX]
    assert "treinta y un días naturales" in answer.parts[0].answer
    assert "setenta horas" in answer.parts[1].answer
    assert [part.refusal for part in answer.parts] == [False, False, True]
    assert answer.notes.startswith("Sin respuesta verificada: pregunta 3.")
    assert not answer.refusal
    assert answer.confidence == min(part.confidence for part in answer.parts[:2])


def test_the_markers_of_the_whole_are_numbered_through_and_every_one_has_its_source(program: App) -> None:
    answer = asked(program).answer
    numbers = [int(citation.marker[1:]) for citation in answer.citations]
    assert sorted(set(numbers)) == list(range(1, max(numbers) + 1))
    own = [set(part.markers) for part in answer.parts]
    assert not own[0] & own[1]
    for part, one in zip(answer.parts, answers_of(answer), strict=True):
        assert {c.marker for c in one.citations} == set(part.markers)
        assert all(f"[{marker}]" in part.answer for marker in part.markers)
    assert all(f"**{n}. {part.question}**" in answer.answer for n, part in enumerate(answer.parts, start=1))


def test_the_trace_has_the_questions_and_every_stage_of_each(program: App) -> None:
    trace = asked(program).trace
    assert trace.stage("split").questions == (VACATIONS, OVERTIME, TAX)
    assert [part.question for part in trace.parts] == [VACATIONS, OVERTIME, TAX]
    assert sum(record.name == "verify" for record in trace.records) == 3


def test_the_progress_names_each_question_and_the_draft_grows_under_it(program: App) -> None:
    events: list[Event] = []
    asked(program, on_event=events.append)
    started = [event.stage for event in events if event.kind == "stage_started"]
    assert started == ["split", "question/1", "question/2", "question/3"]
    drafts = [event.text for event in events if event.kind == "delta"]
    assert drafts[0].startswith(f"**1. {VACATIONS}**")
    assert drafts[-1].count("**") >= 6 and ABSTENTION in drafts[-1]


def test_what_has_no_word_of_law_and_no_answer_is_told_and_takes_no_place(program: App) -> None:
    text = MAIL.replace(
        "Un saludo", "Está con su contrato de trabajo. ¿Quién le iba a decir semejante cosa a Pedro?"
    )
    answer = asked(program, text).answer
    assert len(answer.parts) == 3
    assert "No se ha contestado a esto del texto: «¿Quién le iba a decir" in answer.notes


def test_a_long_turn_of_the_history_is_split_once(program: App, monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []

    def found(text: str) -> list[Asked]:
        texts.append(text)
        return questions(text)

    monkeypatch.setattr(consultation, "questions", found)
    earlier = f"{MAIL} ¿Y cuántos días de permiso por mudanza?"
    outcome = asked(program, history=[Turn(role="user", text=earlier), Turn(role="assistant", text=FILLER)])
    assert len(outcome.trace.parts) > 1
    assert texts.count(earlier) == 1


def test_a_long_text_that_asks_nothing_is_taken_as_one_question(program: App) -> None:
    outcome = asked(program, FILLER + "Vacaciones anuales del trabajador.")
    assert outcome.answer.parts == ()
    assert outcome.trace.parts == ()


def test_a_short_question_is_answered_as_before(program: App) -> None:
    outcome = asked(program, "¿Cuántas vacaciones tengo al año? ¿Y se cobran?")
    assert outcome.answer.parts == ()


def test_the_letter_s_own_date_is_no_date_of_the_law_and_the_dismissal_is(program: App) -> None:
    dated = f"Madrid, 3 de mayo de 2024.\n\n{MAIL}"
    assert {part.as_of for part in asked(program, dated).answer.parts} == {TODAY}
    told = MAIL.replace("El cliente cuenta", "Me despidieron el 3 de mayo de 2024. El cliente cuenta", 1)
    assert {part.as_of for part in asked(program, told).answer.parts} == {date(2024, 5, 3)}


def test_a_corpus_that_cannot_be_read_ends_the_whole_consultation(program: App, monkeypatch) -> None:
    def down(queries):
        raise IndexUnavailable("el índice no responde")

    monkeypatch.setattr(program.services.index, "search", down)
    with pytest.raises(RunFailed):
        asked(program)


def test_a_consultation_of_twenty_thousand_characters_is_stored_with_its_parts(program: App) -> None:
    text = f"{MAIL}\n{'Así están las cosas en la empresa. ' * 600}"[:20_000].rstrip()
    conversation = program.database.conversations.create("ana", text)
    run = program.runs.start("ana", conversation.id, text)
    run.done.wait(60)
    question, stored = program.database.conversations.messages("ana", conversation.id)
    assert question.text == text
    assert stored.state is MessageState.COMPLETE
    assert len(stored.answer.parts) == 3
    assert len(program.database.conversations.trace("ana", stored.id).parts) == 3


def test_a_consultation_that_is_stopped_leaves_no_question_running(written, server) -> None:
    held = threading.Event()
    server.script(split=[fails(500)], answer=[says("x", wait=held)])
    conversation = written.database.conversations.create("ana", MAIL)
    run = written.runs.start("ana", conversation.id, MAIL)
    while not any(request.stage == "answer" for request in server.requests):
        assert run.alive
        run.done.wait(0.02)
    written.runs.stop("ana", run.message_id)
    assert run.done.wait(20)
    held.set()
    stored = written.database.conversations.messages("ana", conversation.id)[-1]
    assert stored.state is MessageState.STOPPED
    asked_then = len(server.requests)
    assert written.runs.under_way == 0
    assert len(server.requests) == asked_then


# With a model


def found(*pairs: tuple[str, str]) -> Reply:
    return as_json([{"pregunta": question, "cita": words} for question, words in pairs])


def by_question(request: Request) -> object:
    """The scripted answer, which quotes the article on vacations whatever is asked."""
    return as_json(reply())


@pytest.fixture
def written(server: ModelServer, model_program: App) -> App:
    server.markers["split"] = "Lees el texto"
    server.script(decompose=[as_json(["vacaciones"])], answer=[by_question])
    return model_program


def test_the_model_writes_the_questions_and_each_is_answered_with_the_text_behind_it(written, server) -> None:
    server.script(
        split=[
            found(
                ("¿Cuántos días de vacaciones tiene?", "cuántos días de vacaciones le corresponden"),
                ("¿Cuántas horas extra puede hacer?", OVERTIME),
                ("¿Cómo tributa la herencia?", "¿cómo tributa su herencia en el impuesto de sucesiones?"),
            )
        ]
    )
    outcome = asked(written)
    assert [part.question for part in outcome.answer.parts][:2] == [
        "¿Cuántos días de vacaciones tiene?",
        "¿Cuántas horas extra puede hacer?",
    ]
    assert outcome.trace.stage("split").strategy == "model"
    assert outcome.answer.mode == "model"
    answers = [request for request in server.requests if request.stage == "answer"]
    assert all(
        "<texto>" in request.prompt and "siempre le han tratado bien" in request.prompt for request in answers
    )


def test_a_question_that_the_model_invents_is_left_out_and_one_that_it_forgets_is_told(
    written, server
) -> None:
    server.script(
        split=[
            found(
                ("¿Cuántos días de vacaciones tiene?", "cuántos días de vacaciones le corresponden"),
                ("¿Puede pedir una excedencia?", "quiere pedir una excedencia"),
            )
        ]
    )
    outcome = asked(written)
    assert [part.question for part in outcome.answer.parts] == ["¿Cuántos días de vacaciones tiene?"]
    assert OVERTIME in outcome.answer.notes
    assert "no están en el texto: 1" in outcome.trace.stage("split").fallback


@pytest.mark.parametrize("broken", [fails(500), says("no lo sé"), as_json([]), as_json([{"pregunta": 3}])])
def test_when_the_model_cannot_split_it_rules_do_and_the_trace_says_so(written, server, broken) -> None:
    server.script(split=[broken])
    outcome = asked(written)
    record = outcome.trace.stage("split")
    assert record.strategy == "rules" and record.fallback.startswith("Reglas:")
    assert len(outcome.answer.parts) == 3


def test_what_several_questions_cost_is_counted(written, server) -> None:
    server.script(split=[fails(500)])
    trace = asked(written).trace
    calls = [call for record in trace.records for call in record.calls]
    assert sum(call.role == "principal" for call in calls) >= 4
