"""Learn `rag/answers/passage_gate.npz` and [words] of `selection.toml`: `python -m lab gate [--write]`.

Needs a home with the real norms and all their vectors (ARTICULADO_HOME). Each question of
`lab.training.questions.broad` is asked up to the assessment with all search aids, and one of two also as for
norms that somebody loads: without the aids of its norms, by adapters that have not seen their questions. A
passage of the context that shares text with a labelled stretch of the law is right, the others are wrong.

By words alone a logistic regression decides. The gate is one over all features of the passages beside each
other, and hidden units on top of it, with dropout and AdamW; the loss of a question is the softmax over its
passages (listwise, multiple positives) and the logistic loss of each.

Cross-validation leaves out whole norms (a question of several goes with its first), as for the law that
somebody loads; it prints how often the first passage is right.
"""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression

from core.clock import today_in_spain
from lab.training.learning import Features, Hidden, batches, folds, regression
from lab.training.questions import ANSWERS, Asked, Stretch, broad, shares_half
from rag.answers.passage_gate import Gate, compared, save_gate, scores
from rag.answers.passage_meaning import by_meaning
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
HIDDEN = 48
TOGETHER = 3
"""Networks learned from other beginnings, whose mean is kept."""
DROPPED = 0.2
EPOCHS = 12
BATCH = 16
RATE = 2e-3
DECAY = 1e-2
EACH = 0.25
"""Weight of the logistic loss beside the softmax."""
STEEPEST = 5.0
MEANING = frozenset({"cosine", "cosine_behind", "adapted", "adapted_behind"})
HEADER = """\
# Weight of each feature (`passage_selection.py`) in the logarithm of the odds that a passage belongs to
# the answer, by words alone. Written by `python -m lab gate --write`.
"""


class Example(NamedTuple):
    """The passages of a question, and the grade of each: 2 = answers, 1 = completes, 0 = neither.

    Attributes:
        norm: of its first labelled stretch.
    """

    passages: Sequence[Passage]
    grades: Sequence[int]
    norm: str


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


async def asked(services: Services, given: Sequence[Asked], *, aids: bool) -> list[Example]:
    """The questions whose context holds a right passage, with all passages whose meaning is compared."""
    found = []
    for one in given:
        norms = frozenset(stretch["norm"] for stretch in one.stretches)
        chosen = services if aids else replace(services, without_aids=norms, unseen=norms)
        state, _ = await retrieve(one.question, chosen, today=today_in_spain())
        hits = [(i, hit) for i, hit in enumerate(state.hits) if hit.origin != "reference"]
        query = state.queries[0].text if len(state.queries) == 1 else state.asked
        every = scored(query, chosen.synonyms.expand(query), stretches(hits), chosen.unseen)
        ranked = [passage for passage in every if not is_row(passage.text)]
        pool, made, _ = await by_meaning(query, ranked, chosen, SECONDS)
        grades = [grade(passage, state, one.stretches) for passage in pool]
        if made and any(grades):
            found.append(Example(pool, grades, one.stretches[0]["norm"]))
    return found


def by_words(given: Sequence[Example]) -> dict[str, float]:
    """Weights by name of the features of words, with the bias."""
    every = [dict(passage.features) for one in given for passage in one.passages]
    rows = [{name: value for name, value in row.items() if name not in MEANING} for row in every]
    grades = np.array([value for one in given for value in one.grades])
    return regression(rows, grades > 0, np.where(grades == 1, HELP, 1.0), PENALTY)


