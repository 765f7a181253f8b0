"""The tables of standards are whole, and every test that they name is there."""

import re
from functools import cache

import pytest

from tests.conftest import ROOT

TABLE = ROOT / "docs" / "security-standards.md"
STATES = {"met", "by design", "partly", "not met", "n/a"}
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
LLM = {f"LLM{number:02}" for number in range(1, 11)}


def lines() -> list[list[str]]:
    """The cells of each line: ids, what is asked, state, tests or reason."""
    rows = [line for line in TABLE.read_text("utf-8").splitlines() if re.match(r"\| [A-Z]+\d", line)]
    return [[cell.strip() for cell in row.strip("| ").split(" | ")] for row in rows]


@cache
def names_in(path: str) -> set[str]:
    file = ROOT / path
    return (
        set(re.findall(r"^\s*(?:async )?def (test_\w+)", file.read_text("utf-8"), re.M))
        if file.exists()
        else set()
    )


def test_every_named_test_exists() -> None:
    named = [pair for line in lines() for pair in NAMED.findall(line[3])]
    assert named
    assert [f"{path}::{name}" for path, name in named if name not in names_in(path)] == []


@pytest.mark.parametrize("line", lines(), ids=lambda line: line[0])
def test_every_line_has_its_test_or_its_reason(line: list[str]) -> None:
    ids, asked, state, held = line
    assert ids and asked and state in STATES
    if state == "met":
        assert NAMED.search(held), "what is met names the test that holds it"
    else:
        assert re.search(r"\w+ \w+", NAMED.sub("", held)), "what is not met says why"


def test_every_risk_of_the_llm_top_ten_has_a_line() -> None:
    assert {line[0] for line in lines() if line[0].startswith("LLM")} == LLM
