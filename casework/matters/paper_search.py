"""The search of one question in the documents that the person who asks may see."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from casework.matters.paper_fragments import FoundFragment, Scope, fragment_id
from casework.matters.paper_index import MatterIndex
from law.chunks import Chunk
from law.norms import DOCUMENT, UNDATED, BlockKind
from rag.retrieval.fusion import rrf
from rag.shared.hits import Hit
from rag.shared.notices import Notice

DEPTH = 20
"""Fragments of each ranking that count."""


@dataclass(frozen=True)
class OpenPapers:
    """See `rag.shared.case_papers.Papers`.

    Attributes:
        index: asked for when it is searched: one that cannot be opened keeps no question from the law.
        read: the fragments with some ids that may be used now: the database is asked at each call.
    """

    scope: Scope
    index: Callable[[], MatterIndex]
    read: Callable[[Sequence[str]], list[FoundFragment]]
    notices: tuple[Notice, ...] = ()

    def search(self, texts: Sequence[str], vectors: Sequence[tuple[float, ...]], limit: int) -> list[Hit]:
        """See the port."""
        fused = rrf(self.index().search(self.scope, texts, vectors, DEPTH))
        best = [one for one, _ in fused[:limit]]
        return [as_hit(one, score=1 / place) for place, one in enumerate(self.read(best), 1)]


def as_hit(found: FoundFragment, score: float) -> Hit:
    """A fragment as the stages after the search take it: «Doc 1, p. 2» in the place of law and article."""
    fragment = found.fragment
    # A space that breaks no line: «p.» and its number are one name.
    where = f"p.\u00a0{fragment.page}" if fragment.page is not None else f"pasaje {fragment.number}"
    chunk = Chunk(
        id=fragment_id(found.document_id, fragment.number),
        collection=DOCUMENT,
        norm_id=found.document_id,
        block_id=str(fragment.number),
        kind=BlockKind.SECTION,
        label="",
        law=f"Doc {found.document_number}",
        chapter=found.name,
        section=where,
        text=fragment.text,
        # Not at the beginning of anything: its first line is text, no heading.
        start=1,
        end=1 + len(fragment.text),
        valid_from=UNDATED,
        page=fragment.page,
        content_hash="",
    )
    return Hit(chunk=chunk, score=score, rerank=score, origin=DOCUMENT)