def fit(given: Sequence[Example]) -> Gate:
    """The gate that these questions teach."""
    tables = [compared(one.passages) for one in given]
    names = tuple(sorted({name for table in tables for row in table for name in row}))
    values = np.array([[row.get(name, 0.0) for name in names] for table in tables for row in table])
    none = np.zeros(0)
    empty = Gate(
        names, values.mean(0), values.std(0) + 1e-6, none, none, np.zeros((len(names), 0)), none, none
    )
    rows = [empty.table(table) for table in tables]
    grades = [np.array(one.grades) for one in given]
    every = np.concatenate(grades)
    model = LogisticRegression(C=1 / PENALTY, solver="newton-cholesky").fit(
        np.concatenate(rows), every > 0, sample_weight=np.where(every == 1, HELP, 1.0)
    )
    before = [table @ model.coef_[0] + model.intercept_[0] for table in rows]
    units = [_units(rows, before, grades, seed) for seed in range(TOGETHER)]
    return empty._replace(
        direct=model.coef_[0],
        bias=model.intercept_ + np.mean([one.shift for one in units], axis=0),
        inner=np.concatenate([one.inner for one in units], axis=1),
        threshold=np.concatenate([one.threshold for one in units]),
        outer=np.concatenate([one.outer[:, 0] for one in units]) / TOGETHER,
    )


def _units(
    rows: Sequence[np.ndarray], before: Sequence[np.ndarray], grades: Sequence[np.ndarray], seed: int
) -> Hidden:
    """Units that add to the log-odds `before`."""
    units = Hidden((rows[0].shape[1], HIDDEN, 1), dropped=DROPPED, decay=DECAY, seed=seed)
    for chosen, share in batches(len(rows), BATCH, EPOCHS, units.dice):
        added = units(np.concatenate([rows[i] for i in chosen]).astype(np.float32))[:, 0]
        sums = added + np.concatenate([before[i] for i in chosen])
        ends = np.cumsum([len(rows[i]) for i in chosen])[:-1]
        pairs = zip(np.split(sums, ends), chosen, strict=True)
        error = np.concatenate([_error(own, grades[i]) for own, i in pairs]) / len(chosen)
        units.learn(error[:, None].astype(np.float32), RATE * share, STEEPEST)
    return units


def _error(sums: np.ndarray, grades: np.ndarray) -> np.ndarray:
    """Gradient of the loss of a question by the scores of its passages."""
    right = grades == ANSWERS if (grades == ANSWERS).any() else grades > 0
    powers = np.exp(sums - sums.max())
    whole: np.ndarray = powers / powers.sum() - powers * right / (powers * right).sum()
    weight = np.where(grades == 1, HELP, 1.0)
    each: np.ndarray = weight * (1 / (1 + np.exp(-sums)) - (grades > 0))
    return whole + EACH * each


def first_right(given: Sequence[Example]) -> dict[str, float]:
    """Share of the questions whose first passage is right, by weights that have seen none of its norm."""
    part = folds([one.norm for one in given], FOLDS)
    right = {"by words": 0, "gate": 0}
    for fold in range(FOLDS):
        seen = [one for one, its in zip(given, part, strict=True) if its != fold]
        gate, words = fit(seen), by_words(seen)
        for one in (one for one, its in zip(given, part, strict=True) if its == fold):
            odds = [probability(dict(passage.features), words) for passage in one.passages]
            right["by words"] += one.grades[int(np.argmax(odds))] > 0
            right["gate"] += one.grades[int(np.argmax(scores(gate, one.passages)))] > 0
    return {name: count / len(given) for name, count in right.items()}


def write(parts: Mapping[str, Features]) -> None:
    """Write `selection.toml`; parts that are not given stay."""
    every = {**weights(), **parts}
    text = HEADER + "".join(
        f"\n[{part}]\n" + "".join(f"{name} = {value:.4f}\n" for name, value in every[part].items())
        for part in PARTS
    )
    FILE.write_text(text, encoding="utf-8")


async def examples(services: Services) -> list[Example]:
    given = broad()
    return [
        *await asked(services, given, aids=True),
        *await asked(services, given[::2], aids=False),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the files")
    options = parser.parse_args()
    with closing(assembly.build(settings())) as program:
        given = asyncio.run(examples(program.services))
    print(len(given), "questions,", *(f"{name} {share:.3f}" for name, share in first_right(given).items()))
    if options.write:
        save_gate(fit(given))
        write({"words": by_words(given)})
