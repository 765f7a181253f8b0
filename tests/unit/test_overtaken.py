"""Provisions that another norm displaced: told by day, ranked last, named to the model and in the answer."""

import asyncio
from datetime import date, timedelta
from types import SimpleNamespace

import pytest

from law.holdings import Holdings
from lexicon.overtaken import overtaken
from rag.answers.context_block import build_context, render_context
from rag.shared.hits import Hit
from rag.shared.state import State
from rag.stages.rerank import rerank
from tests.factories import make_chunk

TEMPORARY, STRIKE = "BOE-A-1999-346", "BOE-A-1977-6061"
TODAY, BEFORE = date(2026, 6, 1), date(2021, 6, 1)
QUOTE = "El contrato inventado dura lo que dure la obra inventada."


def hit(norm_id: str = "N-1", block_id: str = "a1", *, origin: str = "search", score: float = 1.0) -> Hit:
    return Hit(chunk=make_chunk(norm_id, "2", QUOTE, block_id=block_id), score=score, origin=origin)


def test_a_displaced_provision_is_told_from_its_day_on() -> None:
    assert overtaken(TEMPORARY, "a2", date(2022, 3, 29)) is None
    assert overtaken(TEMPORARY, "a2", date(2022, 3, 30)) is not None
    assert overtaken("BOE-A-2015-11430", "a15", TODAY) is None


@pytest.mark.parametrize(
    ("block_id", "since"), [("a7", date(2023, 1, 1)), ("a15", date(2025, 7, 31)), ("a17", date(2025, 7, 31))]
)
def test_what_the_regulation_says_otherwise_than_a_later_law_is_told(block_id: str, since: date) -> None:
    entry = overtaken("BOE-A-2009-4724", block_id, since)
    assert entry is not None and not entry.whole
    assert overtaken("BOE-A-2009-4724", block_id, since - timedelta(days=1)) is None
    assert overtaken("BOE-A-2009-4724", "a5", TODAY) is None


def ranked(as_of: date, *hits: Hit) -> list[str]:
    state = State(question="contrato de obra", as_of=as_of)
    state.candidates = list(hits)
    profile = SimpleNamespace(rag_max_chunks_in_prompt=8)
    services = SimpleNamespace(rerank_strategy="none", profile=profile, holdings=Holdings)
    asyncio.run(rerank(state, services))  # type: ignore[arg-type]
    return [kept.chunk.norm_id for kept in state.hits]


def test_too_few_candidates_to_order_are_told_as_found() -> None:
    state = State(question="contrato de obra", as_of=TODAY, candidates=[hit("N-1"), hit("N-2")])
    profile = SimpleNamespace(rag_max_chunks_in_prompt=8)
    services = SimpleNamespace(rerank_strategy="listwise", profile=profile, holdings=Holdings)
    record = asyncio.run(rerank(state, services))  # type: ignore[arg-type]
    assert (record.strategy, record.fallback, len(record.kept)) == ("none", "", 2)


def test_what_no_longer_applies_comes_after_everything_else() -> None:
    assert ranked(TODAY, hit(TEMPORARY, "a2"), hit("N-1")) == ["N-1", TEMPORARY]


@pytest.mark.parametrize(
    ("as_of", "first"),
    [
        (TODAY, hit(TEMPORARY, "a2", origin="exact")),
        (BEFORE, hit(TEMPORARY, "a2")),
        (TODAY, hit(STRIKE, "atres")),
    ],
    ids=["named by the question", "on a day before", "displaced in part"],
)
def test_it_keeps_its_place_when_it_may_be_what_is_asked_for(as_of: date, first: Hit) -> None:
    assert ranked(as_of, first, hit("N-1"))[0] == first.chunk.norm_id


def test_a_model_reads_that_a_provision_is_displaced() -> None:
    displaced, plain = hit(STRIKE, "atres"), hit("N-1")
    block = render_context(build_context([displaced, plain], 5_000, TODAY)[0])
    assert block.count("Superado: ") == 1
    assert "Sentencia del Tribunal Constitucional 11/1981" in block
    assert "Superado" not in render_context(build_context([displaced, plain], 5_000, date(1980, 1, 1))[0])
