"""Addresses of consolidated texts at the BOE."""

from datetime import date

import pytest

from law.boe_links import as_published, consolidated

DAY = date(2019, 3, 5)
PAGE = "https://www.boe.es/buscar/act.php?id=BOE-A-2031-77"


def test_a_text_is_addressed_at_its_block() -> None:
    assert consolidated("BOE-A-2031-77") == PAGE
    assert consolidated("BOE-A-2031-77", "a10") == f"{PAGE}#a10"


def test_a_text_as_it_was_after_an_update_keeps_its_block() -> None:
    assert as_published(f"{PAGE}#a10", DAY) == f"{PAGE}&tn=1&p=20190305#a10"
    assert as_published(PAGE, DAY) == f"{PAGE}&tn=1&p=20190305"


@pytest.mark.parametrize("url", ["", "https://example.org/x#a1", f"{PAGE}&p=20200101#a1"])
def test_other_addresses_are_left_as_they_are(url: str) -> None:
    assert as_published(url, DAY) == url
