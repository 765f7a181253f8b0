"""Training questions in their two parts, with the stretches of the law that answer them."""

from collections.abc import Callable

import pytest

from lab.training.questions import ANSWERS, Asked, Part, people, provisions


@pytest.mark.parametrize("source", [people, provisions])
def test_what_teaches_the_order_has_not_taught_the_adapter(source: Callable[[Part], list[Asked]]) -> None:
    adapter, order = ({one.question for one in source(part)} for part in Part)
    assert adapter and order and not adapter & order


@pytest.mark.parametrize("part", Part)
def test_the_stretches_of_a_question_lie_in_the_provisions_that_answer_it(part: Part) -> None:
    for one in people(part):
        best = {(it["norm"], it["block"]) for it in one.stretches if it["grade"] == ANSWERS}
        assert best == set(one.right), one.question
        assert all(0 <= it["start"] < it["end"] for it in one.stretches)


def test_no_question_is_asked_twice() -> None:
    asked = [one.question for part in Part for one in people(part)]
    assert len(set(asked)) == len(asked)
