"""Lookups of the corpus on both databases: chunks in order, the wording of a day, references."""

from datetime import date

import pytest

from law.corpus_store import VectorGaps
from storage.corpus.chunk_cache import RevisionCache
from storage.corpus.reads import SqlCorpusStore
from tests.factories import chunks_of, ids, make_block, make_chunk, make_norm, make_version, refer, save

pytest_plugins = ("tests.postgres",)
TODAY = date(2024, 6, 1)


def test_chunks_come_in_the_order_asked_without_the_unknown_or_repeated(database):
    save(database.corpus_writer, make_norm("N-1", *(make_block(str(number)) for number in range(1, 1300))))
    asked = [f"N-1/a{number}@2000-01-01#1" for number in range(1299, 0, -1)]
    assert ids(database.corpus.chunks(["none", *asked, asked[0]])) == asked
    assert database.corpus.chunks([]) == []


def test_norms_are_found_by_the_whole_text_of_a_chunk_letter_by_letter(database):
    for norm_id, text in (
        ("N-1", "Texto igual, con ñ."),
        ("N-2", "Texto igual, con ñ."),
        ("N-3", "texto igual, con ñ."),
    ):
        save(database.corpus_writer, make_norm(norm_id, make_block("1", text)))
    assert database.corpus.norms_with_texts(["Texto igual, con ñ.", "Otro."]) == {"N-1", "N-2"}
    assert database.corpus.norms_with_texts(["Texto igual"]) == database.corpus.norms_with_texts([]) == set()


def test_norms_that_lack_vectors_of_a_day_are_told_with_how_many(database):
    old_and_new = make_block("1", make_version(until="2010-12-31"), make_version(since="2011-01-01"))
    for norm in (make_norm("N-1", make_block("1"), make_block("2")), make_norm("N-2", old_and_new)):
        save(database.corpus_writer, norm)
    assert database.corpus.vector_gaps(TODAY) == VectorGaps(
        missing=3, total=3, norms=frozenset({"N-1", "N-2"})
    )
    database.ledger.mark_indexed(["N-1/a1@2000-01-01#1", "N-2/a1@2011-01-01#1"], dense=True)
    database.ledger.mark_indexed(["N-1/a2@2000-01-01#1"], dense=False)
    assert database.corpus.vector_gaps(TODAY) == VectorGaps(missing=1, total=3, norms=frozenset({"N-1"}))
    database.ledger.mark_indexed(["N-1/a2@2000-01-01#1"], dense=True)
    assert database.corpus.vector_gaps(TODAY) == VectorGaps()
    assert database.corpus.vector_gaps(date(2005, 1, 1)).norms == {"N-2"}


def test_all_chunks_streams_every_chunk_once(database):
    document = make_norm("N-1", *(make_block(str(number)) for number in range(1, 8)))
    save(database.corpus_writer, document)
    streamed = list(database.corpus.all_chunks(batch=3))
    assert [len(batch) for batch in streamed] == [3, 3, 1]
    assert {chunk.id for batch in streamed for chunk in batch} == set(ids(chunks_of(document)))


AMENDED = (
    make_version("Antes.", since="2001-01-01", until="2009-12-31"),
    make_version("Ahora.", since="2010-01-01"),
)


@pytest.mark.parametrize(
    ("as_of", "texts"),
    [
        (date(2000, 12, 31), []),
        (date(2001, 1, 1), ["Antes."]),
        (date(2009, 12, 31), ["Antes."]),
        (date(2010, 1, 1), ["Ahora."]),
        (None, ["Antes.", "Ahora."]),
    ],
)
def test_find_gives_the_wording_of_the_day(database, as_of, texts):
    save(database.corpus_writer, make_norm("N-1", make_block("48 bis", *AMENDED), make_block("48")))
    assert [chunk.text for chunk in database.corpus.find("N-1", "48 bis", as_of)] == texts


