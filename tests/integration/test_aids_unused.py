"""Runs and evaluations that do without search aids, as if somebody had loaded the norm without any."""

import asyncio
from dataclasses import replace
from datetime import date

import pytest

from loading.chunking.chunk import chunk_document
from rag.evaluation.cases import Case, Relevant
from rag.evaluation.measurement import evaluate
from rag.evaluation.results import Aids
from rag.run.pipeline import retrieve
from rag.shared.hits import Hit
from rag.shared.state import EVERY_NORM
from service.program.assembly import App
from tests.conftest import Maker
from tests.factories import make_block, make_norm

TODAY = date(2026, 6, 1)
QUESTION = "¿Qué pasa con el zurriburri?"


@pytest.fixture
def program(make_program: Maker) -> App:
    made = make_program()
    made.models.embedder = None
    aids = {"keywords": "zurriburri", "questions": "¿Quién paga el zurriburri?"}
    for name in ("N-1", "N-2"):
        norm = make_norm(name, make_block("1", "Extinción por causas objetivas.", attributes=aids))
        made.database.corpus_writer.save(norm, chunk_document(norm), {})
    made.keeper.sync()
    return made


def found(program: App, without: frozenset[str]) -> dict[str, Hit]:
    services = replace(program.services, without_aids=without)
    state, _ = asyncio.run(retrieve(QUESTION, services, as_of=TODAY, today=TODAY))
    return {hit.chunk.norm_id: hit for hit in state.candidates}


def test_a_norm_whose_aids_are_not_used_is_not_found_by_them(program: App) -> None:
    assert found(program, frozenset()).keys() == {"N-1", "N-2"}
    assert found(program, frozenset({"N-1"})).keys() == {"N-2"}
    assert found(program, EVERY_NORM) == {}


def test_the_stages_after_the_search_do_not_see_them_either(program: App) -> None:
    services = replace(program.services, without_aids=frozenset({"N-1"}))
    state, _ = asyncio.run(retrieve("extinción objetiva", services, as_of=TODAY, today=TODAY))
    assert {hit.chunk.norm_id: bool(hit.chunk.keywords) for hit in state.candidates} == {
        "N-1": False,
        "N-2": True,
    }


def test_an_evaluation_tells_how_well_a_norm_is_found_without_its_aids(program: App) -> None:
    case = Case(id="1", question=QUESTION, relevant=(Relevant(norm="N-1", article="1", grade=2),))

    def recall(aids: Aids) -> float:
        (result,) = asyncio.run(evaluate([case], program.services, today=TODAY, aids=aids))
        return result.scores["recall@10"]

    assert {aids: recall(aids) for aids in Aids} == {Aids.ALL: 1.0, Aids.MIXED: 0.0, Aids.NONE: 0.0}
