"""Measure questions about documents that users load: `python -m scripts.measure_documents`.

The invented agreements (scripts/make_agreements.py; with --agreements those of another folder), or with
--contracts the contracts of a folder and its questions.json, are loaded beside the norms into a home of
their own, and every question is asked without a
model. It is answered when the first citation is of the right document and a quotation of that document holds
what the case expects: the first cell and the value of a row, or the words of an article. Prints counts by
group and every miss; «ranked» counts the questions whose best fragment is of the right document, answered or
refused. Needs requirements-dev.txt.
"""

import argparse
import asyncio
import json
import re
import shutil
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from benchmarks.harness import BOE, program
from law.chunks import article_of
from rag.run.pipeline import Outcome, run
from rag.shared.cited_answer import Answer
from rag.shared.trace import RerankRecord
from scripts.make_agreements import SOURCE, Agreement, agreements, write
from service.program import assembly

CONTRACTS = "contratos"
WITH_CONTRACTS = {"collection_weights": {"normativa": 1.0, CONTRACTS: 1.0}}
SHOWN = 160
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


def judged(question: Question, outcome: Outcome, norms: Collection[str]) -> Result:
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


def about_agreements(folder: Path = SOURCE) -> list[Question]:
    """The questions of the file named like the folder, grouped by format, naming, voice and kind."""
    known = {one.stem: one for one in agreements(folder)}
    lines = folder.with_suffix(".jsonl").read_text("utf-8").splitlines()
    return [_about_agreement(case, known[case["category"]]) for case in map(json.loads, lines)]


def _about_agreement(case: Mapping[str, str], one: Agreement) -> Question:
    held = (case["row"], case["value"]) if "row" in case else (case["fact"],)
    moved = any(set(held) <= set(row) for grid in one.sheets for row in grid.filled())
    kind = "table" if "row" in case else "article"
    groups = (kind, "xlsx" if moved else one.kind, f"named: {case['naming']}", f"voice: {case['voice']}")
    return Question(case["id"], case["question"], one.stem, held, groups)


def about_contracts(folder: Path) -> list[Question]:
    cases = json.loads((folder / "questions.json").read_text("utf-8"))
    return [
        Question(
            str(case["id"]),
            case["pregunta"],
            ABOUT[case["id"]],
            (VALUES[case["id"]],) if case["id"] in VALUES else (),
            (),
        )
        for case in cases
    ]


def load(app: assembly.App, files: Sequence[Path], collection: str) -> dict[str, str]:
    """Load the files; norm identifier to the file's name. Prints those that are not loaded."""
    report, _ = app.loading.ingest(list(files), collection)
    for failure in report.failures:
        print(f"not loaded: {failure.reason}")
    return {done.norm.id: done.path.stem for done in report.documents}


def measure(app: assembly.App, questions: Sequence[Question], names: Mapping[str, str]) -> list[Result]:
    results = []
    for question in questions:
        norms = {norm for norm, name in names.items() if name.startswith(question.file)}
        results.append(judged(question, asyncio.run(run(question.text, app.services)), norms))
    return results


def report(results: Sequence[Result]) -> Iterator[str]:
    yield f"{'':<16}{'questions':>9}{'ranked':>8}{'cited first':>13}{'quoted':>8}{'right':>7}{'refused':>9}"
    groups = sorted({group for result in results for group in result.question.groups})
    for group in ("all", *groups):
        chosen = [one for one in results if group == "all" or group in one.question.groups]
        columns = (
            [one.ranked for one in chosen],
            [one.first for one in chosen],
            [one.quoted for one in chosen],
            [one.right for one in chosen],
            [one.answer.refusal for one in chosen],
        )
        ranked, first, quoted, right, refused = map(sum, columns)
        yield f"{group:<16}{len(chosen):>9}{ranked:>8}{first:>13}{quoted:>8}{right:>7}{refused:>9}"
    for one in results:
        if not one.right:
            yield from _miss(one)


def _miss(one: Result) -> Iterator[str]:
    asked = one.question
    what = "document" if not one.first else "quotation"
    yield f"\n{asked.id} ({', '.join(asked.groups)}): wrong {'refusal' if one.answer.refusal else what}"
    yield f"   asked: {asked.text}"
    yield f"   expected: {asked.file}: {' … '.join(asked.held) or 'a refusal'}"
    if one.answer.refusal:
        yield f"   came: {one.answer.answer[: 2 * SHOWN]}"
    for citation in one.answer.citations[:2]:
        yield f"   came: {citation.source[:SHOWN]}: «{' '.join(citation.quote.split())[:SHOWN]}»"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m scripts.measure_documents", description=__doc__)
    parser.add_argument("--norms", type=Path, default=BOE, help="folder of the norms (../shared/boe)")
    parser.add_argument("--home", type=Path, help="home that has them, which is copied in their place")
    parser.add_argument(
        "--agreements", type=Path, default=SOURCE, help="folder of agreements beside its .jsonl"
    )
    parser.add_argument("--contracts", type=Path, help="folder of contracts, in place of the agreements")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="articulado-documents-") as folder:
        home, files = Path(folder, "home"), Path(folder, "files")
        if options.home:
            shutil.copytree(options.home, home)
        files.mkdir()
        with program(home, **(WITH_CONTRACTS if options.contracts else {})) as app:
            if not options.home:
                load(app, [options.norms], "normativa")
            if options.contracts:
                names = load(app, sorted(options.contracts.glob("*.pdf")), CONTRACTS)
                results = measure(app, about_contracts(options.contracts), names)
            else:
                written = [path for one in agreements(options.agreements) for path in write(one, files)]
                results = measure(app, about_agreements(options.agreements), load(app, written, "normativa"))
            print("\n".join(report(results)))


if __name__ == "__main__":
    main()
