"""Learn `rag/ranking/weights.toml`: `python -m lab reranker [--write]`.

Needs a home with the real norms (ARTICULADO_HOME). The questions are those that the demo corpus has for each
of its articles, asked about the real text of the same article, and those of `lab.training.questions` that did
not teach the query adapter.

The model is listwise: softmax over the candidates of a question, cross-entropy with the labelled article, L2
penalty, Newton's method. Cross-validation leaves out whole articles.

Each question is asked three times, with all search aids, without those of its norms and of others drawn at
random, and with none, and in one of these choices by words alone too; those of single provisions, which are
more, in one choice: the weights must hold for norms that somebody loads (`rag.ranking.weights.Weights`).
"""

import argparse
import asyncio
import random
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np

from core.clock import today_in_spain
from lab.training.learning import folds
from lab.training.questions import Asked, Part, labelled, people, provisions
from loading.aids.packed_attributes import QUESTIONS, unpacked
from loading.formats import load
from rag.evaluation.metrics import hit_at_k, recall_at_k, reciprocal_rank
from rag.evaluation.results import Aids
from rag.ranking.ranking_features import articles, table
from rag.ranking.weights import FILE, Weights
from rag.shared.hits import SubQuery
from rag.shared.state import EVERY_NORM, Services, State
from rag.stages import rerank
from rag.stages.search import search
from service.config import settings
from service.program import assembly

FOLDS = 5
PENALTY = 1.0
STEPS, LONGEST_STEP, CLOSE = 40, 3.0, 1e-4
DEMO = assembly.DEMO / "normativa"
HEADER = """\
# Weight of each feature (`ranking_features.py`) in the order of the candidates without a model, for an
# article with search aids and for one without. Written by `python -m lab reranker --write`; sums of
# weight × feature compare within one question.
"""
ONLY_AIDED = frozenset({"aids", "question", "asked_words", "aided", "aided_words"})
ONLY_UNAIDED = frozenset({"passage"})
"""With search aids it changed nothing: they say the same better."""
ALSO_WITHOUT = 0.4


@dataclass(frozen=True)
class Example:
    """A question with its candidates: keys (norm, block), feature matrix (n, d), and the right keys.

    Attributes:
        group: its first right key; way: the search aids, and whether meaning counted.
    """

    group: str
    way: str
    keys: list[tuple[str, str]]
    rows: np.ndarray
    right: frozenset[tuple[str, str]]

    @property
    def target(self) -> np.ndarray:
        """Probability that each candidate is the right one, shape (n,); zeros if none is."""
        hit = np.array([float(key in self.right) for key in self.keys])
        return hit / hit.sum() if hit.any() else hit


def demo_questions() -> list[Asked]:
    """The questions of the demo corpus, each with its real article."""
    return [
        Asked(question, ((document.norm.extra.get("source_norm", document.norm.id), block.id),))
        for path in sorted(DEMO.glob("*.md"))
        for document in load(path)
        for block in document.blocks
        for question in unpacked(block, QUESTIONS)
    ]


def example(one: Asked, services: Services, names: Sequence[str], way: str) -> tuple[Example, list[str]]:
    """A labelled question with its candidates, and the names of its columns in their order.

    A column 'aided.x' holds feature x of the articles with search aids, 'unaided.x' that of the others.
    """
    as_of = today_in_spain()
    state = State(question=one.question, as_of=as_of, queries=[SubQuery(text=one.question, raw=True)])
    asyncio.run(search(state, services))
    found = articles(state.candidates)
    first = [hit.chunk.id for hit in state.candidates[: rerank.REFERRING_PARTS]]
    asked = rerank.ranking_terms([one.question], as_of, services)
    split = [
        {f"{part}.{name}": value for name, value in row.items() for part in Weights._fields}
        | {f"{other}.{name}": 0.0 for name in row}
        for row in table(asked, found, services.store.referenced(first, as_of))
        for other in [Weights._fields[int(row["aided"] + row["aided_words"])]]
    ]
    no_columns = {f"unaided.{name}" for name in ONLY_AIDED} | {f"aided.{name}" for name in ONLY_UNAIDED}
    names = list(names or (name for name in split[0] if name not in no_columns))
    keys = [(article.best.chunk.norm_id, article.best.chunk.block_id) for article in found]
    values = np.array([[row[name] for name in names] for row in split])
    return Example("/".join(one.right[0]), way, keys, values, frozenset(one.right)), names


