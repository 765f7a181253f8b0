"""The place of one article in the rankings of a question, and its features beside those of the first."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from core.errors import NotFound
from law.chunks import ArticleKey, Chunk, article_of
from rag.evaluation.rankings import INDEXED, RANKINGS, Inspection
from rag.shared.hits import Hit
from rag.shared.state import Services
from rag.stages.rerank import order, ranking_terms

UNREAD = "No se reconoce ningún artículo en «{text}»: escríbalo como «art. 48 ET»."
UNKNOWN_NORM = "«{text}» no nombra ninguna norma del corpus: añádala, como en «art. 48 ET»."
NOT_IN_FORCE = "{text} no está en el corpus con una redacción vigente el {day:%d/%m/%Y}."


@dataclass(frozen=True)
class Standing:
    """One article beside the first of a question.

    Attributes:
        ranks: ranking to place from 1, or None.
        candidate: True if the search brought it to the reranker.
        kept: True if the reranker kept one of its fragments.
        named: True if the question names it, which puts it in front regardless of its features.
        would_be: its place as a candidate, real or, if it was not one, hypothetical.
        features: contribution of each feature to its score.
        best, best_features: the first article with features, and their contributions.
    """

    chunk: Chunk
    ranks: Mapping[str, int | None]
    candidate: bool
    kept: bool
    named: bool
    would_be: int
    features: Mapping[str, float]
    best: Chunk | None
    best_features: Mapping[str, float]

    @property
    def gaps(self) -> list[tuple[str, float, float]]:
        """(feature, this article's contribution, that of the best), the largest deficit first."""
        names = dict.fromkeys((*self.features, *self.best_features))
        rows = [(name, self.features.get(name, 0.0), self.best_features.get(name, 0.0)) for name in names]
        return sorted(rows, key=lambda row: row[1] - row[2])


def standing(inspection: Inspection, text: str, services: Services) -> Standing:
    """The places of the article that `text` names, beside the first article of the question.

    Raises:
        NotFound: `text` names no article of the corpus in force on the day; the message is Spanish.
    """
    parts = _named(text, inspection.as_of, services)
    article = article_of(parts[0].id)
    state = inspection.state
    own = [hit for hit in state.candidates if article_of(hit.chunk.id) == article]
    added = [] if own else [_as_found(part, inspection) for part in parts]
    texts = [state.asked, *(one.text for one in state.queries)]
    weighed = order(
        ranking_terms(texts, state.as_of, services), [*state.candidates, *added], state.as_of, services
    )
    ranked = state.ranked if own else weighed
    place = next(n for n, key in enumerate(_keys(ranked), 1) if key == article)
    mine = next(hit for hit in weighed if article_of(hit.chunk.id) == article)
    best = next((hit for hit in weighed if hit.features), None)
    return Standing(
        chunk=mine.chunk,
        ranks={name: inspection.rank(name, article) for name in RANKINGS},
        candidate=bool(own),
        kept=article in inspection.kept,
        named=mine.origin == "exact",
        would_be=place,
        features=dict(mine.features),
        best=best.chunk if best else None,
        best_features=dict(best.features) if best else {},
    )


def _keys(hits: Iterable[Hit]) -> list[ArticleKey]:
    return list(dict.fromkeys(article_of(hit.chunk.id) for hit in hits))


def _named(text: str, as_of: date, services: Services) -> list[Chunk]:
    """The parts of the first article that a text names, in force on the day."""
    found = services.holdings().references(text)
    named = next((one for one in found if one.label), None)
    if named is None or named.label is None:
        raise NotFound(UNREAD.format(text=text))
    if named.norm_id is None:
        raise NotFound(UNKNOWN_NORM.format(text=named.text))
    parts = services.store.find(named.norm_id, named.label, as_of)
    if not parts:
        raise NotFound(NOT_IN_FORCE.format(text=f"«{named.text}»", day=as_of))
    return parts


def _as_found(part: Chunk, inspection: Inspection) -> Hit:
    """A part as a hit of the search, with its article's scores in the rankings of the index."""
    places = {
        name: next((p.score for p in inspection.rankings[name] if p.article == article_of(part.id)), None)
        for name in INDEXED
    }
    return Hit(
        chunk=part,
        score=0.0,
        dense=places["dense"],
        adapted=places["adapted"],
        sparse=places["sparse"],
        aids=places["aids"],
        question=places["questions"],
    )
