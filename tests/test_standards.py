"""The tables of standards are whole, and every test that they name is there."""

import fnmatch
import re
from functools import cache

import pytest

from tests.conftest import ROOT

TABLE = ROOT / "docs" / "security-standards.md"
STATES = {"met", "by design", "partly", "not met", "not examined", "n/a"}
ASVS = (ROOT / "tests" / "cases" / "asvs-5.0-level-2.txt").read_text("utf-8").split()
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


def test_every_requirement_of_asvs_level_two_has_one_line() -> None:
    told = [one for line in lines() for one in line[0].split(", ") if re.match(r"V\d", one)]
    found = [one for pattern in told for one in fnmatch.filter(ASVS, pattern)]
    assert [one for one in ASVS if one not in found] == [], "requirements without a line"
    assert sorted(one for one in set(found) if found.count(one) > 1) == [], "requirements with two lines"
    assert [pattern for pattern in told if not fnmatch.filter(ASVS, pattern)] == [], "lines of no requirement"
