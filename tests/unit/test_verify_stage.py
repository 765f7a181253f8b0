"""The last stage: what stays of a draft once it has been checked."""

import asyncio
import re
from datetime import date

import pytest

from rag.answers.confidence import band
from rag.shared.answer_contract import ABSTENTION, Draft
from rag.shared.cited_answer import Verdict
from rag.shared.hits import Context, Hit
from rag.shared.state import State
from rag.stages.checked_answer import shorten
from rag.stages.notice_rules import UNSHOWN
from rag.stages.sentences import UNREAD
from rag.stages.verify import verify_answer
from tests.factories import make_chunk
from tests.fakes import verifier

QUOTE = "El permiso inventado dura doce días naturales por cada hijo."


def settle(
    draft: Draft,
    verdict: Verdict = Verdict.SUFFICIENT,
    missing: tuple[str, ...] = (),
    mode: str = "model",
    question: str = "¿Cuánto dura el permiso?",
):
    chunk = make_chunk(
        id="n/a7#1", text=f"Artículo 7. Permiso.\n{QUOTE}", section="Artículo 7. Permiso.", label="7"
    )
    state = State(question=question, as_of=date(2026, 1, 1))
    test = "Artículo 14. Prueba.\nLa prueba inventada no pasará de noventa días."
    read = (chunk, make_chunk(label="14", text=test, section="Artículo 14. Prueba."))
    state.context = Context(hits=tuple(Hit(chunk=one, score=1.0) for one in read))
    state.draft, state.verdict, state.missing = draft, verdict, list(missing)
    record = asyncio.run(verify_answer(state, verifier(mode)))
    return state.answer, record


def draft(**changes) -> Draft:
    values = {
        "answer": "El permiso dura doce días naturales [C1].",
        "citations": [{"quote": QUOTE, "source": "N", "page": None, "marker": "C1"}],
        "confidence": 0.92,
        "refusal": False,
        "notes": None,
    }
    return Draft.model_validate(values | changes)


@pytest.mark.parametrize(
    ("verdict", "confidence"),
    [(Verdict.SUFFICIENT, "alta"), (Verdict.PARTIAL, "moderada"), (Verdict.INSUFFICIENT, "baja")],
)
def test_the_verdict_keeps_the_confidence_within_its_band(verdict, confidence):
    answer, record = settle(draft(), verdict)
    assert band(answer.confidence) == confidence
    assert dict(record.confidence)["citas comprobadas"] == 1.0


def test_a_low_confidence_with_its_note_is_kept_as_it_is():
    answer, _ = settle(draft(confidence=0.45, notes="Puede no aplicarse."))
    assert (answer.confidence, answer.notes) == (0.45, f"Puede no aplicarse.\n{UNREAD}")


def test_a_refusal_has_no_confidence_and_no_citation():
    answer, record = settle(
        draft(refusal=True, answer="No consta en los fragmentos.", notes="Consulte el convenio.")
    )
    assert answer.answer == f"{ABSTENTION}. No consta en los fragmentos."
    assert (answer.confidence, answer.citations, answer.notes) == (0.0, (), "Consulte el convenio.")
    assert record.refused


def test_an_answer_that_begins_with_the_fixed_sentence_is_a_refusal_whatever_it_claims():
    answer, _ = settle(draft(answer=f"{ABSTENTION}, pero creo que son doce días [C1]."))
    assert answer.refusal
    assert "[C1]" not in answer.answer


def test_what_was_not_found_is_listed_in_the_text():
    answer, _ = settle(draft(), Verdict.PARTIAL, missing=("artículo 9 LGSS",))
    assert answer.answer.endswith("No se ha encontrado entre las normas cargadas: artículo 9 LGSS.")


def test_a_marker_of_no_fragment_is_removed_and_told():
    answer, _ = settle(draft(answer="Dura doce días [C1]. Y se paga [C4]."))
    assert answer.answer == "Dura doce días [C1]. Y se paga."
    assert "C4" in answer.notes


def test_nothing_of_an_extractive_answer_without_any_true_quote_is_shown():
    lie = [{"quote": "El permiso inventado dura noventa días naturales.", "marker": "C1"}]
    answer, record = settle(draft(citations=lie, answer="Dura noventa días [C1]."), mode="offline")
    assert answer.refusal
    assert "noventa" not in answer.answer + (answer.notes or "")
    assert not record.checks[0].verified


PLAIN, CHILDREN, COUNTED = "¿Cuánto dura?", "Tengo dos hijos. ¿Cuánto dura?", "¿Cuánto dura, noventa días?"


@pytest.mark.parametrize(
    ("question", "text", "confidence", "marked", "told"),
    [
        (PLAIN, "Dura doce días [C1].", 0.92, [], ""),
        (PLAIN, "Dura doce días [C1], o 6 si se toma la mitad.", 0.92, [], ""),
        (PLAIN, "Dura doce días [C1]. La prueba no pasa de 90.", 0.92, [], ""),
        (PLAIN, "Dura doce días [C1]. La prueba no pasa de 90 [C2].", 0.92, [], ""),
        (PLAIN, "Dura doce días [C1]. La prueba no pasa de 90 ni de 77.", 0.46, ["77"], ""),
        (PLAIN, "Dura doce días [C1]. Se pide por escrito [C1]. Lo pide el 77.", 0.6133, ["77"], ""),
        (PLAIN, "Dura doce días [C1]. Se pide por escrito [C1]. Así la de 1812.", 0.6133, ["1812"], ""),
        (CHILDREN, "Dura doce días por hijo [C1]. Con sus dos hijos son 24.", 0.92, [], ""),
        (CHILDREN, "Dura doce días por hijo [C1]: con dos son 24, y sumados los doce, 36.", 0.92, [], ""),
        (CHILDREN, "Dura 12 × 2 = 25 días [C1].", 0.29, [], ""),
        (COUNTED, "Dura doce días [C1].", 0.92, [], ""),
        (COUNTED, "Dura 12 días de los 90 que usted dice [C1].", 0.92, [], ""),
        (COUNTED, "Dura doce días desde el 01/01/2026 [C1].", 0.92, [], ""),
        (COUNTED, "Dura 12 días × 17 hijos = 204 días [C1].", 0.92, [], "17"),
        (COUNTED, "Dura 13 días [C1].", 0.92, [], "13"),
    ],
)
def test_a_figure_stands_in_what_was_read_or_is_marked_or_left_to_the_reader(
    question, text, confidence, marked, told
):
    answer, record = settle(draft(answer=text), question=question)
    assert answer.confidence == confidence
    assert re.findall(r"⚠ Compruébelo: «(\d+)»", answer.answer) == marked
    assert ("cifras" in dict(record.confidence)) == bool(marked)
    assert (UNSHOWN.format(figures=told) in answer.notes) == bool(told)


@pytest.mark.parametrize(
    "text",
    ["Párrafo uno.\n\n" * 300, "Una frase larga. " * 300, "palabra" * 600],
)
def test_a_long_answer_is_cut_within_the_limit(text):
    short = shorten(text, 2000)
    assert 0 < len(short) <= 2000
    assert text.startswith(short)


def test_a_long_answer_is_cut_at_a_paragraph_end():
    assert shorten("Párrafo uno.\n\n" * 300, 2000).endswith("Párrafo uno.")
