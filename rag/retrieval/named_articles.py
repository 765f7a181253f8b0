"""Lookup of the articles that a question names explicitly («art. 48.4 ET»), without a search."""

from collections.abc import Sequence
from datetime import date

from law.labels import holds_apartado
from law.norms import Reference
from rag.shared.hits import Hit
from rag.shared.state import Services

EXACT_SCORE = 2.0
EXACT_PARTS = 6


def exact_hits(services: Services, mentioned: Sequence[Reference], as_of: date) -> list[Hit]:
    """Chunks of the articles that the question names, in its order; first the parts with the apartado."""
    hits: list[Hit] = []
    for reference in mentioned:
        if reference.norm_id is None or reference.label is None:
            continue
        parts = services.store.find(reference.norm_id, reference.label, as_of)[:EXACT_PARTS]
        parts.sort(key=lambda chunk: not holds_apartado(chunk.apartados, reference.apartado))
        for chunk in parts:
            score = EXACT_SCORE - len(hits) / 100
            hits.append(Hit(chunk=chunk, score=score, origin="exact"))
    return hits


def with_exact(hits: list[Hit], exact: list[Hit]) -> list[Hit]:
    """Exact hits in front of the others; one that the search also found keeps all that the search gave it."""
    found = {hit.key: hit for hit in hits}
    front = [
        found.get(hit.key, hit).model_copy(update={"score": hit.score, "origin": hit.origin}) for hit in exact
    ]
    named = {hit.key for hit in exact}
    return front + [hit for hit in hits if hit.key not in named]
