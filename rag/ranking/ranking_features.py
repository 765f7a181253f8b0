"""Features of each candidate article: named numbers, each about -1 to 1. Pure functions.

Articles are ranked, not their parts: the parts of one wording are one `Article`, with the best score that
any of them has. A signal that is absent (no vectors, no references) is 0 for every candidate, so the same
weights serve lexical search and any embedding model: scores enter relative to the other candidates.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import chain, pairwise
from math import log
from statistics import fmean, linear_regression
from typing import NamedTuple

from index import word_vectors
from law.chunks import Chunk, article_of
from law.norms import BlockKind
from lexicon import regimes
from lexicon.ties import governing
from lexicon.usual_names import known_norm
from rag.ranking.chunk_words import ChunkWords, Kept, heading, lines_of, words_of
from rag.shared.hits import Hit
from text.textnorm import fold_for_search, stems

SYNONYM = 0.5
SUPPORT = 20
REFERRING = 10
RAREST = 12.0
UNASKED = RAREST / 2
INTENT = 4.0
PASSAGE_BY_TEXT = (0.38, 0.49)
"""Slope and level of `passage` by `adapted`: least squares over the candidates of the training questions."""

GENERAL = frozenset({"ET", "LGSS"})
REGULATIONS = frozenset({"real decreto", "decreto", "orden", "resolucion", "instruccion"})
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_NUMBERED = re.compile(r"\b\d+/(?:19|20)\d\d\b(?:, de \d+ de \w+)?")
_AMENDS = re.compile(r"\bmodificaci[óo]n(?:es)? (?:de|del|parcial|en)\b|\bse modifica", re.I)


class Phrase(NamedTuple):
    """Adjacent stems: in order, between spaces (`ordered`), and as a set."""

    ordered: str
    stems: frozenset[str]

    @classmethod
    def of(cls, stems: Sequence[str]) -> Phrase:
        return cls(f" {' '.join(stems)} ", frozenset(stems))


@dataclass(frozen=True)
class Asked:
    """A question as the features see it.

    Attributes:
        weights: weight of each stem: its rarity, times `SYNONYM` if only a synonym has it.
        rarity: stem to about its IDF in the corpus; a stem that is not in it counts as 1.
        phrases, pairs: stems in order, of the synonyms' terms and of neighbours in the question.
        intent: stems of the headings that this kind of question looks for.
        regimes: special regimes that it names.
        norms: ids of the norms it names.
        own: its stems, without those of synonyms.
        unseen: see `WordVectors.nearness`.
    """

    weights: Mapping[str, float]
    rarity: Mapping[str, float]
    norms: frozenset[str]
    phrases: tuple[Phrase, ...]
    pairs: tuple[Phrase, ...]
    intent: frozenset[str]
    regimes: frozenset[str]
    own: tuple[str, ...] = ()
    unseen: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        text: str,
        synonyms: Iterable[str] = (),
        *,
        rarity: Mapping[str, float] | None = None,
        norms: Iterable[str] = (),
        unseen: frozenset[str] = frozenset(),
    ) -> Asked:
        rarity = rarity or {}
        own = stems(text)
        expansions = [found for term in synonyms if (found := stems(term))]
        terms = dict.fromkeys(own, 1.0)
        for stem in chain.from_iterable(expansions):
            terms.setdefault(stem, SYNONYM)
        return cls(
            weights={stem: weight * rarity.get(stem, 1.0) for stem, weight in terms.items()},
            rarity=rarity,
            norms=frozenset(norms),
            phrases=tuple(map(Phrase.of, expansions)),
            pairs=tuple(dict.fromkeys(map(Phrase.of, pairwise(own)))),
            intent=regimes.heading_stems(text),
            regimes=regimes.regimes_named(text),
            own=tuple(own),
            unseen=unseen,
        )

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(self.weights)

    @cached_property
    def total(self) -> float:
        return sum(self.weights.values()) or 1.0

    def share(self, found: Iterable[str]) -> float:
        """Share, 0 to 1, of the weight of all stems that belongs to `found`."""
        return sum(self.weights[stem] for stem in found) / self.total


@dataclass(frozen=True)
class Article:
    """A wording of a block: the part that matches best, and the best scores of all its parts found."""

    best: Hit
    parts: tuple[Hit, ...]
    adapted: float | None
    sparse: float | None
    aids: float | None
    question: float | None
    passage: float | None
    score: float
    vectorless: bool = False

    @property
    def aided(self) -> bool:
        return any(part.chunk.questions or part.chunk.keywords for part in self.parts)

    @property
    def chapter(self) -> tuple[str, str]:
        return (self.best.chunk.norm_id, self.best.chunk.chapter)


def articles(hits: Sequence[Hit]) -> list[Article]:
    """The candidates grouped by wording, in order of first appearance."""
    groups: dict[tuple[str, str, str, date], list[Hit]] = {}
    for hit in hits:
        chunk = hit.chunk
        groups.setdefault((chunk.collection, chunk.norm_id, chunk.block_id, chunk.valid_from), []).append(hit)
    adapted, sparse = Scale(h.adapted for h in hits), Scale(h.sparse for h in hits)

    def match(hit: Hit) -> tuple[float, float, int]:
        return (adapted(hit.adapted) + sparse(hit.sparse), hit.score, -hit.chunk.part)

    return [
        Article(
            best=parts[0] if len(parts) == 1 else max(parts, key=match),
            parts=tuple(parts),
            adapted=max((h.adapted for h in parts if h.adapted is not None), default=None),
            sparse=max((h.sparse for h in parts if h.sparse is not None), default=None),
            aids=max((h.aids for h in parts if h.aids is not None), default=None),
            question=max((h.question for h in parts if h.question is not None), default=None),
            passage=max((h.passage for h in parts if h.passage is not None), default=None),
            score=max(h.score for h in parts),
            vectorless=all(h.vectorless for h in parts),
        )
        for parts in groups.values()
    ]


def table(
    asked: Asked, found: Sequence[Article], referring: Mapping[str, Sequence[str]] | None = None
) -> list[dict[str, float]]:
    """The features of each article.

    A transitional provision is not one of the past beside an article whose open cases it governs.

    Args:
        referring: chunk id of a candidate to the chunk ids that its text refers to.
    """
    adapted, sparse = Scale(a.adapted for a in found), Scale(a.sparse for a in found)
    question, aids = Scale(a.question for a in found), Scale((0.0, *(a.aids for a in found)))
    passage = Scale(a.passage for a in found)
    near = _related(asked, found)
    related = Scale(near)
    by_meaning = any(a.adapted is not None for a in found)
    top = max((a.score for a in found if a.best.origin != "exact"), default=1.0) or 1.0
    rows = [
        {
            "adapted": adapted(a.adapted),
            "sparse": sparse(a.sparse),
            "aids": aids(a.aids),
            "question": question(a.question),
            "passage": passage(a.passage),
            "related": related(one),
            "aided": float(a.aided and by_meaning and not a.vectorless),
            "aided_words": float(a.aided and (a.vectorless or not by_meaning)),
            "fused": min(1.0, a.score / top),
        }
        | _match(asked, a)
        | _norm(asked, a)
        for a, one in zip(found, near, strict=True)
    ]
    _expect(rows, found)
    if by_meaning:
        _expect_passages(rows, found)
    first = [row["adapted"] + row["sparse"] for row in rows]
    order = sorted(range(len(found)), key=lambda i: (-first[i], found[i].best.chunk.id))[:SUPPORT]
    leading = (found[i].best.chunk for i in order)
    governed = {rule for chunk in leading for rule in governing(chunk.article, chunk.url)}
    for row, article, more in zip(rows, found, _company(found, order, referring or {}), strict=True):
        row.update(more)
        if article.best.chunk.article in governed:
            row["transitional"] = 0.0
    return rows


def _related(asked: Asked, found: Sequence[Article]) -> list[float]:
    """How near the words of the nearest line of each article are to those of the question."""
    lines = [[line for part in one.parts for line in lines_of(part.chunk)] for one in found]
    near = iter(
        word_vectors.load_word_vectors().nearness(asked.own, [*chain.from_iterable(lines)], asked.unseen)
    )
    return [max((next(near) for _ in some), default=0.0) for some in lines]


def _expect(rows: Sequence[dict[str, float]], found: Sequence[Article]) -> None:
    """Give articles whose vectors are not made what others have by meaning that match as well by words.

    Nothing is known of their meaning: 0 would say that they are the farthest of all. Linear least squares.
    """
    known = [row for row, article in zip(rows, found, strict=True) if not article.vectorless]
    if not known or len(known) == len(rows):
        return
    line = (0.0, fmean(row["adapted"] for row in known))
    if len({row["sparse"] for row in known}) > 1:
        line = linear_regression([row["sparse"] for row in known], [row["adapted"] for row in known])
    for row, article in zip(rows, found, strict=True):
        if article.vectorless:
            row["adapted"] = min(1.0, max(0.0, line[1] + line[0] * row["sparse"]))


def _expect_passages(rows: Sequence[dict[str, float]], found: Sequence[Article]) -> None:
    """Give articles whose passages are not embedded what others have that are as near by their text."""
    slope, level = PASSAGE_BY_TEXT
    for row, article in zip(rows, found, strict=True):
        if article.passage is None:
            row["passage"] = level + slope * row["adapted"]


class Scale:
    """Scales scores to 0-1 between the candidates' lowest and highest; None becomes 0."""

    def __init__(self, values: Iterable[float | None]) -> None:
        known = [value for value in values if value is not None]
        self._low = min(known, default=0.0)
        self._span = (max(known, default=0.0) - self._low) or 1.0

    def __call__(self, value: float | None) -> float:
        return 0.0 if value is None else (value - self._low) / self._span


