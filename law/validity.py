"""Validity of a norm, a block or a wording on a day, and the changes since an answer.

`valid_to` and `repealed_on` are last days in force, inclusive. Nothing here reads the text of the law beyond
«(Derogado)», «(Suprimido)»… in place of a wording.
"""

from datetime import date, timedelta
from enum import StrEnum

from core.values import Value
from law import labels
from law.dates import spelled
from law.norms import Block, BlockVersion, Norm, dated

ENDED = frozenset({"Derogado", "Sustituido", "Anulado", "Vigencia agotada"})
"""Statuses of what is not in force; any other, like «Firme» of a judgment, says nothing of it."""


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
    if norm.status in ENDED and norm.repealed_on is None:
        return State(validity=Validity.REPEALED)
    return State(validity=Validity.IN_FORCE, since=norm.valid_from)


def state_of_block(block: Block, day: date) -> State:
    """The state of a block; its wordings know the end of its norm.

    A block between two wordings, or after the last one, is repealed from the day after the earlier one ended.
    """
    later = next((v.valid_from for v in block.versions if v.valid_from > day), None)
    current = block.wording_on(day)
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
