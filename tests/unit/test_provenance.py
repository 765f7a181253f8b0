"""Whose words an answer has is told to machines and in a sentence."""

from datetime import UTC, date, datetime

import pytest

from models.chat import ModelCall
from pages.parts.answer.export import answer_text
from rag.answers.joined_answers import joined
from rag.answers.provenance import (
    EXTRACT,
    MODEL,
    PROGRAM,
    REFUSED,
    UNOFFICIAL,
    Writer,
    provenance,
    provenance_told,
)
from rag.shared.cited_answer import Answer, Citation
from rag.shared.trace import AnswerRecord, Trace

QUOTE = "El descanso inventado durará doce días por cada año de servicio"


def cited(text: str, mode: str, *, verified: bool = True, refusal: bool = False) -> Answer:
    citation = Citation(marker="C1", source="Ley inventada", quote=QUOTE, verified=verified)
    return Answer(answer=text, citations=() if refusal else (citation,), mode=mode, refusal=refusal)


def trace(*calls: ModelCall) -> Trace:
    return Trace(
        question="¿Cuánto?",
        as_of=date(2026, 1, 1),
        started_at=datetime(2026, 1, 1, tzinfo=UTC),
        stages=(AnswerRecord(calls=calls),),
    )


ANSWERED = trace(
    ModelCall(role="principal", model="escritor"), ModelCall(role="principal", model="otro", error="corte")
)


def test_the_words_of_the_law_are_marked_by_their_place_in_the_answer() -> None:
    answer = cited(f"Según la ley, «{QUOTE}» [C1]. Son «doce días muy largos según creo».", "model")
    [literal] = provenance(answer).literal
    assert answer.answer[literal.start : literal.end] == QUOTE
    assert literal.marker == "C1"


def test_a_quotation_that_nobody_checked_is_not_told_as_the_laws() -> None:
    found = provenance(cited(f"«{QUOTE}» [C1].", "model", verified=False))
    assert (found.literal, found.quotations) == ((), "unchecked")


def test_a_models_answer_names_the_model_that_wrote_it() -> None:
    found = provenance(cited("Doce días [C1].", "model"), ANSWERED)
    assert (found.text, found.model, found.automatic) == (Writer.MODEL, "escritor", True)


def test_an_extract_names_no_model_even_if_one_was_asked() -> None:
    found = provenance(cited(f"«{QUOTE}» [C1]", "offline"), ANSWERED)
    assert (found.text, found.model, found.quotations) == (Writer.EXTRACT, None, "verbatim")


@pytest.mark.parametrize(
    ("answer", "writer", "said"),
    [
        (cited("Doce días [C1].", "model"), Writer.MODEL, MODEL),
        (cited(f"«{QUOTE}» [C1]", "offline"), Writer.EXTRACT, EXTRACT),
        (cited("No tengo esa información.", "offline", refusal=True), Writer.PROGRAM, PROGRAM),
        (cited("No tengo esa información.", "model", refusal=True), Writer.MODEL, REFUSED),
    ],
)
def test_each_kind_of_answer_says_whose_its_words_are(answer: Answer, writer: Writer, said: str) -> None:
    assert (provenance(answer).text, provenance_told(answer)) == (writer, said)
    assert said in answer_text("¿Cuánto?", answer, date(2026, 1, 1), date(2026, 1, 2), lambda _: None)


def test_the_words_of_a_summary_are_not_told_as_the_laws() -> None:
    answer = cited(f"«{QUOTE}» [C1]", "offline")
    summary = answer.model_copy(
        update={"citations": (answer.citations[0].model_copy(update={"official": False}),)}
    )
    assert provenance_told(summary) == f"{EXTRACT} {UNOFFICIAL}"
    assert [one.official for one in provenance(summary).literal] == [False]


def test_parts_by_different_writers_are_told_apart() -> None:
    parts = cited("Doce días [C1].", "model"), cited(f"«{QUOTE}» [C1]", "offline")
    answer = joined(["¿Cuántos?", "¿Desde cuándo?"], parts)
    assert provenance(answer, ANSWERED).text is Writer.MIXED
    assert provenance_told(answer) == f"Pregunta 1: {MODEL} Pregunta 2: {EXTRACT}"
    assert [answer.answer[one.start : one.end] for one in provenance(answer).literal] == [QUOTE]
