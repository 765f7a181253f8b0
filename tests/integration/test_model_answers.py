"""The answer of a model over a scripted endpoint: quotations, sources, figures, length, what replaces it."""

import re
from typing import Any

import pytest

from rag.shared.answer_contract import ABSTENTION
from service.program.assembly import App
from tests.model_replies import Request, as_json, empty, fails, says
from tests.scripted import QUESTION, QUOTE, ask, reply, vacation_first


@pytest.fixture
def program(model_program: App) -> App:
    return model_program


LIE = "Toda persona trabajadora tiene derecho a cuarenta y cinco días naturales de vacaciones"


@pytest.mark.parametrize(
    "citations", [[{"quote": LIE, "source": "LTF", "page": None, "marker": "C1"}], []], ids=["false", "none"]
)
def test_an_answer_without_any_true_quotation_gives_way_to_the_extractive_one(program, server, citations):
    server.script(answer=[as_json(reply(answer="Son 45 días naturales [C1].", citations=citations))])
    outcome = ask(program)
    answer = outcome.answer
    assert not answer.refusal
    assert answer.mode == "offline"
    assert "45" not in answer.answer and LIE not in answer.answer
    assert any(QUOTE in citation.quote for citation in answer.citations)
    assert all(citation.verified for citation in answer.citations)
    assert "Ninguna cita de la respuesta del modelo se ha podido comprobar" in answer.notes
    verified = outcome.trace.stage("verify")
    assert "extractiva" not in verified.fallback and verified.fallback
    assert [check.verified for check in verified.checks if check.quote == LIE] == [False] * len(citations)


def test_a_fabricated_quote_beside_a_true_one_is_dropped_and_its_marker_only_names_a_source(program, server):
    citations = [
        *reply()["citations"],
        {
            "quote": "Las vacaciones podrán cambiarse por dinero siempre",
            "source": "LTF",
            "page": 3,
            "marker": "C2",
        },
    ]
    text = "Son 31 días [C1].\n\nPueden cambiarse por dinero [C2]."
    server.script(answer=[as_json(reply(answer=text, citations=citations))])
    answer = ask(program).answer
    assert [c.marker for c in answer.citations] == ["C1"]
    assert [source.marker for source in answer.sources] == ["C2"]
    assert "descartado una cita (C2)" in answer.notes
    assert answer.confidence == pytest.approx(0.5)


def test_markers_of_the_context_stay_without_a_quotation_and_others_go(program, server):
    text = "Son 31 días [C1].\n\nSe piden antes [C2][C3].\n\nY más [C99]."
    server.script(answer=[as_json(reply(answer=text))])
    answer = ask(program).answer
    assert answer.answer == "Son 31 días [C1].\n\nSe piden antes [C2][C3].\n\nY más."
    assert [source.marker for source in answer.sources] == ["C2", "C3"]
    assert not {source.marker for source in answer.sources} & {c.marker for c in answer.citations}
    assert "no son de ningún texto leído: C99" in answer.notes
    assert "Un párrafo no lleva ninguna fuente" in answer.notes


def test_links_and_images_of_a_model_are_words_before_the_answer_is_stored(program, server):
    text = "Son 31 días [C1](https://malo.example/a). ![x](https://malo.example/p) [aquí](https://malo.example/b)"
    server.script(answer=[as_json(reply(answer=text, notes="![y](https://malo.example/n)"))])
    answer = ask(program).answer
    assert answer.answer.startswith("Son 31 días [C1] (https://malo.example/a).")
    assert "](" not in answer.answer + answer.notes


def test_twelve_quotations_stay(program, server):
    def twelve(request: Request) -> Any:
        article = request.prompt.split("\nTexto: ")[1].split("\n\n---")[0]
        context = [block.partition("]")[0][1:] for block in request.prompt.split("\n\n---\n\n")[1:]]
        texts = [block.split("\nTexto: ")[1] for block in request.prompt.split("\n\n---\n\n")[1:]]
        found = [
            {"quote": sentence, "source": "LTF", "page": None, "marker": marker}
            for marker, text in zip(["C1", *context], [article, *texts], strict=True)
            for sentence in re.findall(r"(?<=\n)\S.{40,400}?\.(?=\n|$)", text)
        ]
        return as_json(reply(citations=found[:12]))

    server.script(rerank=[as_json(list(range(30)))], answer=[twelve])
    answer = ask(program).answer
    assert len(answer.citations) == 12
    assert answer.confidence == pytest.approx(0.9)


def only_vacations(request: Request) -> str:
    return str([int(vacation_first(request)[1:].partition(",")[0])])


def test_figures_of_context_question_references_and_calculations_are_not_flagged(program, server):
    text = (
        "El artículo 8 de la Ley del Trabajo Ficticio no lo cambia y usted dice 17 años [C1].\n\n"
        "31 días × 17 años = 527 días [C1]."
    )
    server.script(rerank=[only_vacations], answer=[as_json(reply(answer=text))])
    answer = ask(program, f"{QUESTION} Llevo 17 años.").answer
    assert "Compruebe estas cifras" not in answer.notes
    assert "Cálculos de la respuesta, rehechos y correctos" in answer.notes
    assert "31 × 17 = 527" in answer.notes


