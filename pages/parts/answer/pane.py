"""The reading pane: the article of a citation beside the answer, with the quoted words marked.

A mark of a citation leads to the page of its article; `web/static/pane.js` opens it beside the answer
instead, with the text that this route gives. It shows what the corpus holds: the quotations are looked up in
the article letter by letter, and what is not there is not marked.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import date
from itertools import zip_longest
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from core.errors import ArticuladoError, Forbidden, InputError, NotFound
from law.chunks import Chunk
from law.norm_names import named_law
from law.norms import BlockVersion
from lexicon.ties import transitional
from pages.parts.answer.sources import GONE, address_of, displaced, governing_html
from pages.parts.common.html import EMPTY, Html, badges, each, html, note, trail
from pages.parts.common.law import quoted_html
from pages.parts.common.layout import official_label
from pages.parts.common.words import today, validity
from rag.answers.verbatim import place_of
from rag.shared.cited_answer import Source
from service.members.member import Member
from text.links import official_url
from web.api.person import member
from web.base.access import SOURCE

THREADS = ThreadPoolExecutor(8, "pane")
"""Its own: pages that take long to draw keep nobody from signing in."""
MOST_QUOTES, LONGEST_QUOTE, DIGITS = 12, 6000, 9
LOST = "Una cita ya no está tal cual en esta redacción: compruébela en la fuente oficial."
BAD_DAY = "La fecha de la redacción no se entiende: abra la fuente desde la respuesta."
STATUS: tuple[tuple[type[ArticuladoError], int], ...] = ((Forbidden, 403), (NotFound, 404), (InputError, 422))


def page_of(source: Source | Chunk) -> str:
    """Address of the page of the article that a source names, in its wording."""
    named = {"doc": source.norm_id, "block": source.block_id, **_wording(source)}
    return f"/normativa?{urlencode(named)}"


def text_of(source: Source | Chunk, quotes: Sequence[str] = (), starts: Sequence[int | None] = ()) -> str:
    """Address of that article's text with the quotations marked, for the pane.

    Args:
        starts: offset of each quotation in the wording, or None.
    """
    named = {"doc": source.norm_id, "block": source.block_id, **_wording(source)}
    places = [("at", "" if start is None else str(start)) for start in starts]
    return f"{SOURCE}?{urlencode([*named.items(), *(('q', quote) for quote in quotes), *places])}"


def _wording(source: Source | Chunk) -> dict[str, str]:
    return {"on": source.valid_from.isoformat()} if source.valid_from else {}


def routes() -> list[Route]:
    """The route of the text; the guard has checked the session."""
    return [Route(SOURCE, answering(_drawn))]


def answering(reply: Callable[[Member, Request], Response]) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint with this reply or, as a small line, the reason why there is nothing to show."""

    async def answer(request: Request) -> Response:
        try:
            context, person = copy_context(), member(request)
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(THREADS, lambda: context.run(reply, person, request))
        except ArticuladoError as error:
            status = next((status for kind, status in STATUS if isinstance(error, kind)), 503)
            return HTMLResponse(note(error), status)

    return answer


def _drawn(app: Member, request: Request) -> Response:
    """Raises Forbidden, InputError, NotFound."""
    asked = request.query_params
    quotes = [quote[:LONGEST_QUOTE] for quote in asked.getlist("q")[:MOST_QUOTES]]
    starts = [int(at) if at.isdecimal() and len(at) < DIGITS else None for at in asked.getlist("at")]
    placed = list(zip_longest(quotes, starts[: len(quotes)]))
    place = asked.get("doc", ""), asked.get("block", ""), _day(asked.get("on", ""))
    return HTMLResponse(source_html(app, *place, placed))


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise InputError(BAD_DAY) from None


def source_html(
    app: Member, norm_id: str, block_id: str, on: date | None, quotes: Sequence[tuple[str, int | None]]
) -> Html:
    """The article in its wording from that first day, or today's, with the quotations marked.

    Args:
        quotes: each with its offset, if it is known.

    Raises:
        NotFound: the corpus does not have it.
    """
    norm, block = app.corpus.norm(norm_id), app.corpus.block(norm_id, block_id)
    if norm is None or block is None or not block.versions:
        raise NotFound(GONE)
    same = (one for one in block.versions if one.valid_from == on)
    version = next(same, None) or block.wording_on(on or today()) or block.versions[-1]
    found = [place_of(quote, version.text, start) for quote, start in quotes]
    spans = [span for span in found if span is not None]
    tags = [(validity(version.valid_from, version.valid_to), "")]
    if not norm.official:
        tags.append(("Resumen no oficial", "art-mid"))
    place = (norm_id, block_id)
    title = block.title or block.label
    first, _, rest = version.text.partition("\n")
    body = rest.lstrip() if first.strip(" .") == title.strip(" .") else version.text
    above = len(version.text) - len(body)
    below = [(max(0, start - above), end - above) for start, end in spans if end > above]
    return (
        html('<h2 class="art-pane-title" tabindex="-1">{}</h2>', title)
        + trail([named_law(norm), *block.path])
        + badges(tags)
        + displaced(place, today() if version.in_force_on(today()) else version.valid_from)
        + governing_html(transitional(place, block.attributes.get("url", ""), today()))
        + (note(LOST) if len(spans) < len(found) else EMPTY)
        + quoted_html(body, below)
        + _links(block.attributes.get("url", "") or norm.url, version)
    )


def _links(url: str, version: BlockVersion) -> Html:
    official = official_url(address_of(url, version))
    rows = [(official, official_label(official))] if official else []
    return each('<p class="art-pane-link"><a href="{}" target="_blank" rel="noopener">{}</a></p>', rows)
