"""Next steps after an answer: questions that the cited articles answer too, and articles that they refer to.

Nothing is written for it: the questions are the search aids of those articles.
"""

from collections.abc import Iterable
from datetime import date
from itertools import chain, zip_longest

from law.chunks import ArticleKey, Chunk
from law.corpus_store import ChunkStore
from law.validity import says_repealed
from rag.answers.article_numbers import articles_of, numbered
from rag.shared.cited_answer import Answer
from text.textnorm import stems, visible

SUGGESTED, RELATED = 3, 5
SHORTEST, LONGEST = 15, 140
"""Characters of a question that is suggested."""
ALIKE = 0.6
"""Share of the words of the shorter of two questions, from which they ask much the same."""


def suggestions(answer: Answer, asked: Iterable[str], as_of: date, store: ChunkStore) -> list[str]:
    """At most SUGGESTED questions that the cited articles in force on that day answer, one of each in turn.

    Whole questions only, and none that asks much the same as one of `asked` or as another suggestion.
    """
    known = [frozenset(stems(one)) for one in asked]
    found: list[str] = []
    aids: dict[ArticleKey, tuple[str, ...]] = {}
    for chunk in _cited(answer, as_of, store):
        aids.setdefault(chunk.article, chunk.questions)
    by_article = [filter(_whole, questions) for questions in aids.values()]
    for question in filter(None, chain.from_iterable(zip_longest(*by_article))):
        words = frozenset(stems(question))
        if words and not any(_alike(words, one) for one in known):
            known.append(words)
            found.append(question)
    return found[:SUGGESTED]


def related(answer: Answer, as_of: date, store: ChunkStore) -> list[Chunk]:
    """At most RELATED articles in force on that day that the cited ones refer to, in the order of the text.

    Of an article in several parts, the one that is referred to first.
    """
    cited = _cited(answer, as_of, store)
    targets = store.referenced([chunk.id for chunk in cited], as_of)
    named = dict.fromkeys(target for chunk in cited for target in targets.get(chunk.id, ()))
    own = {chunk.article for chunk in cited}
    found: dict[ArticleKey, Chunk] = {}
    for chunk in store.chunks(list(named)):
        if chunk.article not in own and _in_force(chunk, as_of):
            found.setdefault(chunk.article, chunk)
    return list(found.values())[:RELATED]


def _cited(answer: Answer, as_of: date, store: ChunkStore) -> list[Chunk]:
    """The fragments in force that are quoted, or named when none is, in the order of the text."""
    articles = articles_of(answer, numbered(answer))
    quoted = [quote.chunk_id for article in articles for quote in article.quotes]
    found = store.chunks(list(dict.fromkeys(quoted or [article.first.chunk_id for article in articles])))
    return [one for one in found if _in_force(one, as_of)]


def _in_force(chunk: Chunk, day: date) -> bool:
    return chunk.in_force_on(day) and not says_repealed(chunk.text)


def _whole(question: str) -> bool:
    """True for what a person would read as a question: aids hold bare words too."""
    return (
        question.startswith("¿")
        and question.endswith("?")
        and SHORTEST <= len(question) <= LONGEST
        and " ".join(visible(question).split()) == question
    )


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= ALIKE * min(len(one), len(other))
