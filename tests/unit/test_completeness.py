"""Odds that an answer tells all, and the confidence that is shown for them."""

import pytest

from rag.answers.completeness import DOUBTS, SHOWN, SURE, Answered, doubt, odds, shown, signals
from rag.answers.confidence import UNSURE, band
from rag.answers.passage_selection import Passage
from rag.shared.cited_answer import Verdict


def passage(score: float, hit: int = 0, start: int = 0) -> Passage:
    return Passage(hit=hit, start=start, text="Treinta días.", score=score)


def answered(first: float, *, left: float = 0.05, rule: float = 0.8, by_meaning: bool = True) -> float:
    pool = [passage(first), passage(left, 1)]
    return odds(signals(pool, 1, rule, by_meaning=by_meaning, amount=1))


def test_a_likelier_passage_and_a_surer_context_make_an_answer_likelier() -> None:
    assert answered(0.9) > answered(0.4) > answered(0.1)
    assert answered(0.6, rule=0.9) > answered(0.6, rule=0.3)


def test_likely_passages_left_out_make_an_answer_less_likely() -> None:
    assert answered(0.6, left=0.05) > answered(0.6, left=0.5)


def test_an_answer_by_words_alone_is_less_likely_than_one_by_meaning() -> None:
    assert answered(0.7) > answered(0.7, by_meaning=False)


def test_only_the_passages_that_are_quoted_count_as_chosen() -> None:
    pool = [passage(0.6), passage(0.3, 1), passage(0.1, 1, 20)]
    found = signals(pool, 2, 0.5, by_meaning=True, amount=1)
    assert found["share"] == pytest.approx(0.9)
    assert found["left"] == pytest.approx(0.1)
    assert (found["margin"], found["sources"], found["kept"]) == (pytest.approx(0.3), 2.0, 2.0)


@pytest.mark.parametrize("likely", [0.0, 0.3, 0.7, 0.79])
def test_odds_that_are_not_sure_are_never_shown_as_high(likely: float) -> None:
    assert shown(likely, Verdict.SUFFICIENT, 0.9) == min(likely, UNSURE)
    assert band(shown(likely, Verdict.SUFFICIENT, 0.9)) != "alta"


def test_a_sure_answer_of_a_whole_context_is_high() -> None:
    assert band(shown(0.95, Verdict.SUFFICIENT, 0.5)) == "alta"
    assert band(shown(SURE, Verdict.SUFFICIENT, 0.5)) == "alta"


def test_of_a_partial_context_the_confidence_is_at_most_that_of_the_assessment() -> None:
    assert shown(0.95, Verdict.PARTIAL, 0.5) == 0.5
    assert shown(0.4, Verdict.PARTIAL, 0.5) == 0.4
    assert band(shown(0.95, Verdict.PARTIAL, 0.95)) == "moderada"


def part(first: float, query: str = "", *, rule: float = 0.9) -> Answered:
    pool = [passage(first), passage(0.0, 1)]
    return Answered(query, signals(pool, 1, rule, by_meaning=True, amount=1))


def test_of_two_questions_the_one_that_is_hardly_answered_is_named() -> None:
    both = [part(0.0, "Requisitos", rule=0.0), part(0.95, "Plazo")]
    assert "«Requisitos»" in doubt("¿Qué forma y requisitos hay?", both, 0.64)
    assert "«" not in doubt("¿Qué?", both, 0.64)


def test_the_question_that_is_hardly_answered_is_named_in_few_words_and_without_its_case() -> None:
    mail = "Estimada Elena: nuestro cliente es conductor. " * 5
    question = "¿Con cuánta antelación tenía que avisarle la empresa del traslado al centro de Zaragoza?"
    for query in (f"{mail}{question}", question, mail):
        parts = [part(0.0, query, rule=0.0), part(0.95, "Plazo")]
        named = doubt(f"{mail}{question} ¿Y qué cobra?", parts, 0.2)
        assert len(named) <= SHOWN
        assert named.endswith("…»")
    assert "«Estimada Elena: nuestro" in named


def test_an_answer_tells_what_most_lowers_its_odds() -> None:
    assert doubt("¿Es válido?", [part(0.2)], 0.64) == "unas 6 de cada 10 respuestas así lo dicen todo"
    assert doubt("¿Es válido?", [part(0.2)], 0.01) == "una de cada 10 respuestas así lo dice todo"
    assert doubt("¿Es válido?", [], 0.64) == DOUBTS["rule"]
