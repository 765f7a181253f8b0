"""Learn `rag/index/adapter.npz`: `python -m scripts.train_adapter`.

Needs a home with the real norms and all their vectors (ARTICULADO_HOME), and embeds the questions of their
search aids. The loss is the softmax over all texts of the articles that answer a question (InfoNCE). Half of
what is learned is kept, the rest stays with the embedding model. One map has seen every question; the others
lack those of one or two of FOLDS groups of norms and serve evaluations.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations

import numpy as np

import bootstrap
from config import settings
from rag.chunking.chunk import dense_text
from rag.clock import today_in_spain
from rag.index.adapter import FILE, Adapter, save
from rag.indexing.sync import asked, embedding_key
from rag.types import Chunk, article_of

FOLDS = 4
RANK = 64
KEPT = 0.5
EPOCHS = 4
BATCH = 256
RATE = 1e-3
DECAY = 1e-3
TEMPERATURE = 0.02
AT_ONCE = 200


@dataclass(frozen=True)
class Material:
    """Unit vectors of questions (q, d) and texts (n, d), the article and the norm of each."""

    questions: np.ndarray
    asked_of: np.ndarray
    texts: np.ndarray
    articles: np.ndarray
    question_norms: np.ndarray
    text_norms: np.ndarray


def material(chunks: Sequence[Chunk], texts: np.ndarray, questions: np.ndarray) -> Material:
    """The vectors, `questions` in the order of `asked` over the chunks, with whose they are."""
    number = {key: place for place, key in enumerate(dict.fromkeys(article_of(one.id) for one in chunks))}
    of_chunk = np.array([number[article_of(one.id)] for one in chunks])
    owners = np.array([place for place, one in enumerate(chunks) for _ in asked(one)])
    norms = np.array([one.norm_id for one in chunks])
    return Material(questions, of_chunk[owners], texts, of_chunk, norms[owners], norms)


def balanced(norms: Sequence[str]) -> dict[str, int]:
    """Norm to fold, so that each fold has about as many questions; `norms` has one entry a question."""
    sizes: Counter[int] = Counter(dict.fromkeys(range(FOLDS), 0))
    folds = {}
    for norm, count in sorted(Counter(norms).items(), key=lambda one: (-one[1], one[0])):
        folds[norm] = min(sizes, key=lambda fold: (sizes[fold], fold))
        sizes[folds[norm]] += count
    return folds


def fit(of: Material, seed: int = 0) -> np.ndarray:
    """The map W, shape (d, d): the questions q + qW lie near the texts of their articles (Adam)."""
    size = of.texts.shape[1]
    places = defaultdict(list)
    for place, article in enumerate(of.articles):
        places[article].append(place)
    w = np.zeros((size, size), np.float32)
    mean, square = np.zeros_like(w), np.zeros_like(w)
    dice = np.random.default_rng(seed)
    steps = EPOCHS * (len(of.questions) // BATCH)
    shuffled = np.concatenate([dice.permutation(len(of.questions)) for _ in range(EPOCHS)])
    for step, chosen in enumerate(np.array_split(shuffled, max(1, steps)), 1):
        x = of.questions[chosen]
        scores = (x + x @ w) @ of.texts.T / TEMPERATURE
        scores = np.exp(scores - scores.max(1, keepdims=True))
        error = scores / scores.sum(1, keepdims=True)
        for row, article in enumerate(of.asked_of[chosen]):
            right = places[article]
            error[row, right] -= scores[row, right] / scores[row, right].sum()
        gradient = x.T @ (error @ of.texts) / TEMPERATURE / len(chosen) + DECAY * w
        mean += 0.1 * (gradient - mean)
        square += 0.01 * (gradient**2 - square)
        rate = RATE * (1 - step / (steps + 1)) / (1 - 0.9**step)
        w -= rate * mean / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return w


def without(of: Material, folds: dict[str, int], unseen: frozenset[int]) -> Material:
    """What is left without the norms of these folds."""
    q = np.array([folds[norm] not in unseen for norm in of.question_norms])
    t = np.array([folds.get(norm, -1) not in unseen for norm in of.text_norms])
    return Material(
        of.questions[q], of.asked_of[q], of.texts[t], of.articles[t], of.question_norms[q], of.text_norms[t]
    )


def factors(w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The best factors of rank RANK of the part of the map that is kept."""
    u, s, v = np.linalg.svd(w * KEPT)
    return u[:, :RANK] * s[:RANK], v[:RANK]


def adapter(model: str, of: Material) -> Adapter:
    """The map that has seen every question and those without one or two folds."""
    folds = balanced(list(of.question_norms))
    sets = [frozenset(one) for size in range(3) for one in combinations(range(FOLDS), size)]
    maps = {unseen: factors(fit(without(of, folds, unseen))) for unseen in sets}
    return Adapter(model, folds, maps)


async def embedded(program: bootstrap.App, texts: Sequence[str]) -> np.ndarray:
    """Vectors of questions, shape (len(texts), d). Raises ValueError without an embedding model."""
    if program.embedder is None:
        raise ValueError("no embedding model")
    vectors: list[tuple[float, ...]] = []
    for start in range(0, len(texts), AT_ONCE):
        vectors += (await program.embedder.embed_queries(texts[start : start + AT_ONCE]))[0]
    return np.array(vectors, dtype=np.float32)


def main() -> None:
    """Learn the maps and write the file."""
    with closing(bootstrap.build(settings())) as program:
        today = today_in_spain()
        chunks = [
            chunk
            for batch in program.corpus.all_chunks()
            for chunk in batch
            if chunk.valid_from <= today and (chunk.valid_to is None or chunk.valid_to >= today)
        ]
        model = program.fingerprint.embedding
        keys = {chunk.id: embedding_key(dense_text(chunk)) for chunk in chunks}
        stored = program.vectors.get(model, list(keys.values()))
        chunks = [chunk for chunk in chunks if keys[chunk.id] in stored]
        texts = np.array([stored[keys[chunk.id]] for chunk in chunks], dtype=np.float32)
        questions = [question for chunk in chunks for question in asked(chunk)]
        vectors = asyncio.run(embedded(program, questions))
        save(adapter(model, material(chunks, texts, vectors)))
        print(
            f"{FILE.name}: {len(questions)} questions, {len(chunks)} texts, {FILE.stat().st_size // 1024} KB"
        )


if __name__ == "__main__":
    main()
