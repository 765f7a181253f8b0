"""Rules of the offline answer (`rules.toml`), and what stands where each is while it is off."""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, NamedTuple

import numpy as np

from rag.answers import passage_gate, passage_meaning
from rag.answers.passage_selection import Passage
from rag.question.understanding import Agreements, Decided, Filters, Matter, Pointed
from rag.ranking.weights import Weights, weights
from rag.run.pipeline import STAGES
from rag.shared.notices import Notice
from rag.shared.state import State
from rag.shared.trace import ExpandRecord
from rag.stages import notice_rules
from rag.stages.checked_answer import Checked

FILE = Path(__file__).with_name("rules.toml")


class Off(NamedTuple):
    """A name of a module or a class, and what stands there while the rule is off."""

    module: Any
    name: str
    instead: Any


def gives(made: Callable[[], object]) -> Callable[..., object]:
    """A function that gives the same whatever it is given, new each time: a caller may add to it."""
    return lambda *_, **__: made()


def keeps(place: int) -> Callable[..., object]:
    """A function that gives one of its arguments back as it is."""
    return lambda *arguments, **_: arguments[place]


async def by_words(_: str, ranked: Sequence[Passage], *__: Any) -> tuple[list[Passage], tuple[()], str]:
    return list(ranked[: passage_meaning.POOL]), (), ""


async def no_hits(*_: object) -> list[object]:
    return []


async def nothing(*_: object) -> None:
    return None


async def nothing_joins(*_: object) -> ExpandRecord:
    return ExpandRecord(refs_found=0, added=())


def first_search(state: State) -> str:
    return state.queries[0].text


def one_after_another(per_query: Sequence[Sequence[Passage]], most: int) -> list[Passage]:
    return [one for some in per_query for one in some][:most]


def undivided(whole: str, **_: object) -> list[str]:
    return [whole]


EMPTY = (list, dict, set, tuple, str, bool, frozenset, Agreements, Decided, Filters, Matter, Pointed)
INSTEAD: Mapping[str, object] = {
    **{kind.__name__: gives(kind) for kind in EMPTY},
    "None": gives(lambda: None),
    "never": re.compile(r"(?!)"),
    "()": (),
    "zero": 0.0,
    "without_expand": tuple((name, nothing_joins if name == "expand" else stage) for name, stage in STAGES),
    "everywhere": gives(lambda: 99),
    "nothing_new": gives(lambda: dict.fromkeys(("novel", "uncommon", "gathered", "length"), 0.0)),
    "parts_alone": lambda parts, *_: [*parts],
    "unfiltered": lambda where, *_: (where, ()),
    "whole_stretch": lambda _, start, end, *__: (start, end),
    "word_itself": lambda match: match[0],
} | {made.__name__: made for made in (by_words, first_search, no_hits, nothing, one_after_another, undivided)}


def off(place: str, instead: str) -> Off:
    """A row's place, such as 'rag.answers.extractive.asked_list', and the name of what stands there."""
    module, _, name = place.rpartition(".")
    told = keeps(int(instead[6:])) if instead.startswith("keeps ") else INSTEAD[instead]
    # A place that no function is at has the empty value itself.
    if not callable(getattr(resolve_name(module), name)) and instead == "dict":
        told = {}
    return Off(resolve_name(module), name, told)


def _row(written: str) -> tuple[Off, ...]:
    return tuple(off(*one.strip().split(" ", 1)) for one in written.split(";"))


def _without_notices(name: str) -> Callable[[Checked], list[Notice]]:
    kept: list[Callable[[Checked], Iterable[Notice]]] = [
        rule for rule in notice_rules.RULES if rule is not getattr(notice_rules, f"_{name}")
    ]
    return lambda answer: list(dict.fromkeys(notice for rule in kept for notice in rule(answer)))


def _weighing_nothing(*names: str) -> Callable[[], Weights]:
    def kept(some: Mapping[str, float]) -> dict[str, float]:
        return {name: weight * (name not in names) for name, weight in some.items()}

    return lambda: Weights(*map(kept, weights()))


def _blind_to(*names: str) -> Callable[[], passage_gate.Gate]:
    """The gate with these features at their means."""
    gate = passage_gate.load_gate()
    seen = np.array([name not in names for name in gate.names])
    blind = gate._replace(direct=gate.direct * seen, inner=gate.inner * seen[:, None])
    return lambda: blind


def read_rules() -> dict[str, tuple[Off, ...]]:
    """The rules of the file, and how each is switched off."""
    read = tomllib.loads(FILE.read_text("utf-8"))
    rules = {name: _row(written) for name, written in read["rules"].items()}
    for name in read["notices"]["names"]:
        rules[f"notice-{name}"] = (
            Off(resolve_name("rag.stages.verify"), "notices_of", _without_notices(name)),
        )
    for group in map(str.split, read["ranking"]["groups"]):
        instead: object = _weighing_nothing(*group)
        rules[f"rank-{group[0]}"] = (Off(resolve_name("rag.ranking.heuristic"), "weights", instead),)
    for group in map(str.split, read["gate"]["groups"]):
        rules[f"gate-{group[0]}"] = (Off(passage_gate, "load_gate", _blind_to(*group)),)
    return rules


RULES = read_rules()
