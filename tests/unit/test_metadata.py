"""Corrections by hand, and articles that come alone."""

from datetime import date

import pytest

from core.errors import InputError
from law.norms import UNDATED
from loading.chunking.chunk import chunk_document
from loading.ingestion.merged_articles import merged
from loading.ingestion.metadata_corrections import corrected, identified, restamped
from tests.factories import make_block, make_norm, make_version

DOCUMENT = make_norm(
    "N-1",
    make_block(
        "1",
        make_version("Artículo 1.\nAntes.", since="2000-01-01", until="2009-12-31"),
        make_version("Artículo 1.\nAhora.", since="2010-01-01"),
    ),
    make_block("2", "Artículo 2.\nTexto.", since="2000-01-01"),
    valid_from=date(2000, 1, 1),
    extra={"sala": "Cuarta"},
)


def spans(document):
    return [(v.valid_from.year, v.valid_to and v.valid_to.year) for b in document.blocks for v in b.versions]


def test_fields_of_every_kind_are_changed():
    changes = {
        "title": " Nuevo ",
        "aliases": "LI, Ley I ,",
        "published": "1999-12-31",
        "extra.sala": "",
        "extra.ponente": "N. N.",
    }
    norm = corrected(DOCUMENT, changes).norm
    assert (norm.title, norm.aliases, norm.published) == ("Nuevo", ("LI", "Ley I"), date(1999, 12, 31))
    assert norm.extra == {"ponente": "N. N."}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"title": "  "}, "el título"),
        ({"law": ""}, "el nombre"),
        ({"published": "ayer"}, "no es una fecha"),
        ({"published": "2024-02-30"}, "no es una fecha"),
        ({"colour": "red"}, "no es un dato"),
        ({"status": "Derogado"}, "último día"),
        ({"status": "Sustituido"}, "último día"),
        ({"repealed_on": "1990-01-01"}, "anterior"),
    ],
)
def test_what_cannot_be_is_refused(changes, reason):
    with pytest.raises(InputError, match=reason):
        corrected(DOCUMENT, changes)


def test_the_end_of_a_norm_ends_its_wordings_and_can_be_moved_and_undone():
    ended = corrected(DOCUMENT, {"status": "Derogado", "repealed_on": "2015-06-30"})
    assert spans(ended) == [(2000, 2009), (2010, 2015), (2000, 2015)]
    later = corrected(ended, {"repealed_on": "2016-06-30"})
    assert spans(later) == [(2000, 2009), (2010, 2016), (2000, 2016)]
    assert spans(corrected(later, {"status": "Vigente"})) == spans(DOCUMENT)


def test_the_first_day_moves_only_where_everything_began_together():
    assert spans(corrected(DOCUMENT, {"valid_from": "2001-01-01"})) == spans(DOCUMENT)
    single = make_norm("N-2", make_block("1"), valid_from=date(2000, 1, 1))
    assert spans(corrected(single, {"valid_from": "2001-01-01"})) == [(2001, None)]


@pytest.mark.parametrize("field", ["published", "valid_from"])
def test_what_had_no_day_begins_on_the_one_that_is_told_and_not_in_1900(field):
    undated = make_norm("N-2", make_block("1", since=UNDATED), valid_from=None, published=None)
    assert undated.undated
    told = corrected(undated, {field: "2001-01-01"})
    assert (spans(told), told.undated) == ([(2001, None)], False)


def test_chunks_follow_a_correction_without_being_cut_again():
    chunks = chunk_document(DOCUMENT)
    edited = corrected(DOCUMENT, {"law": "Otra", "status": "Derogado", "repealed_on": "2015-06-30"})
    again = restamped(chunks, edited)
    assert again == chunk_document(edited)
    assert {chunk.content_hash for chunk in again}.isdisjoint({chunk.content_hash for chunk in chunks})
    single = make_norm("N-2", make_block("1", "Artículo 1.\nTexto."), valid_from=date(2000, 1, 1))
    assert restamped(chunk_document(single), corrected(single, {"valid_from": "2001-01-01"})) is None


@pytest.mark.parametrize("norm_id", ["a/b", "a b", "..\\x", "x" * 101, "<b>"])
def test_an_identifier_holds_nothing_strange(norm_id):
    with pytest.raises(InputError, match="identificador"):
        identified(DOCUMENT, norm_id)
    assert identified(DOCUMENT, "").norm.id == "N-1"


def test_given_articles_replace_theirs_and_leave_the_others():
    given = make_norm("x", make_block("2", "Artículo 2.\nNuevo."), make_block("3", "Artículo 3.\nMás."))
    whole = merged(DOCUMENT, given)
    assert whole.norm == DOCUMENT.norm
    assert whole.blocks[0] == DOCUMENT.blocks[0]
    assert [(b.label, b.versions[-1].text.split("\n")[1], b.position) for b in whole.blocks[1:]] == [
        ("2", "Nuevo.", 2),
        ("3", "Más.", 3),
    ]
    assert spans(whole)[2:] == [(2000, None), (2000, None)]


def test_a_given_wording_with_a_date_follows_the_last_one():
    given = make_norm("x", make_block("2", "Artículo 2.\nNuevo."))
    assert spans(merged(DOCUMENT, given, date(2020, 1, 1)))[2:] == [(2000, 2019), (2020, None)]
    with pytest.raises(InputError, match="fecha posterior"):
        merged(DOCUMENT, make_norm("x", make_block("1", "Artículo 1.\nOtro.")), date(2005, 1, 1))


def test_a_given_block_with_an_identifier_in_use_gets_another():
    given = make_norm("x", make_block("9", id="a1"))
    assert merged(DOCUMENT, given).blocks[-1].id == "a1-2"


def test_text_without_articles_is_not_merged():
    with pytest.raises(InputError, match="ningún artículo"):
        merged(DOCUMENT, make_norm("x", make_block("", id="s1")))