def test_find_gives_every_part_in_order(database):
    parts = [make_chunk("N-1", "1", f"Parte {part}.", part=part, parts=11) for part in range(1, 12)]
    database.corpus_writer.save(make_norm(), parts[::-1], {})
    assert database.corpus.find("N-1", "1", TODAY) == parts


def test_find_prefers_the_text_to_the_decree_that_approves_it(database):
    decree = make_block("1", "Se aprueba el texto.", id="decree", position=1)
    body = make_block("1", "Objeto.", id="body", position=50, since="2005-01-01")
    save(database.corpus_writer, make_norm("N-1", body, decree))
    assert [chunk.text for chunk in database.corpus.find("N-1", "1", TODAY)] == ["Objeto."]
    assert [chunk.text for chunk in database.corpus.find("N-1", "1")] == ["Objeto."]
    assert [chunk.text for chunk in database.corpus.find("N-1", "1", date(2004, 1, 1))] == [
        "Se aprueba el texto."
    ]


def test_references_come_in_order_without_repeats_or_the_unresolved(database):
    document = make_norm("N-1", *(make_block(str(number)) for number in (1, 2, 3)))
    one, two, three = chunks_of(document)
    found = refer(one, ("N-1", "3"), (None, None), ("N-1", None), ("N-1", "2"), ("N-1", "3"), ("N-7", "1"))
    save(database.corpus_writer, document, found)
    assert database.corpus.referenced([one.id, two.id], TODAY) == {one.id: [three.id, two.id], two.id: []}


def test_a_reference_never_leads_to_its_own_chunk(database):
    document = make_norm("N-1", make_block("1", *AMENDED))
    old, new = chunks_of(document)
    save(database.corpus_writer, document, {**refer(old, ("N-1", "1")), **refer(new, ("N-1", "1"))})
    assert database.corpus.referenced([old.id, new.id], TODAY) == {old.id: [new.id], new.id: []}


def test_a_reference_finds_its_target_when_that_is_ingested_later_and_after_an_amendment(database):
    source = make_norm("N-1")
    save(database.corpus_writer, source, refer(chunks_of(source)[0], ("N-2", "1")))
    source_id = chunks_of(source)[0].id
    assert database.corpus.referenced([source_id], TODAY) == {source_id: []}
    save(database.corpus_writer, make_norm("N-2"))
    assert database.corpus.referenced([source_id], TODAY) == {source_id: ["N-2/a1@2000-01-01#1"]}
    save(database.corpus_writer, make_norm("N-2", make_block("1", *AMENDED)))
    assert database.corpus.referenced([source_id], TODAY) == {source_id: ["N-2/a1@2010-01-01#1"]}
    assert database.corpus.referenced([source_id], date(2005, 1, 1)) == {source_id: ["N-2/a1@2001-01-01#1"]}
    database.corpus_writer.remove("N-2")
    assert database.corpus.referenced([source_id], TODAY) == {source_id: []}


@pytest.mark.parametrize(
    ("apartado", "part"),
    [
        (None, 1),
        ("1", 1),
        ("3", 1),
        ("4", 2),
        ("4.a)", 2),
        ("4 bis", 3),
        ("5", 3),
        ("6 ter", 3),
        ("7", 1),
        ("a)", 1),
    ],
)
def test_a_reference_to_an_apartado_leads_to_the_part_that_has_it(database, apartado, part):
    source = make_chunk("N-1", "1")
    parts = [
        make_chunk("N-1", "2", f"Parte {number}.", part=number, parts=4, apartados=apartados)
        for number, apartados in enumerate(["1-3", "4", "4 bis-6 ter", ""], start=1)
    ]
    document = make_norm("N-1", make_block("1"), make_block("2"))
    database.corpus_writer.save(document, [source, *parts], refer(source, ("N-1", "2", apartado)))
    assert database.corpus.referenced([source.id], TODAY) == {source.id: [f"N-1/a2@2000-01-01#{part}"]}


