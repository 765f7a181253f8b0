"""A cache of the best chunk for a single term: every question asks for it to learn how rare its words are.

A search depends only on the contents of the index, so an answer stays right until the next write.
"""

import threading
from collections.abc import Callable, Sequence

from cachetools import LRUCache

from index.points import IndexFilter, IndexQuery, ScoredId

KEPT = 20_000

Ask = Callable[[Sequence[IndexQuery]], list[list[ScoredId]]]
_Term = tuple[IndexFilter, int, float]


class SingleTerms:
    """Answers to queries of one term and one result; `forget` them after each write. Any thread may use it.

    The words of a corpus of 7,300 chunks come to 12,000 entries of some 300 bytes, for one day's law.
    """

    def __init__(self, size: int = KEPT) -> None:
        self._lock = threading.Lock()
        self._writes = 0
        self._found: LRUCache[_Term, list[ScoredId]] = LRUCache(size)

    def forget(self) -> None:
        """Drop all answers after a write, including those of searches under way."""
        with self._lock:
            self._writes += 1
            self._found.clear()

    def search(self, queries: Sequence[IndexQuery], ask: Ask) -> list[list[ScoredId]]:
        """The answers to `queries`, in order; `ask` is called at most once, for the unknown ones."""
        terms = [_term(query) for query in queries]
        if not any(terms):
            return ask(queries)
        with self._lock:
            writes = self._writes
            known = [self._found.get(term) if term else None for term in terms]
        unknown = [number for number, found in enumerate(known) if found is None]
        asked = ask([queries[number] for number in unknown]) if unknown else []
        answers = dict(zip(unknown, asked, strict=True))
        self._keep({term: list(answers[n]) for n in unknown if (term := terms[n])}, writes)
        return [answers[number] if found is None else list(found) for number, found in enumerate(known)]

    def _keep(self, fresh: dict[_Term, list[ScoredId]], writes: int) -> None:
        with self._lock:
            if writes == self._writes:
                self._found.update(fresh)


def _term(query: IndexQuery) -> _Term | None:
    """The term of a query for the best chunk of that term alone; None for any other query."""
    vector = query.sparse
    if query.limit != 1 or vector is None or len(vector.indices) != 1:
        return None
    return query.where, vector.indices[0], vector.values[0]
