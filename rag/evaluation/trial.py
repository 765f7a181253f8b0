"""One question tried on norms that have just been loaded: where their articles rank for it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from law.chunks import Chunk
from rag.answers.companion_passages import first_of_each
from rag.evaluation.rankings import Options, retrace
from rag.shared.state import Services

SHOWN = 10


@dataclass(frozen=True)
class Result:
    """An article that the search found.

    Attributes:
        place: its place from 1, by its best part.
        own: True if it belongs to one of the norms that are tried.
        kept: True if an answer would be written from it.
    """

    chunk: Chunk
    place: int
    own: bool
    kept: bool


@dataclass(frozen=True)
class Trial:
    """The first articles for a question and all those of the norms that are tried, of `count` in all."""

    question: str
    as_of: date
    results: tuple[Result, ...]
    count: int

    @property
    def best(self) -> Result | None:
        """The first article of the norms that are tried."""
        return next((one for one in self.results if one.own), None)


async def try_question(question: str, services: Services, norm_ids: Collection[str]) -> Trial:
    """Search as for an answer, with the rules in place of a chat model.

    Args:
        norm_ids: the norms whose articles are looked for among the results.

    Raises:
        RunFailed: the corpus itself cannot be read.
    """
    options = Options(search=services.profile.rag_search_strategy)
    state, _ = await retrace(question, services, options)
    kept = {hit.chunk.article for hit in state.hits}
    first = first_of_each(state.ranked)
    results = (
        Result(hit.chunk, place, own=hit.chunk.norm_id in norm_ids, kept=hit.chunk.article in kept)
        for place, hit in enumerate(first, 1)
    )
    shown = tuple(one for one in results if one.own or one.place <= SHOWN)
    return Trial(question, state.as_of, shown, len(first))
