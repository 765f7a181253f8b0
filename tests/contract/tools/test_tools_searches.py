"""Results of the searches of the tools, with their fields and limits, from typed values too."""

import re

import pytest

from core.errors import EmbedderUnavailable
from index.sparse import query_vector
from tests.fakes import HashEmbedder
from tests.tool_corpus import Tools, toolbox, xml


def test_a_lexical_result_has_the_fields_of_the_contract(tools: Tools):
    found = tools.one(xml("lexical_search", query="paro en la oficina", top_k=1)).result.model_dump()
    assert found.pop("execution_time_ms") > 0
    item = found.pop("results")[0]
    assert found == {
        "query": "paro en la oficina",
        "expanded_query": "(paro OR prestación OR desempleo) OR oficina",
        "total_found": 1,
        "search_params": {
            "operator": "OR",
            "top_k": 1,
            "filters_applied": {},
            "synonyms_used": ["prestación por desempleo"],
        },
        "search_type": "lexical_search",
    }
    assert item["source_file"] == "Guia_Contactos.md"
    assert item["highlights"] == (
        "Artículo 1. <em>Oficina</em> virtual.",
        "La <em>oficina</em> virtual responde en soporte@ejemplo.invalid"
        " a quien cobra el <em>desempleo</em>.",
    )
    assert item["metadata"]["chunk"] == "X-GUIA/a1@2020-01-01#1"
    assert item["metadata"]["section_title"] == "Artículo 1. Oficina virtual."
    assert (item["metadata"]["chunk_type"], item["metadata"]["has_tables"]) == ("content", False)


def test_a_semantic_result_has_cosines_in_order_no_expansion_and_its_model(tools: Tools):
    found = tools.one(xml("semantic_search", query="vacaciones del personal")).result
    scores = [item.score for item in found.results]
    assert scores == sorted(scores, reverse=True) and 0 <= scores[-1] <= scores[0] <= 1
    assert found.expanded_query is None
    assert found.search_params == {"top_k": 10, "min_score": 0.0, "embedding_model": "hash-64"}
    least = scores[2]
    kept = tools.one(xml("semantic_search", query="vacaciones del personal", min_score=least)).result
    assert [item.score for item in kept.results] == scores[:3]


@pytest.mark.parametrize(
    ("query", "expanded"),
    [
        ("expediente", "expediente"),
        ("expediente y centros", "expediente OR centros"),
        ("centros centro", "centros"),
        ("turnos del paro", "(turnos OR trabajo) OR (paro OR prestación OR desempleo)"),
        ("¿y de la?", None),
        ("art. 3 GC", None),
        ("art. 3 GC, turnos", "(turnos OR trabajo)"),
        ("art. 99 GC", "art OR 99 OR GC OR art:99 OR norm:X-GUIA"),
    ],
)
def test_the_expanded_query_says_what_was_run(tools: Tools, query, expanded):
    assert tools.one(xml("lexical_search", query=query)).result.expanded_query == expanded


@pytest.mark.parametrize("query", ["turnos del paro", "baja médica por embarazo", "art. 99 GC", "ERTE y ERE"])
def test_the_terms_of_the_expanded_query_are_those_that_the_index_was_asked(tools: Tools, query, monkeypatch):
    asked = []
    index = tools.program.services.index
    search = index.search
    monkeypatch.setattr(index, "search", lambda queries: asked.extend(queries) or search(queries))
    expanded = tools.one(xml("lexical_search", query=query)).result.expanded_query or ""
    terms = [term for term in re.split(r"[() ]+|OR", expanded) if term]
    tokens = {term for term in re.findall(r"\w+:[\w-]+", expanded)}
    words = " ".join(term for term in terms if term not in tokens)
    assert query_vector(words, tokens=tokens).indices == asked[0].sparse.indices


@pytest.mark.parametrize(
    ("given", "numbers"),
    [
        ({"chunk_type": "section_header"}, [0, 1, 2, 3, 4]),
        ({"chunk_type": "section_header", "keywords": "capítulo ii, ninguna"}, [3]),
        ({"chunk_type": "content"}, [1, 3, 4]),
        ({"chunk_type": "content", "position": "last_3", "top_k": 2}, [1, 3]),
        ({}, [0, 1, 2, 3, 4]),
        ({"position": "first_5"}, [0, 1, 2, 3, 4]),
        ({"position": "last_3"}, [2, 3, 4]),
        ({"keywords": "HORARIO,expediente", "position": "all"}, [2, 4]),
        ({"keywords": "nada"}, []),
    ],
)
def test_structure_is_read_from_the_document_in_order(tools: Tools, given, numbers):
    found = tools.one(xml("structure_search", document_name="Guia_Contactos.md", **given))
    assert [int(item.chunk_id[-4:]) for item in found.result.results] == numbers
    assert found.fallback == ""


