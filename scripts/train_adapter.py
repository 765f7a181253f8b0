"""Learn `index/adapter.npz`: `python -m scripts.train_adapter`.

Needs a home with the real norms and all their vectors (ARTICULADO_HOME), and embeds the questions of their
search aids, those of `scripts.provisions` and, each as often as PEOPLE, those that outsiders asked
(`data/training/answerability.jsonl`, `scripts.people`). The loss is the softmax over all texts of the
articles that answer a question (InfoNCE), with dropout (Srivastava et al., 2014) and AdamW (Loshchilov and
Hutter, 2019). Half of what is learned is kept, the rest stays with the embedding model. One network has seen
every question; the others lack those of one or two of FOLDS groups of norms and serve evaluations.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.clock import today_in_spain
from index.query_adapter import FILE, Adapter, Network, save
from law.chunks import Chunk, article_of
from loading.chunking.chunk import dense_text
from loading.indexing.index_sync import asked, embedding_key
from rag.evaluation.cases import read_dataset
from scripts import people, provisions
from scripts.adamw import AdamW
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
PEOPLE = 3
ASKED = ROOT / "data" / "training" / "answerability.jsonl"


@dataclass(frozen=True)
class Material:
    """Unit vectors of questions (q, d) and texts (n, d), the article and the norm of each."""

    questions: np.ndarray
    asked_of: np.ndarray
    texts: np.ndarray
    articles: np.ndarray
    question_norms: np.ndarray
    text_norms: np.ndarray


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
    first: dict[tuple[str, str], int] = {}
    for place, chunk in enumerate(chunks):
        first.setdefault((chunk.norm_id, chunk.block_id), place)
    labelled: dict[tuple[str, str], int] = {}
    for place, chunk in enumerate(chunks):
        labelled.setdefault((chunk.norm_id, chunk.label.lower()), place)
    found = [(question, place) for place, chunk in enumerate(chunks) for question in asked(chunk)]
    found += [
        (one.question, first[one.norm, one.block])
        for one in provisions.for_adapter()
        if (one.norm, one.block) in first
    ]
    outsiders = [
        (case.question, labelled[one.norm, one.article.lower()])
        for case in read_dataset(ASKED).cases
        for one in case.relevant
        if (one.norm, one.article.lower()) in labelled
    ]
    outsiders += [
        (question, first[norm, block])
        for question, norm, block in people.for_adapter()
        if (norm, block) in first
    ]
    return found + outsiders * PEOPLE


def material(
    chunks: Sequence[Chunk], texts: np.ndarray, owners: Sequence[int], questions: np.ndarray
) -> Material:
    """The vectors with whose they are; `owners`: the place of a chunk of each question."""
    number = {key: place for place, key in enumerate(dict.fromkeys(article_of(one.id) for one in chunks))}
    of_chunk = np.array([number[article_of(one.id)] for one in chunks])
    norms = np.array([one.norm_id for one in chunks])
    asked_of = np.array(owners)
    return Material(questions, of_chunk[asked_of], texts, of_chunk, norms[asked_of], norms)


def balanced(norms: Sequence[str], count: int = FOLDS) -> dict[str, int]:
    """Norm to fold, so that each fold has about as many questions; `norms` has one entry a question."""
    sizes: Counter[int] = Counter(dict.fromkeys(range(count), 0))
    folds = {}
    for norm, questions in sorted(Counter(norms).items(), key=lambda one: (-one[1], one[0])):
        folds[norm] = min(sizes, key=lambda fold: (sizes[fold], fold))
        sizes[folds[norm]] += questions
    return folds


def fit(of: Material, seed: int = 0) -> Network:
    """The network whose questions lie near the texts of their articles."""
    size = of.texts.shape[1]
    places = defaultdict(list)
    for place, article in enumerate(of.articles):
        places[article].append(place)
    dice = np.random.default_rng(seed)
    middle = of.questions.mean(axis=0)
    bound = size**-0.5
    inner = dice.uniform(-bound, bound, (size, HIDDEN)).astype(np.float32)
    threshold = dice.uniform(-bound, bound, HIDDEN).astype(np.float32)
    outer, shift = np.zeros((HIDDEN, size), np.float32), np.zeros(size, np.float32)
    learned = [inner, threshold, outer, shift]
    optimizer = AdamW(learned, DECAY)
    steps = max(1, EPOCHS * (len(of.questions) // BATCH))
    shuffled = np.concatenate([dice.permutation(len(of.questions)) for _ in range(EPOCHS)])
    for step, chosen in enumerate(np.array_split(shuffled, steps), 1):
        x = of.questions[chosen]
        seen = (x - middle) * np.float32(SPREAD)
        hidden = seen @ inner + threshold
        live = (hidden > 0) * (dice.random(hidden.shape, np.float32) >= DROPPED) / np.float32(1 - DROPPED)
        scores = (x + (hidden * live) @ outer + shift) @ of.texts.T / np.float32(TEMPERATURE)
        scores = np.exp(scores - scores.max(1, keepdims=True))
        error = scores / scores.sum(1, keepdims=True)
        for row, article in enumerate(of.asked_of[chosen]):
            right = places[article]
            error[row, right] -= scores[row, right] / scores[row, right].sum()
        moved = error @ of.texts / np.float32(TEMPERATURE * len(chosen))
        back = (moved @ outer.T) * live
        gradients = (seen.T @ back, back.sum(0), (hidden * live).T @ moved, moved.sum(0))
        optimizer.step(gradients, RATE * (1 - (step - 1) / steps))
    inner *= np.float32(SPREAD)
    return Network.of(inner, threshold - middle @ inner, outer * np.float32(KEPT), shift * np.float32(KEPT))


def without(of: Material, folds: dict[str, int], unseen: frozenset[int]) -> Material:
    """The rest without the norms of these folds."""
    q = np.array([folds[norm] not in unseen for norm in of.question_norms])
    t = np.array([folds.get(norm, -1) not in unseen for norm in of.text_norms])
    return Material(
        of.questions[q], of.asked_of[q], of.texts[t], of.articles[t], of.question_norms[q], of.text_norms[t]
    )


def adapter(model: str, of: Material) -> Adapter:
    """The network that has seen every question and those without one or two folds."""
    folds = balanced(list(of.question_norms))
    sets = [frozenset(one) for size in range(3) for one in combinations(range(FOLDS), size)]
    return Adapter(model, folds, {unseen: fit(without(of, folds, unseen)) for unseen in sets})


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
        save(adapter(model, material(chunks, texts, owners, vectors)))
        print(
            f"{FILE.name}: {len(questions)} questions, {len(chunks)} texts, {FILE.stat().st_size // 1024} KB"
        )


if __name__ == "__main__":
    main()
