"""The wording in force of each article of the real norms is the last one published that has begun."""

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from tests.real_law import RealLaw

pytestmark = [pytest.mark.corpus, pytest.mark.slow]
TODAY = date(2026, 11, 21)
NOTES = "ancestor::blockquote or starts-with(@class, 'nota')"


def wordings(block: etree._Element) -> Iterator[tuple[str, str]]:
    """Day of publication and letters of each wording that has begun by its own dates."""
    for version in block.findall("version"):
        published = version.get("fecha_publicacion", "")
        said: Any = version.xpath(f".//p[not({NOTES})]")
        text = letters(" ".join("".join(line.itertext()) for line in said))
        if (version.get("fecha_vigencia") or published) <= f"{TODAY:%Y%m%d}" and text:
            yield published, text


def letters(text: str) -> str:
    return re.sub(r"\W+", "", text).casefold()


def test_no_article_is_read_in_a_wording_that_a_later_one_has_replaced(real_law: RealLaw, boe: Path) -> None:
    store, amended, stale = real_law.program.services.store, 0, []
    for file in sorted(boe.glob("*/texto.xml")):
        for block in etree.parse(file).iter("bloque"):
            read = store.block(file.parent.name, block.get("id", ""))
            texts = [text for _, text in sorted(wordings(block), key=lambda one: one[0])]
            current = read.wording_on(TODAY) if read and len(texts) > 1 else None
            if current is None:
                continue
            amended += 1
            if letters(current.text) in texts[:-1] and letters(current.text) != texts[-1]:
                stale.append((file.parent.name, block.get("id"), current.valid_from))
    assert (stale, amended > 500) == ([], True), amended
