"""Of the articles that the best ones refer to, only the nearest to the question join them."""

import asyncio
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from rag.shared.hits import Hit, SubQuery
from rag.shared.state import State
from rag.stages.expand import expand
from service.program.assembly import App

TODAY = date(2026, 6, 1)
SUBJECTS = ("silbato", "sextante", "reloj", "candil", "catalejo", "megáfono", "ancla", "timón")
REFERRED = "".join(
    f"#### Artículo {n}. Cosa número {n}.\n\nDel {what} se hará inventario cada año natural.\n\n"
    for n, what in enumerate(SUBJECTS, start=2)
)
LAW = f"""---
id: X-FARO
title: Ley inventada del faro
law: Ley del faro
rank: Ley
collection: normativa
published: 2020-01-01
valid_from: 2020-01-02
status: Vigente
---
#### Artículo 1. Inventario.

El inventario del faro se rige por los artículos {", ".join(map(str, range(2, 9)))} y 9 de esta ley.

{REFERRED}#### Artículo 20. Nada que ver.

Remite al artículo 21 de esta ley.

#### Artículo 21. Perros.

Las mascotas pasean por la playa.

#### Artículo 30. Guardas.

Su paga es la del artículo 31 de esta ley.

#### Artículo 31. Cuantías.

| Puesto | Euros |
| --- | --- |
| Torrero | 1.200 |
| Farero | 1.300 |

#### Artículo 40. Tercero.

Véase el artículo 31 de esta ley.
"""


@pytest.fixture
def program(make_program, tmp_path: Path) -> App:
    (tmp_path / "faro.md").write_text(LAW, encoding="utf-8")
    return make_program([tmp_path])


def expanded(program: App, question: str, *labels: str) -> list[str]:
    """Labels of the referred articles that join those of `labels`, in order."""
    state = State(question=question, as_of=TODAY)
    state.queries = [SubQuery(text=question)]
    chunks = [chunk for label in labels for chunk in program.database.corpus.find("X-FARO", label, TODAY)]
    state.hits = [Hit(chunk=chunk, score=1.0) for chunk in chunks]
    asyncio.run(expand(state, program.services))
    return [hit.chunk.label for hit in state.hits if hit.origin == "reference"]


def test_the_nearest_reference_comes_first_and_a_source_brings_three_at_most(program):
    joined = expanded(program, "¿Cada cuánto se hace inventario del ancla y del timón?", "1")
    assert len(joined) == 3
    assert set(joined[:2]) == {"8", "9"}


def test_a_reference_without_any_word_of_the_question_does_not_join(program):
    assert expanded(program, "¿Cada cuánto se hace inventario del timón?", "20") == []
    assert expanded(program, "¿Dónde pasean las mascotas?", "20") == ["21"]


def test_no_more_than_five_join_in_all(program):
    services = program.services
    wide = services.profile.model_copy(update={"refs_per_chunk": 0})
    assert services.profile.refs_total == 5
    state = State(question="inventario", as_of=TODAY)
    state.queries = [SubQuery(text="inventario del faro")]
    state.hits = [Hit(chunk=c, score=1.0) for c in program.database.corpus.find("X-FARO", "1", TODAY)]
    asyncio.run(expand(state, replace(services, profile=wide)))
    assert len([hit for hit in state.hits if hit.origin == "reference"]) == 5


def test_the_table_that_one_of_the_two_best_sends_to_joins_without_any_word_of_the_question(program):
    question = "¿Cuánto cobran los de la linterna?"
    assert expanded(program, question, "30") == ["31"]
    assert expanded(program, question, "20", "21", "40") == []
