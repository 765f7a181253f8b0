"""Learn `index/word_vectors.npz`: `python -m lab word-vectors`.

Needs a home with the real norms (ARTICULADO_HOME). The questions are those of `lab.training.adapter`; of
those whose stretches are labelled these are right, of the others every passage of the article. The vector of
a word is that of the embedding model, turned by a matrix, one for questions and one for the law, plus what
the word alone learns. The loss is the softmax over the passages of other articles that share most words with
the question, of its own article and of the other questions of a batch, with some words of the question left
out and AdamW. One table has seen every question, one none; the others lack those of one or two of FOLDS
groups of norms.

It runs in PROCESSES processes: with OPENBLAS_NUM_THREADS=1 they do not get in each other's way.
"""

import asyncio
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from index.word_vectors import FILE, Table, WordVectors, save_word_vectors
from lab.training.adapter import FOLDS, embedded, in_force, questions_of
from lab.training.learning import AdamW, folds, left_out
from lab.training.questions import Part, people, provisions, shares_half
from law.chunks import Chunk
from rag.answers.quotable import Quotable, quotable
from service.config import settings
from service.program import assembly
from text.segmentation import is_row
from text.textnorm import stems, words

SIZE = 48
SEEN = 2
"""Times that a word must occur in passages or questions to have a vector."""
LONGEST = 64
SPREAD = 8.0
SHARPNESS = 22.0
LEFT_OUT = 0.15
EPOCHS = 2
BATCH = 32
OWN_RATE, TURN_RATE, WEIGHT_RATE = 5e-3, 1e-3, 2e-2
DECAY = 1e-2
LEAST, TINY = 1e-6, 1e-30
PROCESSES = 2
AT_ONCE = 200
RIGHT, BESIDE, OTHERS, NEAR = 3, 5, 6, 50
"""Passages of a question in a batch: right ones, of its article, and of the NEAR nearest by words."""


@dataclass(frozen=True)
class Question:
    """A question as it teaches.

    Attributes:
        article: place of the article that answers.
        best, helps: its passages, where they are labelled: those that answer, and those that complete it.
    """

    words: tuple[int, ...]
    article: int
    norm: str
    best: frozenset[int]
    helps: frozenset[int]


@dataclass(frozen=True)
class Material:
    """Material to learn from: v words, n passages.

    Attributes:
        meaning: of each word by the embedding model, (v, m); rarity (v,).
        passages: words of each, padded with v, (n, LONGEST); article of each, (n,).
        near: the NEAR nearest passages of each question, (q, NEAR).
    """

    stems: tuple[str, ...]
    meaning: np.ndarray
    rarity: np.ndarray
    passages: np.ndarray
    article: np.ndarray
    questions: tuple[Question, ...]
    near: np.ndarray


def material(program: assembly.App) -> Material:
    """The questions, passages and words of the home's norms."""
    chunks = in_force(program)
    articles = {key: place for place, key in enumerate(dict.fromkeys(one.article for one in chunks))}
    told = [(one, piece) for one in chunks for piece in quotable(one) if not is_row(piece.text)]
    said = [stems(f"{one.section} {piece.lead} {piece.text}") for one, piece in told]
    asked = questions_of(chunks)
    frequency = Counter(stem for some in said for stem in set(some))
    known = frequency + Counter(stem for text, _ in asked for stem in set(stems(text)))
    kept = tuple(sorted(stem for stem, count in known.items() if count >= SEEN))
    places = {stem: place for place, stem in enumerate(kept)}
    article = np.array([articles[one.article] for one, _ in told])
    passages = np.full((len(told), LONGEST), len(kept))
    for row, some in enumerate(said):
        own = [places[stem] for stem in dict.fromkeys(some) if stem in places][:LONGEST]
        passages[row, : len(own)] = own
    texts = [text for text, _ in asked] + [f"{one.section} {piece.lead} {piece.text}" for one, piece in told]
    rarity = np.log(1 + len(told) / (1 + np.array([frequency[stem] for stem in kept])))
    questions = tuple(_questions(asked, chunks, articles, told, places))
    return Material(
        kept,
        _meaning(program, kept, texts),
        rarity,
        passages,
        article,
        questions,
        _near(questions, passages, rarity, article),
    )


