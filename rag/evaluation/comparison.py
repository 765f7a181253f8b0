"""Comparison of two evaluations of the same questions, question by question."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from rag.evaluation.intervals import intervals
from rag.evaluation.report import measures
from rag.evaluation.results import CaseResult, Interval

Outcome = Literal["won", "lost", "equal"]


@dataclass(frozen=True)
class Change:
    """A measure before and after over the same questions.

    `interval` is the 95 % interval of the difference (paired bootstrap): if it excludes 0, chance does not
    explain the difference.
    """

    name: str
    before: float
    after: float
    difference: float
    interval: Interval
    questions: int

    @property
    def clear(self) -> bool:
        return self.interval[0] > 0 or self.interval[1] < 0


@dataclass(frozen=True)
class Pair:
    """One question in both evaluations; positions are the places of its case in each, from 0."""

    before: CaseResult
    after: CaseResult
    before_position: int
    after_position: int
    outcome: Outcome


@dataclass(frozen=True)
class Comparison:
    """The paired questions; `alone` counts the others: missing, or without a loaded answer, in either one."""

    changes: tuple[Change, ...]
    by_category: Mapping[str, tuple[Change, ...]]
    pairs: tuple[Pair, ...]
    alone: int


def compare(before: Sequence[CaseResult], after: Sequence[CaseResult]) -> Comparison:
    """Pair the questions by id and wording, and compute the change of each measure."""
    earlier = {(r.id, r.question): (place, r) for place, r in enumerate(before) if r.held}
    pairs = []
    for place, result in enumerate(after):
        known = earlier.get((result.id, result.question)) if result.held else None
        if known is not None:
            pairs.append(Pair(known[1], result, known[0], place, _outcome(known[1], result)))
    groups: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        groups[pair.after.category].append(pair)
    everything = {(r.id, r.question) for r in (*before, *after)}
    return Comparison(
        changes=_changes(pairs),
        by_category={name: _changes(group) for name, group in sorted(groups.items())},
        pairs=tuple(pairs),
        alone=len(everything) - len(pairs),
    )


def differing(before: Mapping[str, str], after: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """(name, before, after) of every fact that differs between the two."""
    names = dict.fromkeys((*before, *after))
    return [
        (name, before.get(name, ""), after.get(name, ""))
        for name in names
        if before.get(name, "") != after.get(name, "")
    ]


def _outcome(before: CaseResult, after: CaseResult) -> Outcome:
    """'won', 'lost' or 'equal': right beats wrong; if both are alike, the higher reciprocal rank wins."""
    was, now = ((r.right, r.scores.get("mrr@10", 0.0)) for r in (before, after))
    return "won" if now > was else "lost" if now < was else "equal"


def _changes(pairs: Sequence[Pair]) -> tuple[Change, ...]:
    rows = [(measures(pair.before), measures(pair.after)) for pair in pairs]
    names = dict.fromkeys(name for was, now in rows for name in now if name in was)
    differences = [{name: now[name] - was[name] for name in now if name in was} for was, now in rows]
    spread = intervals(differences)
    changes = []
    for name in names:
        both = [(was[name], now[name]) for was, now in rows if name in was and name in now]
        old, new = fmean([was for was, _ in both]), fmean([now for _, now in both])
        changes.append(
            Change(name, round(old, 4), round(new, 4), round(new - old, 4), spread[name], len(both))
        )
    return tuple(changes)
