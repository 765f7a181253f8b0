"""Two wordings compared word by word."""

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from law.diff import Change, between, compare, diff, render
from tests.factories import make_block, make_version

TODAY = date(2025, 1, 1)
OLD = "Artículo 48. Suspensión.\n1. El plazo será de diez días.\n2. Nadie trabajará en domingo."
NEW = "Artículo 48. Suspensión.\n1. El plazo será de quince días hábiles.\n2. Nadie trabajará en domingo."
BLOCK = make_block(
    "48",
    make_version(OLD, since="2010-01-01", until="2019-12-31"),
    make_version(NEW, since="2020-01-01", until="2029-12-31"),
    make_version(NEW + "\n3. Nuevo.", since="2030-01-01"),
)


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("", "", ""),
        ("igual", "igual", "igual"),
        ("", "todo nuevo", "{+todo nuevo+}"),
        ("todo viejo", "", "[-todo viejo-]"),
        ("diez días", "quince días", "[-diez -]{+quince +}días"),
        ("el plazo.", "el plazo, salvo pacto.", "el plazo{+, salvo pacto+}."),
        ("1. Uno.\n2. Dos.", "1. Uno.\n2. Dos.\n3. Tres.", "1. Uno.\n2. Dos.{+\n3. Tres.+}"),
        ("a) Uno.\nb) Dos.\nc) Tres.", "a) Uno.\nc) Tres.", "a) Uno.\n[-b) Dos.\n-]c) Tres."),
        (
            "uno dos de tres cuatro",
            "cinco de seis siete ocho",
            "[-uno dos de tres cuatro-]{+cinco de seis siete ocho+}",
        ),
        ("tres de cuatro", "cinco de seis", "[-tres de cuatro-]{+cinco de seis+}"),
        ("ñandú 1.000,50 €", "ñandú 2.000,50 €", "ñandú [-1.000,50 -]{+2.000,50 +}€"),
    ],
)
def test_what_stayed_what_went_and_what_came(before, after, shown):
    assert render(compare(before, after)) == shown


def test_only_what_changed_inside_a_long_text_is_marked():
    marked = [(run.kind, run.text) for run in compare(OLD, NEW) if run.kind is not Change.EQUAL]
    assert marked == [
        (Change.DELETE, "diez días"),
        (Change.INSERT, "quince días hábiles"),
    ]


@given(st.text(alphabet="ab .\n1ñ", max_size=60), st.text(alphabet="ab .\n1ñ", max_size=60))
def test_the_runs_give_both_wordings_back_letter_by_letter(before, after):
    runs = compare(before, after)
    assert "".join(run.text for run in runs if run.kind is not Change.INSERT) == before
    assert "".join(run.text for run in runs if run.kind is not Change.DELETE) == after
    assert all(run.text for run in runs)
    assert all(one.kind is not two.kind for one, two in pairwise(runs))


def test_without_days_it_is_the_wording_in_force_against_the_one_before():
    found = diff("N-1", BLOCK, None, None, TODAY)
    assert (found.before, found.after) == (BLOCK.versions[0], BLOCK.versions[1])
    assert found.changed


def test_days_choose_the_wordings_future_ones_too():
    found = diff("N-1", BLOCK, date(2021, 1, 1), date(2031, 1, 1), TODAY)
    assert render(found.runs).endswith("domingo.{+\n3. Nuevo.+}")


def test_two_days_of_one_wording_differ_in_nothing():
    assert not diff("N-1", BLOCK, date(2021, 1, 1), date(2022, 1, 1), TODAY).changed


def test_before_its_first_day_a_block_has_no_wording():
    found = diff("N-1", BLOCK, date(1999, 1, 1), date(2011, 1, 1), TODAY)
    assert found.before is None
    assert [run.kind for run in found.runs] == [Change.INSERT]


def test_the_first_wording_has_none_before_it():
    block = make_block("1", make_version("Artículo 1.\nTexto.", since="2001-01-01"))
    assert diff("N-1", block, None, None, TODAY).before is None


def test_a_repealed_block_is_compared_up_to_its_last_wording():
    block = make_block("1", make_version("Artículo 1.\nTexto.", since="2001-01-01", until="2002-01-01"))
    assert diff("N-1", block, None, None, TODAY).after == block.versions[0]


def test_any_two_wordings_can_be_compared():
    assert between("N-1", BLOCK, BLOCK.versions[0], BLOCK.versions[2]).label == "48"
