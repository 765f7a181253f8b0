"""The search by a pattern: what it finds, and what it costs at most."""

import re

import pytest

from rag.tools.document_view import unaccented
from rag.tools.regex_search import PREDEFINED, _compiled
from tests.queries import statements
from tests.tool_corpus import AS_OF, Tools, toolbox, xml


@pytest.mark.parametrize(
    ("given", "matches"),
    [
        ({"predefined": "url"}, ["https://ejemplo.invalid/guia", "https://ejemplo.invalid/ayuda"]),
        ({"predefined": "version"}, ["2.10.3"]),
        ({"pattern": r"\bAPI[-_]?KEY\b"}, ["api_key"]),
        ({"pattern": r"\bAPI[-_]?KEY\b", "case_sensitive": "true"}, []),
        ({"pattern": r"REF-\d{4}-[A-Z]{3}", "case_sensitive": "true"}, ["REF-2024-ABC"]),
        ({"pattern": r"\bpagina\b"}, ["página"]),
        ({"pattern": r"\bPÁGINA\b"}, ["página"]),
        ({"pattern": "pagina", "case_sensitive": "true"}, []),
        ({"pattern": "^Su página", "case_sensitive": "true"}, ["Su página"]),
        ({"pattern": "virtual.\nLa oficina"}, ["virtual.\nLa oficina"]),
        ({"pattern": "(ñññ)*"}, []),
        ({"pattern": "palabra0", "max_matches_per_file": 2}, ["palabra0"] * 2),
    ],
)
def test_a_pattern_finds_what_it_says(tools: Tools, given, matches):
    found = tools.one(xml("regex_search", **given)).result
    marked = [re.sub("</?em>", "", item.highlights[0]) for item in found.results]
    assert marked == matches


LAW = (
    "Según el artículo 38.1, la disposición adicional segunda, la Ley Orgánica 3/2007 y el Real Decreto-ley "
    "8/2019: quince días hábiles, 6 meses, un máximo de 1.134,50 euros o el 25 por ciento, una sola vez."
)


@pytest.mark.parametrize("exact", [True, False])
def test_the_patterns_of_law_find_references_amounts_and_terms(exact):
    def found(name):
        text = LAW if exact else unaccented(LAW)
        return [LAW[slice(*one.span())] for one in _compiled(PREDEFINED[name], exact).finditer(text)]

    assert found("reference") == [
        "artículo 38.1",
        "disposición adicional segunda",
        "Ley Orgánica 3/2007",
        "Real Decreto-ley 8/2019",
    ]
    assert found("amount") == ["1.134,50 euros", "25 por ciento"]
    assert found("term") == ["quince días hábiles", "6 meses"]


def test_a_match_names_its_chunk_its_line_and_its_context(tools: Tools):
    (item,) = tools.one(xml("regex_search", pattern="ref-2024", context_lines=0)).result.results
    assert item.chunk_id == "Guia_Contactos_chunk_0004"
    assert (
        item.content
        == "El expediente lleva la referencia REF-2024-ABC y la clave api_key, que no se publica."
    )
    content = tools.program.database.corpus.document("X-GUIA")
    assert item.metadata.line and content
    heading = tools.one(xml("regex_search", pattern="CAPÍTULO II")).result.results[0]
    assert heading.chunk_id == "Guia_Contactos_chunk_0003"


def test_matches_beyond_what_a_model_should_read_are_counted(tools: Tools):
    outcome = tools.one(xml("regex_search", pattern="palabra", context_lines=20, max_matches_per_file=100))
    assert len(outcome.result.results) == 100
    assert len(outcome.text) < 30_000
    assert re.search(r"\[\.\.\.\] Hay \d+ coincidencias más", outcome.text)


@pytest.fixture(scope="module")
def trap(tmp_path_factory):
    """A corpus with a word that an engine which goes back reads in more ways than there are atoms."""
    home = tmp_path_factory.mktemp("trap")
    head = "---\nid: X-TRAMPA\ntitle: Trampa\npublished: 2020-01-01\n---\n#### Artículo 1. Uno.\n\n"
    text = f"{head}{'a' * 5000}!\n\n{'a' * 5000}zz\n"
    (home / "trampa.md").write_text(text, "utf-8")
    with toolbox(home) as made:
        made.program.loading.ingest([home / "trampa.md"])
        yield made


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "pattern", [r"(a+)+zz", r"(a|a)*zz", r"\b(a*)*zz", r"((a{1,30})+)+zz", "a" * 498 + "zz"]
)
def test_a_catastrophic_pattern_ends(trap: Tools, pattern, monkeypatch):
    monkeypatch.setattr("rag.tools.regex_search.SECONDS", 50.0)
    found = trap.one(xml("regex_search", pattern=pattern)).result
    assert [item.source_file for item in found.results] == ["trampa.md"]


def test_a_search_out_of_time_fails(tools: Tools, monkeypatch):
    monkeypatch.setattr("rag.tools.regex_search.SECONDS", -1.0)
    assert tools.error(xml("regex_search", pattern="a")).startswith("La búsqueda ha pasado de 1 segundo")


@pytest.fixture
def fresh(tools: Tools):
    """The same corpus with nothing read of it yet."""
    made = Tools(tools.program)
    yield made
    made.close()


def read_by_a_search(tools: Tools) -> int:
    """How many documents a search over the whole corpus reads from the database."""
    with statements(tools.program.database) as asked:
        tools.one(xml("regex_search", pattern="turno"))
    return len(asked.reading("block_versions"))


def test_a_corpus_that_cannot_all_be_kept_is_not_all_read_again(tools: Tools, fresh: Tools, monkeypatch):
    views = [tools.box.library.view(entry.norm.id, AS_OF) for entry in tools.box.library.entries()]
    size = 3 * sum(len(passage.text) for view in views for passage in view.passages)
    monkeypatch.setattr("rag.tools.tool_documents.KEPT_CHARS", size - 1)
    assert [read_by_a_search(fresh) for _ in range(3)] == [len(views), 1, 1]


def test_a_search_that_has_read_for_too_long_stops_and_the_next_goes_on_there(fresh: Tools, monkeypatch):
    monkeypatch.setattr("rag.tools.regex_search.READING_SECONDS", -1.0)
    assert fresh.error(xml("regex_search", pattern="turno")).startswith("No ha dado tiempo a leer todo")
    monkeypatch.undo()
    assert read_by_a_search(fresh) == len(fresh.box.library.entries()) - 1


@pytest.mark.parametrize("pattern", [r"(?=a)", r"(?<!b)a", r"(a)\1"])
def test_what_the_engine_lacks_is_explained(tools: Tools, pattern):
    assert "no se admiten" in tools.error(xml("regex_search", pattern=pattern))
