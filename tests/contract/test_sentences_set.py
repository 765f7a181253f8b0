"""The table of true sentences and lies: its articles are in force, and what a lie invents is in none."""

import json
import re
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.real_law import RealLaw
from text.figures import unsupported_figures

pytestmark = pytest.mark.corpus

DAY = date(2026, 11, 28)
DATA = Path(__file__).parents[1] / "data"
SETS = {
    name: [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]
    for name in ("sentences.jsonl", "sentences_of_another.jsonl")
}
ROWS = [row for rows in SETS.values() for row in rows]
LIES = [row for row in ROWS if not row["true"]]


def lies(kind: str) -> list[Any]:
    return [pytest.param(row, id=row["sentence"][:60]) for row in LIES if row["kind"] == kind]


def cited(law: RealLaw, row: dict[str, Any]) -> str:
    """The wordings in force of the cited blocks, or their last ones: a comparison cites what was before."""
    blocks = [law.program.services.store.block(*place) for place in row["cites"]]
    versions = [block and (block.wording_on(DAY) or block.versions[-1]) for block in blocks]
    assert all(versions), row["cites"]
    return " ".join(" ".join(version.text for version in versions if version).split())


def test_the_tables_have_their_true_sentences_and_their_lies() -> None:
    counts = [Counter(row["true"] for row in rows) for rows in SETS.values()]
    assert counts == [{True: 150, False: 25}, {True: 60, False: 40}]
    assert len({row["matter"] for row in SETS["sentences.jsonl"]}) == 12
    assert all(row["was"] for row in LIES) and not any(row["was"] for row in ROWS if row["true"])


def test_every_cited_article_is_there(real_law: RealLaw) -> None:
    assert all(cited(real_law, row) for row in ROWS)


@pytest.mark.parametrize("row", lies("figure"))
def test_an_invented_figure_stands_in_no_cited_article_nor_in_the_question(
    real_law: RealLaw, row: dict[str, Any]
) -> None:
    texts = [cited(real_law, row), row["question"]]
    assert unsupported_figures(row["sentence"], texts)
    for figure in row.get("figures", ()):
        assert not re.search(rf"\b{re.escape(figure)}\b", " ".join(texts).casefold())


@pytest.mark.parametrize("row", lies("quotation"))
def test_an_invented_quotation_stands_in_no_cited_article(real_law: RealLaw, row: dict[str, Any]) -> None:
    (quotation,) = re.findall("«(.+?)»", row["sentence"])
    assert quotation not in cited(real_law, row)


@pytest.mark.parametrize("row", lies("denial"))
def test_a_denied_clause_stands_in_its_article(real_law: RealLaw, row: dict[str, Any]) -> None:
    assert row["quote"] in cited(real_law, row)
    assert len(row["quote"].split()) <= 12
