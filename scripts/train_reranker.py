"""Learn `rag/ranking/weights.toml`: `python -m scripts.train_reranker [--write | --ablation [CASES]]`.

Needs a home with the real norms (ARTICULADO_HOME). The questions are those of `data/training`, those that the
demo corpus has for each of its articles, asked about the real text of the same article, and those of
`scripts.provisions` and `scripts.people` that did not teach the query adapter; no other labelled question is
used.

The model is listwise: softmax over the candidates of a question, cross-entropy with the labelled article, L2
penalty, Newton's method. Cross-validation leaves out whole articles.

Each question is asked three times, with all search aids, without those of its norms and of others drawn at
random, and with none, and in one of these choices by words alone too; those of single provisions, which are
more, in one choice: the weights must hold for norms that somebody loads (`rag.ranking.weights.Weights`).

`--ablation` prints the worth of each feature instead: the ranking without it, trained on the demo questions
and measured again on them, and on CASES (a file of `cli.py evaluate`) by the weights of the demo questions.
With `--aids all|mixed|none` CASES have the search aids that `evaluate` gives them.
"""

import argparse
import asyncio
import random
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import numpy as np

from core.clock import today_in_spain
from loading.aids.packed_attributes import QUESTIONS, unpacked
from loading.formats import load
from rag.evaluation.cases import read_dataset
from rag.evaluation.measurement import with_aids
from rag.evaluation.metrics import hit_at_k, recall_at_k, reciprocal_rank
from rag.evaluation.results import Aids
from rag.ranking.ranking_features import articles, table
from rag.ranking.weights import FILE, Weights
from rag.shared.hits import SubQuery
from rag.shared.state import EVERY_NORM, Services, State
from rag.stages import rerank
from rag.stages.search import search
from scripts import people
from scripts.provisions import for_order
from scripts.training import entries
from service.config import ROOT, settings
from service.program import assembly