def _questions(
    asked: Sequence[tuple[str, int]],
    chunks: Sequence[Chunk],
    articles: dict[tuple[str, str], int],
    told: Sequence[tuple[Chunk, Quotable]],
    places: dict[str, int],
) -> Iterator[Question]:
    """The questions that have a known word; `asked`: each with the place of a chunk of its article."""
    every = [*provisions(Part.ADAPTER), *people(Part.ADAPTER)]
    labelled = {one.question: one.stretches for one in every if one.stretches}
    spans = defaultdict(list)
    for place, (chunk, piece) in enumerate(told):
        start = chunk.start + piece.start
        spans[chunk.norm_id, chunk.block_id].append((place, start, start + len(piece.text)))
    for text, owner in asked:
        grades: dict[int, int] = {}
        for one in labelled.get(text, ()):
            for place, start, end in spans[one["norm"], one["block"]]:
                if shares_half(one, start, end):
                    grades[place] = max(grades.get(place, 0), one["grade"])
        highest = max(grades.values(), default=0)
        if own := tuple(places[stem] for stem in dict.fromkeys(stems(text)) if stem in places):
            yield Question(
                own,
                articles[chunks[owner].article],
                chunks[owner].norm_id,
                frozenset(place for place, grade in grades.items() if grade == highest),
                frozenset(place for place, grade in grades.items() if grade < highest),
            )


def _meaning(program: assembly.App, kept: Sequence[str], texts: Sequence[str]) -> np.ndarray:
    """Vectors of the words by the embedding model, of the form of each stem that is most frequent."""
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for word, count in Counter(word for text in texts for word in words(text)).items():
        for stem in stems(word):
            forms[stem][word] += count
    vectors = asyncio.run(embedded(program, [max(forms[stem], key=forms[stem].__getitem__) for stem in kept]))
    spread: np.ndarray = (vectors - vectors.mean(0)) * np.float32(SPREAD)
    return spread


