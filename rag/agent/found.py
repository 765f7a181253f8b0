"""Results of an investigation's tools: cut to the model's budget, and ranked for the context."""

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from datetime import date

from rag.ports import ChunkStore
from rag.tools.documents import Library
from rag.tools.texts import EXCERPT
from rag.tools.types import ResultItem, ToolFailure, ToolOutcome
from rag.types import Hit

ORIGIN = "agent"
CONTENT, SECTION = "tool_file_content", "tool_file_section"
# Reciprocal rank fusion (Cormack et al., 2009). A section read on purpose counts double; a whole document
# says little about any one of its chunks.
K = 60
WEIGHTS = {SECTION: 2.0, CONTENT: 0.25}
MAX_HITS = 60
CUT = (
    "\n\n[… recortado: se muestran {shown} de {size} caracteres. "
    "Lea lo que falte con tool_file_section o acote la búsqueda.]"
)


def fitted(outcomes: Sequence[ToolOutcome], budget: int) -> list[tuple[ToolOutcome, int]]:
    """The outcomes with their texts cut to `budget` characters in all, and the characters each kept.

    Each gets an equal share of the budget that the earlier ones left.
    """
    kept: list[tuple[ToolOutcome, int]] = []
    for number, outcome in enumerate(outcomes):
        text, share = outcome.text, max(0, budget) // (len(outcomes) - number)
        given = min(len(text), share)
        if given < len(text):
            text = text[:given].rstrip() + CUT.format(shown=given, size=len(text))
        budget -= given
        kept.append((outcome.model_copy(update={"text": text}), given))
    return kept


def shown(outcome: ToolOutcome, cut_to: int, library: Library, day: date) -> tuple[str, ...]:
    """Ids of the chunks within the `cut_to` characters of an outcome that the model was given."""
    if outcome.result is None:
        return ()
    items: Sequence[ResultItem] = outcome.result.results
    if outcome.name == CONTENT and not items:
        with suppress(ToolFailure):
            view = library.view(library.find(str(outcome.values["file_name"]).strip()).norm.id, day)
            items = [view.item(number) for number in range(len(view.chunks) + 1)]
    if len(outcome.text) > cut_to:
        items = _within(items, cut_to, whole=outcome.style != "search")
    return tuple(dict.fromkeys(item.metadata.chunk for item in items if item.metadata.chunk))


def _within(items: Sequence[ResultItem], chars: int, *, whole: bool) -> list[ResultItem]:
    """The first results whose contents fit in `chars` characters together."""
    kept: list[ResultItem] = []
    for item in items:
        chars -= len(item.content) if whole else min(len(item.content), EXCERPT)
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

    def hits(self, store: ChunkStore) -> list[Hit]:
        """The best MAX_HITS chunks, best first, without those deleted from the corpus meanwhile."""
        ranked = sorted(self._scores, key=lambda chunk_id: (-self._scores[chunk_id], chunk_id))[:MAX_HITS]
        return [
            Hit(chunk=chunk, score=self._scores[chunk.id], sub_queries=(0,), origin=ORIGIN)
            for chunk in store.chunks(ranked)
        ]