FOLDS = 5
PENALTY = 1.0
STEPS = 40
DEMO = ROOT / "data" / "demo" / "normativa"
HEADER = """\
# Weight of each feature (`ranking_features.py`) in the order of the candidates without a model, for an
# article with search aids and for one without. Written by `python -m scripts.train_reranker --write`; sums of
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

    question: str
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


Labelled = tuple[str, list[tuple[str, str]]]
"""A question and the (norm, block) of each provision that answers it."""


def training_questions() -> list[Labelled]:
    return [
        (case["question"], [(one["norm"], one["block"]) for one in case["relevant"]])
        for case in entries("questions")
    ]


def demo_questions() -> list[Labelled]:
    """The questions of the demo corpus, each with its real article."""
    found = []
    for document in (one for path in sorted(DEMO.glob("*.md")) for one in load(path)):
        norm = document.norm.extra.get("source_norm", document.norm.id)
        for block in document.blocks:
            found += [(question, [(norm, block.id)]) for question in unpacked(block, QUESTIONS)]
    return found


async def candidates(question: str, services: Services, as_of: date) -> State:
    """The state of a run after its search."""
    state = State(question=question, as_of=as_of, queries=[SubQuery(text=question, raw=True)])
    await search(state, services)
    return state


def example(
    question: str,
    right: Sequence[tuple[str, str]],
    services: Services,
    names: Sequence[str] = (),
    way: str = "",
) -> tuple[Example, list[str]]:
    """A labelled question with its candidates, and the names of its columns in their order.

    A column 'aided.x' holds feature x of the articles with search aids, 'unaided.x' that of the others.
    """
    as_of = today_in_spain()
    state = asyncio.run(candidates(question, services, as_of))
    found = articles(state.candidates)
    first = [hit.chunk.id for hit in state.candidates[: rerank.REFERRING_PARTS]]
    rows = table(rerank.asked(question, as_of, services), found, services.store.referenced(first, as_of))
    split = [
        {f"{part}.{name}": value for name, value in row.items() for part in Weights._fields}
        | {f"{other}.{name}": 0.0 for name in row}
        for row in rows
        for other in [Weights._fields[int(row["aided"] + row["aided_words"])]]
    ]
    no_columns = {f"unaided.{name}" for name in ONLY_AIDED} | {f"aided.{name}" for name in ONLY_UNAIDED}
    names = list(names or (name for name in split[0] if name not in no_columns))
    keys = [(article.best.chunk.norm_id, article.best.chunk.block_id) for article in found]
    values = np.array([[row[name] for name in names] for row in split])
    return Example(question, "/".join(right[0]), way, keys, values, frozenset(right)), names


def fit(examples: Sequence[Example], columns: Sequence[int], penalty: float = PENALTY) -> np.ndarray:
    """Weights of the chosen columns, shape (len(columns),)."""
    weights = np.zeros(len(columns))
    pairs = [(e.rows[:, columns], e.target) for e in examples if e.target.any()]
    for _ in range(STEPS):
        gradient = penalty * weights
        hessian = penalty * np.eye(len(columns))
        for x, target in pairs:
            score = x @ weights
            p = np.exp(score - score.max())
            p /= p.sum()
            mean = p @ x
            gradient += (p - target) @ x
            hessian += (x * p[:, None]).T @ x - np.outer(mean, mean)
        step = np.linalg.solve(hessian, gradient)
        weights -= step * min(1.0, 3.0 / max(1e-12, np.abs(step).max()))
        if np.abs(step).max() < 1e-4:
            break
    return weights


def ranked(one: Example, columns: Sequence[int], weights: np.ndarray) -> list[tuple[str, str]]:
    """The keys of an example without repeats, best first."""
    scores = one.rows[:, columns] @ weights
    return list(dict.fromkeys(one.keys[i] for i in np.argsort(-scores, kind="stable")))


def cross_validated(examples: Sequence[Example], columns: Sequence[int]) -> dict[str, float]:
    """Metrics over examples, each ranked with weights that were fitted without it."""
    groups = sorted({one.group for one in examples})
    shuffled = np.random.default_rng(0).permutation(len(groups))
    part = {groups[g]: place % FOLDS for place, g in enumerate(shuffled)}
    results = []
    for number in range(FOLDS):
        weights = fit([one for one in examples if part[one.group] != number], columns)
        results += [(one, ranked(one, columns, weights)) for one in examples if part[one.group] == number]
    return metrics(results)


def metrics(results: Sequence[tuple[Example, list[tuple[str, str]]]]) -> dict[str, float]:
    scores = [
        {
            "hit@1": hit_at_k(keys, grades, 1),
            "hit@3": hit_at_k(keys, grades, 3),
            "mrr@10": reciprocal_rank(keys, grades, 10),
            "recall@10": recall_at_k(keys, grades, 10),
            "recall@30": recall_at_k(keys, grades, 30),
        }
        for one, keys in results
        for grades in [dict.fromkeys(one.right, 1)]
    ]
    return {name: sum(score[name] for score in scores) / len(scores) for name in scores[0]}


def line(label: str, values: dict[str, float]) -> str:
    return f"{label:<22}" + "".join(f"{name} {value:.3f}  " for name, value in values.items())


def examples_of(
    questions: Sequence[Labelled], services: Services, once: Sequence[Labelled] = ()
) -> tuple[list[Example], list[str]]:
    """The questions with their candidates in every choice of aids, and the names of the columns.

    Args:
        once: questions that are asked in one choice only.
    """
    examples: list[Example] = []
    names: list[str] = []
    norms = [norm.id for norm in services.store.norms()]
    dice = random.Random(0)
    for place, (question, right) in enumerate([*questions, *once]):
        own = frozenset(norm for norm, _ in right)
        for number, aids in enumerate(Aids):
            others = {norm for norm in norms if dice.random() < ALSO_WITHOUT}
            turn = place % len(Aids) == number
            if place >= len(questions) and not turn:
                continue
            for by in ("hybrid", "words") if turn and place < len(questions) else ("hybrid",):
                chosen = replace(
                    services,
                    without_aids={
                        Aids.ALL: frozenset[str](),
                        Aids.MIXED: own | others,
                        Aids.NONE: EVERY_NORM,
                    }[aids],
                    unseen=frozenset() if aids is Aids.ALL else own,
                    embedder=services.embedder if by == "hybrid" else None,
                )
                one, names = example(question, right, chosen, names, f"{aids}, {by}")
                examples.append(one)
    return examples, names


def case_examples(path: Path, services: Services, names: list[str], aids: Aids) -> list[Example]:
    """The answerable cases of a file; their right articles are those of the best grade."""
    examples = []
    for case in read_dataset(path).cases:
        best = max((r.grade for r in case.relevant), default=0)
        right = [
            (chunk.norm_id, chunk.block_id)
            for r in case.relevant
            if r.grade == best
            for chunk in services.store.find(r.norm, r.article)[:1]
        ]
        if right:
            chosen = with_aids(services, case, aids)
            examples.append(example(case.question, right, chosen, names)[0])
    return examples


def columns_of(feature: str, names: Sequence[str]) -> list[int]:
    return [place for place, name in enumerate(names) if name.partition(".")[2] == feature]


def ablation(file: Path | None, services: Services, aids: Aids) -> None:
    """Print the metrics with all features and without each; `aids` are those of the cases of the file."""
    demo, names = examples_of(demo_questions(), services)
    cases = case_examples(file, services, names, aids) if file else []
    everything = list(range(len(names)))
    features = dict.fromkeys(name.partition(".")[2] for name in names)
    rows = [("only fused", columns_of("fused", names)), ("all features", everything)]
    rows += [(f"- {one}", sorted(set(everything) - set(columns_of(one, names)))) for one in features]
    for label, columns in rows:
        print("demo  " + line(label, cross_validated(demo, columns)))
        if cases:
            weights = fit(demo, columns)
            print("cases " + line(label, metrics([(one, ranked(one, columns, weights)) for one in cases])))


def train(services: Services, *, write: bool) -> None:
    """Print cross-validated metrics and weights; `write` keeps the weights."""
    once = [(one.question, [(one.norm, one.block)]) for one in for_order()]
    examples, names = examples_of(
        [*demo_questions(), *training_questions(), *people.for_order()], services, once
    )
    found = sum(bool(one.target.any()) for one in examples)
    print(f"{len(examples)} questions, {found} with their article among the candidates")
    for way in dict.fromkeys(one.way for one in examples):
        of_way = [one for one in examples if one.way == way]
        print(line(f"search, {way}", cross_validated(of_way, columns_of("fused", names))))
    print(line("all features", cross_validated(examples, range(len(names)))))
    weights = dict(zip(names, fit(examples, range(len(names))), strict=True))
    text = HEADER
    for part in Weights._fields:
        text += f"\n[{part}]\n"
        text += "".join(
            f"{n.partition('.')[2]} = {w:.2f}\n" for n, w in weights.items() if n.startswith(f"{part}.")
        )
    print(text)
    if write:
        FILE.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m scripts.train_reranker", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name}")
    parser.add_argument("--ablation", nargs="?", type=Path, const=Path(), metavar="CASES")
    parser.add_argument("--aids", type=Aids, choices=list(Aids), default=Aids.ALL, help="of CASES")
    options = parser.parse_args()
    with closing(assembly.build(settings())) as program:
        if options.ablation is not None:
            file = options.ablation if options.ablation.name else None
            ablation(file, program.services, options.aids)
        else:
            train(program.services, write=options.write)


if __name__ == "__main__":
    main()
