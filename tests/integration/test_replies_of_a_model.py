"""Replies as models really write them, each through the whole walk: what is used, asked again, and told."""

import asyncio
import json
import re
from dataclasses import replace
from typing import Any

import pytest

from models.chat import Turn
from rag.answers.confidence import UNSURE, band
from rag.run.pipeline import run_stages
from rag.shared.answer_contract import ABSTENTION
from service.program.assembly import App
from tests.model_replies import as_json, fails, says
from tests.model_server import ModelServer
from tests.scripted import QUESTION, QUOTE, TODAY, ask, reply

RIGHT = reply()
WHOLE = json.dumps(RIGHT, ensure_ascii=False)
REFUSING = json.dumps(reply(answer="No consta nada de ello.", citations=[], confidence=0.0, refusal=True))
ENGLISH = (
    "You are entitled to thirty-one calendar days of paid holidays for each year of work, and this right may "
    "not be replaced by money; the dates must be agreed with the company [C1]."
)
IN_SPANISH = (
    "Le corresponden 31 días naturales de vacaciones retribuidas por año trabajado, que no se pueden cambiar "
    "por dinero; las fechas se acuerdan con la empresa [C1]."
)
AS_MEANT = {
    "a draft in its thoughts": f"<think>Quizá {REFUSING}, no.</think>\n{WHOLE}",
    "a draft in prose": f"Mi primer intento fue {REFUSING}\n\nDefinitivo:\n```json\n{WHOLE}\n```",
    "an object after it": f"{WHOLE}\n\nFormato seguido: {{}}",
    "an array around it": f"[{WHOLE}]",
    "JSON in a text": json.dumps(WHOLE),
    "single quotes": str(RIGHT),
    "trailing commas": WHOLE.replace("}", ",}"),
    "keys without quotes": re.sub(r'"(\w+)":', r"\1:", WHOLE),
    "keys in Spanish": {
        "respuesta": RIGHT["answer"],
        "citas": [{"cita": QUOTE, "fuente": "LTF", "marca": "C1"}],
        "confianza": "alta",
        "rechazo": False,
    },
    "a confidence of 90": reply(confidence=90),
    "a confidence of «90 %»": reply(confidence="90 %"),
    "a confidence in words": reply(confidence="alta"),
    "notes in a list": reply(notes=["Una nota.", "Otra."]),
    "one citation": reply(citations=RIGHT["citations"][0]),
    "citations as texts": reply(citations=[QUOTE]),
    "no refusal": {key: value for key, value in RIGHT.items() if key != "refusal"},
    "words that it quotes": f"Le corresponden 31 días: «{QUOTE}» (artículo 2) [C1].",
}


@pytest.fixture
def program(model_program: App) -> App:
    return model_program


@pytest.mark.parametrize("said", AS_MEANT.values(), ids=AS_MEANT.keys())
def test_an_answer_in_another_form_is_used_without_asking_again(
    program: App, server: ModelServer, said: Any
) -> None:
    server.script(answer=[says(said) if isinstance(said, str) else as_json(said)])
    outcome = ask(program)
    assert outcome.answer.mode == "model"
    assert not outcome.answer.refusal
    assert "31 días" in outcome.answer.answer
    assert QUOTE in outcome.answer.citations[0].quote
    assert server.count("answer") == 1


def test_an_answer_without_a_confidence_is_moderate(program: App, server: ModelServer) -> None:
    server.script(answer=[as_json({key: RIGHT[key] for key in ("answer", "citations")})])
    assert band(ask(program).answer.confidence) == "moderada"


def test_text_with_marks_and_no_quotation_is_asked_for_as_json_and_never_shown_unverified(
    program: App, server: ModelServer
) -> None:
    server.script(answer=[says("Le corresponden 45 días naturales de vacaciones al año [C1].")])
    outcome = ask(program)
    assert server.count("answer") == 2
    assert outcome.answer.mode == "offline"
    assert "45" not in outcome.answer.answer


def test_an_answer_that_begins_with_the_fixed_sentence_is_a_refusal(
    program: App, server: ModelServer
) -> None:
    server.script(answer=[as_json({"answer": f"{ABSTENTION}. No consta.", "confidence": 0})])
    assert ask(program).answer.refusal


APOLOGIES = ["I'm sorry, but I can't help with that.", "Lo siento, no puedo ayudarle con eso."]


