"""The table of true sentences and lies: its articles are in force, and what a lie invents is in none."""

import json
import re
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.real_law import RealLaw

pytestmark = pytest.mark.corpus

DAY = date(2026, 11, 28)
ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "sentences.jsonl").read_text("utf-8").splitlines()
]
LIES = [row for row in ROWS if not row["true"]]


def lies(kind: str) -> list[Any]:
    return [pytest.param(row, id=row["sentence"][:60]) for row in LIES if row["kind"] == kind]


def cited(law: RealLaw, row: dict[str, Any]) -> str:
    """The wordings in force of the cited blocks, one after the other, with single spaces."""
    blocks = [law.program.services.store.block(*place) for place in row["cites"]]
    versions = [block and block.version_on(DAY) for block in blocks]
    assert all(versions), row["cites"]
    return " ".join(" ".join(version.text for version in versions if version).split())


def test_the_table_has_its_true_sentences_and_its_lies() -> None:
    assert Counter(row["true"] for row in ROWS) == {True: 150, False: 25}
    assert len({row["matter"] for row in ROWS}) == 12
    assert all(row["was"] for row in LIES) and not any(row["was"] for row in ROWS if row["true"])


def test_every_cited_article_is_in_force(real_law: RealLaw) -> None:
    assert all(cited(real_law, row) for row in ROWS)


@pytest.mark.parametrize("row", lies("figure"))
def test_an_invented_figure_stands_in_no_cited_article_nor_in_the_question(
    real_law: RealLaw, row: dict[str, Any]
) -> None:
    known = f"{cited(real_law, row)} {row['question']}".casefold()
    assert any(figure in row["sentence"] for figure in row["figures"])
    assert not [figure for figure in row["figures"] if re.search(rf"\b{re.escape(figure)}\b", known)]


@pytest.mark.parametrize("row", lies("quotation"))
def test_an_invented_quotation_stands_in_no_cited_article(real_law: RealLaw, row: dict[str, Any]) -> None:
    (quotation,) = re.findall("«(.+?)»", row["sentence"])
    assert quotation not in cited(real_law, row)


@pytest.mark.parametrize("row", lies("denial"))
def test_a_denied_clause_stands_in_its_article(real_law: RealLaw, row: dict[str, Any]) -> None:
    assert row["quote"] in cited(real_law, row)
    assert len(row["quote"].split()) <= 12
