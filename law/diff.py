"""Two wordings of a block compared word by word, for the page and the command line."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import groupby

from core.values import Value
from law.norms import Block, BlockVersion

_TOKEN = re.compile(r"(?:\d+(?:[.,]\d+)+|\w+)[^\S\n]*|[^\w\s][^\S\n]*|\s+")
_SPARE = 2
ALIKE = 0.25
"""Below this share of common words a passage counts as rewritten, and is easier to read whole."""


class Change(StrEnum):
    """Kind of a run of text: in both wordings, only in the later, only in the earlier."""

    EQUAL = "equal"
    INSERT = "insert"
    DELETE = "delete"


class Run(Value):
    """A stretch of text with one fate; joining all but INSERT gives the earlier wording, exactly."""

    kind: Change
    text: str


class BlockDiff(Value):
    """A block on two days; `before` (`after`) is None when it had no wording then."""

    norm_id: str
    block_id: str
    label: str
    title: str
    before: BlockVersion | None
    after: BlockVersion | None
    runs: tuple[Run, ...]

    @property
    def changed(self) -> bool:
        return any(run.kind is not Change.EQUAL for run in self.runs)


def diff(norm_id: str, block: Block, since: date | None, until: date | None, today: date) -> BlockDiff:
    """The block as it read on two days.

    Args:
        since: the earlier day; None for the wording before the one of `until`.
        until: the later day; None for the wording in force on `today`, or else the last one.
    """
    after = block.wording_on(until) if until else block.wording_on(today) or block.versions[-1]
    before = block.wording_on(since) if since else _previous(block, after)
    return between(norm_id, block, before, after)


def between(norm_id: str, block: Block, before: BlockVersion | None, after: BlockVersion | None) -> BlockDiff:
    """Any two wordings of a block."""
    runs = compare(before.text if before else "", after.text if after else "")
    return BlockDiff(
        norm_id=norm_id,
        block_id=block.id,
        label=block.label,
        title=block.title,
        before=before,
        after=after,
        runs=tuple(runs),
    )


def _previous(block: Block, version: BlockVersion | None) -> BlockVersion | None:
    if version is None:
        return block.versions[-1] if block.versions else None
    return next((v for v in reversed(block.versions) if v.valid_from < version.valid_from), None)


def compare(before: str, after: str) -> list[Run]:
    """The runs that turn `before` into `after`: paragraphs first, then words inside those that differ.

    Comparing paragraphs first is fast, and keeps a changed paragraph from splitting its neighbours.
    """
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    runs: list[tuple[Change, str]] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            runs.append((Change.EQUAL, "".join(old[a:b])))
        else:
            runs += _words("".join(old[a:b]), "".join(new[c:d]))
    return [Run(kind=kind, text=text) for kind, text in _merged(runs)]


def _words(before: str, after: str) -> Iterator[tuple[Change, str]]:
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < ALIKE:
        yield from ((Change.DELETE, before), (Change.INSERT, after))
        return
    for tag, a, b, c, d in _without_crumbs(matcher.get_opcodes()):
        if tag == "equal":
            yield Change.EQUAL, "".join(old[a:b])
        else:
            yield Change.DELETE, "".join(old[a:b])
            yield Change.INSERT, "".join(new[c:d])


def _without_crumbs(codes: Sequence[tuple[str, int, int, int, int]]) -> list[tuple[str, int, int, int, int]]:
    """Joins two changes with only one or two equal words between them: a lone 'de' is a chance match."""
    kept: list[tuple[str, int, int, int, int]] = []
    for place, code in enumerate(codes):
        tag, a, b, c, d = code
        inner = 0 < place < len(codes) - 1
        crumb = tag == "equal" and inner and b - a <= _SPARE
        if kept and kept[-1][0] == "change" and (crumb or tag != "equal"):
            _, start, _, first, _ = kept[-1]
            kept[-1] = ("change", start, b, first, d)
        else:
            kept.append(code if tag == "equal" else ("change", a, b, c, d))
    return kept


def _merged(runs: Sequence[tuple[Change, str]]) -> Iterator[tuple[Change, str]]:
    """Runs without empty ones; adjacent runs of one kind are joined."""
    for kind, same in groupby((run for run in runs if run[1]), key=lambda run: run[0]):
        yield kind, "".join(text for _, text in same)


def render(runs: Sequence[Run]) -> str:
    """As plain text: [-suprimido-] and {+añadido+}."""
    marks = {Change.EQUAL: ("", ""), Change.DELETE: ("[-", "-]"), Change.INSERT: ("{+", "+}")}
    return "".join(f"{marks[run.kind][0]}{run.text}{marks[run.kind][1]}" for run in runs)
