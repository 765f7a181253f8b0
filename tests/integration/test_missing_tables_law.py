"""A table that an article announces and the stored text lacks is told beside the answer."""

import asyncio
from datetime import date

import pytest

from rag.run.pipeline import run_stages
from tests.real_law import RealLaw

pytestmark = [pytest.mark.corpus, pytest.mark.slow]
NOTE = "que el texto cargado no trae"


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("dame el texto del artículo 338.1 LGSS", "LGSS · Artículo 338: anuncia una escala"),
        ("dame el texto del artículo 269.1 LGSS", ""),
        ("dame el texto del artículo 35.2 LPRL", ""),
    ],
)
def test_the_note_names_the_article_and_what_it_lacks(real_law: RealLaw, question: str, told: str) -> None:
    found = asyncio.run(run_stages(question, real_law.program.services, today=date(2026, 11, 21)))
    notes = found.answer.notes or ""
    assert told in notes
    assert (NOTE in notes) == bool(told)
