"""The program's own quotations of the real norms: never doubted, and whole when a text is asked for."""

import asyncio
import re
from datetime import date
from itertools import chain, islice

import pytest

from rag.answers.passage_selection import Passage
from rag.answers.quotable import quotable
from rag.answers.quoted_words import without_false_marks
from rag.answers.written_answer import completed, quoted_passage
from rag.run.pipeline import run_stages
from tests.real_law import RealLaw
from text.segmentation import is_row

pytestmark = [pytest.mark.corpus, pytest.mark.slow]
ANOTHER = "Otra frase inventada que consta también."
ESTATUTO = "BOE-A-2015-11430"
TODAY = date(2026, 11, 21)
ONE_IN = 10


def test_every_passage_that_may_be_quoted_keeps_its_marks(real_law: RealLaw) -> None:
    chunks = chain.from_iterable(real_law.program.services.store.all_chunks())
    for chunk in islice(chunks, 0, None, ONE_IN):
        for start, text, headers, cut, lead, _ in quotable(chunk):
            if not is_row(text):
                one = Passage(0, start, text, headers=headers, cut=cut, lead=lead)
                shown = f"{quoted_passage(completed(one, chunk.text), chunk.text)} [C1] «{ANOTHER}» [C1]"
                _, lost = without_false_marks(shown, {"C1": [chunk.text]}, [ANOTHER])
                assert not lost, (chunk.name, lost)


@pytest.mark.parametrize(
    ("label", "apartado", "following"),
    [
        ("37", "3", "4"),
        ("34", "8", "9"),
        ("48", "4", "5"),
        ("64", "5", "6"),
        ("12", "4", "5"),
    ],
)
def test_an_apartado_is_given_as_the_law_has_it(
    real_law: RealLaw, label: str, apartado: str, following: str
) -> None:
    services = real_law.program.services
    chunk, *_ = services.store.find(ESTATUTO, label, TODAY)
    block = services.store.block(ESTATUTO, chunk.block_id)
    assert block is not None
    text = next(one.text for one in block.versions if one.valid_from == chunk.valid_from)
    wanted = text[text.index(f"\n{apartado}. ") : text.index(f"\n{following}. ")]
    answer = asyncio.run(
        run_stages(f"dame el texto del artículo {label}.{apartado} ET", services, today=TODAY)
    ).answer
    given = re.sub(r"\*\*[^*]*\*\*|\[C\d+\]", "", answer.answer)
    assert re.findall(r"\w+", given) == re.findall(r"\w+", wanted)
