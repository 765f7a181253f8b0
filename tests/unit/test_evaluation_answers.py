"""Evaluation to the verified answer: facts told, misses by stage, and confidence against truth."""

from datetime import date
from typing import Any

import pytest

from commands.output import print_evaluation
from rag.evaluation.cases import Case
from rag.evaluation.facts_told import comparable_text, direct, told
from rag.evaluation.measurement import evaluate
from rag.evaluation.reliability import bins, calibration_error, risk_coverage
from rag.evaluation.report import report, summarise
from rag.evaluation.results import Aids, AnswerTold, CaseResult, FactTold, Miss
from rag.shared.cited_answer import Answer
from rag.shared.state import State
from tests.case_files import pairs

QUESTION = "¿Cuántos días de vacaciones tengo?"
TODAY = date(2026, 6, 1)


async def measured(program: Any, **fields: Any) -> CaseResult:
    case = Case.model_validate({"id": "a", "question": QUESTION} | fields)
    return (await evaluate([case], program.services, today=TODAY))[0]


def fact(*strings: str, **fields: Any) -> dict[str, Any]:
    return {"fact": "Un hecho.", "any_of": strings} | fields


async def test_a_fact_is_told_by_a_quotation_without_regard_to_case_and_accents(program: Any) -> None:
    result = await measured(program, facts=[fact("TREINTA Y UN DIAS naturales")])
    assert result.told is not None
    assert [one.told for one in result.told.facts] == [True]
    assert (result.told.quotes >= result.told.carrying >= 1, result.checks["facts"]) == (True, True)
    assert result.answerable


async def test_a_fact_said_in_other_words_is_told_and_no_quotation_carries_it(program: Any) -> None:
    result = await measured(program, facts=[fact("no está en la ley", also=["vacaciones"])])
    assert result.told is not None
    assert result.told.facts[0].told


@pytest.mark.parametrize(
    ("fields", "miss"),
    [
        ({"facts": [fact("no hay palabras así")]}, Miss.RETRIEVAL),
        ({"facts": [fact("se disfrutarán conforme a la norma anterior")]}, Miss.SENTENCE),
        (
            {"question": "¿Qué tiempo hará mañana en Cuenca?", "facts": [fact("no hay palabras así")]},
            Miss.RETRIEVAL,
        ),
    ],
)
async def test_a_fact_that_is_not_told_is_put_down_to_a_stage(
    program: Any, fields: dict[str, Any], miss: Miss
) -> None:
    result = await measured(program, **fields)
    assert result.told is not None
    assert [one.miss for one in result.told.facts] == [miss]
    assert result.checks["facts"] is False
    assert not result.right


async def test_what_a_right_answer_must_not_say_is_found_in_its_quotations(program: Any) -> None:
    said = await measured(
        program, facts=[fact("treinta y un días")], forbidden=["treinta y un días", "cuarenta"]
    )
    assert said.told is not None
    assert (said.told.forbidden, said.checks["forbidden"]) == (("treinta y un días",), False)


async def test_the_wording_of_a_date_is_looked_for_in_the_quotations_and_apart_in_what_would_be_read(
    program: Any,
) -> None:
    read_only = "se disfrutarán conforme a la norma anterior"
    result = await measured(
        program, must_contain=read_only, must_not_contain=["TREINTA Y UN DIAS", "cuarenta"]
    )
    assert result.told is not None
    assert (result.checks["must_contain"], result.checks["quoted"]) == (True, False)
    assert (result.checks["not_quoted"], result.told.astray) == (False, ("TREINTA Y UN DIAS",))
    assert not result.right
    right = await measured(program, must_contain="treinta y un días", must_not_contain=read_only)
    assert (right.checks["quoted"], right.checks["not_quoted"]) == (True, True)


async def test_a_question_about_a_day_without_law_may_be_refused_or_answered_with_a_warning(
    program: Any,
) -> None:
    asked = {"question": "¿Cuántos días de vacaciones había el 3 de mayo de 1970?", "expect": "warned"}
    early = await measured(program, **asked)
    assert (early.refused, early.warned, early.checks["refusal"]) == (False, True, True)
    today = await measured(program, expect="warned")
    assert (today.refused, today.warned, today.checks["refusal"]) == (False, False, False)
    off = await measured(program, question="¿Qué tiempo hará mañana en Cuenca?", expect="warned")
    assert (off.refused, off.checks["refusal"]) == (True, True)
    metrics = summarise([early, today, off]).metrics
    assert metrics["refused_or_warned"] == pytest.approx(2 / 3, abs=1e-4)
    assert "refused" not in metrics


