"""Stage 5b: of a question about then and now, the wordings that its first articles have on the other day."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import chain, zip_longest

from law.chunks import Chunk
from law.decisions import LAW
from rag.answers.companion_passages import first_of_each
from rag.question.understanding import BOTH
from rag.ranking.chunk_words import words_of
from rag.shared.asking import wanted
from rag.shared.hits import Hit
from rag.shared.notices import Kind, Notice
from rag.shared.state import Services, State
from rag.stages.governing_law import tied_parts
from rag.stages.past_days import holds, is_article, no_wording, ranked_on

ARTICLES = 3
"""Articles of which another wording is sought, besides those named; as many lead a search of that day."""
MOST_PARTS, MOST = 3, 8
"""Parts of one wording, and fragments of other days in all."""
INHERITED = 0.9
BOTH_DAYS = (
    "La pregunta es también sobre otro día: se han leído, junto a la normativa vigente a {as_of:%d/%m/%Y}, "
    "estas redacciones que regían a {day:%d/%m/%Y}: {names}."
)


async def both_wordings(state: State, services: Services) -> list[Hit]:
    """Add to `state.hits` the wordings of the other days asked about, each after its article; returns them.

    Also of an article that leads the search of that day and is gone or worded anew on `state.as_of`. It is
    told if the first of the hits has none.
    """
    added: list[Hit] = []
    for day in days_asked(state):
        then = _leading(await ranked_on(day, state, services))
        found = await asyncio.to_thread(_of_day, day, then, state, services)
        known = {hit.key for hit in added}
        found = [hit for hit in found if hit.key not in known][: MOST - len(added)]
        for hit in _leading(state.hits)[:1]:
            if is_article(hit.chunk) and not await holds(hit.chunk, day, services):
                state.notices.append(no_wording(hit.chunk, day))
        if names := dict.fromkeys(hit.chunk.name for hit in found):
            told = BOTH_DAYS.format(as_of=state.as_of, day=day, names="; ".join([*names][:ARTICLES]))
            state.notices.append(Notice(Kind.DATE, told))
        added += found
    state.hits = [*_beside(state.hits, added)]
    return added


def days_asked(state: State) -> list[date]:
    """The days whose law is asked for besides that of `state.as_of`."""
    time = state.understanding.time
    if time is None or time.kind != BOTH:
        return []
    return [day for day in dict.fromkeys((*time.days, state.today)) if day != state.as_of]


def _of_day(day: date, then: Sequence[Hit], state: State, services: Services) -> list[Hit]:
    """Parts of the wordings in force on that day and not on `state.as_of`."""
    near = wanted(state, services)

    def nearness(chunk: Chunk) -> int:
        words = words_of(chunk)
        return -len(near & (words.heading | words.text))

    have = {hit.key for hit in state.hits}
    found: dict[tuple[str, str], Hit] = {}
    turns = chain.from_iterable(zip_longest(_leading(state.hits), then))
    for hit in filter(None, turns):
        whole = services.store.find(hit.chunk.norm_id, hit.chunk.label, day)
        parts = [one for one in whole if not one.in_force_on(state.as_of)]
        kept = sorted(parts, key=nearness)[:MOST_PARTS]
        tied = tied_parts(whole[0], day, state, services) if kept else []
        for chunk in [*sorted(kept, key=lambda one: one.part), *tied]:
            found.setdefault((chunk.collection, chunk.id), _hit(chunk, hit, day))
    return [hit for key, hit in found.items() if key not in have]


def _leading(hits: Iterable[Hit]) -> list[Hit]:
    """The first hit of each of the first articles, and of every one named."""
    articles = [hit for hit in first_of_each(hits) if hit.chunk.collection == LAW and hit.chunk.label]
    return [hit for place, hit in enumerate(articles) if place < ARTICLES or hit.origin == "exact"]


def _hit(chunk: Chunk, lead: Hit, day: date) -> Hit:
    return Hit(
        chunk=chunk,
        score=lead.score * INHERITED,
        origin="day",
        day=day,
        via=lead.chunk.id if lead.chunk.id != chunk.id else "",
        sub_queries=lead.sub_queries,
    )


def _beside(hits: Sequence[Hit], added: Sequence[Hit]) -> Iterator[Hit]:
    """The hits, with those added after the last one of their article or else at the end."""
    last = {hit.chunk.article: place for place, hit in enumerate(hits)}
    for place, hit in enumerate(hits):
        yield hit
        if last[hit.chunk.article] == place:
            yield from (one for one in added if one.chunk.article == hit.chunk.article)
    yield from (one for one in added if one.chunk.article not in last)