def _match(asked: Asked, article: Article) -> dict[str, float]:
    """Features of the match: shares of the question in the article, and of its heading in the question."""
    words = words_of(article.best.chunk)
    texts = [words_of(part.chunk) for part in article.parts]
    own = asked.stems & words.heading
    above = asked.stems & words.above
    title = asked.stems & words.title
    in_structure = own | above | title
    held = [asked.stems & text.text for text in texts]
    in_text = frozenset().union(*held) - in_structure
    intent = asked.intent & words.heading
    met = own | intent
    explained = sum(asked.rarity.get(stem, INTENT) for stem in met)
    size = explained + UNASKED * (len(words.heading) - len(met))
    structure = asked.share(in_structure)
    return {
        "heading_explained": explained / size if size else 0.0,
        "norm_title": asked.share(title - own - above),
        "coverage": structure + asked.share(in_text),
        "asked_words": asked.share(asked.stems & words.asked),
        "synonym_phrases": _share(asked.phrases, texts, held),
        "pairs": _share(asked.pairs, texts, held),
        "intent": float(bool(intent)),
        "intent_topic": structure if intent else 0.0,
    }


def _share(phrases: Sequence[Phrase], texts: Sequence[ChunkWords], held: Sequence[frozenset[str]]) -> float:
    """Share of the phrases that occur in order in a text; `held`: stems of each text. 0 without phrases."""
    if not phrases:
        return 0.0
    standing = {
        number
        for text, stems_held in zip(texts, held, strict=True)
        for number, phrase in enumerate(phrases)
        if phrase.stems <= stems_held and phrase.ordered in text.ordered
    }
    return len(standing) / len(phrases)


