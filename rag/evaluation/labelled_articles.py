"""Articles of the corpus meant by the labels of a set: a summary counts as the norm that it summarises."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from law.corpus_store import ChunkStore
from law.norms import SUMMARISES, Norm
from rag.evaluation.cases import Case, Relevant
from rag.evaluation.metrics import Key
from rag.shared.cited_answer import Answer
from rag.shared.hits import Hit


def sources(norms: Iterable[Norm]) -> dict[str, str]:
    """Norm id to the identifier that labels use: the id of the norm that it summarises, or its own id."""
    named = ((norm, norm.extra.get(SUMMARISES) if norm.collection == "normativa" else None) for norm in norms)
    return {norm.id: source or norm.id for norm, source in named}


def cited_articles(answer: Answer, sources: Mapping[str, str]) -> set[Key]:
    """(norm, article) of what an answer cites or names, by the identifiers of labels.

    Args:
        sources: see `sources`.
    """
    shown = (*answer.citations, *answer.sources)
    return {(sources.get(one.norm_id, one.norm_id), one.article) for one in shown}


class EvaluatedCorpus:
    """The corpus as labels see it; norm ids are read once per evaluation.

    Labels use the BOE's identifiers; a norm of 'normativa' whose front matter names a `source_norm` (the
    demo corpus) stands for that norm, article by article.
    """

    def __init__(self, store: ChunkStore) -> None:
        self._store = store
        self._copies: dict[str, list[str]] = defaultdict(list)
        self._held: dict[Key, bool] = {}
        self._source = sources(store.norms())
        for norm_id, source in self._source.items():
            self._copies[source].append(norm_id)

    def keys(self, hits: Sequence[Hit]) -> dict[Key, Hit]:
        """(norm, article) of a ranking, each once with its best hit, in order."""
        found: dict[Key, Hit] = {}
        for hit in hits:
            chunk = hit.chunk
            found.setdefault((self._source.get(chunk.norm_id, chunk.norm_id), chunk.label), hit)
        return found

    def cited(self, answer: Answer) -> set[Key]:
        """(norm, article) of what an answer cites or names."""
        return cited_articles(answer, self._source)

    def holds(self, label: Relevant) -> bool:
        """True if the corpus has that article, in any wording."""
        key = (label.norm, label.article)
        if key not in self._held:
            copies = self._copies.get(label.norm, [])
            self._held[key] = any(self._store.find(norm, label.article) for norm in copies)
        return self._held[key]

    def reads_the_same(self, case: Case, one: date, other: date) -> bool:
        """True if on both days the case's articles have the same wordings; False if it has no articles."""
        held = [label for label in case.wanted if self.holds(label)]
        return bool(held) and all(
            self._wordings(label, one) == self._wordings(label, other) for label in held
        )

    def _wordings(self, label: Relevant, day: date) -> list[str]:
        copies = self._copies.get(label.norm, [])
        return [chunk.text for norm in copies for chunk in self._store.find(norm, label.article, day)]

    def can_answer(self, case: Case) -> bool:
        """True if the corpus has an article of the case's best grade, or the case expects no article."""
        best = max((label.grade for label in case.wanted), default=0)
        return not case.wanted or any(self.holds(one) for one in case.wanted if one.grade == best)
