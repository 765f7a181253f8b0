"""The labels of our evaluation set against the real norms: each article was in force on the day asked for."""

from datetime import date
from functools import cache

import pytest

from law.labels import is_gone
from law.norms import Block, BlockVersion
from loading.formats import load
from rag.evaluation.cases import Case, read_dataset
from tests.conftest import BOE, ROOT

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.slow,
    pytest.mark.skipif(not BOE.is_dir(), reason="the real norms (../shared/boe) are not here"),
]

TODAY = date(2026, 11, 21)
CASES = [
    case
    for name in ("core", "law")
    for case in read_dataset(ROOT / "data" / "evaluation" / f"{name}.jsonl").cases
]
LABELLED = [case for case in CASES if case.relevant]
TEMPORAL = [case for case in CASES if case.expected_as_of]


@cache
def blocks(norm: str) -> dict[str, list[Block]]:
    found: dict[str, list[Block]] = {}
    for document in load(BOE / norm):
        for block in document.blocks:
            if block.label:
                found.setdefault(block.label, []).append(block)
    return found


def wordings(norm: str, article: str, day: date) -> list[BlockVersion]:
    versions = (block.wording_on(day) for block in blocks(norm).get(article, []))
    return [version for version in versions if version is not None]


def plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def holds(case: Case, words: str, day: date) -> bool:
    texts = (plain(v.text) for label in case.relevant for v in wordings(label.norm, label.article, day))
    return any(plain(words) in text for text in texts)


@pytest.mark.parametrize("case", LABELLED, ids=lambda case: case.id)
def test_every_labelled_article_exists_and_is_in_force_on_the_day(case: Case) -> None:
    day = case.expected_as_of or case.as_of or TODAY
    for label in case.relevant:
        assert (BOE / label.norm).is_dir()
        assert wordings(label.norm, label.article, day), f"{label.article} is not in force on {day}"


@pytest.mark.parametrize("case", LABELLED, ids=lambda case: case.id)
def test_no_labelled_article_is_one_that_only_says_that_it_is_repealed(case: Case) -> None:
    day = case.expected_as_of or case.as_of or TODAY
    for label in case.relevant:
        for version in wordings(label.norm, label.article, day):
            lines = [line for line in version.text.splitlines() if line.strip()]
            assert not is_gone(lines[-1]) or len(lines) > 2


@pytest.mark.parametrize("case", TEMPORAL, ids=lambda case: case.id)
def test_the_words_of_a_temporal_case_stand_in_the_wording_of_its_day_and_not_in_todays(case: Case) -> None:
    assert case.expected_as_of is not None
    for words in case.must_contain:
        assert holds(case, words, case.expected_as_of)
        assert not holds(case, words, TODAY)
