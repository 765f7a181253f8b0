"""A long article is cut into parts: the part that was found brings the others of the best articles along."""

import asyncio
from datetime import date
from pathlib import Path

import pytest

from rag.run.pipeline import run_stages

TODAY = date(2026, 6, 1)
FILLER = "La persona titular del centro inventado comunicará por escrito los datos de su plantilla. " * 14
LAW = f"""---
id: X-LARGA
title: Ley larga inventada
law: Ley larga
rank: Ley
collection: normativa
published: 2020-01-01
valid_from: 2020-01-02
status: Vigente
---
#### Artículo 1. Cese en el faro.

1. El cese en el faro se comunicará por escrito a la persona farera. {FILLER}

2. {FILLER}

3. La compensación será de cuarenta y cuatro días de salario por cada año. {FILLER}

#### Artículo 2. Otra cosa.

El silbato inventado suena a las doce.
"""


@pytest.fixture
def program(make_program, tmp_path: Path):
    (tmp_path / "larga.md").write_text(LAW, encoding="utf-8")
    return make_program([tmp_path])


def test_the_other_parts_of_the_best_article_join_the_context_beside_it(program):
    chunks = program.database.corpus.find("X-LARGA", "1", TODAY)
    assert len(chunks) > 1
    outcome = asyncio.run(run_stages("¿Cómo se comunica el cese en el faro?", program.services, today=TODAY))
    context = [c.chunk_id for c in outcome.trace.stage("assess").context]
    assert {chunk.id for chunk in chunks} <= set(context)
    assert len(context) == len(set(context))


def test_the_answer_may_stand_in_a_part_that_the_search_did_not_put_first(program):
    question = "¿Qué compensación en días de salario hay por el cese en el faro?"
    outcome = asyncio.run(run_stages(question, program.services, today=TODAY))
    assert "cuarenta y cuatro días de salario" in outcome.answer.answer
    assert all(citation.verified for citation in outcome.answer.citations)
