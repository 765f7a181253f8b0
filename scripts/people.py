"""Questions as people ask them, with the provisions that answer, in two parts as in `scripts.provisions`.

`data/training/asked.jsonl` and most of `broad.jsonl` teach the query adapter; one in SHARE of the latter,
whose stretches are labelled too, teaches the order and the choice of passages.
"""

from collections.abc import Iterator
from typing import Any

from scripts.training import entries

SHARE = 4


def for_adapter() -> Iterator[tuple[str, str, str]]:
    """The questions that teach the adapter, each with the norm and the block that answer it."""
    for entry in (*entries("asked"), *_broad(for_order=False)):
        for one in entry["relevant"]:
            yield entry["question"], one["norm"], one["block"]


def for_order() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The questions that teach the order, each with the (norm, block) that answer it."""
    for entry in _broad(for_order=True):
        yield entry["question"], [(one["norm"], one["block"]) for one in entry["relevant"]]


def passages_for_order() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The questions of `for_order` with their stretches (see `scripts.provisions.passages_for_order`)."""
    return ((entry["question"], entry["passages"]) for entry in _broad(for_order=True))


def passages_for_adapter() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The questions of `broad.jsonl` that teach the adapter, with their stretches."""
    return ((entry["question"], entry["passages"]) for entry in _broad(for_order=False))


def _broad(*, for_order: bool) -> Iterator[dict[str, Any]]:
    for number, entry in enumerate(entries("broad")):
        if (number % SHARE == 0) == for_order:
            yield entry
