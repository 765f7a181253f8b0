"""Grids that the ruled lines of a page draw, from their geometry alone; y grows downward."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

NEAR = 3.0
"""Points within which two lines are the same, or touch."""
MAX_LINES = 400
MAX_GRIDS = 20
MAX_CELLS = 10_000


class Rule(NamedTuple):
    """A line at one coordinate, from one to another; all in points."""

    at: float
    start: float
    end: float

    def covers(self, place: float) -> bool:
        return self.start - NEAR <= place <= self.end + NEAR


@dataclass(frozen=True)
class Grid:
    """Columns between `xs` and rows between `ys`, at least two of each."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    across: tuple[Rule, ...]
    down: tuple[Rule, ...]

    def holds(self, x: float, y: float) -> bool:
        """True for a point inside."""
        return self.xs[0] <= x <= self.xs[-1] and self.ys[0] <= y <= self.ys[-1]

    def place(self, x: float, y: float) -> tuple[int, int]:
        """(row, column) of a point inside."""
        return (
            min(bisect_right(self.ys, y), len(self.ys) - 1) - 1,
            min(bisect_right(self.xs, x), len(self.xs) - 1) - 1,
        )

    def cells(self) -> dict[tuple[int, int], tuple[int, int]]:
        """(row, column) of each cell to the (columns, rows) that it spans: no lines are between them."""
        found: dict[tuple[int, int], tuple[int, int]] = {}
        taken: set[tuple[int, int]] = set()
        rows, columns = len(self.ys) - 1, len(self.xs) - 1
        upright, flat = _on(self.xs, self.down), _on(self.ys, self.across)
        for row in range(rows):
            middle = (self.ys[row] + self.ys[row + 1]) / 2
            for column in range(columns):
                if (row, column) in taken:
                    continue
                wide = 1
                while column + wide < columns and not any(
                    rule.covers(middle) for rule in upright[column + wide]
                ):
                    wide += 1
                centre = (self.xs[column] + self.xs[column + 1]) / 2
                tall = 1
                while row + tall < rows and not any(rule.covers(centre) for rule in flat[row + tall]):
                    tall += 1
                found[row, column] = (wide, tall)
                taken.update((r, c) for r in range(row, row + tall) for c in range(column, column + wide))
        return found


def _on(edges: Sequence[float], rules: Sequence[Rule]) -> list[list[Rule]]:
    return [[rule for rule in rules if abs(rule.at - edge) <= NEAR] for edge in edges]


def grids(across: Iterable[Rule], down: Iterable[Rule]) -> list[Grid] | None:
    """The grids that horizontal and vertical lines draw, from the top; None for a page of too many lines."""
    flat, upright = _joined(across), _joined(down)
    if max(len(flat), len(upright)) > MAX_LINES:
        return None
    found = [grid for group in _groups(flat, upright) if (grid := _grid(*group))]
    return sorted(found, key=lambda grid: (grid.ys[0], grid.xs[0])) if len(found) <= MAX_GRIDS else None


def _joined(rules: Iterable[Rule]) -> list[Rule]:
    """Lines with those joined that touch on the same coordinate."""
    groups: list[list[Rule]] = []
    for rule in sorted(rules):
        if groups and rule.at - groups[-1][0].at <= NEAR:
            groups[-1].append(rule)
        else:
            groups.append([rule])
    found: list[Rule] = []
    for group in groups:
        begun = len(found)
        for rule in sorted(group, key=lambda one: one.start):
            if len(found) > begun and rule.start <= found[-1].end + NEAR:
                found[-1] = found[-1]._replace(end=max(found[-1].end, rule.end))
            else:
                found.append(rule._replace(at=group[0].at))
    return found


def _groups(flat: Sequence[Rule], upright: Sequence[Rule]) -> list[tuple[list[Rule], list[Rule]]]:
    """Lines that touch each other, directly or through others."""
    waiting = set(range(len(upright)))
    left = set(range(len(flat)))
    found = []
    while left:
        rows, columns, edge = set[int](), set[int](), [left.pop()]
        while edge:
            rows.update(edge)
            touched = {v for v in waiting for h in edge if _touch(flat[h], upright[v])}
            waiting -= touched
            columns |= touched
            edge = [h for h in left if any(_touch(flat[h], upright[v]) for v in touched)]
            left.difference_update(edge)
        found.append(([flat[h] for h in rows], [upright[v] for v in columns]))
    return found


def _touch(flat: Rule, upright: Rule) -> bool:
    return flat.covers(upright.at) and upright.covers(flat.at)


def _grid(flat: list[Rule], upright: list[Rule]) -> Grid | None:
    xs, ys = _edges(upright, flat), _edges(flat, upright)
    if len(xs) < 3 or len(ys) < 3 or len(xs) * len(ys) > MAX_CELLS:
        return None
    return Grid(xs, ys, tuple(flat), tuple(upright))


def _edges(rules: Sequence[Rule], others: Sequence[Rule]) -> tuple[float, ...]:
    """Where lines stand, and where those that cross them end: tables may be open at their sides."""
    found = sorted({rule.at for rule in rules})
    if not found or not others:
        return ()
    first, last = min(rule.start for rule in others), max(rule.end for rule in others)
    before = [first] if first < found[0] - 2 * NEAR else []
    after = [last] if last > found[-1] + 2 * NEAR else []
    return (*before, *found, *after)
