"""Rows of measurements and how they are printed."""

import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Watch:
    """Seconds since it was made, by the clock and of this process's processor."""

    _wall: float = field(default_factory=time.perf_counter)
    _cpu: float = field(default_factory=time.process_time)

    @property
    def wall(self) -> float:
        return time.perf_counter() - self._wall

    @property
    def cpu(self) -> float:
        return time.process_time() - self._cpu

    @property
    def ms(self) -> float:
        return self.wall * 1000


@dataclass(frozen=True)
class Row:
    """One measurement.

    Attributes:
        value, target: in `unit`; a row without a target only explains the others.
        at_least: the target is a minimum; it is a maximum otherwise.
    """

    name: str
    value: float
    unit: str
    target: float | None = None
    at_least: bool = False

    @property
    def met(self) -> bool:
        if self.target is None:
            return True
        return self.value >= self.target if self.at_least else self.value <= self.target


Tables = Iterator[tuple[str, Sequence[Row]]]
"""Titles and rows, as `tables(folder)` of a benchmark yields them; the folder is empty."""


def spread(
    name: str,
    values: Sequence[float],
    unit: str,
    target: float | None = None,
    target_p95: float | None = None,
) -> list[Row]:
    """The p50 and p95 rows of some samples."""
    return [
        Row(f"{name}, p50", statistics.median(values), unit, target),
        Row(f"{name}, p95", percentile(values, 95), unit, target_p95),
    ]


def percentile(values: Sequence[float], percent: float) -> float:
    """Nearest rank: a value that was measured, the largest for few samples."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def show(title: str, rows: Sequence[Row]) -> None:
    """Print the rows; the ratio is measured ÷ target."""
    width = max(len(row.name) for row in rows)
    print(f"\n{title}\n{'':{width}}  {'measured':>12}  {'target':>12}  {'ratio':>6}", flush=True)
    for row in rows:
        print(f"{row.name:{width}}  {_number(row.value, row.unit):>12}{_against(row)}", flush=True)


def _against(row: Row) -> str:
    if row.target is None:
        return ""
    sign = "≥" if row.at_least else "≤"
    verdict = "" if row.met else "  beyond target"
    ratio = f"{row.value / row.target:6.2f}" if row.target else " " * 6
    return f"  {f'{sign} {_number(row.target, row.unit)}':>12}  {ratio}{verdict}"


def _number(value: float, unit: str) -> str:
    return f"{value:.0f} {unit}" if abs(value) >= 100 else f"{value:.3g} {unit}"
