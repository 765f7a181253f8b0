"""A cache of the corpus's norms during a load, so that a norm costs the same however many are loaded."""

from collections.abc import Iterator
from contextlib import contextmanager

from law.corpus_store import CorpusChange, CorpusStore
from law.norm_names import NormCatalogue, NormNames
from law.norms import SUMMARISES, Norm
from lexicon.usual_names import known_norm, known_norms
from loading.ingestion.agreement_identity import Agreements
from loading.ingestion.ruling_identity import Rulings


class LoadedNorms:
    """The norms that a reference may name: those loaded, then the well-known ones that are not.

    An unofficial summary represents its norm until the norm itself is loaded. Not thread-safe.

    Attributes:
        catalogue: their names; it changes with each loaded norm.
        agreements, rulings: those loaded; they change with it.
    """

    def __init__(self, store: CorpusStore) -> None:
        self._store = store
        self._revision: str | None = None
        self._norms: dict[str, Norm] = {}
        self._summaries: dict[str, set[str]] = {}
        self._names = NormNames(known_norms())
        self.catalogue = NormCatalogue(self._names)
        self.agreements = Agreements()
        self.rulings = Rulings()

    def refresh(self) -> None:
        """Read the norms again if another writer has changed the corpus."""
        revision = self._store.revision(fresh=True)
        if revision == self._revision:
            return
        stored = {norm.id: norm for norm in self._store.norms()}
        for norm_id in self._norms.keys() - stored.keys():
            self._set(norm_id, None)
        for norm in stored.values():
            if self._norms.get(norm.id) != norm:
                self.add(norm)
        self._revision = revision

    def add(self, norm: Norm) -> None:
        """Add a norm, or replace its names."""
        self._set(norm.id, norm)

    def __contains__(self, norm_id: str) -> bool:
        return norm_id in self._norms

    def summaries(self, norm_id: str) -> list[str]:
        """Ids of the loaded norms that are unofficial summaries of that one."""
        return sorted(self._summaries.get(norm_id, ()))

    @contextmanager
    def including(self, norm: Norm) -> Iterator[NormCatalogue]:
        """The catalogue with this norm, for saving it; if the save fails, the catalogue is as before."""
        before = self._norms.get(norm.id)
        self.add(norm)
        try:
            yield self.catalogue
        except BaseException:
            self._set(norm.id, before)
            raise

    def changed(self, change: CorpusChange) -> None:
        """Record a change made by this load, so that it does not look like another writer's."""
        if change.revision_before == self._revision:
            self._revision = change.revision

    def removed(self, change: CorpusChange) -> None:
        """Forget a norm that this load removed."""
        self._set(change.norm_id, None)
        self.changed(change)

    def _set(self, norm_id: str, norm: Norm | None) -> None:
        if (before := self._norms.pop(norm_id, None)) is not None:
            self.agreements.remove(before)
            self.rulings.remove(before)
        if norm is not None:
            self._norms[norm_id] = norm
            self.agreements.add(norm)
            self.rulings.add(norm)
        for one in (before, norm):
            if one is not None and (source := one.extra.get(SUMMARISES)):
                summaries = self._summaries.setdefault(source, set())
                summaries.discard(norm_id) if one is before else summaries.add(norm_id)
                self._name(source)
        self._name(norm_id)

    def _name(self, norm_id: str) -> None:
        """Update the names of a norm: its own if loaded, else the known ones unless a summary has them."""
        norm = self._norms.get(norm_id)
        if norm is None and not self._summaries.get(norm_id):
            norm = known_norm(norm_id)
        if norm is None:
            self._names.remove(norm_id)
        else:
            self._names.add(norm)
