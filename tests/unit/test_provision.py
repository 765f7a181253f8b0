"""The units of a wording: the cases of tests/cases/provisions.md, and what is true of every wording."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from law.provision import Kind, Provision, Unit
from law.provision_reading import read_provision
from loading.formats import discover, load
from tests.case_files import texts

CASES = texts("provisions")


def told(provision: Provision) -> list[str]:
    """The units as the cases write them."""
    found = []
    for part in provision.parts:
        for block in provision.blocks:
            if part.start <= block.start < part.end:
                lead = f" ← {provision.said(block.lead)}" if block.lead else ""
                found += [
                    f"{part.label} {one.kind}: {provision.said(one)}{lead}".strip() for one in block.children
                ]
    return found


@pytest.mark.parametrize(("text", "units"), [one[1:] for one in CASES], ids=[one[0] for one in CASES])
def test_a_text_is_read_into_the_units_that_a_lawyer_sees(text: str, units: list[str]) -> None:
    assert told(read_provision(text)) == units


def check(text: str) -> None:
    """Units nest and are ordered, those without others cover the text, and marks begin numbered units."""
    provision = read_provision(text)
    check_inside(provision.units, 0, len(text))
    for spans in (provision.sentences, provision.parts):
        ends = [(0, 0), *((one.start, one.end) for one in spans), (len(text), len(text))]
        assert not any(text[before:start].strip() for (_, before), (start, _) in pairwise(ends))
    assert all(provision.said(block.lead).endswith(":") for block in provision.blocks if block.lead)


def check_inside(units: Sequence[Unit], start: int, end: int) -> None:
    for unit in units:
        assert start <= unit.start < unit.end <= end
        start = unit.end
        if unit.children:
            assert (unit.start, unit.end) == (unit.children[0].start, unit.children[-1].end)
            check_inside(unit.children, unit.start, unit.end)
        else:
            assert unit.kind in {Kind.SENTENCE, Kind.LEAD, Kind.HEADER, Kind.DIVIDER, Kind.ROW}


@pytest.mark.parametrize(
    "text",
    ["", " \n\n ", "Sin punto", "Uno. Dos.\n\n  Tres. \u00a0Cuatro…  Cinco", "|||", "| --- |", "1. ", "a)("],
)
def test_any_text_is_covered_by_its_units(text: str) -> None:
    check(text)


def test_every_real_wording_is_covered_by_its_units(boe: Path) -> None:
    documents = [document for path in discover([boe]) for document in load(path)]
    texts = {one.text for document in documents for block in document.blocks for one in block.versions}
    assert len(documents) == 49 and len(texts) > 5000
    for text in texts:
        check(text)
