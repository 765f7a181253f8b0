"""The worth of a rule: how it is switched off, and what is told of the answers with it and without."""

import pytest

from lab.ablate import RULES, compared, drawn, gives, without
from rag.answers import extractive
from rag.evaluation.cases import Case, Fact
from rag.evaluation.results import AnswerTold, CaseResult, FactTold


def result(text: str, *facts: bool) -> CaseResult:
    told = AnswerTold(
        text=text,
        facts=tuple(FactTold(fact="x", told=one, miss=None) for one in facts),
        quotes=0,
        carrying=0,
    )
    return CaseResult.model_construct(told=told)


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


def test_changed_answers_and_facts_gained_and_lost_are_counted() -> None:
    whole = [result("a", True, True), result("b", False), result("c", True)]
    rest = [result("a", True, True), result("B", True), result("C", False)]
    assert compared("x", whole, rest).split()[:6] == ["x", "2", "1", "1", "0.667", "+0.000"]


def test_the_same_questions_with_facts_are_drawn_each_time(tmp_path) -> None:
    fact = Fact(fact="x", any_of=("x",))
    cases = [Case(id=str(n), question=f"¿{n}?", facts=(fact,) * (n % 2)) for n in range(40)]
    file = tmp_path / "cases.jsonl"
    file.write_text("\n".join(one.model_dump_json() for one in cases), "utf-8")
    found = drawn([file], 7)
    assert len(found) == 7 and all(one.facts for one in found)
    assert found == drawn([file], 7)
