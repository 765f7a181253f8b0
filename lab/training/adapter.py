"""Learn `index/adapter.npz`: `python -m lab adapter`.

Needs a home with the real norms and all their vectors (ARTICULADO_HOME), and embeds the questions of their
search aids, those written of single provisions and, each as often as OUTSIDERS, those that outsiders asked
(`lab.training.questions`). The loss is the softmax over all texts of the articles that answer a question
(InfoNCE), with dropout and AdamW. Half of what is learned is kept, the rest stays with the embedding model.
One network has seen every question; the others lack those of one or two of FOLDS groups of norms and serve
evaluations.
"""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.clock import today_in_spain
from index.query_adapter import FILE, Adapter, Network, save_adapter
from lab.training.learning import Hidden, batches, folds, left_out
from lab.training.questions import Part, entries, of_entry, people, provisions
from law.chunks import Chunk, article_of
from loading.indexing.index_sync import chunk_questions, embedding_key
from rag.evaluation.cases import read_dataset
from service.config import ROOT, settings
from service.program import assembly

FOLDS = 4
HIDDEN = 1024
SPREAD = 8.0
"""Vectors of texts lie close to their mean: so many times their distance from it is what the units see."""
DROPPED = 0.1
RATE = 1e-3
DECAY = 1e-2
TEMPERATURE = 0.02
MOST, DRAWN = 8_000, 3_000
"""Texts that are all compared with every batch, and of more than that those drawn for it."""
LEAST, TINY = -50.0, 1e-12
OUTSIDERS = 3
ANSWERABILITY = ROOT / "data" / "training" / "answerability.jsonl"


class Recipe(NamedTuple):
    """How an adapter is learned; `kept`: the share of what is learned that is used."""

    epochs: int
    batch: int
    kept: float


TEXTS = Recipe(epochs=4, batch=256, kept=0.5)
PASSAGES = Recipe(epochs=5, batch=128, kept=1.0)


@dataclass(frozen=True)
class Material:
    """Unit vectors of questions (q, d) and texts (n, d), and the norm of each.

    Attributes:
        right: places of the texts that answer each question; `aside`: of those neither right nor wrong.
    """

    questions: np.ndarray
    texts: np.ndarray
    right: Sequence[Sequence[int]]
    aside: Sequence[Sequence[int]]
    question_norms: np.ndarray
    text_norms: np.ndarray

    def without(self, part: dict[str, int], unseen: frozenset[int]) -> "Material":
        """The rest without the norms of these folds."""
        q = np.flatnonzero([part[norm] not in unseen for norm in self.question_norms])
        t = np.array([part.get(norm, -1) not in unseen for norm in self.text_norms])
        place = np.cumsum(t) - 1

        def kept(places: Sequence[Sequence[int]]) -> list[list[int]]:
            return [[int(place[one]) for one in places[question] if t[one]] for question in q.tolist()]

        return Material(
            self.questions[q],
            self.texts[t],
            kept(self.right),
            kept(self.aside),
            self.question_norms[q],
            self.text_norms[t],
        )


def in_force(program: assembly.App) -> list[Chunk]:
    """The chunks of the home that are in force today."""
    today = today_in_spain()
    batches = program.database.corpus.all_chunks()
    return [chunk for batch in batches for chunk in batch if chunk.in_force_on(today)]


def questions_of(chunks: Sequence[Chunk]) -> list[tuple[str, int]]:
    """The questions that teach, each with the place of a chunk of the article that answers it."""
    block: dict[tuple[str, str], int] = {}
    label: dict[tuple[str, str], int] = {}
    for place, chunk in enumerate(chunks):
        block.setdefault((chunk.norm_id, chunk.block_id), place)
        label.setdefault((chunk.norm_id, chunk.label.lower()), place)
    aids = [(question, place) for place, chunk in enumerate(chunks) for question in chunk_questions(chunk)]
    narrow = [(one.question, key) for one in provisions(Part.ADAPTER) for key in one.right]
    everyday = [*map(of_entry, entries("asked")), *people(Part.ADAPTER)]
    wide = [(one.question, key) for one in everyday for key in one.right]
    cases = [
        (case.question, label[key])
        for case in read_dataset(ANSWERABILITY).cases
        for one in case.relevant
        if (key := (one.norm, one.article.lower())) in label
    ]
    outsiders = [*cases, *((question, block[key]) for question, key in wide if key in block)]
    return [
        *aids,
        *((question, block[key]) for question, key in narrow if key in block),
        *outsiders * OUTSIDERS,
    ]


