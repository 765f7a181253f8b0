"""Measurement of cases, run through the pipeline up to the assessment, or to the verified answer.

Cases with facts or words to quote, and those that must be refused, go all the way: their measure is the
answer.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

from law.labels import fold
from rag.evaluation.cases import Case
from rag.evaluation.facts_told import cited_checks, told, warned
from rag.evaluation.labelled_articles import EvaluatedCorpus
from rag.evaluation.metrics import (
    Key,
    hit_at_k,
    ndcg_at_k,
    precision_at_k,
    recall_at_k,
    reciprocal_rank,
)
from rag.evaluation.results import Aids, AnswerTold, CaseResult, Found, Label
from rag.run.pipeline import retrieve
from rag.shared.cited_answer import Verdict
from rag.shared.hits import Hit
from rag.shared.state import EVERY_NORM, Services, State
from rag.shared.trace import Trace
from text.textnorm import comparable_text

RECALLS = (1, 3, 5, 10, 30)
SHOWN = 10
GOOD_PLACE = 3

OnResult = Callable[[int, CaseResult, Trace], None]


async def evaluate(
    cases: Sequence[Case],
    services: Services,
    *,
    today: date,
    aids: Aids = Aids.ALL,
    on_result: OnResult = lambda position, result, trace: None,
) -> list[CaseResult]:
    """Results of the cases, run one after another.

    Args:
        aids: the search aids used, which tells how well documents without any are found.
        on_result: called after each case with its place (from 0), its result and its trace.

    Raises:
        RunFailed: the corpus itself cannot be read.
    """
    corpus = EvaluatedCorpus(services.store)
    results = []
    for position, case in enumerate(cases):
        result, trace = await _one(case, with_aids(services, case, aids), corpus, today)
        results.append(result)
        on_result(position, result, trace)
    return results


def with_aids(services: Services, case: Case, aids: Aids) -> Services:
    """The services as a case uses them; without the aids of its norms, what they taught is left out too.

    Vectors of passages are made of whatever is loaded.
    """
    if aids is Aids.ALL:
        return services
    without = EVERY_NORM if aids is Aids.NONE else case.norms
    return replace(services, without_aids=without, unseen=case.norms)


async def _one(
    case: Case, services: Services, corpus: EvaluatedCorpus, today: date
) -> tuple[CaseResult, Trace]:
    clock = time.perf_counter()
    state, trace = await retrieve(
        case.question,
        services,
        as_of=case.as_of,
        today=today,
        history=case.history,
        answered=case.told,
    )
    elapsed = (time.perf_counter() - clock) * 1000
    hits = corpus.keys(state.ranked)
    ranking = list(hits)
    grades = {(r.norm, r.article): r.grade for r in case.relevant}
    scores = _scores(ranking, grades) if grades else {}
    answer = told(case, state) if state.answer else None
    warning = warned(state) if case.expect == "warned" else None
    result = CaseResult(
        id=case.id,
        question=case.question,
        category=case.category,
        history=case.history,
        answerable=case.answerable,
        held=corpus.can_answer(case),
        labels=tuple(
            Label(
                norm=r.norm,
                article=r.article,
                grade=r.grade,
                held=corpus.holds(r),
                rank=ranking.index(key) + 1 if (key := (r.norm, r.article)) in hits else None,
            )
            for r in case.relevant
        ),
        found=tuple(
            Found(rank=rank, norm=norm, article=article, name=hit.chunk.name, score=_score(hit))
            for rank, ((norm, article), hit) in enumerate(list(hits.items())[:SHOWN], start=1)
        ),
        refused=_refused(state),
        confidence=state.rule_confidence if state.answer is None else state.answer.confidence,
        as_of=state.as_of,
        expected=_expected(case),
        scores=scores,
        checks={"refusal": bool(warning) or _refused(state) != case.answerable}
        | _checks(case, state, scores, answer)
        | (cited_checks(case, corpus.cited(state.answer)) if state.answer else {})
        | _dated(case, state, corpus, today),
        fallbacks=tuple(record.fallback for record in trace.stages if record.fallback),
        elapsed_ms=round(elapsed, 1),
        told=answer,
        warned=warning,
    )
    return result, trace


def _score(hit: Hit) -> float:
    """The score that last ranked the hit, to 6 decimals: the reranker's, else the search's."""
    return round(hit.score if hit.rerank is None else hit.rerank, 6)


def _expected(case: Case) -> dict[str, str]:
    wanted = {
        "territory": case.territory,
        "as_of": case.expected_as_of.isoformat() if case.expected_as_of else "",
        "must_contain": " · ".join(case.must_contain),
        "quoted": " · ".join(case.must_contain),
        "not_quoted": " · ".join(case.must_not_contain),
        "forbidden": " · ".join(case.forbidden),
        "yes_no": case.yes_no or "",
        "surplus": " · ".join(f"{one.norm} {one.article}" for one in case.surplus),
        "cited": " · ".join(f"{one.norm} {one.article}" for one in case.relevant) if case.must_cite else "",
    }
    return {name: value for name, value in wanted.items() if value}


def _refused(state: State) -> bool:
    """The refusal of the answer, or of the assessment if the run ended there."""
    return state.verdict is Verdict.INSUFFICIENT if state.answer is None else state.answer.refusal


def _checks(case: Case, state: State, scores: dict[str, float], answer: AnswerTold | None) -> dict[str, bool]:
    checks = {}
    if scores and case.answerable:
        checks["retrieval"] = scores[f"hit@{GOOD_PLACE}"] == 1.0
    if case.territory:
        place = state.understanding.territory
        names = [fold(name) for name in place.names] if place else []
        checks["territory"] = fold(case.territory) in names
    if case.must_contain:
        texts = [comparable_text(hit.chunk.text) for hit in state.hits]
        checks["must_contain"] = all(
            any(comparable_text(words) in text for text in texts) for words in case.must_contain
        )
    if answer is not None:
        if case.must_contain:
            checks["quoted"] = not answer.lacking
        if case.must_not_contain:
            checks["not_quoted"] = not answer.astray
        if case.facts:
            checks["facts"] = all(fact.told for fact in answer.facts)
        if case.forbidden:
            checks["forbidden"] = not answer.forbidden
        if case.yes_no and answer.yes_no:
            checks["yes_no"] = answer.yes_no == case.yes_no
    return checks


def _dated(case: Case, state: State, corpus: EvaluatedCorpus, today: date) -> dict[str, bool]:
    """The day applied: the one expected, or another that the question gave and on which the law is the same.

    «En noviembre de 2022» names no day; any day of it will do while the articles did not change.
    """
    expected, applied = case.expected_as_of, state.as_of
    if expected is None:
        return {}
    given = applied != today and corpus.reads_the_same(case, expected, applied)
    return {"as_of": applied == expected or given}


def _scores(ranking: Sequence[Key], grades: dict[Key, int]) -> dict[str, float]:
    return {f"recall@{k}": recall_at_k(ranking, grades, k) for k in RECALLS} | {
        "hit@1": hit_at_k(ranking, grades, 1),
        "hit@3": hit_at_k(ranking, grades, GOOD_PLACE),
        "precision@3": precision_at_k(ranking, grades, 3),
        "mrr@10": reciprocal_rank(ranking, grades, 10),
        "ndcg@10": ndcg_at_k(ranking, grades, 10),
    }
