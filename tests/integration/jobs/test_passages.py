"""Passages of what somebody loads: embedded after its texts, compared by search, gone with it."""

import asyncio
from datetime import date

import pytest

from loading.indexing.passage_vectors import passage_keys
from loading.jobs.job_loop import Worker
from loading.records.jobs import JobKind
from rag.run.pipeline import retrieve
from tests.fakes import HashEmbedder
from tests.homes import work
from tests.integration.jobs.conftest import ONE, loaded, settle
from tests.texts import law

TODAY = date(2026, 6, 1)
SHARED = "Las vacaciones anuales serán de treinta días naturales."
MINE = law("mía", {"1": SHARED, "2": "La huelga legal suspende el contrato de trabajo."})
OTHER = law("otra", {"7": SHARED})


@pytest.fixture
def program(make_program):
    return make_program(embedder=HashEmbedder())


def left(program) -> int:
    return program.database.ledger.passages_left(program.models.embedder.name)


def passages_of(program, norm_id):
    """Keys of the passages of a norm, and those of them that have a vector."""
    keys = [key for chunk in program.database.corpus.norm_chunks(norm_id) for key in passage_keys(chunk)]
    return keys, program.vectors.get(program.models.embedder.name, keys)


def test_they_follow_the_texts_in_the_same_job(program, monkeypatch):
    order = []
    real = program.models.embedder.embed_queries

    async def queries(texts):
        order.append((texts, program.database.ledger.index_work(program.models.embedder.name).to_embed))
        return await real(texts)

    monkeypatch.setattr(program.models.embedder, "embed_queries", queries)
    loaded(program, ("una.md", ONE))
    ((texts, to_embed),) = order
    assert (len(texts), to_embed, left(program)) == (2, 0, 0)
    keys, made = passages_of(program, "UNA")
    assert made.keys() == set(keys)


def test_a_question_is_compared_with_them(program):
    loaded(program, ("mia.md", MINE))
    settle(program)
    state, _ = asyncio.run(retrieve(SHARED, program.services, as_of=TODAY, today=TODAY))
    near = {hit.chunk.label: hit.passage or 0.0 for hit in state.candidates}
    assert near["1"] == pytest.approx(1.0, abs=1e-3)
    assert 0.0 < near["2"] < near["1"]


def test_a_home_loaded_before_them_has_them_made(program):
    loaded(program, ("una.md", ONE))
    everything = [chunk.id for chunk in program.database.corpus.norm_chunks("UNA")]
    program.database.ledger.mark_passages(everything, "")
    assert left(program) == 2
    program.job_runner().enqueue_embedding("local")
    work(program)
    assert left(program) == 0
    jobs = len(program.database.jobs.jobs())
    program.job_runner().enqueue_embedding("local")
    assert len(program.database.jobs.jobs()) == jobs


def test_they_give_way_to_an_upload(program, monkeypatch):
    loaded(program, ("mia.md", MINE))
    program.database.ledger.mark_passages(program.database.corpus.ids(), "")
    program.job_runner().enqueue_embedding("local")
    with monkeypatch.context() as patched:
        patched.setattr(type(program.database.jobs), "waiting", lambda self: 1)
        Worker(program.database.jobs, program.job_runner().run).run_next()
    assert left(program) == 2
    assert [job.kind for job in program.database.jobs.jobs() if not job.state.ended] == [JobKind.EMBED]
    work(program)
    assert left(program) == 0


def test_those_of_a_deleted_norm_go_with_it_unless_another_has_the_same(program):
    loaded(program, ("mia.md", MINE), ("otra.md", OTHER))
    (shared,), _ = passages_of(program, "OTRA")
    mine, made = passages_of(program, "MÍA")
    assert shared in mine
    assert made.keys() == set(mine)
    program.corrections.delete("local", "MÍA")
    assert program.vectors.get(program.models.embedder.name, mine).keys() == {shared}
