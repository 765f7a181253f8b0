"""The document tools over the real norms in ../shared/boe: whole, in order, of the day asked."""

import re
from collections.abc import Iterator
from datetime import date

import pytest

from rag.tools.document_view import DocumentView
from tests.conftest import BOE
from tests.real_law import RealLaw
from tests.tool_corpus import Tools, xml

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.slow,
    pytest.mark.skipif(not BOE.is_dir(), reason="the real norms (../shared/boe) are not here"),
]

ET, LGSS = "BOE-A-2015-11430", "BOE-A-2015-11724"
DAYS = (date(2026, 6, 1), date(2018, 6, 1))


@pytest.fixture(scope="module")
def tools(real_law: RealLaw) -> Iterator[Tools]:
    made = Tools(real_law.program)
    yield made
    made.close()


def views(tools: Tools, day: date) -> list[DocumentView]:
    library = tools.box.library
    return [library.view(entry.norm.id, day) for entry in library.entries()]


@pytest.mark.parametrize("day", DAYS)
def test_every_chunk_in_force_has_a_number_and_its_text_is_in_the_document(tools: Tools, day):
    numbered = 0
    for view in views(tools, day):
        text = view.text
        assert [view.outline.numbers[chunk.id] for chunk in view.chunks] == [*range(1, len(view.chunks) + 1)]
        assert all(chunk.text in text for chunk in (*view.chunks,))
        numbered += len(view.outline.numbers)
    batches = tools.program.database.corpus.all_chunks()
    in_force = [chunk for batch in batches for chunk in batch if chunk.in_force_on(day)]
    assert numbered == len(in_force) > 1500


def test_file_names_are_all_different_and_lead_back(tools: Tools):
    entries = tools.box.library.entries()
    assert len({entry.file_name.casefold() for entry in entries}) == len(entries) >= 48
    for entry in entries:
        for name in (entry.file_name, entry.stem, entry.norm.id, entry.norm.alias or entry.norm.law):
            assert tools.box.library.find(name) == entry


@pytest.mark.parametrize(
    ("query", "file_name", "heading"),
    [
        ("art. 38 ET vacaciones anuales", "Estatuto_de_los_Trabajadores.md", "Artículo 38."),
        ("paro agrario eventual", "Ley_General_de_la_Seguridad_Social.md", "Artículo 287."),
    ],
)
def test_a_lexical_search_finds_the_article(tools: Tools, query, file_name, heading):
    found = tools.one(xml("lexical_search", query=query, top_k=10), as_of=DAYS[0]).result
    assert (file_name, heading) in [
        (item.source_file, item.metadata.section_title[: len(heading)]) for item in found.results
    ]
    # What the query cites comes first and whole, without a score of the search.
    scores = [item.score for item in found.results if item.score is not None]
    assert scores == sorted(scores, reverse=True)
    assert [item.score is None for item in found.results] == sorted(
        [item.score is None for item in found.results], reverse=True
    )


def test_the_content_of_a_long_law_is_whole(tools: Tools):
    outcome = tools.one(xml("file_content", file_name="LGSS"), as_of=DAYS[0])
    view = tools.box.library.view(LGSS, DAYS[0])
    assert f"Tamaño: {len(view.text):,} caracteres" in outcome.text
    assert view.text in outcome.text
    assert f"({len(view.chunks) + 1} chunks)" in outcome.text
    assert outcome.text.count("📋 Chunk ") == len(view.chunks) + 1


def test_sections_of_a_document_follow_each_other(tools: Tools):
    chunks = tools.box.library.view(ET, DAYS[0]).chunks
    found = tools.one(xml("file_section", file_name="ET", chunk_start=1, chunk_end=100), as_of=DAYS[0]).result
    assert [item.metadata.chunk for item in found.results] == [chunk.id for chunk in chunks[:100]]


@pytest.mark.parametrize("pattern", [r"\b\d+ días naturales\b", r"artículo \d+\.\d+", r"\bindice\b"])
def test_a_match_is_in_the_chunk_that_it_names(tools: Tools, pattern):
    found = tools.one(xml("regex_search", pattern=pattern, context_lines=0), as_of=DAYS[0]).result
    assert found.results
    chunks = {
        chunk.id: chunk.text
        for chunk in tools.program.database.corpus.chunks([item.metadata.chunk for item in found.results])
    }
    matches = [(item, re.sub("</?em>", "", item.highlights[0])) for item in found.results]
    assert [item.content for item, match in matches if match not in item.content] == []
    # Signatures and notes have no chunk: their matches name the one above or none.
    inside = [match in chunks.get(item.metadata.chunk, "") for item, match in matches]
    assert sum(inside) >= 0.9 * len(inside)


