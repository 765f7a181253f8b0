"""Where a question is searched: territory, conditions it states, by document or flat, or words alone."""

import asyncio
from datetime import date
from pathlib import Path
from unicodedata import normalize

import pytest

from rag.run.pipeline import retrieve
from service.contract.search import SearchRequest, search
from tests.boe_server import write_norm
from tests.conftest import DATA
from tests.fakes import HashEmbedder

TODAY = date(2026, 6, 1)
NORM = """---
id: {id}
title: {title}
law: {title}
rank: {rank}
collection: {collection}
territory: {territory}
published: 2020-01-01
valid_from: 2020-01-02
status: Vigente
---
#### Artículo 1. Vacaciones anuales.

{text}
"""


@pytest.fixture
def program(make_program, tmp_path: Path):
    def norm(name: str, territory: str = "estatal", collection: str = "normativa", rank: str = "Ley") -> None:
        text = f"Las vacaciones anuales de {name} serán de treinta días inventados, y se disfrutan en verano."
        filled = NORM.format(
            id=f"X-{name}",
            title=f"Norma de {name}",
            territory=territory,
            collection=collection,
            rank=rank,
            text=text,
        )
        (tmp_path / f"{name}.md").write_text(filled, encoding="utf-8")

    norm("Galicia", "Galicia")
    norm("Madrid", "Comunidad de Madrid")
    norm("Estado")
    norm("Sala", collection="sentencias", rank="Sentencia")
    return lambda **settings: make_program([DATA, tmp_path], **settings)


def ask(program, question: str):
    state, trace = asyncio.run(retrieve(question, program.services, today=TODAY))
    return state, trace.stage("search"), {hit.chunk.norm_id for hit in state.candidates}


@pytest.mark.parametrize(
    ("question", "inside", "outside"),
    [
        ("¿Cuántos días de vacaciones anuales hay en Galicia?", {"X-Galicia", "X-Estado"}, {"X-Madrid"}),
        ("¿Cuántas vacaciones anuales tengo en Madrid?", {"X-Madrid", "X-Estado"}, {"X-Galicia"}),
        ("¿Cuántas vacaciones anuales hay en Vigo?", {"X-Galicia", "X-Estado"}, {"X-Madrid"}),
        ("¿Cuántas vacaciones anuales hay?", {"X-Madrid", "X-Galicia", "X-Estado"}, set()),
    ],
)
def test_a_question_from_a_place_sees_its_norms_and_those_of_the_state(program, question, inside, outside):
    _, record, found = ask(program(), question)
    assert inside <= found
    assert not outside & found
    assert bool(record.filters) is bool(outside)


@pytest.mark.parametrize("court", ["Unión Europea", "Consejo de Europa"])
def test_the_judgments_of_european_courts_are_seen_from_every_place(make_program, tmp_path, court):
    words = "Las vacaciones anuales serán de treinta días inventados."
    kind = {"collection": "sentencias", "rank": "Sentencia", "territory": court}
    judgment = tmp_path / "tribunal.md"
    judgment.write_text(NORM.format(id="X-TRIBUNAL", title="Sentencia", text=words, **kind), encoding="utf-8")
    _, _, found = ask(make_program([DATA, judgment]), "¿Cuántos días de vacaciones anuales hay en Galicia?")
    assert "X-TRIBUNAL" in found


@pytest.mark.parametrize(("place", "seen"), [("Madrid", True), ("Getafe", True), ("Galicia", False)])
def test_a_regional_norm_of_the_boe_is_seen_from_its_comunidad_only(make_program, tmp_path, place, seen):
    words = "Vacaciones.\n1. Las vacaciones anuales del personal serán de treinta días inventados."
    department = {"ambito": "Autonómico", "departamento": "Comunidad de Madrid"}
    regional = write_norm(tmp_path / "boe", "BOE-A-2001-1", {"1": [("20010201", "", words)]}, **department)
    _, _, found = ask(make_program([DATA, regional]), f"¿Cuántas vacaciones anuales hay en {place}?")
    assert ("BOE-A-2001-1" in found) is seen


def test_a_question_about_case_law_searches_judgments_only(program):
    state, record, found = ask(program(), "¿Qué dice el Tribunal Supremo de las vacaciones anuales?")
    assert found == {"X-Sala", "X-STF-1"}
    assert record.filters == ("colección sentencias",)
    assert state.notices == []


def test_a_collection_without_documents_is_no_condition(make_program):
    _, record, found = ask(make_program([DATA]), "¿Qué criterio del INSS hay sobre las vacaciones anuales?")
    assert record.filters == ()
    assert "X-LTF" in found


def test_conditions_that_nothing_meets_are_dropped_and_the_reader_is_told(program):
    loaded = program()
    loaded.database.corpus_writer.remove("X-STF-1")
    early = asyncio.run(
        retrieve(
            "¿Qué dice el Tribunal Supremo de las vacaciones anuales?",
            loaded.services,
            as_of=date(2020, 1, 1),
            today=TODAY,
        )
    )
    state, record = early[0], early[1].stage("search")
    assert [search.widened for search in record.searches] == [True] * len(record.searches)
    assert "se ha buscado en todo lo cargado" in str(state.notices[-1])


def test_by_document_keeps_three_chunks_of_each_norm(program):
    state, record, _ = ask(
        program(rag_search_strategy="hierarchical", hierarchical_chunks_per_document=1),
        "¿Cuántos días de vacaciones anuales hay?",
    )
    norms = [hit.chunk.norm_id for hit in state.candidates]
    assert record.strategy == "hierarchical"
    assert len(norms) == len(set(norms)) > 2


@pytest.mark.parametrize(
    ("question", "strategy"),
    [
        ("¿Qué diferencia hay entre las vacaciones y la incapacidad temporal?", "hierarchical"),
        ("¿Cuántos días de vacaciones hay?", "flat"),
    ],
)
def test_the_kind_of_question_decides_between_flat_and_by_document(program, question, strategy):
    assert ask(program(), question)[1].strategy == strategy
    assert ask(program(rag_search_strategy="flat"), question)[1].strategy == "flat"


def test_switched_off_only_words_are_searched_and_nothing_is_reranked(program):
    state, record, _ = ask(program(rag_enabled=False), "¿Cuántas vacaciones anuales tengo en Galicia?")
    assert (record.mode, record.filters, record.calls) == ("lexical", (), ())
    assert all(hit.dense is None and hit.rerank is None for hit in state.ranked)
    assert state.ranked


class _Listening(HashEmbedder):
    """Keeps the queries that it gets."""

    heard: frozenset[str] = frozenset()

    async def embed_queries(self, texts):
        self.heard |= set(texts)
        return await super().embed_queries(texts)


def test_a_search_is_the_same_however_its_accents_are_typed(make_program):
    program, typed = (
        make_program([DATA], embedder=_Listening()),
        "indemnización por despido, días de vacaciones",
    )
    ways = typed, typed.replace("ó", "o").replace("í", "i"), normalize("NFD", typed), typed.upper()
    assert len({search(program, SearchRequest(query=way)).hits for way in ways}) == 1
    assert program.models.embedder.heard == {typed}
