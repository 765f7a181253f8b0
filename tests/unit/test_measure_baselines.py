"""Baselines of search: plain BM25, and the table of the figures."""

from rag.evaluation.cases import Case, Relevant
from scripts.measure_baselines import bm25, lines, measured


def case(norm: str, article: str = "1") -> Case:
    relevant = (Relevant(norm=norm, article=article, grade=2),)
    return Case(id=norm, question="¿?", category=norm, relevant=relevant)


def test_a_rare_word_counts_more_than_a_common_one_and_a_short_text_more_than_a_long_one() -> None:
    texts = [
        "la jornada del zurriburri",
        "la jornada del trabajador",
        "la jornada del zurriburri con otras muchas palabras que no dicen nada de ello",
        "el salario",
    ]
    [scores] = bm25(["jornada del zurriburri"], texts)
    assert scores[0] > scores[2] > scores[1] > scores[3] == 0


def test_a_norm_on_which_the_program_is_below_a_baseline_is_named() -> None:
    right, wrong = [("a", "1")], [("x", "1")]
    cases = [case("a"), case("b")]
    ways = {
        "program": [measured(right, cases[0]), measured(wrong, cases[1])],
        "BM25": [measured(wrong, cases[0]), measured([("b", "1")], cases[1])],
    }
    shown = lines(cases, ways)
    assert shown[1].split() == ["a", "1", "1.00", "/", "1.00", "0.00", "/", "0.00"]
    assert shown[3].split()[:2] == ["all", "2"]
    assert "program ÷ BM25, hit@3: 1.00; below on 1 of 2 b" in shown