@pytest.mark.parametrize("apology", APOLOGIES)
def test_an_apology_is_not_searched(program: App, server: ModelServer, apology: str) -> None:
    server.script(decompose=[says(apology)])
    outcome = ask(program)
    record = outcome.trace.stage("decompose")
    assert record.queries == (QUESTION,)
    assert "ninguna búsqueda" in record.fallback
    assert outcome.answer.mode == "model"


def test_a_model_that_apologises_at_every_stage_leaves_the_usual_answer(
    program: App, server: ModelServer
) -> None:
    server.script(**{stage: [says(APOLOGIES[0])] for stage in ("decompose", "rerank", "assess", "answer")})
    answer = ask(program).answer
    without = replace(program.services, reader=None, principal=None)
    usual = asyncio.run(run_stages(QUESTION, without, as_of=TODAY, today=TODAY)).answer
    assert [one.quote for one in answer.citations] == [one.quote for one in usual.citations]
    assert answer.confidence == pytest.approx(usual.confidence, abs=0.05)
    assert "La respuesta del modelo no era válida" in answer.notes


def test_an_answer_in_another_language_is_asked_for_in_spanish_without_the_context(
    program: App, server: ModelServer
) -> None:
    server.script(answer=[as_json(reply(answer=ENGLISH))], spanish=[as_json({"answer": IN_SPANISH})])
    outcome = ask(program)
    assert (server.count("answer"), server.count("spanish")) == (1, 1)
    assert "Fuente 1" not in server.last("spanish").prompt
    assert outcome.answer.answer == IN_SPANISH
    assert QUOTE in outcome.answer.citations[0].quote
    assert outcome.trace.stage("answer").repaired


@pytest.mark.parametrize(
    "bad",
    [
        as_json({"answer": ENGLISH}),
        as_json({"answer": IN_SPANISH.replace("C1", "C7")}),
        as_json({"answer": "Son treinta y un días de vacaciones [C1]."}),
        fails(500),
    ],
)
def test_an_answer_that_stays_in_another_language_is_told(
    program: App, server: ModelServer, bad: Any
) -> None:
    server.script(answer=[as_json(reply(answer=ENGLISH))], spanish=[bad])
    answer = ask(program).answer
    assert "entitled" in answer.answer
    assert "no contestó en español" in answer.notes


TOO_LARGE = fails(400, "too long", code="context_length_exceeded")


def test_a_context_that_does_not_fit_is_halved(program: App, server: ModelServer) -> None:
    server.script(rerank=[as_json(list(range(8)))], answer=[TOO_LARGE, as_json(reply())])
    outcome = ask(program)
    sent = [len(one.prompt) for one in server.requests if one.stage == "answer"]
    assert len(sent) == 2
    assert sent[1] < sent[0]
    record = outcome.trace.stage("answer")
    assert "baje CONTEXT_TOKENS" in record.fallback
    assert len(record.trimmed) > 0
    assert [bool(call.error) for call in record.calls[:2]] == [True, False]


def test_a_context_that_never_fits_leaves_the_answer_without_a_model(
    program: App, server: ModelServer
) -> None:
    server.script(rerank=[as_json(list(range(8)))], answer=[TOO_LARGE])
    outcome = ask(program)
    assert 1 < server.count("answer") <= 3
    record = outcome.trace.stage("answer")
    assert "CONTEXT_TOKENS" in record.fallback
    assert record.trimmed == ()
    assert "Los textos no caben en el modelo: se citan frases literales" in outcome.answer.notes
    assert QUOTE in outcome.answer.citations[0].quote


@pytest.mark.parametrize(
    ("usage", "cached", "told"),
    [
        ((2048, 9), 0, True),
        ((2048, 9), 40_000, False),
        ((30_000, 9), 0, False),
        ((11, 7), 0, False),
        (None, 0, False),
    ],
    ids=["cut", "cached", "all", "another count", "none"],
)
def test_a_model_that_read_a_part_is_told_of(
    program: App, server: ModelServer, usage: Any, cached: int, told: bool
) -> None:
    server.script(answer=[as_json(reply(), usage=usage, details=(cached, 0))])
    long = [{"role": role, "text": "vacaciones anuales retribuidas " * 250} for role in ("user", "assistant")]
    outcome = ask(program, history=[Turn(**turn) for turn in long * 3])
    assert outcome.answer.mode == "model"
    assert ("solo leyó una parte" in (outcome.answer.notes or "")) == told
    assert ("El servidor contó 2048 tokens" in outcome.trace.stage("answer").fallback) == told
    assert (outcome.answer.confidence <= UNSURE) == told