class Provision(NamedTuple):
    """Properties of a chunk independent of the question: its own features, and its special regimes."""

    features: Mapping[str, float]
    norm_regimes: frozenset[str]
    heading_regimes: frozenset[str]

    @classmethod
    def of(cls, chunk: Chunk) -> Provision:
        known = known_norm(chunk.norm_id)
        norm_regimes = regimes.marked(known.title if known else chunk.law)
        return cls(
            _kind(chunk),
            norm_regimes,
            regimes.marked(f"{chunk.chapter}. {chunk.section}") - norm_regimes,
        )


_provision = Kept(Provision.of).of


def prepare(chunks: Iterable[Chunk]) -> None:
    """Fill the caches for these chunks, so that the first question about them does not wait."""
    for chunk in chunks:
        words_of(chunk)
        lines_of(chunk)
        _provision(chunk)


def amends(title: str) -> bool:
    """True if the title of a provision says that it amends another norm."""
    return _AMENDS.search(title) is not None


def _kind(chunk: Chunk) -> dict[str, float]:
    """Features of the kind of provision: those that are no articles mostly rule past situations."""
    kind = chunk.kind
    title = heading(chunk.section)
    return {
        "transitional": float(kind is BlockKind.TRANSITIONAL),
        "final": float(kind in {BlockKind.FINAL, BlockKind.REPEALING}),
        "additional": float(kind is BlockKind.ADDITIONAL),
        "preamble": float(kind is BlockKind.PREAMBLE),
        "amending": float(amends(title) or "«" in chunk.text[:400]),
        "dated": float(bool(_YEAR.search(_NUMBERED.sub("", title)))),
        "length": log(max(1, chunk.parts)),
        "regulation": float(fold_for_search(chunk.rank) in REGULATIONS),
        "general": float(chunk.alias in GENERAL),
    }


def _norm(asked: Asked, article: Article) -> dict[str, float]:
    """Features of the provision: its own, if the question names its norm, and if it names its regimes."""
    chunk = article.best.chunk
    provision = _provision(chunk)
    said, of_norm, of_heading = asked.regimes, provision.norm_regimes, provision.heading_regimes
    return {
        **provision.features,
        "named": float(chunk.norm_id in asked.norms),
        "norm_regime_said": float(bool(of_norm & said)),
        "norm_regime_unsaid": float(bool(of_norm - said) and not of_norm & said),
        "regime_said": float(bool(of_heading & said)),
        "regime_unsaid": float(bool(of_heading - said) and not of_heading & said),
    }


def _company(
    found: Sequence[Article], order: Sequence[int], referring: Mapping[str, Sequence[str]]
) -> list[dict[str, float]]:
    """Support from the other good candidates, `order`: the same norm and chapter, and their references."""
    norms: Counter[str] = Counter()
    chapters: Counter[tuple[str, str]] = Counter()
    for i in order:
        norms[found[i].best.chunk.norm_id] += 1
        chapters[found[i].chapter] += 1
    targets: Counter[tuple[str, str]] = Counter()
    for i in order[:REFERRING]:
        targets.update({article_of(t) for part in found[i].parts for t in referring.get(part.chunk.id, ())})
    return [
        {
            "norm_support": norms[a.best.chunk.norm_id] / SUPPORT,
            "chapter_support": chapters[a.chapter] / SUPPORT,
            "referred": min(3, targets[a.best.chunk.article]) / 3,
        }
        for a in found
    ]
