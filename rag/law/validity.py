"""Validity of a norm, a block or a wording on a day, and the changes since an answer.

`valid_to` and `repealed_on` are last days in force, inclusive. Nothing here reads the text of the law beyond
«(Derogado)», «(Suprimido)»… in place of a wording.
"""

from collections.abc import Iterable
from datetime import date, timedelta
from enum import StrEnum
from functools import partial

from rag.law import labels
from rag.law.dates import spelled
from rag.ports import ChunkStore
from rag.types import Block, BlockVersion, Norm, Source, Value, dated


class Validity(StrEnum):
    """Status of a norm, a block or a wording on a day."""

    IN_FORCE = "in_force"
    FUTURE = "future"
    REPEALED = "repealed"
    SUPERSEDED = "superseded"


class State(Value):
    """A validity and its first day; `changes_on`: when a wording that is not in force yet begins."""

    validity: Validity
    since: date | None = None
    changes_on: date | None = None

    def __str__(self) -> str:
        """One Spanish phrase: «Derogado desde el 2 de mayo de 2021»."""
        known, unknown = _PHRASES[self.validity]
        since = dated(self.since)
        said = known.format(spelled(since)) if since else unknown
        return f"{said}; cambia el {spelled(self.changes_on)}" if self.changes_on else said


_PHRASES = {
    Validity.IN_FORCE: ("Vigente desde el {}", "Vigente"),
    Validity.FUTURE: ("Entra en vigor el {}", "Aún no vigente"),
    Validity.REPEALED: ("Derogado desde el {}", "Derogado"),
    Validity.SUPERSEDED: ("Redacción sustituida el {}", "Redacción sustituida"),
}


def says_repealed(text: str) -> bool:
    """True if the text of a block, with its heading, says only that it was repealed or left empty."""
    lines = [line for line in text.split("\n") if line.strip()]
    body = lines[1:] if len(lines) > 1 else lines
    return bool(body) and all(labels.is_gone(line) for line in body)


def state_of_norm(norm: Norm, day: date) -> State:
    """The state of a whole norm."""
    if norm.repealed_on and norm.repealed_on < day:
        return State(validity=Validity.REPEALED, since=norm.repealed_on + timedelta(days=1))
    if norm.valid_from and norm.valid_from > day:
        return State(validity=Validity.FUTURE, since=norm.valid_from)
    if norm.status != "Vigente" and norm.repealed_on is None:
        return State(validity=Validity.REPEALED)
    return State(validity=Validity.IN_FORCE, since=norm.valid_from)


def state_of_block(block: Block, day: date) -> State:
    """The state of a block; its wordings know the end of its norm.

    A block between two wordings, or after the last one, is repealed from the day after the earlier one ended.
    """
    later = next((v.valid_from for v in block.versions if v.valid_from > day), None)
    current = block.version_on(day)
    if current is not None:
        gone = says_repealed(current.text)
        return State(
            validity=Validity.REPEALED if gone else Validity.IN_FORCE,
            since=_gone_since(block, current) if gone else current.valid_from,
            changes_on=later,
        )
    ended = [v.valid_to for v in block.versions if v.valid_to and v.valid_to < day]
    if ended:
        return State(validity=Validity.REPEALED, since=max(ended) + timedelta(days=1), changes_on=later)
    return State(validity=Validity.FUTURE, since=later)


def state_of_version(block: Block, version: BlockVersion, day: date) -> State:
    """The state of one wording: superseded when a later one of substance began, repealed when none did."""
    if version.valid_from > day:
        return State(validity=Validity.FUTURE, since=version.valid_from)
    if version.in_force_on(day):
        return state_of_block(block, day)
    ended = version.valid_to + timedelta(days=1) if version.valid_to else None
    following = next((v for v in block.versions if v.valid_from > version.valid_from), None)
    replaced = following is not None and not says_repealed(following.text)
    return State(validity=Validity.SUPERSEDED if replaced else Validity.REPEALED, since=ended)


def _gone_since(block: Block, version: BlockVersion) -> date:
    """First day of the unbroken run of «(Derogado)» that `version` belongs to."""
    since = version.valid_from
    for earlier in reversed([v for v in block.versions if v.valid_from < version.valid_from]):
        if not says_repealed(earlier.text):
            break
        since = earlier.valid_from
    return since


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
    current = block.version_on(today)
    if current is not None:
        if current.valid_from <= answered_on:
            return None
        before = block.version_on(answered_on)
        if before is not None and before.text == current.text:
            return None
        return current.valid_from, current, says_repealed(current.text)
    state = state_of_block(block, today)
    if state.validity is Validity.REPEALED and state.since and state.since > answered_on:
        return state.since, None, True
    return None