def test_a_reference_to_an_article_that_its_norm_lacks_is_flagged(program, server):
    text = "Son 31 días [C1]. Así el artículo 88 de la Ley del Trabajo Ficticio [C1]."
    server.script(rerank=[only_vacations], answer=[as_json(reply(answer=text))])
    assert "Ficticio [C1]. (⚠ Compruébelo: «88» no consta en lo leído" in ask(program).answer.answer


def test_figures_that_no_cited_chunk_contains_are_flagged(program, server):
    server.script(answer=[as_json(reply(answer="Le corresponden 45 días naturales [C1]."))])
    assert "«45» no consta en lo leído" in ask(program).answer.answer


def test_markers_in_other_spellings_are_understood(program, server):
    server.script(answer=[as_json(reply(answer="Le corresponden 31 días [Documento 1]."))])
    assert "[C1]" in ask(program).answer.answer


def test_an_invalid_answer_gets_one_repair_call(program, server):
    server.script(answer=[says("No es JSON"), as_json(reply())])
    outcome = ask(program)
    assert server.count("answer") == 2
    assert outcome.trace.stage("answer").repaired
    assert not outcome.answer.refusal
    assert "no contiene un objeto JSON" in server.last("answer").body["messages"][-1]["content"]


INVALID = "La respuesta del modelo no era válida"


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (says("No es JSON"), INVALID),
        (empty(), INVALID),
        (as_json({"answer": "x"}), INVALID),
        (as_json(reply(), cut_after=3), INVALID),
        (fails(500), "El modelo no contestó"),
        (fails(429), "El modelo está saturado o ha llegado a su límite de uso"),
        (fails(401), "El servidor del modelo no aceptó la clave"),
        (fails(404), "El servidor no tiene el modelo configurado"),
        (fails(400), "El servidor del modelo no aceptó la petición"),
        (fails(429, code="insufficient_quota"), "La cuenta del modelo no tiene saldo"),
    ],
)
def test_an_answering_model_that_fails_leaves_the_extractive_answer_and_what_failed(
    program, server, bad, told
):
    server.script(answer=[bad])
    outcome = ask(program)
    record = outcome.trace.stage("answer")
    assert record.strategy == "extractive"
    assert "Respuesta extractiva" in record.fallback
    assert outcome.answer.mode == "offline"
    assert f"{told}: se citan frases literales de las normas, sin redacción." in outcome.answer.notes
    assert outcome.answer.confidence > 0
    assert all(c.verified for c in outcome.answer.citations)
    assert server.count("answer") <= 2


def test_a_model_that_fails_does_not_make_a_tax_question_answerable(program, server):
    server.script(answer=[fails(500)], assess=[fails(500)], rerank=[fails(500)], decompose=[fails(500)])
    answer = ask(program, "¿Cómo se calcula el impuesto de sociedades de una cooperativa?").answer
    assert answer.refusal
    assert answer.answer.startswith(ABSTENTION)


def long_answer(paragraphs: int) -> str:
    return "\n\n".join(
        ["Le corresponden 31 días naturales de vacaciones por año trabajado [C1]."] * paragraphs
    )


def test_an_answer_of_2050_characters_needs_no_repair(program, server):
    text = long_answer(29)
    assert 2050 < len(text) < 6000
    server.script(answer=[as_json(reply(answer=text))])
    outcome = ask(program)
    assert server.count("answer") == 1 and server.count("shorten") == 0
    assert outcome.answer.answer == text


def test_markers_do_not_count_in_the_length_of_an_answer(program, server):
    text = "Son 31 días " + "[C1]" * 400 + "."
    server.script(answer=[as_json(reply(answer=text))])
    assert ask(program, answer_chars=500).answer.answer == text
    assert server.count("shorten") == 0


def test_too_long_an_answer_is_shortened_without_the_context_and_keeps_its_quotations(program, server):
    short = "Le corresponden 31 días naturales [C1]."
    server.script(answer=[as_json(reply(answer=long_answer(90)))], shorten=[as_json({"answer": short})])
    outcome = ask(program)
    assert (server.count("answer"), server.count("shorten")) == (1, 1)
    sent = server.last("shorten").prompt
    assert "Fuente 1" not in sent and QUOTE not in sent
    assert outcome.answer.answer == short
    assert [QUOTE in c.quote for c in outcome.answer.citations] == [True]
    assert outcome.trace.stage("answer").repaired


@pytest.mark.parametrize(
    "bad", [as_json({"answer": long_answer(90)}), as_json({"answer": "Son 31 días [C7]."}), fails(500)]
)
def test_an_answer_that_stays_too_long_is_cut_at_a_paragraph_with_a_note(program, server, bad):
    server.script(answer=[as_json(reply(answer=long_answer(90)))], shorten=[bad])
    outcome = ask(program)
    answer = outcome.answer
    assert not outcome.trace.stage("answer").repaired
    assert 4000 < len(answer.answer) <= 6000
    assert answer.answer.endswith("trabajado [C1].")
    assert "superaba los 6000 caracteres y se ha recortado" in answer.notes
