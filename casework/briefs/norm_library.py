"""The norms of a corpus as the check of a brief reads them: each read once, and searched to the letter."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import chain
from threading import Lock
from typing import NamedTuple

from cachetools import LRUCache

from law.chunks import Chunk
from law.corpus_store import CorpusStore
from law.norms import Block, BlockKind, BlockVersion, Norm
from law.repeals import NumberedNorm, repealed_in
from rag.answers.verbatim import typeset

MOST_KEPT = 400
"""Norms in memory: those of a labour corpus and more."""
MOST_DAYS = 20


class Place(NamedTuple):
    """A wording of a block of a norm; `plain` is its text as quotations are compared."""

    norm: Norm
    block: Block
    version: BlockVersion
    plain: str


class Shelf(NamedTuple):
    """A norm with its blocks by label, its labels in reading order, and its wordings, also by their block.

    `plain`: the texts of all places, one after the other, to see at once that none has some words.
    """

    norm: Norm
    labelled: dict[str, list[Block]]
    labels: tuple[str, ...]
    places: tuple[Place, ...]
    of_block: dict[str, list[Place]]
    plain: str


class Library:
    """The corpus at one revision. For any thread."""

    def __init__(self, corpus: CorpusStore) -> None:
        self._corpus = corpus
        self._norms = {norm.id: norm for norm in corpus.norms()}
        self._shelves: LRUCache[str, Shelf | None] = LRUCache(MOST_KEPT)
        self._repeals: LRUCache[date, Mapping[NumberedNorm, Chunk]] = LRUCache(MOST_DAYS)
        self._lock = Lock()

    def norm(self, norm_id: str) -> Norm | None:
        return self._norms.get(norm_id)

    def norms(self) -> Sequence[Norm]:
        return list(self._norms.values())

    def shelf(self, norm_id: str) -> Shelf | None:
        """A norm with its text; None if the corpus does not have it."""
        with self._lock:
            if norm_id in self._shelves:
                return self._shelves[norm_id]
        made = self._made(norm_id)
        with self._lock:
            self._shelves[norm_id] = made
        return made

    def _made(self, norm_id: str) -> Shelf | None:
        document = self._corpus.document(norm_id) if norm_id in self._norms else None
        if document is None:
            return None
        labelled: defaultdict[str, list[Block]] = defaultdict(list)
        of_block: defaultdict[str, list[Place]] = defaultdict(list)
        for block in document.blocks:
            if block.label:
                labelled[block.label].append(block)
            made = (Place(document.norm, block, one, typeset(one.text)) for one in block.versions)
            of_block[block.id] += made
        places = tuple(chain.from_iterable(of_block.values()))
        plain = "\n".join(place.plain for place in places)
        return Shelf(document.norm, dict(labelled), tuple(labelled), places, dict(of_block), plain)

    def blocks(self, norm_id: str, label: str) -> list[Block]:
        """The blocks of a norm with that label: one, but for norms that approve another text."""
        shelf = self.shelf(norm_id)
        return shelf.labelled.get(label, []) if shelf else []

    def repeals(self, day: date) -> Mapping[NumberedNorm, Chunk]:
        """The norms that the official texts in force on a day repeal whole, each with what repeals it."""
        with self._lock:
            known = self._repeals.get(day)
        if known is None:
            known = {
                gone: chunk
                for norm in self._norms.values()
                for chunk in (self._repealing(norm.id, day) if norm.official else ())
                for gone in repealed_in(chunk.text)
            }
            with self._lock:
                self._repeals[day] = known
        return known

    def _repealing(self, norm_id: str, day: date) -> Sequence[Chunk]:
        outline = self._corpus.norm_outline(norm_id, day)
        return self._corpus.chunks([one for one, kind in outline if kind is BlockKind.REPEALING])

    def holding(self, words: str, first: Sequence[str] = ()) -> Iterator[Place]:
        """Every wording of the official texts of the corpus that has some words, as `typeset` writes them.

        Args:
            first: ids of norms that come before the others.
        """
        wanted = [*(one for one in first if one in self._norms), *sorted(self._norms.keys() - set(first))]
        for norm_id in wanted:
            if not self._norms[norm_id].official:
                continue
            shelf = self.shelf(norm_id)
            if shelf is not None and words in shelf.plain:
                yield from (place for place in shelf.places if words in place.plain)
