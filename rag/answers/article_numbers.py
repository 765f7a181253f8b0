"""Numbers of the articles that an answer names, for its readers: 1, 2, 3… as they first appear in its text.

The markers of an answer number the fragments that the model read. Readers see articles: the fragments of one
have one number, and no number is left out. What machines are given keeps the markers.
"""

import re
from collections.abc import Hashable, Mapping
from typing import NamedTuple

from rag.shared.cited_answer import Answer, Citation, Source
from text.markers import MARKER, markers

_MARKER = re.compile(rf"(\s?){MARKER}")


class CitedArticle(NamedTuple):
    """An article with its number: its quotations and, if there is none, a fragment that is only named."""

    number: int
    first: Source
    quotes: tuple[Citation, ...] = ()


def numbered(answer: Answer) -> dict[str, int]:
    """Number of the article of each marker of the answer."""
    articles = {source.marker: _article(source) for source in (*answer.sources, *answer.citations)}
    order = dict.fromkeys(articles[one] for one in markers(answer.answer) if one in articles)
    order |= dict.fromkeys(_article(source) for source in (*answer.citations, *answer.sources))
    numbers = {article: number for number, article in enumerate(order, start=1)}
    return {marker: numbers[article] for marker, article in articles.items()}


def articles_of(answer: Answer, numbers: Mapping[str, int]) -> list[CitedArticle]:
    """The articles of an answer, or of a part of it, by their numbers in the whole: an article is one row."""
    found: dict[int, CitedArticle] = {}
    for source in (*answer.citations, *answer.sources):
        number = numbers[source.marker]
        known = found.setdefault(number, CitedArticle(number, source))
        if isinstance(source, Citation):
            found[number] = known._replace(quotes=(*known.quotes, source))
    return [found[number] for number in sorted(found)]


def with_numbers(text: str, numbers: Mapping[str, int]) -> str:
    """The text with numbers in place of the known markers; one beside its equal is dropped."""
    end, last = -1, 0

    def shown(match: re.Match[str]) -> str:
        nonlocal end, last
        number = numbers.get(match[2], 0)
        repeated = bool(number) and match.start() == end and number == last
        end, last = match.end(), number
        if repeated:
            return ""
        return f"{match[1]}[{number}]" if number else match[0]

    return _MARKER.sub(shown, text)


def _article(source: Source) -> Hashable:
    """Key that fragments of one article share: a wording of another day is another article."""
    if source.block_id:
        return source.norm_id, source.block_id, source.valid_from
    return source.chunk_id or source.marker
