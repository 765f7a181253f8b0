"""The index of documents: a collection of its own, beside that of the corpus and without any way to it.

No search leaves here without the condition on its expediente or conversation, and none of the corpus can
see what is kept here. It holds ids and numbers, never texts, and can be made again from the database.
"""

from collections.abc import Sequence

from casework.matters.paper_fragments import Fragment, Scope, document_of, fragment_id
from core.errors import IndexHeld, IndexUnavailable
from index.points import Fingerprint, IndexFilter, IndexPoint, IndexQuery
from index.sparse import document_vector, query_vector
from index.vector_index import VectorIndex
from law.chunks import Chunk
from law.norms import UNDATED, BlockKind

CUT = "fragments-1"
"""Version of the cut of documents: another needs a new index."""
BATCH = 500


class MatterIndex:
    """Fragments by their place (`paper_fragments.place_of`). Raises (all methods): IndexUnavailable."""

    def __init__(self, index: VectorIndex) -> None:
        """Wire it; nobody else is to have `index`."""
        self._index = index

    def open(self, embedding: str, dimensions: int) -> None:
        """Open it, or make a new, empty one when it was made with another model or is damaged.

        Raises:
            IndexHeld: another process has it open.
        """
        fingerprint = Fingerprint(embedding=embedding, dimensions=dimensions, chunker=CUT)
        try:
            self._index.open(fingerprint)
        except IndexHeld:
            raise
        except IndexUnavailable:
            self._index.reset(fingerprint)

    def put(
        self,
        place: str,
        document_id: str,
        fragments: Sequence[Fragment],
        vectors: Sequence[tuple[float, ...]] = (),
    ) -> None:
        """Add the fragments of a document, or replace them; `vectors` are theirs, or none are known."""
        for start in range(0, len(fragments), BATCH):
            batch = fragments[start : start + BATCH]
            dense: Sequence[tuple[float, ...] | None] = vectors[start : start + BATCH] or [None] * len(batch)
            self._index.upsert(
                [
                    IndexPoint(
                        chunk=_point(place, document_id, one.number),
                        sparse=document_vector(one.text),
                        dense=vector,
                    )
                    for one, vector in zip(batch, dense, strict=True)
                ]
            )

    def delete(self, ids: Sequence[str]) -> None:
        """Take fragments out for good."""
        if ids:
            self._index.delete(ids)
            self._index.optimize()

    def held(self) -> dict[str, set[int]]:
        """Document id to the numbers of its fragments that are here."""
        found: dict[str, set[int]] = {}
        for one in self._index.ids():
            document_id, number = document_of(one)
            found.setdefault(document_id, set()).add(number)
        return found

    def search(
        self, scope: Scope, texts: Sequence[str], vectors: Sequence[tuple[float, ...]], limit: int
    ) -> list[list[str]]:
        """A ranking of fragment ids by the words of each text and one by each vector, within the scope."""
        where = IndexFilter(collections=scope.places)
        by_words = [IndexQuery(sparse=query_vector(text), where=where, limit=limit) for text in texts]
        by_meaning = [IndexQuery(dense=vector, where=where, limit=limit) for vector in vectors]
        found = self._index.search([*by_words, *by_meaning])
        return [[hit.id for hit in ranking] for ranking in found]

    def close(self) -> None:
        """Closing twice is harmless."""
        self._index.close()


def _point(place: str, document_id: str, number: int) -> Chunk:
    """A fragment as the adapters of the index take it: its ids, and its place as the condition."""
    return Chunk(
        id=fragment_id(document_id, number),
        collection=place,
        norm_id=document_id,
        block_id=str(number),
        kind=BlockKind.SECTION,
        label="",
        law="",
        section="",
        text="",
        start=0,
        end=0,
        valid_from=UNDATED,
        content_hash="",
    )
