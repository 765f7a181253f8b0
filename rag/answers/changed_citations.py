"""Changes of the law since an answer, among what it cites. Pure functions over a store."""

from collections.abc import Iterable
from datetime import date
from functools import partial

from core.values import Value
from law.corpus_store import ChunkStore
from law.norms import Block, BlockVersion
from law.validity import Validity, says_repealed, state_of_block
from rag.shared.cited_answer import Source


class ChangedCitation(Value):
    """A cited block whose law changed after the answer, or that the corpus no longer has.

    Attributes:
        article: label of the block ('48', 'da 3').
        changed_on: first day of the latest wording that began after it, or first day without any; None when
            the block is no longer in the corpus.
        amended_by: BOE id of the norm that changed it, when known.
    """

    norm_id: str
    block_id: str
    article: str
    law: str
    changed_on: date | None
    repealed: bool = False
    amended_by: str | None = None

    @property
    def removed(self) -> bool:
        """True if it is no longer in the corpus, where its quotations cannot be checked any more."""
        return self.changed_on is None


def changed_since(
    citations: Iterable[Source], answered_on: date, store: ChunkStore, today: date
) -> list[ChangedCitation]:
    """The cited blocks that are gone, or whose wording began or ended after `answered_on` and by `today`.

    Args:
        answered_on: the day whose law the answer states (its `as_of`), or the day it was written.

    A change that has been published but is not in force on `today` does not count yet. An article that its
    norm still has under another id is not gone.
    """
    cited: dict[tuple[str, str], Source] = {}
    for citation in citations:
        if citation.norm_id and citation.block_id:
            cited.setdefault((citation.norm_id, citation.block_id), citation)
    changes = []
    for (norm_id, block_id), citation in cited.items():
        block = store.block(norm_id, block_id)
        change = _change(block, answered_on, today) if block else None
        changed = partial(ChangedCitation, norm_id=norm_id, block_id=block_id, law=citation.law)
        if block is None and not (citation.article and store.find(norm_id, citation.article)):
            changes.append(changed(article=citation.article, changed_on=None))
        if block and change:
            changed_on, version, repealed = change
            amended_by = version.amended_by if version else None
            changes.append(
                changed(article=block.label, changed_on=changed_on, repealed=repealed, amended_by=amended_by)
            )
    return changes


def _change(block: Block, answered_on: date, today: date) -> tuple[date, BlockVersion | None, bool] | None:
    """The latest change in (answered_on, today]: its day, its new wording, and True if it ended the block."""
    current = block.wording_on(today)
    if current is not None:
        if current.valid_from <= answered_on:
            return None
        before = block.wording_on(answered_on)
        if before is not None and before.text == current.text:
            return None
        return current.valid_from, current, says_repealed(current.text)
    state = state_of_block(block, today)
    if state.validity is Validity.REPEALED and state.since and state.since > answered_on:
        return state.since, None, True
    return None