def test_the_day_decides_what_is_read(tools: Tools):
    call = xml("regex_search", pattern=r"dieciséis semanas", context_lines=0)
    now, then = (tools.one(call, as_of=day).result for day in DAYS)
    assert {item.metadata.chunk for item in now.results} != {item.metadata.chunk for item in then.results}
    for day, found in zip(DAYS, (now, then), strict=True):
        of_chunks = [item.metadata for item in found.results if item.metadata.chunk]
        assert of_chunks
        for metadata in of_chunks:
            assert metadata.valid_from <= day
            assert metadata.valid_to is None or day <= metadata.valid_to


@pytest.mark.parametrize(
    ("query", "articles"),
    [
        ("artículo 52 ET", [(ET, "52")]),
        ("artículo 164 LGSS", [(LGSS, "164")]),
        ("arts. 53 y 56 del Estatuto de los Trabajadores", [(ET, "53"), (ET, "56")]),
        ("artículo 48 ET y artículo 177 LGSS", [(ET, "48"), (LGSS, "177")]),
        ("art. 52.d ET", [(ET, "52")]),
        ("Real Decreto Legislativo 2/2015, artículo 52", [(ET, "52")]),
    ],
)
def test_an_article_that_is_cited_comes_whole_and_alone(tools: Tools, query, articles):
    found = tools.one(xml("lexical_search", query=query, top_k=10), as_of=DAYS[0])
    assert (
        list(dict.fromkeys((i.metadata.norm_id, i.metadata.label) for i in found.result.results)) == articles
    )
    assert found.asked_ids == found.chunk_ids
    assert found.result.expanded_query is None
    for norm_id, label in articles:
        whole = {chunk.id for chunk in tools.program.database.corpus.find(norm_id, label, DAYS[0])}
        assert whole <= set(found.chunk_ids)


def test_of_an_apartado_that_is_cited_come_the_parts_that_hold_it(tools: Tools):
    parts = tools.program.database.corpus.find(ET, "51", DAYS[0])
    found = tools.one(xml("lexical_search", query="artículo 51.9 ET"), as_of=DAYS[0])
    assert 0 < len(found.chunk_ids) < len(parts)
    assert all("\n9. " in f"\n{item.content}" for item in found.result.results)
    assert "Apartado citado; sin el apartado se devuelve el artículo entero" in found.text
    assert len(found.text) < 6000


def test_beside_an_article_that_is_cited_the_other_words_are_searched_without_its_number(tools: Tools):
    found = tools.one(xml("lexical_search", query="artículo 52 ET absentismo", top_k=5), as_of=DAYS[0]).result
    assert found.results[0].metadata.label == "52"
    assert "52" not in (found.expanded_query or "")
    assert {item.metadata.label for item in found.results if item.score is not None} != {"52"}


def test_a_call_may_ask_for_the_wording_of_another_day(tools: Tools):
    read = {}
    for day, given in (("then", {"as_of": "2019-07-01"}), ("now", {})):
        outcome = tools.one(xml("lexical_search", query="artículo 52 ET", **given), as_of=DAYS[0])
        read[day] = outcome.result.results
        assert {item.metadata.label for item in read[day]} == {"52"}
    assert "faltas de asistencia" in "".join(item.content for item in read["then"])
    assert "faltas de asistencia" not in "".join(item.content for item in read["now"])
    assert {item.metadata.in_force for item in read["then"]} == {"Vigente: desde 24/10/2015 hasta 19/02/2020"}
    assert all(" hasta " not in item.metadata.in_force for item in read["now"])
    assert [item.chunk_id.partition("@")[2] for item in read["then"]] == ["2019-07-01"] * len(read["then"])
    assert all("@" not in item.chunk_id for item in read["now"])
    for item in (*read["then"], *read["now"]):
        assert tools.box.library.chunk(item.chunk_id, DAYS[0]).id == item.metadata.chunk


@pytest.mark.parametrize(
    "call",
    [
        xml(
            "structure_search",
            document_name="Estatuto_de_los_Trabajadores.md",
            keywords="faltas de asistencia",
        ),
        xml("regex_search", pattern="faltas de asistencia al trabajo, aun justificadas"),
    ],
)
def test_every_search_reads_the_day_of_its_call(tools: Tools, call):
    then = call.replace("</tool_", "<as_of>2019-07-01</as_of></tool_")
    found = {day: tools.one(one, as_of=DAYS[0]) for day, one in (("then", then), ("now", call))}
    old = [item for item in found["then"].result.results if item.metadata.label == "52"]
    assert old and old[0].chunk_id.endswith("@2019-07-01")
    assert "Vigente: desde 24/10/2015 hasta 19/02/2020" in found["then"].text
    assert found["then"].result.search_params["as_of"] == "2019-07-01"
    assert "as_of" not in found["now"].result.search_params
    assert "52" not in {item.metadata.label for item in found["now"].result.results}
