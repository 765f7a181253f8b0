"""From a verdict to an evaluation case."""

from datetime import UTC, date, datetime

import pytest

from core.errors import InputError
from domain.reviews import Judgment, ReviewItem, ReviewVerdict
from models.chat import Turn
from rag.evaluation.cases import read_dataset
from rag.evaluation.reviewed_cases import CorrectCitation, ReviewCase, Wanted, as_lines, review_dataset
from rag.shared.cited_answer import Answer, Citation
from rag.shared.messages import Message, MessageState
from service.review_cases import case_of, cited, failed

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SOURCES = {"resumen": "BOE-A-2001-1", "sentencia": "sentencia"}
ANSWERS = CorrectCitation(norm="BOE-A-2001-1", article="9")
HELPS = CorrectCitation(norm="BOE-A-2001-1", article="da 3", grade=1)
CITED = CorrectCitation(norm="BOE-A-2001-1", article="7")
MISS = ReviewVerdict.RETRIEVAL_MISS


def citation(norm, article):
    return Citation(marker="C1", quote="x", source="y", norm_id=norm, article=article)


def message(role, text, answer=None):
    return Message(
        id=8,
        conversation_id="c",
        role=role,
        text=text,
        state=MessageState.COMPLETE,
        created_at=NOW,
        answer=answer,
    )


def item(*judgments, refusal=False, cites=("resumen", "7")):
    answer = Answer(
        answer="R", refusal=refusal, citations=() if refusal else (citation(*cites),), as_of=date(2025, 5, 5)
    )
    return ReviewItem(
        owner="ana",
        question=message("user", "¿Y entonces?"),
        answer=message("assistant", "R", answer),
        history=(Turn(role="user", text="Antes"),),
        judgments=judgments,
    )


def judged(verdict, *citations, **fields):
    return Judgment(reviewer="rev", verdict=verdict, citations=citations, created_at=NOW, **fields)


@pytest.mark.parametrize(
    ("reviewed", "relevant"),
    [
        (item(judged(ReviewVerdict.CORRECT)), (CITED,)),
        (item(judged(ReviewVerdict.CORRECT, ANSWERS, HELPS)), (ANSWERS, HELPS)),
        (item(judged(ReviewVerdict.CORRECT), refusal=True), ()),
        (item(judged(MISS, ANSWERS)), (ANSWERS,)),
        (item(judged(ReviewVerdict.WRONG, ANSWERS), refusal=True), (ANSWERS,)),
        (item(judged(ReviewVerdict.WRONG, must_refuse=True)), ()),
        (item(judged(MISS, ANSWERS), judged(ReviewVerdict.CORRECT)), (ANSWERS,)),
    ],
)
def test_the_last_verdict_says_what_is_to_be_found(reviewed, relevant):
    made = case_of(reviewed, SOURCES)
    assert made.relevant == relevant
    assert (made.id, made.question, made.category) == ("review-8", "¿Y entonces?", "review")
    assert (made.as_of, made.history) == (date(2025, 5, 5), (Turn(role="user", text="Antes"),))


@pytest.mark.parametrize(
    ("reviewed", "told"),
    [
        (item(), "veredicto"),
        (item(judged(MISS)), "al menos un artículo"),
        (item(judged(ReviewVerdict.WRONG, CITED)), "pasaría este caso"),
        (item(judged(ReviewVerdict.INCOMPLETE, must_refuse=True), refusal=True), "pasaría este caso"),
        (item(judged(ReviewVerdict.WRONG, wanted=Wanted(facts=("r",)))), "pasaría este caso"),
        (item(judged(ReviewVerdict.WRONG, ANSWERS).model_copy(update={"withdrawn_at": NOW})), "veredicto"),
        (item(judged(MISS, HELPS)), "al menos un artículo"),
        (item(judged(ReviewVerdict.WRONG), refusal=True), "debía rechazarse"),
        (item(judged(ReviewVerdict.CORRECT), cites=("sentencia", "")), "al menos un artículo"),
    ],
)
def test_a_verdict_that_does_not_say_what_answers_makes_no_case(reviewed, told):
    with pytest.raises(InputError, match=told):
        case_of(reviewed, SOURCES)


@pytest.mark.parametrize(
    ("wanted", "fails", "mended"),
    [
        ({"facts": ("33 días",), "surplus": (CITED,)}, ["surplus", "facts"], {}),
        ({"forbidden": ("ocho días",)}, ["forbidden"], {}),
        ({"yes_no": "no"}, ["yes_no"], {}),
        ({"day": date(2019, 3, 1)}, ["as_of"], {"as_of": date(2019, 3, 1)}),
    ],
)
def test_the_judged_answer_fails_its_case_and_the_mended_one_passes_it(wanted, fails, mended):
    reviewed = item(judged(ReviewVerdict.WRONG, wanted=Wanted(**wanted)))
    said = reviewed.answer.answer.model_copy(update={"answer": "Sí: ocho días [C1]."})
    reviewed = reviewed.model_copy(
        update={"answer": reviewed.answer.model_copy(update={"answer": said, "text": said.answer})}
    )
    case = case_of(reviewed, SOURCES)
    assert failed(case, said, SOURCES) == fails
    right = {"answer": "No: 33 días.", "citations": (citation("x", "1"),)} | mended
    assert failed(case, said.model_copy(update=right), SOURCES) == []
    assert (case.measured.answerable, case.measured.told) == (True, fails != ["as_of"])


def test_an_article_that_answers_must_be_cited_where_the_answer_was_wrong():
    case = case_of(item(judged(MISS, ANSWERS, HELPS)), SOURCES)
    answer = Answer(answer="R", citations=(citation("resumen", "da 3"),))
    assert failed(case, answer, SOURCES) == ["cited"]
    assert failed(case, Answer(answer="R", citations=(citation("resumen", "9"),)), SOURCES) == []


def test_the_articles_cited_count_once_each_by_the_norm_that_they_summarise():
    answer = Answer(
        answer="R",
        citations=(
            citation("resumen", "7"),
            citation("resumen", "7"),
            citation("x", "da 1"),
            citation("", ""),
        ),
    )
    assert cited(answer, SOURCES) == (CITED, CorrectCitation(norm="x", article="da 1"))


def test_the_set_of_cases_is_what_its_file_would_be(tmp_path):
    cases = [
        ReviewCase(
            id="review-1", question="¿Uno\u2028\ny dos?", relevant=(ANSWERS, HELPS), as_of=date(2025, 5, 5)
        ),
        ReviewCase(id="review-2", question="¿Tres?", history=(Turn(role="user", text="Antes\n…"),)),
    ]
    path = tmp_path / "review.jsonl"
    path.write_text(as_lines(cases), encoding="utf-8")
    made = review_dataset(cases)
    assert made == read_dataset(path)
    assert [case.answerable for case in made.cases] == [True, False]
    assert review_dataset(cases[:1]).content_hash != made.content_hash
