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

import numpy as np

from core.clock import today_in_spain
from index.query_adapter import FILE, Adapter, Network, save_adapter
from lab.training.learning import Hidden, batches, folds, left_out
from lab.training.questions import Part, entries, of_entry, people, provisions
from law.chunks import Chunk, article_of
from loading.chunking.chunk import dense_text
from loading.indexing.index_sync import chunk_questions, embedding_key
from rag.evaluation.cases import read_dataset
from service.config import ROOT, settings
from service.program import assembly

FOLDS = 4
HIDDEN = 1024
SPREAD = 8.0
"""Vectors of texts lie close to their mean: so many times their distance from it is what the units see."""
DROPPED = 0.1
KEPT = 0.5
EPOCHS = 4
BATCH = 256
RATE = 1e-3
DECAY = 1e-2
TEMPERATURE = 0.02
OUTSIDERS = 3
ANSWERABILITY = ROOT / "data" / "training" / "answerability.jsonl"


@dataclass(frozen=True)
class Material:
    """Unit vectors of questions (q, d) and texts (n, d), the article and the norm of each."""

    questions: np.ndarray
    asked_of: np.ndarray
    texts: np.ndarray
    articles: np.ndarray
    question_norms: np.ndarray
    text_norms: np.ndarray

    def without(self, part: dict[str, int], unseen: frozenset[int]) -> "Material":
        """The rest without the norms of these folds."""
        q = np.array([part[norm] not in unseen for norm in self.question_norms])
        t = np.array([part.get(norm, -1) not in unseen for norm in self.text_norms])
        return Material(
            self.questions[q],
            self.asked_of[q],
            self.texts[t],
            self.articles[t],
            self.question_norms[q],
            self.text_norms[t],
        )


def in_force(program: assembly.App) -> list[Chunk]:
    """The chunks of the home that are in force today."""
    today = today_in_spain()
    return [
        chunk
        for batch in program.database.corpus.all_chunks()
        for chunk in batch
        if chunk.valid_from <= today and (chunk.valid_to is None or chunk.valid_to >= today)
    ]


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
    number = {key: place for place, key in enumerate(dict.fromkeys(article_of(one.id) for one in chunks))}
    of_chunk = np.array([number[article_of(one.id)] for one in chunks])
    norms = np.array([one.norm_id for one in chunks])
    own = np.array(owners)
    return Material(questions, of_chunk[own], texts, of_chunk, norms[own], norms)


def fit(of: Material, seed: int = 0) -> Network:
    """The network whose questions lie near the texts of their articles."""
    size = of.texts.shape[1]
    places = defaultdict(list)
    for place, article in enumerate(of.articles):
        places[article].append(place)
    middle = of.questions.mean(axis=0)
    units = Hidden((size, HIDDEN, size), dropped=DROPPED, decay=DECAY, seed=seed)
    for chosen, share in batches(len(of.questions), BATCH, EPOCHS, units.dice):
        x = of.questions[chosen]
        moved = x + units((x - middle) * np.float32(SPREAD))
        scores = moved @ of.texts.T / np.float32(TEMPERATURE)
        scores = np.exp(scores - scores.max(1, keepdims=True))
        error = scores / scores.sum(1, keepdims=True)
        for row, article in enumerate(of.asked_of[chosen]):
            right = places[article]
            error[row, right] -= scores[row, right] / scores[row, right].sum()
        units.learn(error @ of.texts / np.float32(TEMPERATURE * len(chosen)), RATE * share)
    inner = units.inner * np.float32(SPREAD)
    kept = np.float32(KEPT)
    return Network.of(inner, units.threshold - middle @ inner, units.outer * kept, units.shift * kept)


def adapter(model: str, of: Material) -> Adapter:
    """The network that has seen every question and those without one or two folds."""
    norms = [*map(str, of.question_norms)]
    part = dict(zip(norms, map(int, folds(norms, FOLDS)), strict=True))
    return Adapter(model, part, {unseen: fit(of.without(part, unseen)) for unseen in left_out(FOLDS)})


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
        keys = {chunk.id: embedding_key(dense_text(chunk)) for chunk in chunks}
        stored = program.vectors.get(model, list(keys.values()))
        chunks = [chunk for chunk in chunks if keys[chunk.id] in stored]
        texts = np.array([stored[keys[chunk.id]] for chunk in chunks], dtype=np.float32)
        questions, owners = zip(*questions_of(chunks), strict=True)
        vectors = asyncio.run(embedded(program, questions))
        save_adapter(adapter(model, material(chunks, texts, owners, vectors)))
    print(f"{FILE.name}: {len(questions)} questions, {len(chunks)} texts, {FILE.stat().st_size // 1024} KB")