def examples(
    often: Sequence[Asked], once: Sequence[Asked], services: Services
) -> tuple[list[Example], list[str]]:
    """The questions with their candidates, `often` in every choice of aids, and the names of the columns."""
    found: list[Example] = []
    names: list[str] = []
    norms = [norm.id for norm in services.store.norms()]
    dice = random.Random(0)
    for place, asked in enumerate([*often, *once]):
        for aids, by, chosen in _ways(asked, place, norms, services, dice):
            if place < len(often) or (place % len(Aids) == list(Aids).index(aids) and by == "hybrid"):
                one, names = example(asked, chosen, names, f"{aids}, {by}")
                found.append(one)
    return found, names


def _ways(
    asked: Asked, place: int, norms: Sequence[str], services: Services, dice: random.Random
) -> Iterator[tuple[Aids, str, Services]]:
    """The choices of search aids of a question, and in one of them by words alone too."""
    own = frozenset(norm for norm, _ in asked.right)
    for number, aids in enumerate(Aids):
        others = {norm for norm in norms if dice.random() < ALSO_WITHOUT}
        without = {Aids.ALL: frozenset[str](), Aids.MIXED: own | others, Aids.NONE: EVERY_NORM}[aids]
        chosen = replace(services, without_aids=without, unseen=frozenset() if aids is Aids.ALL else own)
        yield aids, "hybrid", chosen
        if place % len(Aids) == number:
            yield aids, "words", replace(chosen, embedder=None)


def fit(given: Sequence[Example], columns: Sequence[int]) -> np.ndarray:
    """Weights of the chosen columns, shape (len(columns),)."""
    weights = np.zeros(len(columns))
    pairs = [(e.rows[:, columns], e.target) for e in given if e.target.any()]
    for _ in range(STEPS):
        gradient = PENALTY * weights
        hessian = PENALTY * np.eye(len(columns))
        for x, target in pairs:
            score = x @ weights
            p = np.exp(score - score.max())
            p /= p.sum()
            mean = p @ x
            gradient += (p - target) @ x
            hessian += (x * p[:, None]).T @ x - np.outer(mean, mean)
        step = np.linalg.solve(hessian, gradient)
        longest = np.abs(step).max()
        weights -= step * min(1.0, LONGEST_STEP / max(longest, 1e-12))
        if longest < CLOSE:
            break
    return weights


def cross_validated(given: Sequence[Example], columns: Sequence[int]) -> str:
    """Means of measures over questions, each ranked with weights that were fitted without its article."""
    part = folds([one.group for one in given], FOLDS)
    scores = []
    for number in range(FOLDS):
        weights = fit([one for one, its in zip(given, part, strict=True) if its != number], columns)
        for one in (one for one, its in zip(given, part, strict=True) if its == number):
            best = np.argsort(-(one.rows[:, columns] @ weights), kind="stable")
            keys = list(dict.fromkeys(one.keys[i] for i in best))
            grades = dict.fromkeys(one.right, 1)
            hits = hit_at_k(keys, grades, 1), hit_at_k(keys, grades, 3)
            scores.append((*hits, reciprocal_rank(keys, grades, 10), recall_at_k(keys, grades, 10)))
    means = np.mean(scores, axis=0)
    names = ("hit@1", "hit@3", "mrr@10", "recall@10")
    return "  ".join(f"{name} {value:.3f}" for name, value in zip(names, means, strict=True))


def written(names: Sequence[str], weights: np.ndarray) -> str:
    text = HEADER
    for part in Weights._fields:
        own = [(n, w) for n, w in zip(names, weights, strict=True) if n.startswith(f"{part}.")]
        text += f"\n[{part}]\n" + "".join(f"{n.partition('.')[2]} = {w:.2f}\n" for n, w in own)
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name}")
    options = parser.parse_args()
    with closing(assembly.build(settings())) as program:
        often = [*demo_questions(), *labelled(), *people(Part.ORDER)]
        given, names = examples(often, provisions(Part.ORDER), program.services)
    found = sum(bool(one.target.any()) for one in given)
    print(f"{len(given)} questions, {found} with their article among the candidates")
    fused = [place for place, name in enumerate(names) if name.partition(".")[2] == "fused"]
    for way in dict.fromkeys(one.way for one in given):
        print(f"search, {way}: {cross_validated([one for one in given if one.way == way], fused)}")
    everything = range(len(names))
    print(f"all features: {cross_validated(given, everything)}")
    text = written(names, fit(given, everything))
    print(text)
    if options.write:
        FILE.write_text(text, encoding="utf-8")
