"""Training questions as people ask them, in their two parts."""

from scripts import people


def test_what_teaches_the_order_has_not_taught_the_adapter() -> None:
    adapter = {question for question, _, _ in people.for_adapter()}
    order = [question for question, _ in people.for_order()]
    assert order and not adapter & set(order)
    assert order == [question for question, _ in people.passages_for_order()]
    assert {question for question, _ in people.passages_for_adapter()} < adapter


def test_the_stretches_of_a_question_lie_in_the_provisions_that_answer_it() -> None:
    right = dict(people.for_order())
    for question, stretches in people.passages_for_order():
        best = {(one["norm"], one["block"]) for one in stretches if one["grade"] == 2}
        assert best == set(right[question]), question
        assert all(0 <= one["start"] < one["end"] for one in stretches)


def test_no_question_is_asked_twice() -> None:
    broad = [question for question, _ in (*people.passages_for_order(), *people.passages_for_adapter())]
    assert len(set(broad)) == len(broad)
