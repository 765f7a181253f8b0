"""Differences, block by block, between a stored norm and the same norm from a file or the BOE."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from enum import StrEnum

from core.values import Value
from law import labels
from law.dates import spelled
from law.norms import Block, BlockKind, BlockVersion
from law.validity import says_repealed

_WITHOUT_LAW = frozenset({BlockKind.HEADING, BlockKind.SIGNATURE, BlockKind.NOTE})

LOST, MIN_LOST = 0.1, 40
"""Share and number of the characters of a text that may go without a question."""


class Fate(StrEnum):
    """Kind of change of a block."""

    NEW = "new"
    AMENDED = "amended"
    REPEALED = "repealed"
    CORRECTED = "corrected"
    REMOVED = "removed"
    UNCHANGED = "unchanged"


class ArticleChange(Value):
    """A block and its kind of change.

    Attributes:
        title: its heading, 'Artículo 48. Suspensión…'.
        wordings: first days of the new wordings, oldest first.
        on: the day of the change: the first day of the latest new wording, or the first one without any.
        amended_by: BOE id of the norm that gave that wording.
    """

    block_id: str
    kind: BlockKind
    label: str
    title: str
    fate: Fate
    on: date | None = None
    wordings: tuple[date, ...] = ()
    amended_by: str | None = None


def article_changes(before: Sequence[Block], after: Sequence[Block]) -> list[ArticleChange]:
    """The change of every block with legal text, in the reading order of `after`; removed blocks come last.

    Blocks match by id, or by kind and label where a loader numbers them itself.
    """
    changes = []
    for old, new in pairs(before, after):
        if new is None:
            changes += [_described(old, Fate.REMOVED)] if old else []
        else:
            changes.append(_fate(old, new) if old else _new(new))
    return changes


def shortened(before: Sequence[Block], after: Sequence[Block]) -> list[str]:
    """Titles of the blocks whose last wording loses much of its text, unless the BOE or its text says why."""
    return [
        new.title
        for old, new in pairs(before, after)
        if old and new and _is_shorter(old.versions[-1], new.versions[-1])
    ]


def _is_shorter(before: BlockVersion, after: BlockVersion) -> bool:
    lost = len("".join(before.text.split())) - len("".join(after.text.split()))
    told = after.amended_by or says_repealed(after.text)
    return not told and lost > max(MIN_LOST, LOST * len(before.text))


def as_new_wordings(changes: Sequence[ArticleChange], since: date | None) -> list[ArticleChange]:
    """The changes when the text begins on a day, which may not be known yet: what differs is amended."""
    amended = {"fate": Fate.AMENDED, "on": since}
    return [one.model_copy(update=amended) if one.fate is Fate.CORRECTED else one for one in changes]


def pairs(before: Sequence[Block], after: Sequence[Block]) -> list[tuple[Block | None, Block | None]]:
    """Blocks with legal text: what each was before, and what it is, in the order of `article_changes`."""
    old, new = of_substance(before), of_substance(after)
    by_id = {block.id: block for block in old}
    by_label = _unique_labels(old)
    known: set[str] = set()
    found: list[tuple[Block | None, Block | None]] = []
    for block in new:
        match = by_id.get(block.id) or by_label.get((block.kind, block.label))
        if match is not None and match.id not in known:
            known.add(match.id)
            found.append((match, block))
        else:
            found.append((None, block))
    return [*found, *((block, None) for block in old if block.id not in known)]


def of_substance(blocks: Sequence[Block]) -> list[Block]:
    """Those with legal text: no headings, signatures or notes."""
    return [block for block in blocks if block.kind not in _WITHOUT_LAW and block.versions]


def _unique_labels(blocks: Sequence[Block]) -> Mapping[tuple[BlockKind, str], Block]:
    found: dict[tuple[BlockKind, str], list[Block]] = {}
    for block in blocks:
        if block.label:
            found.setdefault((block.kind, block.label), []).append(block)
    return {key: same[0] for key, same in found.items() if len(same) == 1}


def _new(block: Block) -> ArticleChange:
    latest = block.versions[-1]
    return _described(block, Fate.NEW, latest.valid_from, block.versions, latest.amended_by)


def _fate(old: Block, new: Block) -> ArticleChange:
    known = {version.valid_from: version for version in old.versions}
    added = [version for version in new.versions if version.valid_from not in known]
    if added:
        latest = added[-1]
        fate = Fate.REPEALED if says_repealed(latest.text) else Fate.AMENDED
        return _described(new, fate, latest.valid_from, added, latest.amended_by)
    was, now = old.versions[-1], new.versions[-1]
    if now.valid_to and now.valid_from == was.valid_from and was.valid_to is None:
        return _described(new, Fate.REPEALED, now.valid_to + timedelta(days=1))
    same = len(old.versions) == len(new.versions) and all(
        known[version.valid_from].text == version.text
        and known[version.valid_from].valid_to == version.valid_to
        for version in new.versions
    )
    return _described(new, Fate.UNCHANGED if same else Fate.CORRECTED)


def _described(
    block: Block,
    fate: Fate,
    on: date | None = None,
    wordings: Sequence[BlockVersion] = (),
    amended_by: str | None = None,
) -> ArticleChange:
    return ArticleChange(
        block_id=block.id,
        kind=block.kind,
        label=block.label,
        title=labels.title_of(block),
        fate=fate,
        on=on,
        wordings=tuple(version.valid_from for version in wordings),
        amended_by=amended_by,
    )


_TOLD = {
    Fate.NEW: "nuevo",
    Fate.AMENDED: "nueva redacción",
    Fate.REPEALED: "derogado",
    Fate.CORRECTED: "corregido el texto o las fechas de una redacción que ya estaba",
    Fate.REMOVED: "ya no figura en la norma",
    Fate.UNCHANGED: "sin cambios",
}


def changes_told(change: ArticleChange) -> str:
    """One Spanish line: «Artículo 48: nueva redacción desde el 1 de mayo de 2021 (BOE-A-2021-9)»."""
    name = change.title.split(".")[0] if labels.of_heading(change.title) else change.title
    days = change.wordings if change.fate is Fate.AMENDED else (change.on,)
    since = " y ".join(f"el {spelled(day)}" for day in days if day)
    by = f" ({change.amended_by})" if change.amended_by else ""
    return f"{name}: {_TOLD[change.fate]}{f' desde {since}' if since else ''}{by}"
