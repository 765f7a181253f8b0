"""Learn `rag/answers/selection.toml`: `python -m lab selection [--write]`.

Needs a home with the real norms (ARTICULADO_HOME). Each question of `lab.training.questions.broad` is asked
up to the assessment; a passage of its context that shares text with a labelled stretch of the law is right,
the others are wrong. Two logistic regressions: by words over all passages, and with meaning over those whose
meaning is compared. Cross-validation leaves out whole norms (a question of several goes with its first), as
for the law that somebody loads; it prints how often the first passage is right, which share of the chosen
ones is, and which share of all right ones is chosen. The third part of the file is kept: `lab confidence`
learns it, and is to be run after this and `lab passages`.
"""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from core.clock import today_in_spain
from lab.training.learning import Features, folds, regression
from lab.training.questions import Asked, Stretch, broad, shares_half
from rag.answers.extractive import POOL, by_meaning, likely
from rag.answers.passage_selection import FILE, PARTS, Passage, probability, scored, stretches, weights
from rag.run.pipeline import retrieve
from rag.shared.state import Services, State
from service.config import settings
from service.program import assembly
from text.segmentation import is_row

FOLDS = 5
PENALTY = 3.0
HELP = 0.6
"""Weight of a passage that only completes the answer."""
SECONDS = 60.0
HEADER = """\
# Weight of each feature (`passage_selection.py`) in the logarithm of the odds that a passage belongs to
# the answer, by words alone and by words and meaning. Written by `python -m lab selection --write`.
"""


class Example(NamedTuple):
    """The passages of a question, and the grade of each: 2 = answers, 1 = completes, 0 = neither.

    Attributes:
        norms: those of the labelled stretches, in their order.
    """

    query: str
    passages: Sequence[Passage]
    grades: Sequence[int]
    norms: tuple[str, ...]


def grade(passage: Passage, state: State, labels: Sequence[Stretch]) -> int:
    """Best grade of the labelled stretches that share half of their own text, or of the passage's; or 0."""
    chunk = state.hits[passage.hit].chunk
    start = chunk.start + passage.start
    end = start + len(passage.text)
    grades = (
        int(one["grade"])
        for one in labels
        if (one["norm"], one["block"]) == (chunk.norm_id, chunk.block_id) and shares_half(one, start, end)
    )
    return max(grades, default=0)


async def by_words(services: Services, given: Sequence[Asked]) -> list[Example]:
    """The questions whose context holds a right passage."""
    found = []
    for asked in given:
        state, _ = await retrieve(asked.question, services, today=today_in_spain())
        hits = [(i, hit) for i, hit in enumerate(state.hits) if hit.origin != "reference"]
        query = state.queries[0].text if len(state.queries) == 1 else state.question
        every = scored(query, services.synonyms.expand(query), stretches(hits), services.unseen)
        passages = [one for one in every if not is_row(one.text)]
        grades = [grade(one, state, asked.stretches) for one in passages]
        if any(grades):
            norms = dict.fromkeys(one["norm"] for one in asked.stretches)
            found.append(Example(query, passages, grades, tuple(norms)))
    return found


async def with_meaning(given: Sequence[Example], learned: Features, services: Services) -> list[Example]:
    """The passages of each question whose meaning is compared, with their features of it.

    All questions twice: with every passage, as where the vectors ship, and as for norms that somebody loads,
    with the best POOL by words and a query adapter that has not seen their questions.
    """
    found = []
    for one in given:
        ranked = sorted(one.passages, key=lambda p: -probability(dict(p.features), learned))
        found.append(await meant(one, ranked, services))
        found.append(await meant(one, ranked[:POOL], replace(services, unseen=frozenset(one.norms))))
    return found


async def meant(one: Example, ranked: Sequence[Passage], services: Services) -> Example:
    """The question with those of its passages whose meaning is compared."""
    known = {(p.hit, p.text): value for p, value in zip(one.passages, one.grades, strict=True)}
    pool, _, _ = await by_meaning(one.query, ranked, services, SECONDS)
    return one._replace(passages=pool, grades=[known[p.hit, p.text] for p in pool])


def fit(given: Sequence[Example]) -> dict[str, float]:
    """Weights by name of the features of passages, with the bias."""
    rows = [dict(p.features) for one in given for p in one.passages]
    grades = np.array([value for one in given for value in one.grades])
    return regression(rows, grades > 0, np.where(grades == 1, HELP, 1.0), PENALTY)


def cross_validated(given: Sequence[Example]) -> dict[str, float]:
    """First right, share of right among the chosen, and share of the right that are chosen."""
    part = folds([one.norms[0] for one in given], FOLDS)
    first, chosen, right, wanted = 0, 0, 0, 0
    for number in range(FOLDS):
        learned = fit([one for one, fold in zip(given, part, strict=True) if fold != number])
        for one in (one for one, fold in zip(given, part, strict=True) if fold == number):
            scores = [probability(dict(p.features), learned) for p in one.passages]
            order = sorted(range(len(scores)), key=lambda i: -scores[i])
            kept = likely([scores[i] for i in order])
            first += one.grades[order[0]] > 0
            chosen += kept
            right += sum(one.grades[i] > 0 for i in order[:kept])
            wanted += sum(value > 0 for value in one.grades)
    return {"first right": first / len(given), "precision": right / chosen, "recall": right / wanted}


def write(parts: Mapping[str, Features]) -> None:
    """Write the file; parts that are not given stay."""
    every = {**weights(), **parts}
    text = HEADER + "".join(
        f"\n[{part}]\n" + "".join(f"{name} = {value:.4f}\n" for name, value in every[part].items())
        for part in PARTS
    )
    FILE.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name}")
    options = parser.parse_args()
    with closing(assembly.build(settings())) as program:
        words = asyncio.run(by_words(program.services, broad()))
        meaning = asyncio.run(with_meaning(words, fit(words), program.services))
    parts = {}
    for name, some in {"words": words, "meaning": meaning}.items():
        figures = ", ".join(f"{what} {share:.3f}" for what, share in cross_validated(some).items())
        print(f"{name}: {len(some)} questions, {figures}")
        parts[name] = fit(some)
        print(*(f"{feature} = {value:.4f}" for feature, value in parts[name].items()), sep="\n")
    if options.write:
        write(parts)
