"""Measure questions about documents that users load: `python -m lab documents [CONTRACTS]`.

The invented agreements (`lab.make_agreements`), or the contracts of a folder with its questions.json, are
loaded beside the norms into a home of their own, and every question is asked without a model. It is answered
when the first citation is of the right document and a quotation of that document holds what the case expects:
the first cell and the value of a row, or the words of an article. Prints counts by group and every miss;
«ranked» counts the questions whose best fragment is of the right document, answered or refused.
"""

import argparse
import asyncio
import json
import re
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import NamedTuple

from lab.harness import BOE, program
from lab.make_agreements import SOURCE, Agreement, agreements, write
from law.chunks import article_of
from rag.run.pipeline import RunOutcome, run_stages
from rag.shared.cited_answer import Answer
from rag.shared.trace import RerankRecord
from service.program import assembly

CONTRACTS = "contratos"
WITH_CONTRACTS = {"collection_weights": {"normativa": 1.0, CONTRACTS: 1.0}}
SHOWN = 160
UNTOLD = date(2025, 1, 1)
"""First day of what tells none, as a workbook."""
# The contract of ../shared/contracts that each of its twenty questions is about, by number.
ABOUT = {
    1: "CON_2024_012", 2: "CON_2024_004", 3: "CON_2024_010", 4: "LIC_2024_017", 5: "CON_2024_020",
    6: "LIC_2024_017", 7: "CON_2024_004", 8: "CON_2024_012", 9: "LIC_2024_017", 10: "CON_2024_018",
    11: "CON_2024_009", 12: "LIC_2024_017", 13: "LIC_2024_017", 14: "CON_2024_007", 15: "CON_2024_002",
    16: "CON_2024_016", 17: "CON_2024_004", 18: "CON_2024_004", 19: "CON_2024_004", 20: "CON_2024_001",
}  # fmt: skip
# What each question about the contracts asks for as the PDFs say it, which questions.json does not always do.
# None says what the seventeenth asks for.
VALUES = {
    1: "28.500.000,00", 2: "880 dias naturales", 3: "Securitas Defensa S.A.", 4: "AV-2024-1717", 5: "2.0%",
    6: "20/05/2026", 7: "ISO 27001:2022", 8: "12/10/2027", 9: "370 dias naturales", 10: "BBVA",
    11: "10.330.578,51", 12: "NSN-2320234567890", 13: "1.500 EUR por vehiculo y dia de retraso",
    14: "880 dias naturales", 15: "1.875.000,00", 16: "Banco Santander", 18: "SECRETO", 19: "Ley 9/1968",
    20: "425.206,61",
}  # fmt: skip


class Question(NamedTuple):
    """A question, the start of the names of the files that answer it, and what a quotation must hold.

    With nothing to hold it must be refused.
    """

    id: str
    text: str
    file: str
    held: tuple[str, ...]
    groups: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """A question with its answer: whether the right document ranks first, is cited first, and is quoted."""

    question: Question
    answer: Answer
    ranked: bool
    first: bool
    quoted: bool

    @property
    def right(self) -> bool:
        return self.first and self.quoted if self.question.held else self.answer.refusal


def holds(quotation: str, expected: str) -> bool:
    """True if the words are there, whatever their breaks and case, and not inside a longer number."""
    plain = re.escape(" ".join(expected.split()).casefold())
    return bool(re.search(rf"(?<![\w.,]){plain}(?!\w|[.,]\d)", " ".join(quotation.split()).casefold()))


def judged(question: Question, outcome: RunOutcome, norms: Collection[str]) -> Result:
    """The result of an answer; `norms` are the identifiers of the right document and its annexes."""
    answer = outcome.answer
    ranking = outcome.trace.stage("rerank")
    kept = ranking.kept if isinstance(ranking, RerankRecord) else ()
    quotations = [citation.quote for citation in answer.citations if citation.norm_id in norms]
    return Result(
        question,
        answer,
        bool(kept) and article_of(kept[0].chunk_id)[0] in norms,
        bool(answer.citations) and answer.citations[0].norm_id in norms,
        any(all(holds(quotation, words) for words in question.held) for quotation in quotations),
    )