def _near(
    questions: Sequence[Question], passages: np.ndarray, rarity: np.ndarray, article: np.ndarray
) -> np.ndarray:
    """The passages of other articles that share most of each question's words, by rarity, (q, NEAR)."""
    held = np.zeros((len(passages), len(rarity) + 1), np.float32)
    held[np.arange(len(passages))[:, None], passages] = 1
    found = []
    for some in np.array_split(np.arange(len(questions)), len(questions) // AT_ONCE + 1):
        wanted = np.zeros((len(some), held.shape[1]), np.float32)
        for row, one in enumerate(some):
            words_asked = list(questions[one].words)
            wanted[row, words_asked] = rarity[words_asked]
        shared = wanted @ held.T
        own = article[None, :] == np.array([questions[one].article for one in some])[:, None]
        shared[own] = -1
        found.append(np.argpartition(-shared, NEAR, axis=1)[:, :NEAR])
    return np.concatenate(found)


class Batch(NamedTuple):
    """Questions with the words that they show this time, and the passages that they are compared with."""

    questions: Sequence[Question]
    shown: Sequence[Sequence[int]]
    pool: np.ndarray


class _Side:
    """The vectors of one side, of the question or of the law, as they are learned."""

    def __init__(self, meaning: np.ndarray, turn: np.ndarray) -> None:
        self._meaning = meaning
        self.turn = turn.astype(np.float32)
        self.own = np.zeros((len(meaning), SIZE), np.float32)
        self._turning, self._owning = AdamW([self.turn], 0.0), AdamW([self.own], DECAY)

    def vectors(self) -> np.ndarray:
        """Unit vectors and that of no word, (v + 1, SIZE)."""
        raw = self._meaning @ self.turn + self.own
        self._length = np.linalg.norm(raw, axis=1, keepdims=True)
        self.unit = np.vstack([raw / self._length, np.zeros((1, SIZE), np.float32)])
        return self.unit

    def step(self, gradient: np.ndarray, share: float) -> None:
        """Move against the gradient by the unit vectors, (v + 1, SIZE)."""
        unit, along = self.unit[:-1], gradient[:-1]
        raw = (along - unit * (unit * along).sum(1, keepdims=True)) / self._length
        self._turning.step([self._meaning.T @ raw], TURN_RATE * share)
        self._owning.step([raw], OWN_RATE * share)


def fit(of: Material, kept: Sequence[int], epochs: int = EPOCHS) -> Table:
    """The table learned from some of the questions."""
    dice = random.Random(0)
    _, spread, axes = np.linalg.svd(of.meaning, full_matrices=False)
    turn = (axes[:SIZE] / np.sqrt(spread[:SIZE, None] / np.sqrt(len(of.meaning)))).T
    asked, said = _Side(of.meaning, turn), _Side(of.meaning, turn)
    weight = np.log(np.expm1(np.clip(of.rarity / 4, 0.05, 5))).astype(np.float32)
    weighing = AdamW([weight], 0.0)
    by_article = defaultdict(list)
    for place, article in enumerate(of.article):
        by_article[article].append(place)
    usable = [one for one in kept if by_article[of.questions[one].article]]
    order = [one for _ in range(epochs) for one in dice.sample(usable, len(usable))]
    batches = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
    for number, batch in enumerate(batches):
        chosen = [of.questions[one] for one in batch]
        pool: dict[int, None] = {}
        for one, question in zip(batch, chosen, strict=True):
            own = by_article[question.article]
            for some, most in (
                (sorted(question.best) or own, RIGHT),
                (own, BESIDE),
                (list(of.near[one]), OTHERS),
            ):
                pool |= dict.fromkeys(dice.sample(some, min(most, len(some))))
        shown = [[w for w in one.words if dice.random() >= LEFT_OUT] or list(one.words) for one in chosen]
        now = Batch(chosen, shown, np.array(list(pool)))
        gradients = _gradients(of, now, asked.vectors(), said.vectors(), weight)
        share = 1 - number / len(batches)
        asked.step(gradients[0], share)
        said.step(gradients[1], share)
        weighing.step([gradients[2]], WEIGHT_RATE * share)
    return Table(asked.vectors(), said.vectors(), np.append(_positive(weight), 0).astype(np.float32))


def _gradients(
    of: Material, batch: Batch, asked: np.ndarray, said: np.ndarray, weight: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gradients of the mean loss of a batch by the unit vectors of both sides and by the raw weights."""
    questions, shown, pool = batch
    words_asked = np.concatenate([np.array(some) for some in shown])
    owner = np.repeat(np.arange(len(shown)), [len(some) for some in shown])
    first = np.cumsum([0, *map(len, shown)])[:-1]
    texts = of.passages[pool]
    texts = texts[:, : max(1, int((texts < len(of.stems)).sum(1).max()))]
    near = (asked[words_asked] @ said[texts.ravel()].T).reshape(len(words_asked), *texts.shape)
    best = near.argmax(2)
    value = np.maximum(np.take_along_axis(near, best[:, :, None], 2)[:, :, 0], 0)
    counts = _positive(weight[words_asked])
    whole = np.add.reduceat(counts, first)
    scores = np.add.reduceat(value * counts[:, None], first, axis=0) / whole[:, None]
    error = _error(scores * SHARPNESS, of, questions, pool) * (SHARPNESS / len(questions))
    by_value = error[owner] * (counts / whole[owner])[:, None]
    by_value[value <= 0] = 0
    by_count = (error[owner] * (value - scores[owner])).sum(1) / whole[owner]
    one, other = np.nonzero(np.abs(by_value) > LEAST)
    slope = by_value[one, other][:, None]
    in_law = texts[other, best[one, other]]
    moved_asked, moved_said = np.zeros_like(asked), np.zeros_like(said)
    np.add.at(moved_asked, words_asked[one], slope * said[in_law])
    np.add.at(moved_said, in_law, slope * asked[words_asked[one]])
    moved_weight = np.zeros_like(weight)
    np.add.at(moved_weight, words_asked, by_count / (1 + np.exp(-weight[words_asked])))
    return moved_asked, moved_said, moved_weight


def _error(sums: np.ndarray, of: Material, questions: Sequence[Question], pool: np.ndarray) -> np.ndarray:
    """Gradient of the loss of each question by its scores; what only helps is neither right nor wrong."""
    right, aside = np.zeros(sums.shape, bool), np.zeros(sums.shape, bool)
    for row, question in enumerate(questions):
        if question.best:
            right[row] = np.isin(pool, list(question.best))
            aside[row] = np.isin(pool, list(question.helps))
        else:
            right[row] = of.article[pool] == question.article
    powers = np.exp(sums - sums.max(1, keepdims=True)) * ~aside
    meant = powers * right
    error: np.ndarray = powers / powers.sum(1, keepdims=True) - meant / np.maximum(
        meant.sum(1, keepdims=True), TINY
    )
    return error


def _positive(weight: np.ndarray) -> np.ndarray:
    """Softplus."""
    found: np.ndarray = np.logaddexp(0, weight)
    return found


def main() -> None:
    with closing(assembly.build(settings())) as program:
        of = material(program)
    norms = [one.norm for one in of.questions]
    part = dict(zip(norms, map(int, folds(norms, FOLDS)), strict=True))
    sets = left_out(FOLDS)
    kept = [[i for i, norm in enumerate(norms) if part[norm] not in unseen] for unseen in sets]
    with ProcessPoolExecutor(PROCESSES) as pool:
        learned = list(pool.map(fit, [of] * len(sets), kept))
    places = {stem: place for place, stem in enumerate(of.stems)}
    save_word_vectors(
        WordVectors(places, part, {None: fit(of, [], 0), **dict(zip(sets, learned, strict=True))})
    )
    print(f"{FILE.name}: {len(norms)} questions, {len(places)} words, {FILE.stat().st_size // 1024} KB")
