"""Rulings whose file has another name than the one they were loaded from: a copy is the same ruling."""

from collections import defaultdict
from collections.abc import Iterator

from law.corpus_store import CorpusStore
from law.decisions import JUDGMENTS
from law.norms import Document, Norm

SAME_RULING = "Es la misma resolución que la de «{other}»."


class Rulings:
    """Loaded rulings by what names them, so that one is found among however many."""

    def __init__(self) -> None:
        self._by_name: defaultdict[tuple[str, ...], dict[str, Norm]] = defaultdict(dict)

    def add(self, norm: Norm) -> None:
        """Add a ruling; other norms are left out."""
        for name in _names(norm):
            self._by_name[name][norm.id] = norm

    def remove(self, norm: Norm) -> None:
        """Remove a ruling, given as it was added."""
        for name in _names(norm):
            self._by_name[name].pop(norm.id, None)

    def same(self, norm: Norm) -> list[Norm]:
        """Those that the ruling is, by id: of its ECLI, its Roj, its number or its appeals and day."""
        found = {other.id: other for name in _names(norm) for other in self._by_name.get(name, {}).values()}
        return sorted((other for other in found.values() if _alike(norm, other)), key=lambda other: other.id)


def recognised_ruling(document: Document, store: CorpusStore, loaded: Rulings) -> Document:
    """The document under the identifier of the one loaded ruling that it is a copy of, with its facts.

    Raises:
        StorageError: the database failed.
    """
    norm = document.norm
    same = loaded.same(norm) if store.norm(norm.id) is None else []
    if len(same) != 1:
        return document
    stored = same[0]
    known: dict[str, object] = {"id": stored.id, "extra": {**stored.extra, **norm.extra}}
    if norm.published is None:
        known |= {"published": stored.published, "valid_from": stored.valid_from}
    return document.model_copy(update={"norm": norm.model_copy(update=known)})


def _names(norm: Norm) -> Iterator[tuple[str, ...]]:
    if norm.collection != JUDGMENTS:
        return
    court, appeal = norm.extra.get("court", ""), norm.extra.get("recurso", "")
    if ecli := norm.extra.get("ecli", ""):
        yield "ecli", ecli.upper()
    if roj := norm.extra.get("roj", ""):
        yield "roj", roj
    if norm.alias and norm.number:
        yield "number", norm.rank, court, norm.alias
    if court and appeal and norm.published:
        yield "appeal", norm.rank, court, appeal, norm.published.isoformat()


def _alike(norm: Norm, other: Norm) -> bool:
    """True if nothing that both tell, their ECLI and their day, parts them."""
    eclis = {one.extra.get("ecli", "").upper() for one in (norm, other)} - {""}
    days = {norm.published, other.published} - {None}
    return len(eclis) < 2 and len(days) < 2
