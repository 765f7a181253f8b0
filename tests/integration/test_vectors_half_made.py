"""Search while vectors are being made: those that are there must not make an answer worse."""

import asyncio
from datetime import date

import pytest

from loading.chunking.chunk import chunk_document
from loading.indexing.index_sync import IndexSync
from rag.run.pipeline import retrieve
from rag.shared.hits import Hit
from rag.shared.trace import SearchRecord
from service.program.assembly import App
from tests.conftest import Maker
from tests.factories import make_block, make_norm

TODAY = date(2026, 6, 1)
QUESTION = "¿Cuántos días de vacaciones tengo?"


@pytest.fixture
def program(make_program: Maker) -> App:
    """Nineteen articles about strikes and one about holidays, in the index by their words alone."""
    made = make_program()
    strikes = [make_block(str(n), f"Días de huelga legal número {n}.") for n in range(1, 20)]
    for norm in (
        make_norm("N-1", *strikes),
        make_norm("N-2", make_block("1", "Las vacaciones anuales serán de treinta días.")),
    ):
        made.database.corpus_writer.save(norm, chunk_document(norm), {})
    made.keeper.sync(dense=False)
    return made


def embed(program: App, count: int) -> None:
    """Put the vectors of the first `count` chunks into the index."""
    sync = IndexSync(
        program.database.corpus, program.database.ledger, program.index, program.database.vectors
    )
    chunks = program.database.ledger.pending_index(dense=True, limit=count)
    program.index.upsert(sync.points(chunks, program.models.embedder))
    program.database.ledger.mark_indexed(chunks, dense=True)


def searched(program: App) -> tuple[SearchRecord, list[Hit]]:
    state, trace = asyncio.run(retrieve(QUESTION, program.services, as_of=TODAY, today=TODAY))
    record = trace.stage("search")
    assert isinstance(record, SearchRecord)
    return record, state.ranked


def made_notices(program: App, count: int) -> str:
    embed(program, count)
    return " ".join(program.notices)


@pytest.mark.parametrize("count", [1, 10, 17])
def test_with_vectors_of_too_few_texts_the_notice_says_that_all_is_searched_by_words(
    program: App, count: int
) -> None:
    told = made_notices(program, count)
    assert f"los pasajes que faltan ({20 - count} de los 20 en vigor), todo se busca solo por las" in told


def test_with_vectors_of_nearly_all_the_notice_says_that_the_others_documents_are_searched_by_words(
    program: App,
) -> None:
    told = made_notices(program, 19)
    assert "(1 de los 20 en vigor), los documentos a los que pertenecen se buscan enteros solo por" in told


def test_with_vectors_of_all_that_is_in_force_the_notice_is_about_other_days(program: App) -> None:
    before = make_norm("N-3", make_block("1", "Hubo quince días.", since="1990-01-01", until="1991-01-01"))
    embed(program, 20)
    assert "pasajes que faltan" not in " ".join(program.notices)
    program.database.corpus_writer.save(before, chunk_document(before), {})
    program.keeper.sync(dense=False)
    told = " ".join(program.notices)
    assert "(1 que hoy no están en vigor), los documentos a los que pertenecen se buscan" in told
    assert "al preguntar por esos días" in told


@pytest.mark.parametrize("count", [1, 10, 17])
def test_with_vectors_of_too_few_texts_the_question_is_searched_by_words_and_says_so(
    program: App, count: int
) -> None:
    embed(program, count)
    record, ranked = searched(program)
    assert f"faltan los vectores de {20 - count} de los 20 fragmentos" in record.fallback
    assert {hit.dense for hit in ranked} == {None}
    assert ranked[0].chunk.norm_id == "N-2"


def test_a_norm_with_part_of_its_vectors_is_found_by_its_words(program: App) -> None:
    embed(program, 19)
    record, ranked = searched(program)
    assert record.fallback == ""
    (lacking,) = program.database.corpus.vector_gaps(TODAY).norms
    assert {hit.chunk.norm_id for hit in ranked if hit.vectorless} == {lacking}
    assert all((hit.dense is None) == (hit.chunk.norm_id == lacking) for hit in ranked)
    assert ranked[0].chunk.norm_id == "N-2"


def test_with_every_vector_all_are_found_by_meaning_too(program: App) -> None:
    embed(program, 20)
    record, ranked = searched(program)
    assert record.fallback == ""
    assert not any(hit.vectorless for hit in ranked)
    assert ranked[0].chunk.norm_id == "N-2"
    assert ranked[0].dense is not None