async def test_an_answer_opens_with_what_decides_if_its_first_quotation_has_the_first_fact(
    program: Any,
) -> None:
    facts = [fact("treinta y un días"), fact("no hay palabras así")]
    opens = await measured(program, facts=facts, yes_no="sí")
    later = await measured(program, facts=facts[::-1], yes_no="sí")
    neither = await measured(program, facts=facts)
    assert [one.told and one.told.opens for one in (opens, later, neither)] == [True, False, None]
    found = summarise([opens, later, neither])
    assert (found.metrics["opens_with_fact"], found.counts["opens_with_fact"]) == (0.5, 2)


@pytest.mark.parametrize(
    ("answer", "opens"),
    [
        ("**Ley.** «Son nulos:» «a) Los pactos verbales.» [C1]\n\n**Ley.** «Rige.» [C2]", True),
        ("**Ley.** «Rige.» [C2]\n\n**Ley.** «Son nulos:» «a) Los pactos verbales.» [C1]", False),
    ],
)
def test_an_answer_opens_with_a_letter_that_stands_behind_its_announcement(answer: str, opens: bool) -> None:
    case = Case.model_validate(
        {"id": "a", "question": QUESTION, "facts": [fact("los pactos verbales")], "yes_no": "no"}
    )
    source = {"marker": "C1", "source": "Ley"}
    quotes = ("Son nulos:", "a) Los pactos verbales.")
    state = State(QUESTION, TODAY)
    state.answer = Answer.model_validate(
        {"answer": answer, "citations": [source | {"quote": one, "verified": True} for one in quotes]}
    )
    assert told(case, state).opens is opens


async def test_a_case_without_facts_ends_at_the_assessment_and_one_to_be_refused_goes_on(
    program: Any,
) -> None:
    stages = []
    cases = [
        Case.model_validate(one)
        for one in (
            {"id": "a", "question": QUESTION, "relevant": [{"norm": "X-LTF", "article": "2"}]},
            {"id": "b", "question": QUESTION, "expect": "refused"},
        )
    ]
    await evaluate(
        cases, program.services, today=TODAY, on_result=lambda *seen: stages.append(seen[2].stages[-1].name)
    )
    assert stages == ["assess", "verify"]


async def test_without_labels_the_sources_of_the_facts_are_the_norms_asked_about(program: Any) -> None:
    source = {"norm": "X-LTF", "article": "2"}
    case = Case.model_validate({"id": "a", "question": QUESTION, "facts": [fact("treinta", source=[source])]})
    assert case.norms == {"X-LTF"}
    [result] = await evaluate([case], program.services, today=TODAY, aids=Aids.MIXED)
    assert result.held
    away = case.model_copy(update={"facts": (case.facts[0].model_copy(update={"source": ()}),)})
    assert away.norms == frozenset()


@pytest.mark.parametrize(("answer", "expected"), pairs("direct_answers"))
def test_the_direct_answer_is_the_word_that_opens_it(answer: str, expected: str) -> None:
    assert direct(answer) == (expected or None)


def test_texts_are_compared_without_punctuation_but_with_figures_whole() -> None:
    assert comparable_text("«Treinta y tres  (33) DÍAS», 1.000,50 €;") == "treinta y tres 33 dias, 1.000,50 €"
    assert comparable_text("art. 48.4 – ¿sí?") == "art. 48.4 si"


# Confidence against truth


def answered(confidence: float, *told: bool, **fields: Any) -> CaseResult:
    """A case that was answered with `confidence`; each of `told` is a fact."""
    facts = tuple(FactTold(fact="f", told=one, miss=None if one else Miss.SENTENCE) for one in told)
    base = {
        "id": "a",
        "question": "¿?",
        "category": "plain",
        "answerable": True,
        "refused": False,
        "confidence": confidence,
        "as_of": TODAY,
        "checks": {"refusal": True, "facts": all(told)},
        "told": AnswerTold(text="", facts=facts, quotes=2, carrying=sum(told[:2])),
    }
    return CaseResult.model_validate(base | fields)


def refused(answerable: bool) -> CaseResult:
    return answered(0.0, False, answerable=answerable, refused=True, checks={"refusal": not answerable})


GIVEN = [answered(0.95, True), answered(0.91, False), answered(0.72, True, True), answered(0.4, True, False)]


