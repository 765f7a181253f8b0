"""Measure questions about the papers of expedientes: `python -m lab matters [EXPEDIENTE…]`.

Makes each expediente of `data/evaluation/matters` in a home with the norms (ARTICULADO_HOME unless --home
names another), asks its questions without a model, and deletes it. Prints by expediente how many facts of
papers were told and quoted first, how many answers on the law began with it and told the fact that they hang
on, and how many answers quoted first of a paper something else, or quoted a paper where none answers.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Literal

from core.values import Value
from domain.accounts import Identity, Role
from lab.harness import program
from law.norms import DOCUMENT
from rag.answers.aside import without_aside
from rag.answers.confidence import LEAST_HIGH
from rag.shared.cited_answer import Answer
from service.config import ROOT, settings
from service.members.member import Member

SET = ROOT / "data" / "evaluation" / "matters"
_PASSAGE = re.compile(r"(?s).*?\[(?P<marker>C\d+)\]")
_NUMBER = re.compile(r"\d+")
COLUMNS = ("facts", "told", "first", "law", "begun", "fact too", "none", "wrong", "sure and wrong")


class Question(Value):
    """A question on an expediente, and what its answer must hold.

    Attributes:
        asks: a fact of a paper, the law for the case, or nothing that papers or law tell.
        paper: file of the paper that holds the fact, without its suffix.
        holds: words of that paper that must be told.
        law: articles that may answer first, as «ET 59».
    """

    matter: str
    question: str
    asks: Literal["paper", "law", "nothing"]
    paper: str = ""
    holds: tuple[str, ...] = ()
    law: tuple[str, ...] = ()


def measured(case: Question, answer: Answer) -> Counter[str]:
    """The columns that one answer counts in."""
    shown, _ = without_aside(answer.answer)
    own = {one.marker for one in answer.citations if one.collection == DOCUMENT}
    passages = [(one[0], one["marker"] in own) for one in _PASSAGE.finditer(shown)]
    told = bool(case.holds) and all(_holds(shown, one) for one in case.holds)
    right = [any(_holds(text, one) for one in case.holds) for text, of_paper in passages if of_paper]
    wrong = bool(right) and not (any(right) if case.asks == "law" else right[0])
    found = Counter({"wrong": int(wrong)})
    found["sure and wrong"] = int(
        answer.confidence >= LEAST_HIGH and (wrong or (case.asks != "law" and not told))
    )
    if case.asks == "paper":
        begins = bool(passages) and passages[0][1] and not wrong
        found += Counter({"facts": 1, "told": int(told), "first": int(begins and told)})
    elif case.asks == "law":
        named = {
            f"{one.law} {_NUMBER.findall(one.section)[0]}": one.marker
            for one in answer.citations
            if one.collection != DOCUMENT and _NUMBER.search(one.section)
        }
        begun = bool(passages) and any(f"[{named.get(one)}]" in passages[0][0] for one in case.law)
        found += Counter({"law": 1, "begun": int(begun), "fact too": int(told)})
    else:
        found["none"] = int(not answer.refusal)
    return found


def _holds(text: str, words: str) -> bool:
    return words.casefold() in " ".join(text.split()).casefold()


def asked(who: Member, cases: Sequence[Question], folder: Path) -> list[Answer]:
    """The answers on a new expediente with the papers of a folder, which is deleted afterwards."""
    matter = who.matters.create(folder.name).id
    try:
        for paper in sorted(folder.iterdir()):
            who.papers.upload(matter, paper.name, paper.read_bytes())
        answers = []
        for case in cases:
            run = who.runs.start(who.conversations.create("", matter).id, case.question)
            run.done.wait()
            if run.answer is None:
                raise RuntimeError(run.text)
            answers.append(run.answer)
        return answers
    finally:
        who.matters.delete(matter)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="EXPEDIENTE")
    parser.add_argument("--home", type=Path, default=settings().articulado_home)
    parser.add_argument("--shown", action="store_true", help="print the answers too")
    options = parser.parse_args()
    lines = (SET / "cases.jsonl").read_text("utf-8").splitlines()
    every = [Question.model_validate(json.loads(line)) for line in lines]
    total: Counter[str] = Counter()
    print(f"{'':<10}", *COLUMNS)
    with program(options.home) as app:
        who = Member(app, Identity(id="lab", username="lab", name="Lab", roles=(Role.LAWYER,)))
        for name, group in groupby(every, key=lambda one: one.matter):
            cases = list(group)
            if options.names and name not in options.names:
                continue
            found: Counter[str] = Counter()
            for case, answer in zip(cases, asked(who, cases, SET / name), strict=True):
                counted = measured(case, answer)
                found += counted
                if options.shown:
                    print(f"\n## {case.question} [{case.asks}] {dict(+counted)} {answer.confidence}")
                    print(without_aside(answer.answer)[0], answer.notes, sep="\n· ")
            print(f"{name:<10}", *(f"{found[one]:>{len(one)}}" for one in COLUMNS))
            total += found
    print(f"{'all':<10}", *(f"{total[one]:>{len(one)}}" for one in COLUMNS))
