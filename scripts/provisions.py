"""Questions written of single provisions (`data/training/provisions.jsonl`), in two parts: one that teaches
the query adapter and one that teaches the order and the choice of passages, which must see vectors moved as
those of new questions are. `data/training/passages.jsonl` has the stretches of the law that answer them.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from scripts.training import entries

SHARE = 8
"""One of so many questions teaches the order."""


class Asked(NamedTuple):
    """A question with the norm and the block that answer it, and its place among those of the block."""

    question: str
    norm: str
    block: str
    place: int


def for_adapter() -> list[Asked]:
    """The questions that teach the adapter."""
    return [one for number, one in _numbered() if number % SHARE]


def for_order() -> list[Asked]:
    """The questions that teach the order, none of them of `for_adapter`."""
    return [one for number, one in _numbered() if number % SHARE == 0]


def passages_for_order() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The questions of `for_order` that some stretch answers, each with its stretches.

    A stretch: norm, block, start and end in the wording in force on 22 November 2026, and grade: 2 = answers,
    1 = completes.
    """
    return _answered(for_order())


def passages_for_adapter() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The questions of `for_adapter` that some stretch answers, as `passages_for_order` has them."""
    return _answered(for_adapter())


def _answered(given: Iterable[Asked]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    labelled = {(entry["norm"], entry["block"]): entry for entry in entries("passages")}
    for one in given:
        entry = labelled.get((one.norm, one.block), {"answers": []})
        for told in entry["answers"][one.place : one.place + 1]:
            spans = [(*entry["stretches"][number], grade) for number, grade in told]
            if spans:
                yield (
                    one.question,
                    [
                        {"norm": one.norm, "block": one.block, "start": start, "end": end, "grade": grade}
                        for start, end, grade in spans
                    ],
                )


def _numbered() -> Iterator[tuple[int, Asked]]:
    return enumerate(
        Asked(question, entry["norm"], entry["block"], place)
        for entry in entries("provisions")
        for place, question in enumerate(entry["questions"])
    )
