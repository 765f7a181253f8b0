"""Labelled questions of `data/training`, in two parts; no evaluation set is there.

What teaches the query adapter must not teach the order and the choice of passages too: these must see vectors
moved as those of new questions are.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from service.config import ROOT

PROVISIONS, PEOPLE = 8, 4
"""One of so many questions teaches the order: of those about a single provision, of those as people ask."""
ANSWERABILITY = ("answerability", "refused", "answerable", "questions", "broad")
"""Files of questions that the shipped norms answer, and of others that they do not."""
ANSWERS = 2
"""Grade of a stretch that answers; 1 completes the answer."""

Stretch = Mapping[str, Any]
"""A stretch of the law: norm, block, start and end in the wording of 22 November 2026, and grade."""


class Part(StrEnum):
    """Part of the questions, by what they teach."""

    ADAPTER = "adapter"
    ORDER = "order"


class Asked(NamedTuple):
    """A question, the (norm, block) of each provision that answers, and its stretches where labelled."""

    question: str
    right: tuple[tuple[str, str], ...]
    stretches: Sequence[Stretch] = ()


def entries(name: str) -> Iterator[dict[str, Any]]:
    """The entries of one file, by its name without the ending."""
    return map(json.loads, (ROOT / "data" / "training" / f"{name}.jsonl").read_text("utf-8").splitlines())


def of_entry(entry: Mapping[str, Any]) -> Asked:
    """The question of an entry with labelled provisions."""
    right = tuple((one["norm"], one["block"]) for one in entry["relevant"])
    return Asked(entry["question"], right, entry.get("passages", ()))


def shares_half(label: Stretch, start: int, end: int) -> bool:
    """True if a stretch of the same block shares half of its own text, or half of the labelled stretch's."""
    first, last = int(label["start"]), int(label["end"])
    return 2 * (min(end, last) - max(start, first)) >= min(end - start, last - first)


def provisions(part: Part) -> list[Asked]:
    """Questions written of single provisions."""
    labelled = {(entry["norm"], entry["block"]): entry for entry in entries("passages")}
    every = [
        Asked(question, (key,), _stretches(labelled.get(key, {}), place))
        for entry in entries("provisions")
        for key in [(entry["norm"], entry["block"])]
        for place, question in enumerate(entry["questions"])
    ]
    return _part(every, part, PROVISIONS)


def people(part: Part) -> list[Asked]:
    """Questions as people ask them, with all their stretches."""
    return _part([of_entry(entry) for entry in entries("broad")], part, PEOPLE)


def labelled() -> list[Asked]:
    """Questions of `questions.jsonl`; most have stretches, in `sentences.jsonl`."""
    stretches = {entry["id"]: entry["passages"] for entry in entries("sentences")}
    return [
        of_entry(entry)._replace(stretches=stretches.get(entry["id"], ())) for entry in entries("questions")
    ]


def broad() -> list[Asked]:
    """Questions with stretches of any provision, none of which taught the query adapter."""
    return [one for one in labelled() if one.stretches] + people(Part.ORDER)


def _part(every: Sequence[Asked], part: Part, share: int) -> list[Asked]:
    return [one for place, one in enumerate(every) if (place % share == 0) == (part is Part.ORDER)]


def _stretches(entry: Mapping[str, Any], place: int) -> tuple[Stretch, ...]:
    """The stretches that answer one question of a provision; none of one without labels."""
    return tuple(
        {"norm": entry["norm"], "block": entry["block"], "start": start, "end": end, "grade": grade}
        for told in entry.get("answers", [])[place : place + 1]
        for number, grade in told
        for start, end in [entry["stretches"][number]]
    )
