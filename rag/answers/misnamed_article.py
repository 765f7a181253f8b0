"""Articles that a question names by mistake: another article of their norm answers it."""

from collections.abc import Sequence

from law.chunks import Chunk
from rag.answers.confidence import UNSURE
from rag.answers.passage_selection import Passage
from rag.shared.hits import Hit
from rag.shared.notices import Kind, Notice

RATIO = 1.5
"""How many times likelier than theirs the other's best passage is: of 70 questions with an article added at
random this finds 54, of the same 70 with their own article none."""
TOLD = "Compruebe el artículo que cita, {named}: de lo que pregunta parece tratar {meant}."


def meant(pool: Sequence[Passage], hits: Sequence[Hit]) -> Chunk | None:
    """The first chunk that the search found, if it answers much better than the articles named of its norm.

    Args:
        pool: passages of the hits, with their odds.
        hits: those of the run, in order; some of articles that the question names.
    """
    named = {hit.chunk.article for hit in hits if hit.origin == "exact"}
    first = next(
        (hit.chunk for hit in hits if hit.origin == "search" and hit.chunk.article not in named), None
    )
    if first is None or first.norm_id not in {norm for norm, *_ in named}:
        return None
    best = {hits[one.hit].chunk.article: one.score for one in sorted(pool, key=lambda one: one.score)}
    theirs = max((best.get(article, 0.0) for article in named), default=0.0)
    others = max((score for article, score in best.items() if article[0] == first.norm_id), default=0.0)
    return first if best.get(first.article, 0.0) >= max(RATIO * theirs, others) > 0 else None


def misnaming_told(found: Chunk, hits: Sequence[Hit]) -> Notice:
    """The notice that the question seems to mean another article than it names."""
    named = dict.fromkeys(_name(hit.chunk) for hit in hits if hit.origin == "exact")
    return Notice(Kind.ARTICLE, TOLD.format(meant=_name(found), named=", ".join(named)), cap=UNSURE)


def _name(chunk: Chunk) -> str:
    return f"{chunk.alias or chunk.law}, {chunk.section.rstrip('. ')}"
