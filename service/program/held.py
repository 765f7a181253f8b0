"""The contents of the corpus, kept for as long as it does not change."""

from collections.abc import Callable, Sequence
from datetime import date

from calculations.official_figures import Rows, numeric_rows
from casework.briefs.norm_library import Library
from law.corpus_store import CorpusStore
from law.holdings import Holdings
from law.norm_names import NormCatalogue
from lexicon.ties import Tie
from loading.ingestion.ingest import catalogue_of
from loading.ingestion.stale_ties import StaleTie, stale_ties


class KeptHoldings:
    """Contents of one revision of the corpus; two threads at once may each make the same."""

    def __init__(self, corpus: CorpusStore, figures: Callable[[], Sequence[Tie]] = tuple) -> None:
        """`figures`: the provisions of the figures of the calculators."""
        self._corpus, self._figures = corpus, figures
        self._kept: tuple[str, Holdings, Library] | None = None
        self._stale: tuple[tuple[str, date], list[StaleTie]] | None = None

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

    def stale_ties(self, day: date) -> list[StaleTie]:
        """Ties that were checked on another wording than that of this day."""
        state, kept = (self._corpus.revision(), day), self._stale
        if kept is None or kept[0] != state:
            self._stale = kept = state, stale_ties(self._corpus.document, day, self._figures())
        return kept[1]

    def rows(self, norm_id: str, block_id: str, day: date) -> Rows:
        """Rows of numbers in the tables of a provision on that day."""
        block = self._corpus.block(norm_id, block_id)
        wording = block.wording_on(day) if block else None
        return numeric_rows(wording.text) if wording else ()

    def catalogue(self) -> NormCatalogue:
        """Norms that a question may name."""
        return self.get().names
