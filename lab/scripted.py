"""Measure the house around a model: `python -m lab scripted CASES… [--aids mixed] [--need] [--sloppy]`.

Needs a home with the real norms (ARTICULADO_HOME unless --home names another). The questions are asked of the
whole walk, through the real client, over HTTP of a scripted server on 127.0.0.1 whose reader makes no mistake
(`lab.scripted_reader`): a fact that its answer lacks was lost by the search or the context, and one
that it told and the checks dropped or doubted, by them. With --sloppy the reader makes faults, which the
checks have to catch. Prints a row for each file, then each loss, doubt and fault that got through.
"""

import argparse
import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.clock import today_in_spain
from lab.harness import program
from lab.scripted_reader import Fault, Reader, Written
from rag.answers.doubts import TOLD
from rag.answers.quotation_check import REPEATED
from rag.evaluation.cases import Case, read_dataset
from rag.evaluation.measurement import evaluate
from rag.evaluation.report import summarise
from rag.evaluation.results import Aids, CaseResult, Miss
from rag.shared.trace import AnswerRecord, Trace, VerifyRecord
from rag.stages.notice_rules import CUT, UNMARKED
from service.config import settings
from service.program import assembly
from tests.model_server import ModelServer
from tests.scripted import MARKERS

BARE = "ninguna fuente"
SHOWN = 300


@dataclass(frozen=True)
class Told:
    """An answer of the reader and what became of it."""

    result: CaseResult
    written: Written
    answer: AnswerRecord
    verify: VerifyRecord

    @property
    def dropped(self) -> list[tuple[str, str]]:
        """(quotation, reason) of those that did not pass."""
        return [(one.quote, one.reason) for one in self.verify.checks if one.reason not in ("", REPEATED)]

    @property
    def caught(self) -> bool:
        """True if the fault was dropped, told or mended."""
        text, wrong = self.result.told.text if self.result.told else "", self.written.wrong
        passed = [one.quote for one in self.verify.checks if one.verified]
        match self.written.fault:
            case Fault.WORD:
                held = " ".join(wrong.split())
                return not any(held in " ".join(one.split()) for one in passed) and not any(
                    f"{mark}{held}" in text for mark in "«“"
                )
            case Fault.FIGURE:
                amount = wrong.removesuffix(" euros")
                return any(amount in sentence for sentence, _ in self.verify.doubts)
            case Fault.MARKER:
                return any(BARE in one for one in self.verify.issues)
            case Fault.JSON:
                return self.answer.repaired
            case Fault.TOO_LONG:
                return self.answer.repaired or bool(self._told(CUT))
            case _:
                return not self.harm

    @property
    def harm(self) -> list[str]:
        """All that the checks said against an answer; none of it is right where the reader made no fault."""
        doubts = [f"doubted: {sentence}{TOLD.format(reasons=why)}" for sentence, why in self.verify.doubts]
        dropped = [f"dropped ({why}): {quote}" for quote, why in self.dropped]
        notes = [*self._told(UNMARKED), *self._told(CUT)]
        return [*dropped, *doubts, *notes, *(one for one in self.verify.issues if BARE in one)]

    def _told(self, template: str) -> list[str]:
        return [one for one in self.verify.issues if one.startswith(template.partition("{")[0])]


def measure(
    app: assembly.App, cases: Sequence[Case], reader: Reader, aids: Aids = Aids.ALL
) -> tuple[list[CaseResult], list[Told]]:
    """(the results of the cases, the answers that the reader wrote), asked of the program one by one."""
    told: list[Told] = []

    def keep(_: int, result: CaseResult, trace: Trace) -> None:
        answer, verify = trace.stage("answer"), trace.stage("verify")
        written = reader.written.get(result.question)
        if (
            written
            and written.answer
            and isinstance(answer, AnswerRecord)
            and isinstance(verify, VerifyRecord)
        ):
            told.append(Told(result, written, answer, verify))

    today = today_in_spain()
    return asyncio.run(evaluate(cases, app.services, today=today, aids=aids, on_result=keep)), told


