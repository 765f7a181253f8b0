"""Which apartados a part of an article holds."""

import pytest

from law.labels import holds_apartado


@pytest.mark.parametrize(
    ("apartados", "wanted"),
    [
        ("4", "4"),
        ("1-3", "2"),
        ("1-3", "3.b"),
        ("4 bis", "4 bis"),
        ("3-4 bis", "4"),
        ("3-4 bis", "4 bis"),
        ("4-4 bis", "4"),
        ("3-5", "4 bis"),
        ("4 bis-4 quater", "4 ter"),
        ("4 undecies", "4 undecies"),
        ("9-11", "10"),
        ("a-c", "a"),
    ],
)
def test_a_part_holds_an_apartado_within_its_range(apartados, wanted):
    assert holds_apartado(apartados, wanted)


@pytest.mark.parametrize(
    ("apartados", "wanted"),
    [
        ("4", "4 bis"),
        ("4 bis", "4"),
        ("1-4", "4 bis"),
        ("4 bis-6", "4"),
        ("1-3", "4"),
        ("2-9", "10"),
        ("", "1"),
        ("b-c", "a"),
        ("a", "1"),
        ("1", "a"),
        ("1-3", None),
        ("1-3", ""),
        ("", ""),
    ],
)
def test_a_part_does_not_hold_what_stands_in_another(apartados, wanted):
    assert not holds_apartado(apartados, wanted)
