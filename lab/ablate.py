"""Worth of the rules of the offline answer: `python -m lab ablate [RULE…] [--cases FILE…] [--most N]`.

Needs a home with the real norms (ARTICULADO_HOME unless --home names another). The questions are answered
once with everything, which tells where a rule does something, and those once more with it off. Prints for
each rule: questions that it reaches, answers changed without it, and what is gained and lost: facts, first
quotations that carry one, right refusals and other checks of a case; then answers with another notice or
confidence alone. A constant reaches every question.
"""

import argparse
import asyncio
import inspect
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import wraps
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple
from unittest.mock import patch

from core.clock import today_in_spain
from lab.harness import program
from lab.rules import RULES, Off
from rag.evaluation.cases import Case, read_dataset
from rag.evaluation.measurement import evaluate
from rag.evaluation.results import Aids, CaseResult
from rag.shared.state import Services
from rag.shared.trace import Trace
from service.config import ROOT, settings

SETS = ("jury", "outsider", "examiner", "desk", "answers", "everyday", "consults", "dated", "unanswerable")
LEARNED = ("weights", "load_gate", "_expect_passages")
"""Functions whose every value counts."""
HEAD = (
    f"{'without':<26}{'reach':>6}{'changed':>8}{'facts':>9}{'first':>9}{'refused':>9}{'checks':>9}{'told':>6}"
)


class Asked(NamedTuple):
    """A question as it was answered: its text and notices, and every measure that may be right or wrong."""

    text: str
    notices: tuple[object, ...]
    facts: Mapping[str, bool]
    first: bool
    refused: bool
    checks: Mapping[str, bool]


def asked(result: CaseResult, trace: Trace) -> Asked:
    told = result.told
    facts = {fact.fact: fact.told for fact in told.facts} if told else {}
    issues = tuple(one for record in trace.records for one in getattr(record, "issues", ()))
    return Asked(
        told.text if told else str(result.refused),
        (round(result.confidence, 2), *issues),
        facts,
        bool(told and told.first),
        result.checks.get("refusal", True),
        {name: value for name, value in result.checks.items() if name != "refusal"},
    )


@contextmanager
def without(rule: str) -> Iterator[None]:
    """The program with a rule off."""
    with ExitStack() as changed:
        for one in RULES[rule]:
            changed.enter_context(patch.object(one.module, one.name, one.instead))
        yield


@contextmanager
def watched(rules: Sequence[str], reached: set[str]) -> Iterator[None]:
    """Adds to `reached` each rule whose function gives something else than while it is off."""
    by_place: defaultdict[tuple[int, str], list[tuple[str, Off]]] = defaultdict(list)
    for rule in rules:
        for off in RULES[rule]:
            by_place[id(off.module), off.name].append((rule, off))
    with ExitStack() as changed:
        for ruled in by_place.values():
            first = ruled[0][1]
            if not is_constant(first):
                original: Any = getattr(first.module, first.name)
                noting: Any = _NotingPattern if isinstance(original, re.Pattern) else _noting
                changed.enter_context(
                    patch.object(first.module, first.name, noting(original, ruled, reached))
                )
        yield


def is_constant(off: Off) -> bool:
    """True for a value, and for a function that cannot be compared with what stands in its place."""
    original = getattr(off.module, off.name)
    learned = off.name in LEARNED or inspect.iscoroutinefunction(original)
    return learned or not (inspect.isfunction(original) or isinstance(original, re.Pattern))


class _NotingPattern:
    """A pattern that notes the rules as reached where it matches anything."""

    def __init__(
        self, original: re.Pattern[str], ruled: Sequence[tuple[str, Off]], reached: set[str]
    ) -> None:
        self._original, self._ruled, self._reached = original, ruled, reached

    def __getattr__(self, name: str) -> Any:
        asked = getattr(self._original, name)
        if not callable(asked):
            return asked

        def noting(*arguments: Any, **named: Any) -> Any:
            if name == "split" or name.startswith("find"):
                matches = self._original.search(arguments[0])
            elif name in ("sub", "subn"):
                matches = self._original.search(arguments[1])
            else:
                matches = asked(*arguments, **named)
            if matches:
                self._reached.update(rule for rule, _ in self._ruled)
            return asked(*arguments, **named)

        return noting