def row(name: str, results: Sequence[CaseResult], told: Sequence[Told]) -> str:
    """The figures of a set in a row of a table."""
    metrics, misses = (summary := summarise(results)).metrics, summary.misses
    facts = [fact for one in results if one.told for fact in one.told.facts]
    quotes = sum(len(one.written.quotes) for one in told)
    columns = (
        name,
        str(sum(bool(one.told and one.told.facts) for one in results)),
        str(len(facts)),
        f"{sum(fact.told for fact in facts) / max(len(facts), 1):.3f}",
        f"{metrics.get('all_facts', 0):.2f}",
        *(str(misses.get(miss, 0)) for miss in Miss),
        f"{sum(len(one.dropped) for one in told)} of {quotes}",
        f"{sum(bool(one.verify.doubts) for one in told)} of {len(told)}",
        f"{metrics.get('answered', 1):.2f} / {metrics.get('refused', 1):.2f}",
        f"{metrics.get('high', 0):.2f} ({metrics.get('high_right', 0):.2f})",
    )
    return f"| {' | '.join(columns)} |"


HEADER = (
    "set", "cases with facts", "facts", "told", "every fact",
    *(f"lost: {miss}" for miss in Miss),
    "quotations dropped", "answers doubted", "answered / refused", "high (right)",
)  # fmt: skip


def faults(told: Sequence[Told]) -> Iterator[str]:
    """A row for each fault: how many answers had it, in how many it was caught."""
    count = Counter(one.written.fault for one in told)
    caught = Counter(one.written.fault for one in told if one.caught)
    yield "| fault | answers | caught, or left as it should be |\n| --- | --- | --- |"
    yield from (f"| {fault} | {count[fault]} | {caught[fault]} |" for fault in Fault if count[fault])


def losses(results: Sequence[CaseResult], told: Sequence[Told]) -> Iterator[str]:
    """The facts that were lost, faults that got through, and what was said against right answers."""
    for one in results:
        for fact in one.told.facts if one.told else ():
            if not fact.told:
                yield f"{one.id}: {fact.miss}: {fact.fact}"
        if not one.checks["refusal"]:
            yield f"{one.id}: {'refused' if one.refused else 'answered'} wrongly"
    for answer in told:
        right = answer.written.fault in (Fault.NONE, Fault.LONG, Fault.JSON)
        for said in answer.harm if right else ():
            yield f"{answer.result.id}: {said}"
        if not right and not answer.caught:
            yield f"{answer.result.id}: {answer.written.fault} got through: {answer.written.wrong[:SHOWN]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="+", type=Path)
    parser.add_argument("--home", type=Path, default=settings().articulado_home)
    parser.add_argument("--aids", type=Aids, choices=tuple(Aids), default=Aids.ALL)
    parser.add_argument("--sloppy", action="store_true", help="a reader with faults")
    parser.add_argument("--need", action="store_true", help="it asks for articles that it is not shown")
    options = parser.parse_args()
    rows: list[str] = []
    lost: list[str] = []
    every: list[Told] = []
    with ModelServer() as server:
        server.markers = dict(MARKERS)
        with program(options.home, openai_base_url=server.url, openai_api_key="sk-scripted") as app:
            laws = {norm.id: norm.law for norm in app.database.corpus.norms()} if options.need else {}
            for path in options.cases:
                cases = read_dataset(path).cases
                reader = Reader.of(cases, sloppy=options.sloppy, laws=laws)
                server.on_chat(reader)
                results, told = measure(app, cases, reader, options.aids)
                rows.append(row(path.stem, results, told))
                lost += losses(results, told)
                every += told
    print(f"| {' | '.join(HEADER)} |\n{'| --- ' * len(HEADER)}|", *rows, *faults(every), "", *lost, sep="\n")
