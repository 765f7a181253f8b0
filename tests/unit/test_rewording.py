"""A new wording of a whole document beside the ones that are stored."""

from datetime import date

import pytest

from core.errors import InputError
from law.norms import UNDATED, BlockKind, Document
from loading.ingestion.rewording import asks_since, reworded
from tests.factories import make_block, make_norm, make_version

SINCE = date(2020, 1, 1)
FIRST = date(2000, 1, 1)
STORED = make_norm(
    "N-1", make_block("1", "Uno."), make_block("2", "Dos."), make_block("3", "Tres."), valid_from=FIRST
)
GIVEN = make_norm(
    "N-1",
    make_block("1", "Uno.", id="otro"),
    make_block("3", "Tres nuevo."),
    make_block("4", "Cuatro."),
    title="Ley inventada, texto de 2020",
    valid_from=SINCE,
)


def spans(document: Document) -> dict[str, list[tuple[str, int, int | None]]]:
    return {
        block.label: [(v.text, v.valid_from.year, v.valid_to and v.valid_to.year) for v in block.versions]
        for block in document.blocks
    }


def test_what_changes_ends_the_day_before_and_what_stays_goes_on():
    made = reworded(STORED, GIVEN, SINCE)
    assert spans(made) == {
        "1": [("Uno.", 2000, None)],
        "2": [("Dos.", 2000, 2019)],
        "3": [("Tres.", 2000, 2019), ("Tres nuevo.", 2020, None)],
        "4": [("Cuatro.", 2020, None)],
    }
    assert [block.position for block in made.blocks] == [1, 2, 3, 4]
    assert [block.id for block in made.blocks] == ["a1", "a2", "a3", "a4"]
    assert (made.norm.title, made.norm.valid_from) == (GIVEN.norm.title, FIRST)


def test_making_it_again_changes_nothing():
    made = reworded(STORED, GIVEN, SINCE)
    assert reworded(made, GIVEN, SINCE) == made


def test_a_correction_changes_the_last_wordings_only():
    made = reworded(STORED, GIVEN, SINCE)
    corrected = make_norm("N-1", make_block("1", "Uno."), make_block("3", "Tres corregido."))
    assert spans(reworded(made, corrected, None)) == {
        "1": [("Uno.", 2000, None)],
        "2": [("Dos.", 2000, 2019)],
        "3": [("Tres.", 2000, 2019), ("Tres corregido.", 2020, None)],
    }


def test_a_wording_before_the_stored_one_is_refused():
    with pytest.raises(InputError, match="rige desde una fecha posterior"):
        reworded(STORED, GIVEN, date(1999, 1, 1))


def test_a_document_without_days_begins_to_have_them():
    undated = make_norm("N-1", make_block("1", make_version("Uno.", since=UNDATED)))
    given = make_norm("N-1", make_block("1", make_version("Uno nuevo.", since=UNDATED)))
    assert spans(reworded(undated, given, SINCE))["1"] == [("Uno.", 1900, 2019), ("Uno nuevo.", 2020, None)]


def test_sections_without_a_label_are_known_by_their_id():
    def section(name: str, text: str):
        return make_block("", text, id=name, kind=BlockKind.SECTION, title=name)

    stored = make_norm("N-1", section("hechos", "Uno."), section("fallo", "Dos."))
    given = make_norm("N-1", section("hechos", "Uno."), section("fallo", "Tres."))
    made = reworded(stored, given, SINCE)
    assert [len(block.versions) for block in made.blocks] == [1, 2]


def test_a_text_of_the_boe_brings_its_own_days():
    given = make_norm("N-1", make_block("1", make_version("Otro.", amended_by="BOE-A-2001-1")))
    assert asks_since(STORED, GIVEN)
    assert not asks_since(STORED, given)
    assert not asks_since(given, GIVEN)
    assert not asks_since(None, GIVEN)
