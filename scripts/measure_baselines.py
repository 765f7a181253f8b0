"""Measure search against what is simplest: `python -m scripts.measure_baselines [CASES] [--home FOLDER]`.

Needs a home with the real norms and all their vectors (ARTICULADO_HOME unless --home names another); without
vectors only the part by words is printed. Each question of CASES (`data/evaluation/loaded.jsonl`) is asked of
the program, offline, as if its norms had been loaded without search aids (`evaluate --aids mixed`), with
meaning and by words alone; of the bare embedding, the cosine of the question to the text of each chunk in
force; and of plain BM25 over the law's words of the same chunks, with their headings and the name of their
norm (Robertson and Zaragoza, 2009). Prints hit@3 and recall@10 of
each norm and of all, and the norms on which the program is below either.
"""

import argparse
import asyncio
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import numpy as np

from benchmarks.harness import program
from core.clock import today_in_spain
from index.sparse import K1, B
from law.chunks import Chunk
from loading.chunking.chunk import dense_text, lexical_text
from loading.indexing.index_sync import embedding_key
from rag.evaluation.cases import Case, read_dataset
from rag.evaluation.labelled_articles import EvaluatedCorpus
from rag.evaluation.measurement import evaluate
from rag.evaluation.metrics import Key, hit_at_k, recall_at_k
from rag.evaluation.results import Aids
from rag.shared.hits import Hit
from rag.shared.state import Services
from scripts.train_adapter import in_force
from service.config import ROOT, settings
from service.program import assembly
from text.textnorm import stems

CASES = ROOT / "data" / "evaluation" / "loaded.jsonl"
MEASURES = ("hit@3", "recall@10")
PROGRAM, PROGRAM_WORDS = "program", "program, words"
EMBEDDING, WORDS = "embedding", "BM25"
AGAINST = ((PROGRAM, EMBEDDING), (PROGRAM, WORDS), (PROGRAM_WORDS, WORDS))
DEEP = 200
Scores = dict[str, float]


def measured(ranking: Sequence[Key], case: Case) -> Scores:
    grades = {(one.norm, one.article): one.grade for one in case.relevant}
    return dict(zip(MEASURES, (hit_at_k(ranking, grades, 3), recall_at_k(ranking, grades, 10)), strict=True))


def by_program(cases: Sequence[Case], services: Services) -> list[Scores]:
    """The program's, without the aids of the norms asked about."""
    results = asyncio.run(evaluate(cases, services, today=today_in_spain(), aids=Aids.MIXED))
    return [{name: one.scores[name] for name in MEASURES} for one in results]


def by_scores(
    cases: Sequence[Case], chunks: Sequence[Chunk], scores: Sequence[np.ndarray], corpus: EvaluatedCorpus
) -> list[Scores]:
    """Those of rankings by the score of each chunk, shape (chunks,), an article at its best chunk."""
    found = []
    for case, own in zip(cases, scores, strict=True):
        best = np.argsort(-own, kind="stable")[:DEEP]
        hits = [Hit(chunk=chunks[i], score=float(own[i])) for i in best if own[i] > 0]
        found.append(measured(list(corpus.keys(hits)), case))
    return found


def cosines(cases: Sequence[Case], chunks: Sequence[Chunk], app: assembly.App) -> list[np.ndarray]:
    """Of each question to each chunk; empty where some chunk has no vector."""
    if app.models.embedder is None or app.database.corpus.counts().pending_dense:
        return []
    keys = [embedding_key(dense_text(chunk)) for chunk in chunks]
    vectors = app.vectors.get(app.models.embedder.name, keys)
    if len(vectors) < len(set(keys)):
        return []
    texts = np.array([vectors[key] for key in keys])
    questions, _ = asyncio.run(app.models.embedder.embed_queries([case.question for case in cases]))
    return [texts @ np.array(question) for question in questions]


def bm25(questions: Sequence[str], texts: Sequence[str]) -> list[np.ndarray]:
    """Of each question to each text, by stems."""
    counts = [Counter(stems(text)) for text in texts]
    lengths = np.array([sum(one.values()) for one in counts])
    norm = K1 * (1 - B + B * lengths / lengths.mean())
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for place, one in enumerate(counts):
        for term, count in one.items():
            places[term].append((place, count))
    found = []
    for question in questions:
        scores = np.zeros(len(texts))
        for term in dict.fromkeys(stems(question)):
            held = places.get(term, [])
            rarity = np.log(1 + (len(texts) - len(held) + 0.5) / (len(held) + 0.5))
            for place, count in held:
                scores[place] += rarity * count * (K1 + 1) / (count + norm[place])
        found.append(scores)
    return found


def lines(cases: Sequence[Case], ways: Mapping[str, Sequence[Scores]]) -> list[str]:
    """The table, norm by norm and in all, and on which norms the program is below either."""
    groups: dict[str, list[int]] = defaultdict(list)
    for place, case in enumerate(cases):
        groups[case.category].append(place)
    every = {**groups, "all": list(range(len(cases)))}
    mean = {
        (name, way, measure): fmean(scores[place][measure] for place in places)
        for name, places in every.items()
        for way, scores in ways.items()
        for measure in MEASURES
    }
    shown = [f"{'hit@3 / recall@10':<20}{'n':>4}" + "".join(f"{way:>18}" for way in ways)]
    for name, places in every.items():
        pairs = (" / ".join(f"{mean[name, way, measure]:.2f}" for measure in MEASURES) for way in ways)
        shown.append(f"{name:<20}{len(places):>4}" + "".join(f"{pair:>18}" for pair in pairs))
    for ours, plain in AGAINST:
        for measure in MEASURES if {ours, plain} <= set(ways) else ():
            below = [name for name in groups if mean[name, ours, measure] < mean[name, plain, measure] - 1e-9]
            ratio = mean["all", ours, measure] / max(mean["all", plain, measure], 1e-9)
            told = f"below on {len(below)} of {len(groups)} {' '.join(below)}".rstrip()
            shown.append(f"{ours} ÷ {plain}, {measure}: {ratio:.2f}; {told}")
    return shown


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m scripts.measure_baselines", description=__doc__)
    parser.add_argument("cases", nargs="?", type=Path, default=CASES)
    parser.add_argument("--home", type=Path, default=settings().articulado_home)
    options = parser.parse_args()
    with program(options.home) as app:
        corpus, chunks = EvaluatedCorpus(app.database.corpus), in_force(app)
        cases = [case for case in read_dataset(options.cases).cases if case.relevant]
        norms = {norm.id: norm for norm in app.database.corpus.norms()}
        texts = [lexical_text(chunk, norms[chunk.norm_id]) for chunk in chunks]
        words = bm25([case.question for case in cases], texts)
        ways: dict[str, list[Scores]] = {}
        if near := cosines(cases, chunks, app):
            ways[PROGRAM] = by_program(cases, app.services)
            ways[EMBEDDING] = by_scores(cases, chunks, near, corpus)
        ways[PROGRAM_WORDS] = by_program(cases, replace(app.services, embedder=None))
        ways[WORDS] = by_scores(cases, chunks, words, corpus)
    print("\n".join(lines(cases, ways)))


if __name__ == "__main__":
    main()
