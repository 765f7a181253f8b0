"""How an answer about a loaded document is judged."""

from datetime import UTC, date, datetime

import pytest

from rag.run.pipeline import Outcome
from rag.shared.cited_answer import Answer, Citation
from rag.shared.trace import Candidate, RerankRecord, Trace
from scripts.measure_documents import Question, holds, judged, report

ASKED = Question("uno", "¿Cuánto cobra?", "convenio", ("Peones", "1.557,98"), ("table",))
REFUSED = Answer(answer="No consta.", refusal=True)


def answered(*quotations: tuple[str, str]) -> Answer:
    cited = [Citation(marker="C1", quote=text, source="", norm_id=norm) for norm, text in quotations]
    return Answer(answer="Cobra eso.", citations=tuple(cited))


def outcome(answer: Answer, ranked: str = "otro") -> Outcome:
    kept = (
        Candidate(score=1, chunk_id=f"{ranked}/a1@1900-01-01#1", name="", law="", collection="", excerpt=""),
    )
    record = RerankRecord(strategy="heuristic", candidates=1, kept=kept)
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return Outcome(answer, Trace(question="", as_of=date(2026, 1, 1), started_at=moment, stages=(record,)))


@pytest.mark.parametrize(
    ("quotation", "expected"),
    [("Peones\n1.557,98", "peones 1.557,98"), ("Peones | 4 | 6", "4"), ("hasta 4.", "4"), ("2,57", "2,57")],
)
def test_words_are_held_whatever_their_breaks_and_case(quotation: str, expected: str) -> None:
    assert holds(quotation, expected)


@pytest.mark.parametrize("quotation", ["11.557,98", "1.557,981", "1.557,98.1", "557,98"])
def test_a_value_is_not_held_by_a_longer_number(quotation: str) -> None:
    assert not holds(quotation, "1.557,98")


def test_a_row_is_quoted_when_one_quotation_of_the_right_document_holds_label_and_value() -> None:
    assert judged(ASKED, outcome(answered(("norma", "Peones 1.557,98"))), {"norma"}).right
    assert not judged(ASKED, outcome(answered(("norma", "Peones"), ("norma", "1.557,98"))), {"norma"}).quoted
    assert not judged(ASKED, outcome(answered(("otra", "Peones 1.557,98"))), {"norma"}).quoted


def test_a_quotation_after_one_of_another_document_is_no_right_answer() -> None:
    result = judged(ASKED, outcome(answered(("otra", "x"), ("norma", "Peones 1.557,98"))), {"norma"})
    assert (result.first, result.quoted, result.right) == (False, True, False)


def test_what_no_document_says_must_be_refused() -> None:
    unknown = ASKED._replace(held=())
    assert judged(unknown, outcome(REFUSED), {"norma"}).right
    assert not judged(unknown, outcome(answered(("norma", "Peones"))), {"norma"}).right


def test_the_report_counts_by_group_and_shows_what_came_in_place_of_an_answer() -> None:
    right = judged(ASKED, outcome(answered(("norma", "Peones 1.557,98")), "norma"), {"norma"})
    lines = list(report([right, judged(ASKED, outcome(REFUSED, "norma"), {"norma"})]))
    assert [line.split() for line in lines[1:3]] == [
        [group, "2", "2", "1", "1", "1", "1"] for group in ("all", "table")
    ]
    assert lines[-1].strip() == "came: No consta."
    assert sum("uno (table)" in line for line in lines) == 1