def _noting(
    original: Callable[..., Any], ruled: Sequence[tuple[str, Off]], reached: set[str]
) -> Callable[..., Any]:
    @wraps(original)
    def noting(*arguments: Any, **named: Any) -> Any:
        given = original(*arguments, **named)
        for rule, off in ruled:
            if rule not in reached and given != off.instead(*arguments, **named):
                reached.add(rule)
        return given

    return noting


def drawn(files: Sequence[Path], most: int) -> list[Case]:
    """At most so many cases, from all files alike; 0 for all."""
    cases = [case for path in files for case in read_dataset(path).cases]
    if most:
        random.Random(0).shuffle(cases)
    return cases[: most or None]


def measured(
    cases: Sequence[Case], services: Services, aids: Aids, after: Callable[[int], None] = lambda place: None
) -> list[Asked]:
    """The cases as they are answered; `after` is called with the place of each."""
    found: list[Asked] = []

    def keep(place: int, result: CaseResult, trace: Trace) -> None:
        found.append(asked(result, trace))
        after(place)

    asyncio.run(evaluate(cases, services, today=today_in_spain(), aids=aids, on_result=keep))
    return found


def reach(
    rules: Sequence[str], cases: Sequence[Case], services: Services, aids: Aids
) -> tuple[list[Asked], Mapping[str, list[int]]]:
    """The cases with every rule, and the places of those that each rule reaches."""
    reached: set[str] = set()
    places: dict[str, list[int]] = {rule: [] for rule in rules}

    def note(place: int) -> None:
        for rule in reached:
            places[rule].append(place)
        reached.clear()

    with watched(rules, reached):
        whole = measured(cases, services, aids, note)
    everywhere = [*range(len(cases))]
    constant = (rule for rule in rules if any(map(is_constant, RULES[rule])))
    return whole, places | dict.fromkeys(constant, everywhere)


def compared(rule: str, pairs: Sequence[tuple[Asked, Asked]]) -> str:
    """A row of the table, of the answers with everything and those without a rule."""
    changed = sum(one.text != other.text for one, other in pairs)
    told = sum(one.text == other.text and one.notices != other.notices for one, other in pairs)
    facts = [(one.facts[name], other.facts[name]) for one, other in pairs for name in one.facts]
    checks = [
        (one.checks[name], other.checks[name])
        for one, other in pairs
        for name in one.checks.keys() & other.checks.keys() - {"facts"}
    ]
    columns = (
        facts,
        [(one.first, other.first) for one, other in pairs],
        [(one.refused, other.refused) for one, other in pairs],
        checks,
    )
    shown = "".join(f"{_gains(column):>9}" for column in columns)
    return f"{rule:<26}{len(pairs):>6}{changed:>8}{shown}{told:>6}"


def _gains(pairs: Sequence[tuple[bool, bool]]) -> str:
    return f"+{sum(now > was for was, now in pairs)} −{sum(now < was for was, now in pairs)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", nargs="*", metavar="RULE", help=f"all, or some of: {', '.join(RULES)}")
    files = [ROOT / "data" / "evaluation" / f"{name}.jsonl" for name in SETS]
    parser.add_argument("--cases", nargs="+", type=Path, default=files, metavar="FILE")
    parser.add_argument("--most", type=int, default=0, metavar="N", help="questions; 0 for all")
    parser.add_argument("--aids", type=Aids, choices=tuple(Aids), default=Aids.ALL)
    parser.add_argument("--home", type=Path, default=settings().articulado_home)
    options = parser.parse_args()
    if unknown := [name for name in options.rules if name not in RULES]:
        parser.error(f"no such rule: {', '.join(unknown)}")
    cases = drawn(options.cases, options.most)
    rules = options.rules or [*RULES]
    with program(options.home) as app:
        whole, places = reach(rules, cases, app.services, options.aids)
        told = fmean(fmean(one.facts.values()) for one in whole if one.facts)
        print(f"{len(cases)} questions, facts told with everything {told:.3f}\n{HEAD}")
        for rule in rules:
            with without(rule):
                rest = measured([cases[place] for place in places[rule]], app.services, options.aids)
            before = [whole[place] for place in places[rule]]
            print(compared(rule, [*zip(before, rest, strict=True)]), flush=True)
