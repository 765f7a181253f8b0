"""The contents of the corpus, kept for as long as it does not change."""

from casework.briefs.norm_library import Library
from law.corpus_store import CorpusStore
from law.holdings import Holdings
from law.norm_names import NormCatalogue
from loading.ingestion.ingest import catalogue_of


class KeptHoldings:
    """Contents of one revision of the corpus; two threads at once may each make the same."""

    def __init__(self, corpus: CorpusStore) -> None:
        self._corpus = corpus
        self._kept: tuple[str, Holdings, Library] | None = None

    def _current(self) -> tuple[str, Holdings, Library]:
        revision, kept = self._corpus.revision(), self._kept
        if kept is None or kept[0] != revision:
            held = Holdings(self._corpus.norms(), catalogue_of(self._corpus))
            self._kept = kept = revision, held, Library(self._corpus)
        return kept

    def get(self) -> Holdings:
        return self._current()[1]

    def library(self) -> Library:
        """Texts that a brief is held against."""
        return self._current()[2]

    def catalogue(self) -> NormCatalogue:
        """Norms that a question may name."""
        return self.get().names
