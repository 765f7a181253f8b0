"""Masking, case by case (`tests/data/masking.jsonl`: a text, what of it is masked as what, and why), and what
holds for every text: it comes back to the letter, and nothing is left in it to be masked."""

import json
from pathlib import Path

import pytest

from lab.masking import AUTHORS, sentences
from masking.engine import find
from masking.vault import LITERAL, Vault

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "masking.jsonl").read_text("utf-8").splitlines()
]
SPELLINGS = [case for case in CASES if case["why"].startswith("un identificador, en cada forma")]
TEXTS = [case["text"] for case in CASES]
SENTENCES = [one.text for author in AUTHORS for one in sentences(author)]


def found(text: str) -> list[str]:
    return [f"{span.kind}: {text[span.start : span.end]}" for span in find(text)]


@pytest.mark.parametrize("case", CASES, ids=TEXTS)
def test_a_text_is_masked_as_its_case_says(case: dict[str, list[str]]) -> None:
    assert found(case["text"]) == case["masked"], case["why"]


@pytest.mark.parametrize("frame", ["{}", "dato:{};", "«{}»", "Es {}.\nY sigue."])
def test_an_identifier_is_found_wherever_it_stands(frame: str) -> None:
    for case in SPELLINGS:
        (masked,) = case["masked"]
        assert found(frame.format(masked.partition(": ")[2])) == [masked]


def test_what_is_masked_comes_back_to_the_letter() -> None:
    """All texts in one run, so that no two values may have one placeholder."""
    masked = Vault().mask(TEXTS)
    for text, sent in zip(TEXTS, masked.texts, strict=True):
        # White space within a value is one blank: a line feed would break the JSON that it returns to.
        assert masked.restore(sent).split() == text.split()


def test_what_is_masked_has_nothing_left_to_mask() -> None:
    for text in (*TEXTS, *SENTENCES):
        again = Vault().mask(Vault().mask([text]).texts)
        # The placeholders themselves are replaced, so that nobody can write one of ours.
        assert {mark.partition("_")[0] for mark in again.values} <= {f"[{LITERAL}"}, text
