"""The worth of a rule: how it is switched off, where it does something, and what is told of the answers."""

import re
from typing import Any

import pytest

from lab.ablate import Asked, compared, drawn, watched, without
from lab.rules import RULES, gives, off
from rag.answers import extractive
from rag.evaluation.cases import Case


def answer(text: str, *facts: bool, first: bool = True) -> Asked:
    return Asked(text, (), {str(n): one for n, one in enumerate(facts)}, first, True, {})


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_off_while_it_is_ablated_and_on_again_afterwards(rule: str) -> None:
    before = [getattr(one.module, one.name) for one in RULES[rule]]
    with without(rule):
        assert [getattr(one.module, one.name) for one in RULES[rule]] == [one.instead for one in RULES[rule]]
    assert [getattr(one.module, one.name) for one in RULES[rule]] == before


def test_what_a_rule_gives_while_it_is_off_is_new_each_time() -> None:
    made = gives(list)
    assert made(1, two=2) == [] and made() is not made()
    with without("companions"):
        assert extractive.companion_passages([], [], "¿?") == []


def test_a_rule_reaches_a_question_where_it_gives_something_else_than_while_it_is_off(monkeypatch) -> None:
    monkeypatch.setattr(extractive, "asked_list", lambda *found: [*found], raising=True)
    monkeypatch.setattr(extractive, "BY_WORDS", re.compile("faro"))
    monkeypatch.setitem(RULES, "one", (off("rag.answers.extractive.asked_list", "list"),))
    monkeypatch.setitem(RULES, "two", (off("rag.answers.extractive.BY_WORDS", "never"),))
    reached: set[str] = set()

    def asked(*found: Any) -> object:
        return extractive.asked_list(*found)

    with watched(["one", "two"], reached):
        assert asked() == []
        assert extractive.BY_WORDS.sub("", "la torre") == "la torre"
        assert not reached
        assert asked(1) == [1]
        assert reached == {"one"}
        assert extractive.BY_WORDS.sub("", "el faro") == "el "
    assert reached == {"one", "two"}


def test_changed_answers_and_what_is_gained_and_lost_are_counted() -> None:
    pairs = [
        (answer("a", True, True), answer("a", True, True)),
        (answer("b", False), answer("B", True, first=False)),
        (answer("c", True), answer("C", False)),
    ]
    assert compared("x", pairs).split() == [
        "x",
        "3",
        "2",
        "+1",
        "−1",
        "+0",
        "−1",
        "+0",
        "−0",
        "+0",
        "−0",
        "0",
    ]


def test_the_same_questions_are_drawn_each_time(tmp_path) -> None:
    cases = [Case(id=str(n), question=f"¿{n}?") for n in range(40)]
    file = tmp_path / "cases.jsonl"
    file.write_text("\n".join(one.model_dump_json() for one in cases), "utf-8")
    found = drawn([file], 7)
    assert len(found) == 7
    assert found == drawn([file], 7)
    assert drawn([file], 0) == cases
