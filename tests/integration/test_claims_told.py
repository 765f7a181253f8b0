"""Sentences of a model's answer that do not say what they cite, told beside them; the second reader."""

import pytest

from rag.answers.confidence import UNSURE
from rag.answers.doubts import without_told
from rag.shared.answer_contract import ABSTENTION
from rag.stages.sentences import PARTLY_READ, UNREAD
from tests.model_replies import as_json, fails, says
from tests.scripted import QUOTE, ask, reply

INVENTED = "Le corresponden 45 días naturales de vacaciones por año trabajado [C1]."
RIGHT = "Le corresponden 31 días naturales de vacaciones por año trabajado [C1]."
OTHER = "Se disfrutan en el año natural, salvo pacto de la empresa [C1]."


@pytest.fixture
def program(model_program):
    return model_program


def answered(program, server, text, **profile):
    server.script(answer=[as_json(reply(answer=text))])
    return ask(program, **profile)


@pytest.mark.parametrize("read", [True, False])
def test_a_figure_that_stands_nowhere_is_told_beside_its_sentence_with_a_reader_and_without(
    program, server, read
):
    outcome = answered(program, server, f"{RIGHT} {INVENTED}", verify_claims=read)
    told = outcome.answer.answer
    assert told.startswith(f"{RIGHT} {INVENTED} (⚠ Compruébelo: «45» no consta")
    assert told.count("⚠") == 1
    assert outcome.answer.confidence == 0.45
    assert "frases señaladas con ⚠" in outcome.answer.notes
    assert outcome.trace.stage("verify").doubts[0][0].startswith("Le corresponden 45 días")


def test_a_plain_denial_of_the_quoted_clause_is_told_without_a_reader(program, server):
    text = "Ninguna otra cosa. La persona trabajadora no tiene derecho a vacaciones anuales retribuidas [C1]."
    quote = "La persona trabajadora tiene derecho a vacaciones anuales retribuidas"
    outcome = answered(program, server, text, verify_claims=False)
    assert "⚠" not in outcome.answer.answer, f"the law says more than «{quote}»"


def test_the_second_reader_judges_each_sentence_against_its_fragments_and_the_case(program, server):
    server.script(
        claims=[as_json([{"frase": 1, "juicio": "sí"}, {"frase": 2, "juicio": "no", "motivo": "no lo dice"}])]
    )
    outcome = answered(program, server, f"{RIGHT} {OTHER}")
    assert outcome.answer.answer == f"{RIGHT} {OTHER} (⚠ Compruébelo: según un segundo lector, no lo dice.)"
    assert outcome.answer.confidence == 0.45
    assert UNREAD not in (outcome.answer.notes or "")
    asked = next(request for request in server.requests if request.stage == "claims")
    assert (
        "CASO\nPREGUNTA QUE SE CONTESTA: ¿Cuántos días de vacaciones" in asked.prompt
        and "[F1]" in asked.prompt
    )
    assert "[1] (F1) Le corresponden 31 días" in asked.prompt


def test_the_reader_sees_what_a_sentence_makes_of_a_quotation(program, server):
    text = f"No es cierto que «{QUOTE.lower()}» [C1]."
    server.script(claims=[as_json([{"frase": 1, "juicio": "no", "motivo": "lo dice"}])])
    outcome = answered(program, server, text)
    asked = next(request for request in server.requests if request.stage == "claims")
    assert f"No es cierto que «{QUOTE.lower()}»" in asked.prompt
    assert "según un segundo lector, lo dice" in outcome.answer.answer


def test_a_reason_is_text_and_neither_a_marker_nor_the_end_of_its_mark(program, server):
    motive = "lo dice (art. 3.) [C2] | ✔ Cita comprobada letra por letra"
    server.script(claims=[as_json([{"frase": 1, "juicio": "no", "motivo": motive}])])
    outcome = answered(program, server, RIGHT)
    assert "según un segundo lector, lo dice (art. 3)" in outcome.answer.answer
    assert "[C2]" not in outcome.answer.answer and "✔" not in outcome.answer.answer
    assert without_told(outcome.answer.answer) == RIGHT


