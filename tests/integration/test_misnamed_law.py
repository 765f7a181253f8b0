"""Questions of the real norms that name an article: the right one, or another by mistake."""

import asyncio
from datetime import date

import pytest

from rag.answers.confidence import band
from rag.run.pipeline import run_stages
from rag.shared.cited_answer import Answer
from tests.real_law import RealLaw

pytestmark = [pytest.mark.corpus, pytest.mark.slow]
NOTE = "Compruebe el artículo que cita"


def answer(real_law: RealLaw, question: str) -> Answer:
    found = run_stages(question, real_law.program.services, today=date(2026, 11, 21))
    return asyncio.run(found).answer


@pytest.mark.parametrize(
    ("question", "article"),
    [
        ("cuántos días de permiso hay por matrimonio según el art. 73 ET", "Artículo 37."),
        ("El art. 15 ET regula el fijo discontinuo, ¿cómo es el llamamiento?", "Artículo 16."),
        ("¿Cuántos días de vacaciones dice el art. 60 ET?", "Artículo 38."),
    ],
)
def test_the_article_that_answers_is_quoted_and_the_wrong_number_told(
    real_law: RealLaw, question: str, article: str
) -> None:
    found = answer(real_law, question)
    assert (article in found.answer, NOTE in (found.notes or ""), band(found.confidence) != "alta") == (
        True,
    ) * 3


@pytest.mark.parametrize(
    "question",
    [
        "según el art. 38 ET cuántos días de vacaciones tengo",
        "artículo 41 ET: plazo de preaviso de una modificación sustancial",
        "¿Qué dice el artículo 34.8 ET sobre la adaptación de jornada?",
        "dame el texto del artículo 37.3 ET",
    ],
)
def test_the_right_article_is_not_doubted(real_law: RealLaw, question: str) -> None:
    assert NOTE not in (answer(real_law, question).notes or "")


def test_a_letter_that_was_repealed_is_told_and_the_others_are_not_told_surely(real_law: RealLaw) -> None:
    found = answer(real_law, "¿qué dice el art. 52.d ET?")
    assert "su letra d) dice «(Derogada)»" in (found.notes or "")
    assert band(found.confidence) != "alta"
