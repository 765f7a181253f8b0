"""Stage 5b: the transitional provisions that govern cases still open under the first articles."""

from datetime import date

from law.chunks import Chunk
from law.labels import holds_apartado
from lexicon.ties import transitional
from rag.answers.companion_passages import first_of_each
from rag.shared.hits import Hit
from rag.shared.state import Services, State

ARTICLES = 2
MOST_PARTS = 4
INHERITED = 0.8


def governing(state: State, services: Services) -> list[Hit]:
    """Provisions tied to the first articles, at 0.8 of their score, without those already among the hits."""
    have = {hit.key for hit in state.hits}
    found = {
        (chunk.collection, chunk.id): beside(hit, chunk)
        for hit in first_of_each(state.hits)[:ARTICLES]
        for chunk in tied_parts(hit.chunk, state.as_of, state, services)
    }
    return [hit for key, hit in found.items() if key not in have]


def beside(hit: Hit, chunk: Chunk) -> Hit:
    """A chunk added because of a hit: at 0.8 of its score, for the same sub-queries."""
    return Hit(
        chunk=chunk,
        score=hit.score * INHERITED,
        origin="reference",
        via=hit.chunk.id,
        sub_queries=hit.sub_queries,
    )


def tied_parts(chunk: Chunk, day: date, state: State, services: Services) -> list[Chunk]:
    """The parts of the provisions tied to an article, only those that may have the apartado that counts."""
    said = []
    for tie in transitional(chunk.article, chunk.url, day, state.understanding.hired):
        parts = services.store.find(tie.norm, tie.label, day)
        whole = [one for one in parts if one.block_id == tie.block]
        held = [
            one
            for one in whole
            if not (tie.apartado and one.apartados) or holds_apartado(one.apartados, tie.apartado)
        ]
        said += held[:MOST_PARTS]
    return said