def test_headers_are_the_headings_that_begin_there_and_the_article_s_own(tools: Tools):
    found = tools.one(xml("structure_search", document_name="Guia_Contactos.md", chunk_type="section_header"))
    assert [item.content for item in found.result.results] == [
        "Guía inventada de contactos de la oficina",
        "TÍTULO I. De la oficina\nCAPÍTULO I. De la atención\nArtículo 1. Oficina virtual.",
        "Artículo 2. Horario de los centros.",
        "CAPÍTULO II. De los recursos\nArtículo 3. Vacaciones del personal.",
        "Artículo 4. Expediente.",
    ]


@pytest.mark.parametrize(
    ("keywords", "question", "found"),
    [("noche", "x", 1), ("", "¿Cómo rotan los turnos?", 1), ("", "¿y de la?", 0)],
)
def test_without_structure_the_document_is_searched_and_the_model_is_not_told(
    tools: Tools, keywords, question, found
):
    call = xml("structure_search", document_name="nota.md", keywords=keywords, top_k=40)
    outcome = tools.one(call, question=question)
    assert outcome.fallback == "lexical"
    assert outcome.result.search_type == "structure_search"
    assert [item.source_file for item in outcome.result.results] == ["nota.md"] * found
    assert outcome.text.startswith("🏗️  Búsqueda estructural: documento 'nota.md'")
    assert "léxica" not in outcome.text and "Score" not in outcome.text


@pytest.mark.parametrize(
    ("tool", "given", "in_force"),
    [
        ("lexical_search", {"query": "turnos", "top_k": 11}, {"top_k": 10}),
        (
            "semantic_search",
            {"query": "turnos", "top_k": 51, "min_score": 1.5},
            {"top_k": 50, "min_score": 1.0},
        ),
        ("structure_search", {"document_name": "nota.md", "top_k": 10**30}, {"top_k": 50}),
        (
            "regex_search",
            {"pattern": "turno", "context_lines": 21, "max_matches_per_file": 101},
            {"context_lines": 20, "max_matches_per_file": 100},
        ),
    ],
)
def test_a_value_above_its_maximum_is_clamped_and_recorded(tools: Tools, tool, given, in_force):
    params = tools.one(xml(tool, **given)).result.search_params
    assert {name: params[name] for name in in_force} == in_force
    assert params["clamped"] == {name: given[name] for name in in_force}


class Broken(HashEmbedder):
    async def embed_queries(self, texts):
        raise EmbedderUnavailable("el modelo no carga")


def test_without_vectors_the_semantic_search_says_what_to_use(tmp_path):
    with toolbox(tmp_path, embedder=Broken()) as broken:
        message = broken.error(xml("semantic_search", query="turnos"))
    assert message.startswith("La búsqueda semántica no está disponible; use tool_lexical_search.")
    assert "el modelo no carga" in message


def test_an_index_that_fails_is_a_failed_call(tmp_path):
    with toolbox(tmp_path) as closed:
        closed.program.services.index.close()
        assert "El índice está cerrado" in closed.error(xml("lexical_search", query="turnos"))
        assert closed.one(xml("file_content", file_name="GC")).ok


@pytest.mark.parametrize("query", ["1995", "007", "1e3", "true", "null", "3.10"])
def test_a_query_that_looks_like_something_else_stays_text(tools: Tools, query):
    written, typed = tools.one(xml("lexical_search", query=query)), {"query": query}
    assert written.result.query == query
    assert tools.execute("tool_lexical_search", typed).result.query == query
    assert tools.execute("tool_lexical_search", {"query": 1995}).result.query == "1995"


def test_a_call_with_typed_values_gives_what_xml_gives(tools: Tools):
    values = {"document_name": "Guia_Contactos.md", "chunk_type": "table", "top_k": 3}
    outcome = tools.execute("tool_structure_search", values)
    assert outcome.ok and outcome.text == tools.one(xml("structure_search", **values)).text


def test_what_the_model_read_is_known_by_its_chunks(tools: Tools):
    outcome = tools.one(xml("file_section", file_name="archivo.v2", chunk_start=1, chunk_end=2))
    assert outcome.chunk_ids == ("X-OTRA/a1@2021-01-01#1", "X-OTRA/a2@2021-01-01#1")
    assert tools.one(xml("lexical_search")).chunk_ids == ()