def test_a_reference_prefers_the_text_to_the_decree_that_approves_it(database):
    decree = make_block("1", "Se aprueba el texto.", id="decree", position=1)
    body = make_block("1", "Objeto.", id="body", position=50)
    source = make_block("60")
    document = make_norm("N-1", decree, body, source)
    chunk = chunks_of(document)[2]
    save(database.corpus_writer, document, refer(chunk, ("N-1", "1")))
    assert database.corpus.referenced([chunk.id], TODAY) == {chunk.id: ["N-1/body@2000-01-01#1"]}


def test_references_are_replaced_with_their_chunk_unchanged(database):
    document = make_norm("N-1", make_block("1"), make_block("2"), make_block("3"))
    chunk = chunks_of(document)[0]
    save(database.corpus_writer, document, refer(chunk, ("N-1", "2")))
    assert save(database.corpus_writer, document, refer(chunk, ("N-1", "3"))).unchanged == 3
    assert database.corpus.referenced([chunk.id], TODAY) == {chunk.id: ["N-1/a3@2000-01-01#1"]}


def test_a_chunk_that_was_read_is_read_anew_once_any_process_has_changed_it(database):
    other = SqlCorpusStore(database.engines)
    save(database.corpus_writer, make_norm("N-1", make_block("1", "Antes.")))
    chunk_id = "N-1/a1@2000-01-01#1"
    assert [chunk.text for chunk in other.chunks([chunk_id])] == ["Antes."]
    save(database.corpus_writer, make_norm("N-1", make_block("1", "Ahora.")))
    assert [chunk.text for chunk in other.chunks([chunk_id])] == ["Ahora."]
    database.corpus_writer.remove("N-1")
    assert other.chunks([chunk_id]) == []


def test_references_that_were_read_are_read_anew_once_any_process_has_changed_them(database):
    other = SqlCorpusStore(database.engines)
    document = make_norm("N-1", make_block("1"), make_block("2"), make_block("3"))
    chunk = chunks_of(document)[0]
    save(database.corpus_writer, document, refer(chunk, ("N-1", "2")))
    assert other.referenced([chunk.id], TODAY) == {chunk.id: ["N-1/a2@2000-01-01#1"]}
    save(database.corpus_writer, document, refer(chunk, ("N-1", "3")))
    assert other.referenced([chunk.id], TODAY) == {chunk.id: ["N-1/a3@2000-01-01#1"]}
    assert other.referenced([chunk.id], date(1999, 1, 1)) == {chunk.id: []}


def test_the_chunks_of_a_label_are_read_anew_once_any_process_has_changed_them(database):
    other = SqlCorpusStore(database.engines)
    save(database.corpus_writer, make_norm("N-1", make_block("1", "Antes.")))
    assert [chunk.text for chunk in other.find("N-1", "1")] == ["Antes."]
    assert other.find("N-1", "2") == other.find("N-1", "2", TODAY) == []
    save(database.corpus_writer, make_norm("N-1", make_block("1", "Ahora."), make_block("2", "Otro.")))
    assert [chunk.text for chunk in other.find("N-1", "1", TODAY)] == ["Ahora."]
    assert [chunk.text for chunk in other.find("N-1", "1")] == ["Ahora."]
    assert [chunk.text for chunk in other.find("N-1", "2")] == ["Otro."]


def test_only_the_values_that_came_up_last_are_kept():
    cache: RevisionCache[str, int] = RevisionCache(size=2)
    cache.put("r1", {"a": 1, "b": 2, "c": 3})
    assert cache.get("r1", "abc") == {"b": 2, "c": 3}
    cache.get("r1", "b")
    cache.put("r1", {"a": 1})
    assert cache.get("r1", "abc") == {"a": 1, "b": 2}
    assert cache.get("r2", "abc") == {}


def test_law_without_a_day_is_listed_apart(database):
    for norm_id, fields in {"N-1": {}, "N-2": {"published": date(2020, 1, 1)}, "S-1": {}}.items():
        collection = "sentencias" if norm_id == "S-1" else "normativa"
        save(database.corpus_writer, make_norm(norm_id, collection=collection, **fields))
    assert [row.norm.id for row in database.documents.page(state="undated").rows] == ["N-1"]
