"""Provisions that answer together with the articles of an answer, and the passage of each to quote."""

from collections.abc import Iterable, Sequence

from law.chunks import ArticleKey
from lexicon.ties import Tie, companions
from rag.answers.passage_selection import Found, Passage, stretches
from rag.shared.hits import Hit
from text.textnorm import stems

ARTICLES = 3
MOST = 2


def first_of_each(hits: Iterable[Hit]) -> list[Hit]:
    """The first hit of each article, in order."""
    found: dict[ArticleKey, Hit] = {}
    for hit in hits:
        found.setdefault(hit.chunk.article, hit)
    return [*found.values()]


def sought(hits: Iterable[Hit], question: str) -> list[tuple[Hit, Tie]]:
    """The companions of the first articles of these hits, each once, with the hit that calls for it."""
    found: dict[tuple[str, str], tuple[Hit, Tie]] = {}
    for hit in first_of_each(hits)[:ARTICLES]:
        for one in companions(hit.chunk.norm_id, hit.chunk.label, question):
            found.setdefault((one.norm, one.label), (hit, one))
    return [*found.values()][:MOST]


def companion_passages(passages: Sequence[Passage], hits: Sequence[Hit], question: str) -> list[Passage]:
    """A passage of each companion of the articles quoted, unless one of it is shown already.

    A companion may be another passage of its own article. What stands apart answers nothing yet.
    """
    quoted = [hits[passage.hit] for passage in passages]
    shown = [passage for passage in passages if not passage.aside]
    have = {(hits[one.hit].chunk.norm_id, hits[one.hit].chunk.label) for one in shown}
    found = []
    for caller, one in sought(quoted, question):
        own = (caller.chunk.norm_id, caller.chunk.label) == (one.norm, one.label)
        parts = [
            (number, hit)
            for number, hit in enumerate(hits)
            if (hit.chunk.norm_id, hit.chunk.label) == (one.norm, one.label)
        ]
        if (own or (one.norm, one.label) not in have) and (quotable := stretches(parts)):
            found.append(_nearest(quotable, one))
    told = {passage.text for passage in shown}
    return [passage for passage in found if passage.text not in told]


def _nearest(found: Sequence[Found], companion: Tie) -> Passage:
    """The stretch with the most of the words sought, of those that begin as told; of equals, the shortest."""
    wanted = frozenset(stems(companion.seeks))

    def shared(one: Found) -> tuple[int, int]:
        text = f"{one.piece.lead} {one.piece.text}"
        return len(wanted.intersection(stems(text))), -len(text)

    opening = [one for one in found if one.piece.text.startswith(companion.opens)]
    return max(opening or found, key=shared).passage(0.0)