def test_the_calibration_error_is_the_weighted_distance_of_the_bins() -> None:
    found = bins(GIVEN)
    assert [(round(one.confidence, 2), one.right, one.answers) for one in found] == [
        (0.4, 0.0, 1),
        (0.72, 1.0, 1),
        (0.93, 0.5, 2),
    ]
    assert calibration_error(GIVEN) == pytest.approx((0.4 + 0.28 + 2 * 0.43) / 4)
    assert calibration_error([]) == 0.0


def test_risk_and_coverage_fall_together_and_equal_confidences_are_one_point() -> None:
    points = risk_coverage([*GIVEN, answered(0.4, False), refused(True)])
    assert [(round(p.coverage, 3), round(p.risk, 3)) for p in points] == [
        (round(1 / 6, 3), 0.0),
        (round(2 / 6, 3), 0.5),
        (0.5, round(1 / 3, 3)),
        (round(5 / 6, 3), 0.6),
    ]


def test_the_summary_has_facts_confidence_and_refusals() -> None:
    metrics = summarise([*GIVEN, refused(False), refused(True)]).metrics
    assert metrics["facts_told"] == pytest.approx((1 + 0 + 1 + 0.5 + 0 + 0) / 6, abs=1e-4)
    assert (metrics["high"], metrics["high_right"]) == (0.75, pytest.approx(2 / 3, abs=1e-4))
    assert metrics["brier"] == pytest.approx((0.05**2 + 0.91**2 + 0.28**2 + 0.4**2) / 4, abs=1e-4)
    assert (metrics["refused"], metrics["refused_rightly"]) == (1.0, 0.5)
    assert metrics["refusal_f1"] == pytest.approx(2 / 3, abs=1e-4)
    assert metrics["ece"] > 0


def test_cases_without_facts_have_none_of_these_measures() -> None:
    plain_case = answered(0.9, told=None, checks={"refusal": True})
    assert not {"facts_told", "ece", "brier", "high"} & set(summarise([plain_case]).metrics)


def test_how_many_answers_open_with_yes_or_no_is_told_beside_how_many_of_them_are_right() -> None:
    said = AnswerTold(text="", facts=(FactTold(fact="f", told=True),), yes_no="sí", opens=True)
    silent = said.model_copy(update={"yes_no": None, "opens": False})
    checks = {"refusal": True, "facts": True}
    cases = [answered(0.5, told=said, checks=checks | {"yes_no": True})]
    cases += [answered(0.5, told=silent, checks=checks)] * 3
    document = report(cases)
    assert (document["metrics"]["yes_no_accuracy"], document["counts"]["yes_no_accuracy"]) == (1.0, 1)
    assert (document["metrics"]["yes_no_said"], document["counts"]["yes_no_said"]) == (0.25, 4)
    shown = print_evaluation(document).splitlines()
    assert next(line for line in shown if line.startswith("yes_no_accuracy")).endswith(" de 1")
    assert next(line for line in shown if line.startswith("opens_with_fact")).endswith(" de 4")


def test_what_the_command_prints_has_the_facts_lost_by_each_stage_and_both_curves() -> None:
    shown = print_evaluation(report([*GIVEN, answered(0.3, False), refused(True)])).splitlines()
    assert [line.split() for line in shown if line.split()[:1] == ["sentence"]] == [["sentence", "4"]]
    assert "Hechos que faltan, por la etapa que los perdió" in shown
    curve = shown.index("Confianza y acierto")
    assert shown[curve + 1].split() == ["0.30", "0.00", "de", "1"]
    risks = shown.index("Respuestas con fallos, si solo se responde a esa parte de las preguntas")
    assert [line.split() for line in shown[risks + 1 : risks + 6]] == [
        ["17%", "0.00", "desde", "0.95"],
        ["33%", "0.50", "desde", "0.91"],
        ["50%", "0.33", "desde", "0.72"],
        ["83%", "0.60", "desde", "0.30"],
        [],
    ]


def test_without_facts_the_command_prints_neither_stages_nor_curves() -> None:
    shown = print_evaluation(report([answered(0.9, told=None, checks={"refusal": True})]))
    assert "Hechos" not in shown
    assert "Confianza" not in shown


def test_the_document_of_a_case_holds_what_its_answer_told() -> None:
    [case] = report([answered(0.9, True, False)])["cases"]
    assert [fact["miss"] for fact in case["told"]["facts"]] == [None, "sentence"]