def about_agreements() -> list[Question]:
    """The questions about the agreements, grouped by format, naming, voice and kind."""
    known = {one.stem: one for one in agreements()}
    lines = SOURCE.with_suffix(".jsonl").read_text("utf-8").splitlines()
    return [_about_agreement(case, known[case["category"]]) for case in map(json.loads, lines)]


def _about_agreement(case: Mapping[str, str], one: Agreement) -> Question:
    held = (case["row"], case["value"]) if "row" in case else (case["fact"],)
    moved = any(set(held) <= set(row) for grid in one.sheets for row in grid.filled())
    kind = "table" if "row" in case else "article"
    groups = (kind, "xlsx" if moved else one.kind, f"named: {case['naming']}", f"voice: {case['voice']}")
    return Question(case["id"], case["question"], one.stem, held, groups)


def about_contracts(folder: Path) -> list[Question]:
    cases = json.loads((folder / "questions.json").read_text("utf-8"))
    held = {number: (value,) for number, value in VALUES.items()}
    return [
        Question(str(case["id"]), case["pregunta"], ABOUT[case["id"]], held.get(case["id"], ()), ())
        for case in cases
    ]


def load(app: assembly.App, files: Sequence[Path], collection: str) -> dict[str, str]:
    """Load the files; norm identifier to the file's name. Prints those that are not loaded."""
    report, _ = app.loading.ingest(list(files), collection, since=UNTOLD)
    for failure in report.failures:
        print(f"not loaded: {failure.reason}")
    return {done.norm.id: done.path.stem for done in report.documents}


def measure(app: assembly.App, questions: Sequence[Question], names: Mapping[str, str]) -> list[Result]:
    results = []
    for question in questions:
        norms = {norm for norm, name in names.items() if name.startswith(question.file)}
        results.append(judged(question, asyncio.run(run_stages(question.text, app.services)), norms))
    return results


def report(results: Sequence[Result]) -> Iterator[str]:
    yield f"{'':<16}{'questions':>9}{'ranked':>9}{'first':>9}{'quoted':>9}{'right':>9}{'refused':>9}"
    groups = sorted({group for result in results for group in result.question.groups})
    for group in ("all", *groups):
        chosen = [one for one in results if group == "all" or group in one.question.groups]
        rows = ((1, one.ranked, one.first, one.quoted, one.right, one.answer.refusal) for one in chosen)
        yield f"{group:<16}" + "".join(f"{sum(column):>9}" for column in zip(*rows, strict=True))
    for one in results:
        if not one.right:
            yield from _miss(one)


def _miss(one: Result) -> Iterator[str]:
    asked, answer = one.question, one.answer
    what = "refusal" if answer.refusal else "quotation" if one.first else "document"
    yield f"\n{asked.id} ({', '.join(asked.groups)}): wrong {what}\n   asked: {asked.text}"
    yield f"   expected: {asked.file}: {' … '.join(asked.held) or 'a refusal'}"
    if answer.refusal:
        yield f"   came: {answer.answer[: 2 * SHOWN]}"
    for citation in answer.citations[:2]:
        yield f"   came: {citation.source[:SHOWN]}: «{' '.join(citation.quote.split())[:SHOWN]}»"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("contracts", nargs="?", type=Path, help="folder of contracts; else the agreements")
    contracts: Path | None = parser.parse_args().contracts
    with (
        tempfile.TemporaryDirectory(prefix="articulado-documents-") as folder,
        program(Path(folder, "home"), **(WITH_CONTRACTS if contracts else {})) as app,
    ):
        load(app, [BOE], "normativa")
        if contracts:
            names = load(app, sorted(contracts.glob("*.pdf")), CONTRACTS)
            questions = about_contracts(contracts)
        else:
            written = [path for one in agreements() for path in write(one, Path(folder))]
            names, questions = load(app, written, "normativa"), about_agreements()
        results = measure(app, questions, names)
    print("\n".join(report(results)))