def material(
    chunks: Sequence[Chunk], texts: np.ndarray, owners: Sequence[int], questions: np.ndarray
) -> Material:
    """The vectors with whose they are; `owners`: the place of a chunk of each question."""
    places = defaultdict(list)
    for place, chunk in enumerate(chunks):
        places[article_of(chunk.id)].append(place)
    norms = np.array([one.norm_id for one in chunks])
    right = [places[article_of(chunks[owner].id)] for owner in owners]
    return Material(questions, texts, right, [()] * len(right), norms[np.array(owners)], norms)


def fit(of: Material, recipe: Recipe) -> Network:
    """The network whose questions lie near the texts that answer them."""
    size = of.texts.shape[1]
    middle = of.questions.mean(axis=0)
    units = Hidden((size, HIDDEN, size), dropped=DROPPED, decay=DECAY, seed=0)
    for chosen, share in batches(len(of.questions), recipe.batch, recipe.epochs, units.dice):
        x = of.questions[chosen]
        moved = x + units((x - middle) * np.float32(SPREAD))
        pool = _pool(of, chosen, units.dice)
        place = dict(zip(pool.tolist(), range(len(pool)), strict=True))
        texts = of.texts[pool]
        scores = moved @ texts.T / np.float32(TEMPERATURE)
        for row, question in enumerate(chosen):
            scores[row, [place[one] for one in of.aside[question]]] = LEAST
        scores = np.exp(scores - scores.max(1, keepdims=True))
        error = scores / scores.sum(1, keepdims=True)
        for row, question in enumerate(chosen):
            right = [place[one] for one in of.right[question]]
            error[row, right] -= scores[row, right] / (scores[row, right].sum() + TINY)
        units.learn(error @ texts / np.float32(TEMPERATURE * len(chosen)), RATE * share)
    inner = units.inner * np.float32(SPREAD)
    kept = np.float32(recipe.kept)
    return Network.of(inner, units.threshold - middle @ inner, units.outer * kept, units.shift * kept)


def _pool(of: Material, chosen: np.ndarray, dice: np.random.Generator) -> np.ndarray:
    """Places of the texts that a batch is compared with: its own and others, all of them if they are few."""
    if len(of.texts) <= MOST:
        return np.arange(len(of.texts))
    own = [one for question in chosen for one in (*of.right[question], *of.aside[question])]
    return np.unique([*own, *dice.integers(0, len(of.texts), DRAWN)])


def adapter(model: str, of: Material, recipe: Recipe) -> Adapter:
    """The network that has seen every question and those without one or two folds."""
    norms = [*map(str, of.question_norms)]
    part = dict(zip(norms, map(int, folds(norms, FOLDS)), strict=True))
    every = left_out(FOLDS)
    return Adapter(model, part, {unseen: fit(of.without(part, unseen), recipe) for unseen in every})


async def embedded(program: assembly.App, texts: Sequence[str]) -> np.ndarray:
    """Vectors of questions, shape (len(texts), d). Raises ValueError without an embedding model."""
    if program.models.embedder is None:
        raise ValueError("no embedding model")
    vectors, _ = await program.models.embedder.embed_queries(texts)
    return np.array(vectors, dtype=np.float32)


def main() -> None:
    with closing(assembly.build(settings())) as program:
        chunks = in_force(program)
        model = program.models.fingerprint.embedding
        keys = {chunk.id: embedding_key(chunk.headed) for chunk in chunks}
        stored = program.vectors.get(model, list(keys.values()))
        chunks = [chunk for chunk in chunks if keys[chunk.id] in stored]
        texts = np.array([stored[keys[chunk.id]] for chunk in chunks], dtype=np.float32)
        questions, owners = zip(*questions_of(chunks), strict=True)
        vectors = asyncio.run(embedded(program, questions))
        save_adapter(adapter(model, material(chunks, texts, owners, vectors), TEXTS))
    print(f"{FILE.name}: {len(questions)} questions, {len(chunks)} texts, {FILE.stat().st_size // 1024} KB")
