"""Worth of the rules of the offline answer: `python -m lab ablate [RULE…] [--cases FILE…] [--most N]`.

Needs a home with the real norms (ARTICULADO_HOME unless --home names another). Some questions with facts,
the same ones each time, are answered once with everything and once more with each rule off. Prints for each:
answers that changed, facts gained and lost without it, facts told, and the difference with its 95 % interval
(paired bootstrap over the questions).
"""

import argparse
import asyncio
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import fmean
from types import ModuleType
from typing import Any, NamedTuple
from unittest.mock import patch

from core.clock import today_in_spain
from lab.harness import program
from rag.answers import extractive, misnamed_article, passage_meaning, written_answer
from rag.answers.passage_selection import Passage
from rag.evaluation.cases import Case, read_dataset
from rag.evaluation.intervals import intervals
from rag.evaluation.measurement import evaluate
from rag.evaluation.results import Aids, CaseResult
from rag.question import question_form
from rag.run import pipeline
from rag.run.pipeline import STAGES
from rag.shared.state import Services
from rag.shared.trace import ExpandRecord
from rag.stages import expand, rerank, understand
from service.config import ROOT, settings

SETS = ("jury", "outsider", "examiner", "desk", "answers", "everyday")
MOST = 175


class Off(NamedTuple):
    """A name of a module, and what stands there while the rule is off."""

    module: ModuleType
    name: str
    instead: object


def gives(made: Callable[[], object]) -> Callable[..., object]:
    """A function that gives the same whatever it is given, new each time: a caller may add to it."""
    return lambda *_, **__: made()


def keeps(place: int) -> Callable[..., object]:
    """A function that gives one of its arguments back as it is."""
    return lambda *arguments, **_: arguments[place]


async def _by_words(_: str, ranked: Sequence[Passage], *__: Any) -> tuple[list[Passage], tuple[()], str]:
    return list(ranked[: passage_meaning.POOL]), (), ""


async def _nothing_joins(*_: object) -> ExpandRecord:
    return ExpandRecord(refs_found=0, added=())


COMPANIONS = Off(extractive, "companion_passages", gives(list))
LABELLED = Off(extractive, "asked_lines", gives(list))
RULES: dict[str, tuple[Off, ...]] = {
    "companions": (COMPANIONS,),
    "companions-and-context": (COMPANIONS, Off(expand, "sought", gives(list))),
    "remissions": (Off(extractive, "followed", gives(list)),),
    "tables-sent-to": (Off(extractive, "tables", gives(list)),),
    "labelled-lines": (LABELLED,),
    "asked-rows": (LABELLED, Off(extractive, "asked_rows", gives(list))),
    "asked-list": (Off(extractive, "asked_list", gives(list)),),
    "points-back": (Off(written_answer, "before", keeps(1)),),
    "whole-text": (Off(extractive, "asked_text", gives(list)),),
    "year": (Off(extractive, "of_its_year", keeps(1)),),
    "parts-of-rulings": (Off(extractive, "of_their_parts", keeps(0)),),
    "rows-of-other-agreements": (Off(extractive, "others", gives(set)),),
    "misnamed-article": (Off(misnamed_article, "meant", gives(lambda: None)),),
    "law-first": (Off(extractive, "law_first", keeps(0)), Off(extractive, "before_rows", keeps(0))),
    "behind-the-law": (Off(rerank, "behind_the_law", keeps(0)),),
    "accents": (Off(question_form, "accented", keeps(0)),),
    "spelling": (Off(understand, "misspelled", gives(dict)),),
    "governing": (Off(expand, "governing", gives(list)),),
    "gate": (Off(extractive, "beside_each_other", keeps(0)),),
    "meaning-of-passages": (Off(extractive, "by_meaning", _by_words),),
    "expand": (
        Off(
            pipeline, "STAGES", tuple((n, _nothing_joins if n == "expand" else stage) for n, stage in STAGES)
        ),
    ),
}
"""How each rule is switched off. A new rule gets its row here."""
SPECIAL = (
    "companions", "remissions", "tables-sent-to", "asked-rows", "whole-text", "year", "parts-of-rulings",
    "rows-of-other-agreements", "misnamed-article", "law-first",
)  # fmt: skip
RULES["special"] = tuple(one for name in SPECIAL for one in RULES[name])


@contextmanager
def without(rule: str) -> Iterator[None]:
    """The program with a rule off."""
    with ExitStack() as changed:
        for module, name, instead in RULES[rule]:
            changed.enter_context(patch.object(module, name, instead))
        yield


def drawn(files: Sequence[Path], most: int) -> list[Case]:
    """At most so many cases with facts, from all files alike."""
    cases = [case for path in files for case in read_dataset(path).cases if case.facts and case.answerable]
    random.Random(0).shuffle(cases)
    return cases[:most]


def measured(cases: Sequence[Case], services: Services, aids: Aids) -> list[CaseResult]:
    return asyncio.run(evaluate(cases, services, today=today_in_spain(), aids=aids))


def _told(result: CaseResult) -> tuple[str, list[bool]]:
    """The answer's text and which facts it tells."""
    return (result.told.text, [fact.told for fact in result.told.facts]) if result.told else ("", [])


def compared(rule: str, whole: Sequence[CaseResult], rest: Sequence[CaseResult]) -> str:
    """A row of the table: the answers with everything and those without a rule."""
    pairs = [(_told(one), _told(other)) for one, other in zip(whole, rest, strict=True)]
    changed = sum(before[0] != after[0] for before, after in pairs)
    facts = [both for before, after in pairs for both in zip(before[1], after[1], strict=True)]
    gained, lost = sum(now > was for was, now in facts), sum(now < was for was, now in facts)
    shares = [(fmean(before[1]), fmean(after[1])) for before, after in pairs]
    told = fmean(now for _, now in shares)
    difference = told - fmean(was for was, _ in shares)
    low, high = intervals([{"facts": now - was} for was, now in shares])["facts"]
    shown = f"{rule:<26}{changed:>8}{gained:>8}{lost:>6}{told:>8.3f}"
    return f"{shown}{difference:>+9.3f} ({low:+.3f} to {high:+.3f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", nargs="*", metavar="RULE", help=f"all, or some of: {', '.join(RULES)}")
    files = [ROOT / "data" / "evaluation" / f"{name}.jsonl" for name in SETS]
    parser.add_argument("--cases", nargs="+", type=Path, default=files, metavar="FILE")
    parser.add_argument("--most", type=int, default=MOST, metavar="N", help="questions")
    parser.add_argument("--aids", type=Aids, choices=tuple(Aids), default=Aids.ALL)
    parser.add_argument("--home", type=Path, default=settings().articulado_home)
    options = parser.parse_args()
    if unknown := [name for name in options.rules if name not in RULES]:
        parser.error(f"no such rule: {', '.join(unknown)}")
    cases = drawn(options.cases, options.most)
    with program(options.home) as app:
        whole = measured(cases, app.services, options.aids)
        told = fmean(fmean(_told(one)[1]) for one in whole)
        print(f"{len(cases)} questions, facts told with everything {told:.3f}")
        print(f"{'without':<26}{'changed':>8}{'gained':>8}{'lost':>6}{'told':>8}{'difference (95 %)':>19}")
        for rule in options.rules or RULES:
            with without(rule):
                print(compared(rule, whole, measured(cases, app.services, options.aids)), flush=True)
