"""How much an answer says: as many quotations as asked for, the same law and the same confidence."""

import asyncio
from dataclasses import replace

import pytest

from articulado.library import Articulado
from domain.accounts import LOCAL
from rag.answers.verbatim import locate
from rag.run.pipeline import run_stages
from rag.shared.cited_answer import AnswerLength
from service.contract.answers import NEW, AskRequest
from service.members.member import Member
from service.program.assembly import DEMO, LOCAL_USER
from tests.model_replies import as_json, says
from tests.scripted import QUESTION, TODAY, reply

QUESTIONS = [QUESTION, "¿Cuándo es nulo el despido?", "¿Cómo se fija el calendario de vacaciones?"]


def answered(program, question, length):
    return asyncio.run(run_stages(question, program.services, as_of=TODAY, length=length))


@pytest.mark.parametrize("question", QUESTIONS)
def test_without_a_model_a_longer_answer_quotes_what_a_shorter_one_does_and_more(program, question):
    found = [answered(program, question, length) for length in AnswerLength]
    quotes = [{one.quote for one in outcome.answer.citations} for outcome in found]
    assert quotes[0] and quotes[0] <= quotes[1] <= quotes[2]
    assert len({outcome.answer.confidence for outcome in found}) == 1
    for outcome, length in zip(found, AnswerLength, strict=True):
        assert outcome.trace.stage("answer").length is length
        for citation in outcome.answer.citations:
            assert citation.verified
            assert locate(citation.quote, program.database.corpus.chunks([citation.chunk_id])[0].text)


def test_without_a_model_the_three_lengths_differ(make_program):
    services = replace(make_program([DEMO]).services, embedder=None)
    question = "¿Cuántos días de vacaciones anuales corresponden al trabajador?"
    found = [asyncio.run(run_stages(question, services, length=length)).answer for length in AnswerLength]
    sizes = [len(answer.citations) for answer in found]
    assert sizes[0] == 1 < sizes[1] < sizes[2], sizes
    assert len({answer.confidence for answer in found}) == 1
    quoted = [{one.quote for one in answer.citations} for answer in found]
    assert quoted[0] < quoted[1] < quoted[2]


def test_the_length_that_a_run_is_started_with_reaches_its_stored_trace(program):
    chat = program.database.conversations.create(LOCAL_USER, QUESTION).id
    current = program.runs.start(LOCAL_USER, chat, QUESTION, length=AnswerLength.BRIEF)
    assert current.done.wait(30)
    trace = program.database.conversations.trace(LOCAL_USER, current.message_id)
    assert trace.stage("answer").length is AnswerLength.BRIEF
    assert len(current.answer.citations) == 1


@pytest.mark.parametrize("conversation", [None, NEW])
def test_a_program_of_the_person_gets_the_length_that_they_have_chosen(program, conversation):
    for length in AnswerLength:
        program.database.preferences.change(LOCAL.id, length=length)
        current = Member(program, LOCAL).asking.start(
            AskRequest(question=QUESTION, conversation=conversation)
        )
        assert current.done.wait(30)
        assert current.trace.stage("answer").length is length


def test_so_does_the_library_of_the_owner_of_the_home(make_program, tmp_path):
    with Articulado(tmp_path / "library", embeddings_provider="none") as here:
        here.program.loading.ingest([DEMO])
        for length in AnswerLength:
            here.program.database.preferences.change(LOCAL.id, length=length)
            for conversation in (None, NEW):
                trace = here.ask(QUESTION, conversation=conversation)["trace"]
                (answer,) = [one for one in trace["stages"] if one["name"] == "answer"]
                assert answer["length"] == length


@pytest.mark.parametrize(
    ("length", "told"),
    [
        (AnswerLength.BRIEF, ("menos de 700 caracteres", "nunca más de 1500")),
        (AnswerLength.NORMAL, ("entre 1000 y 3500 caracteres", "nunca más de 6000")),
        (AnswerLength.DETAILED, ("entre 2000 y 5000 caracteres", "nunca más de 6000")),
    ],
)
def test_a_model_is_told_how_much_to_say(model_program, server, length, told):
    outcome = answered(model_program, QUESTION, length)
    (call,) = outcome.trace.stage("answer").calls
    assert all(part in call.messages[0][1] for part in told)
    assert outcome.trace.stage("answer").length is length


def test_a_brief_answer_that_is_too_long_is_asked_to_be_shorter_and_never_cut(model_program, server):
    long = "Le corresponden 31 días naturales de vacaciones por año trabajado [C1]. " * 30
    server.script(answer=[as_json(reply(answer=long))], shorten=[says("no")])
    outcome = answered(model_program, QUESTION, AnswerLength.BRIEF)
    assert len(outcome.trace.stage("answer").calls) == 2
    assert outcome.answer.answer == long
    assert outcome.answer.notes is None or "abrev" not in outcome.answer.notes
