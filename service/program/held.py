"""The contents of the corpus, kept for as long as it does not change."""

from rag.ingestion.ingest import catalogue_of
from rag.law.holdings import Holdings
from rag.law.norm_names import NormCatalogue
from rag.ports import CorpusStore


class KeptHoldings:
    """Holdings of one revision of the corpus; two threads at once may each make the same."""

    def __init__(self, corpus: CorpusStore) -> None:
        self._corpus = corpus
        self._kept: tuple[str, Holdings] | None = None

    def get(self) -> Holdings:
        revision, kept = self._corpus.revision(), self._kept
        if kept is None or kept[0] != revision:
            self._kept = kept = revision, Holdings(self._corpus.norms(), catalogue_of(self._corpus))
        return kept[1]

    def catalogue(self) -> NormCatalogue:
        """Norms that a question may name."""
        return self.get().names
