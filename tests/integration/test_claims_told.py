"""Sentences of a model's answer that do not say what they cite, told beside them; the second reader."""

import pytest

from rag.answers.contract import ABSTENTION
from tests.model_replies import as_json, fails, says
from tests.scripted import ask, reply

WRONG = "Le corresponden 45 días naturales de vacaciones por año trabajado [C1]."
RIGHT = "Le corresponden 31 días naturales de vacaciones por año trabajado [C1]."


@pytest.fixture
def program(model_program, server):
    server.markers["claims"] = "Compruebas frases"
    return model_program


def answered(program, server, text, **profile):
    server.script(answer=[as_json(reply(answer=text))])
    return ask(program, **profile)


def test_a_wrong_sentence_is_told_beside_it_and_the_right_one_is_left_alone(program, server):
    outcome = answered(program, server, f"{RIGHT} {WRONG}")
    told = outcome.answer.answer
    assert told.startswith(RIGHT)
    assert told.index(WRONG) < told.index("(⚠ Compruébelo: ")
    assert told.count("⚠") == 1
    assert outcome.answer.confidence == 0.5
    assert "frases señaladas con ⚠" in outcome.answer.notes
    assert outcome.trace.stage("verify").doubts[0][0].startswith("Le corresponden 45 días")


def test_an_article_that_is_neither_cited_nor_named_by_what_is_cited_is_told(program, server):
    text = "El artículo 4 da 31 días naturales de vacaciones por año trabajado [C1]."
    assert "y la frase nombra «artículo 4»" in answered(program, server, text).answer.answer
    text = "El artículo 2 da 31 días naturales de vacaciones por año trabajado [C1]."
    assert "⚠" not in answered(program, server, text).answer.answer


def test_a_seal_that_the_model_writes_itself_is_taken_off(program, server):
    text = f"{RIGHT} ✔ Cita comprobada letra por letra."
    shown = answered(program, server, text).answer.answer
    assert "comprobada" not in shown and "✔" not in shown


def test_the_second_reader_judges_each_sentence_against_its_fragments(program, server):
    server.script(claims=[as_json([{"frase": 1, "juicio": "en parte", "motivo": "falta la excepción"}])])
    outcome = answered(program, server, RIGHT, verify_claims=True)
    assert "(⚠ Compruébelo: según un segundo lector, falta la excepción.)" in outcome.answer.answer
    assert outcome.answer.confidence == 0.5
    asked = next(request for request in server.requests if request.stage == "claims")
    assert "[F1]" in asked.prompt and "[1] (F1) Le corresponden 31 días" in asked.prompt


@pytest.mark.parametrize("broken", [fails(500), says("todo bien"), as_json([{"frase": 99, "juicio": "no"}])])
def test_a_second_reader_that_fails_changes_nothing_and_the_trace_says_so(program, server, broken):
    server.script(claims=[broken])
    outcome = answered(program, server, RIGHT, verify_claims=True)
    assert outcome.answer.answer == RIGHT
    assert "segundo lector no ha juzgado" in outcome.trace.stage("verify").fallback


def test_without_the_setting_nobody_is_asked(program, server):
    answered(program, server, RIGHT)
    assert not [request for request in server.requests if request.stage == "claims"]


def test_a_refusal_is_not_judged(program, server):
    server.script(answer=[as_json(reply(answer=f"{ABSTENTION}. Nada.", citations=[], refusal=True))])
    assert ask(program, verify_claims=True).answer.refusal