def test_neither_headings_nor_headers_of_tables_are_judged_or_marked(program, server):
    text = f"**Plazo.**\n\n| Concepto | Días |\n|---|---|\n| Vacaciones | 31 |\n\n{RIGHT}"
    answered(program, server, text)
    asked = next(request for request in server.requests if request.stage == "claims").prompt
    assert "Concepto" not in asked.rpartition("FRASES")[2] and "Plazo" not in asked.rpartition("FRASES")[2]


def test_the_confidence_falls_with_the_share_of_sentences_in_doubt(program, server):
    server.script(claims=[as_json([{"frase": 10, "juicio": "no", "motivo": "no lo dice"}])])
    outcome = answered(program, server, " ".join([RIGHT] * 9 + [OTHER]))
    assert outcome.answer.confidence == UNSURE, "never «alta» with a doubt beside it"
    server.script(claims=[as_json([{"frase": n, "juicio": "no"} for n in range(4, 11)])])
    outcome = answered(program, server, " ".join([RIGHT] * 9 + [OTHER]))
    assert outcome.answer.confidence == pytest.approx(0.9 * 0.3)


@pytest.mark.parametrize("broken", [fails(500), says("todo bien"), as_json([{"frase": 99, "juicio": "no"}])])
def test_a_second_reader_that_fails_changes_nothing_and_the_answer_says_so(program, server, broken):
    server.script(claims=[broken])
    outcome = answered(program, server, RIGHT)
    assert outcome.answer.answer == RIGHT
    assert outcome.answer.confidence == 0.9
    assert UNREAD in outcome.answer.notes
    assert "segundo lector no ha juzgado" in outcome.trace.stage("verify").fallback


@pytest.mark.parametrize(
    ("judged", "told", "unread"),
    [
        ([{"frase": 1, "juicio": "sí"}], "", 1),
        (
            [{"frase": "1", "juicio": "Sí."}, {"frase": "2", "juicio": "No.", "motivo": "no lo dice"}],
            "no lo dice",
            0,
        ),
        (
            [{"frase": 1, "juicio": "sí"}, {"frase": 2, "juicio": "No consta"}],
            "no consta en lo que se cita",
            0,
        ),
        ([{"frase": 1, "juicio": "sí"}, {"frase": 2, "juicio": "parcialmente"}], "solo consta en parte", 0),
        ([{"frase": 1, "juicio": "sí"}, {"frase": 2, "juicio": "¿?"}], "", 1),
        ([{"frase": 1, "juicio": "sí"}, {"frase": 2}], "", 1),
        ([{"frase": 1, "juicio": "sí"}, {"frase": "²", "juicio": "no"}], "", 1),
        ([{"frase": 1, "juicio": "sí"}, {"frase": "9" * 5000, "juicio": "no"}], "", 1),
        ([{"frase": 1.0, "juicio": "sí"}, {"frase": "[2]", "juicio": "sí, pero solo en parte"}], "solo", 0),
    ],
)
def test_a_sentence_without_a_readable_judgement_is_told_as_unread(program, server, judged, told, unread):
    server.script(claims=[as_json(judged)])
    outcome = answered(program, server, f"{RIGHT} {OTHER}")
    assert (f"según un segundo lector, {told}" in outcome.answer.answer) == bool(told)
    assert (PARTLY_READ.format(count=1) in (outcome.answer.notes or "")) == bool(unread)


def test_without_the_setting_nobody_is_asked_and_the_answer_says_so(program, server):
    outcome = answered(program, server, RIGHT, verify_claims=False)
    assert not [request for request in server.requests if request.stage == "claims"]
    assert outcome.answer.notes == UNREAD


def test_a_seal_that_the_model_writes_itself_is_taken_off(program, server):
    text = f"{RIGHT} ✔ Cita comprobada letra por letra."
    shown = answered(program, server, text).answer.answer
    assert "comprobada" not in shown and "✔" not in shown


def test_a_refusal_is_not_judged(program, server):
    server.script(answer=[as_json(reply(answer=f"{ABSTENTION}. Nada.", citations=[], refusal=True))])
    assert ask(program).answer.refusal
    assert not [request for request in server.requests if request.stage == "claims"]
