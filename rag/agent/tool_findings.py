"""Results of an investigation's tools: cut to the model's budget, and ranked for the context."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import date

from law.chunks import Chunk
from law.corpus_store import ChunkStore
from law.norms import BlockKind
from rag.ranking.chunk_words import heading
from rag.ranking.ranking_features import amends
from rag.shared.hits import Hit
from rag.tools.tool_calls import WHOLE, ResultItem, ToolFailure, ToolOutcome
from rag.tools.tool_documents import Library
from rag.tools.tool_texts import EXCERPT

CONTENT, SECTION = "tool_file_content", "tool_file_section"
# Reciprocal rank fusion (Cormack et al., 2009). A section read on purpose counts double; a whole document
# says little about any one of its chunks.
K = 60
WEIGHTS = {SECTION: 2.0, CONTENT: 0.25}
MAX_HITS = 20
"""Fragments of an investigation that does not name those it chooses."""
CUT = (
    "\n\n[… recortado: se muestran {shown} de {size} caracteres. "
    "Lea lo que falte con tool_file_section o acote la búsqueda.]"
)


def fitted(outcomes: Sequence[ToolOutcome], budget: int) -> list[tuple[ToolOutcome, int]]:
    """The outcomes with their texts cut to `budget` characters in all, and the characters each kept.

    Each gets an equal share of the budget; what the short ones leave is shared out among the long ones.
    """
    left, shares = max(0, budget), [0] * len(outcomes)
    by_size = sorted(range(len(outcomes)), key=lambda i: len(outcomes[i].text))
    for done, i in enumerate(by_size):
        shares[i] = min(len(outcomes[i].text), left // (len(outcomes) - done))
        left -= shares[i]
    return [(_cut(outcome, share), share) for outcome, share in zip(outcomes, shares, strict=True)]


def _cut(outcome: ToolOutcome, given: int) -> ToolOutcome:
    size = len(outcome.text)
    if given == size:
        return outcome
    text = outcome.text[:given].rstrip() + CUT.format(shown=given, size=size)
    return outcome.model_copy(update={"text": text})


def shown(outcome: ToolOutcome, cut_to: int, library: Library, day: date) -> tuple[str, ...]:
    """Ids of the chunks within the `cut_to` characters of an outcome that the model was given."""
    if outcome.result is None:
        return ()
    items: Sequence[ResultItem] = outcome.result.results
    if outcome.name == CONTENT and not items:
        day = date.fromisoformat(outcome.result.search_params.get("as_of", day.isoformat()))
        with suppress(ToolFailure):
            view = library.view(library.find(str(outcome.values["file_name"]).strip()).norm.id, day)
            items = [view.item(number) for number in range(len(view.chunks) + 1)]
    if len(outcome.text) > cut_to:
        uncut = int(outcome.result.search_params.get(WHOLE, 0))
        items = _within(items, cut_to, uncut if outcome.style == "search" else len(items))
    return tuple(dict.fromkeys(item.metadata.chunk for item in items if item.metadata.chunk))


def _within(items: Sequence[ResultItem], chars: int, uncut: int) -> list[ResultItem]:
    """The first results whose contents, cut but for the first `uncut`, fit in `chars` characters together."""
    kept: list[ResultItem] = []
    for place, item in enumerate(items):
        chars -= len(item.content) if place < uncut else min(len(item.content), EXCERPT)
        if chars < 0:
            break
        kept.append(item)
    return kept


class Found:
    """The chunks seen so far, each with a score summed over the lists that held it."""

    def __init__(self) -> None:
        self._scores: defaultdict[str, float] = defaultdict(float)

    def __len__(self) -> int:
        return len(self._scores)

    def add(self, tool: str, chunk_ids: Sequence[str]) -> None:
        """Add the chunks that a call showed, best first."""
        weight = WEIGHTS.get(tool, 1.0)
        for rank, chunk_id in enumerate(chunk_ids, 1):
            self._scores[chunk_id] += weight / (K + rank)

    def __contains__(self, chunk_id: str) -> bool:
        return chunk_id in self._scores

    def hits(self, store: ChunkStore, chosen: Collection[str] = ()) -> list[Hit]:
        """The chosen chunks, else the best MAX_HITS, best first, without those deleted meanwhile.

        Provisions that amend or repeal other norms are there only if chosen.
        """
        ranked = sorted(self._scores, key=lambda chunk_id: (-self._scores[chunk_id], chunk_id))
        chunks = store.chunks([chunk_id for chunk_id in ranked if not chosen or chunk_id in chosen])
        kept = [chunk for chunk in chunks if chosen or not _changes_others(chunk)]
        return [
            Hit(chunk=chunk, score=self._scores[chunk.id], sub_queries=(0,), origin="agent")
            for chunk in (kept if chosen else kept[:MAX_HITS])
        ]


def _changes_others(chunk: Chunk) -> bool:
    return chunk.kind is BlockKind.REPEALING or amends(heading(chunk.section))
