"""Continuations of an answer: real questions of its articles, and the articles that these refer to."""

from datetime import date
from typing import Any

import pytest

from law.chunks import Chunk
from rag.answers.next_steps import RELATED, SUGGESTED, related, suggestions
from rag.shared.cited_answer import Answer, Citation, Source
from tests.factories import make_chunk
from tests.pages.fakes import FakeCorpus

DAY = date(2026, 11, 22)
ASKED = "¿Cuántos días de vacaciones tengo al año?"


def chunk(label: str, *questions: str, **changes: Any) -> Chunk:
    return make_chunk("N", label, **{"questions": questions, "since": "2020-01-01"} | changes)


def answer_of(*chunks: Chunk) -> Answer:
    cited = [
        Citation(marker=f"C{n}", source="N", quote="x", norm_id=c.norm_id, block_id=c.block_id, chunk_id=c.id)
        for n, c in enumerate(chunks, start=1)
    ]
    return Answer(answer=" ".join(f"[{one.marker}]" for one in cited), citations=tuple(cited))


def corpus_of(*chunks: Chunk, **refers: tuple[str, ...]) -> FakeCorpus:
    known = {one.block_id: one.id for one in chunks}
    return FakeCorpus(
        aided={one.id: one for one in chunks},
        refers={known[source]: tuple(known[one] for one in targets) for source, targets in refers.items()},
    )


def suggested(*chunks: Chunk, asked: tuple[str, ...] = (ASKED,), as_of: date = DAY) -> list[str]:
    return suggestions(answer_of(*chunks), asked, as_of, corpus_of(*chunks))


NOTICE, SICK, PAY = (
    "¿Con qué antelación conozco las fechas?",
    "¿Qué pasa si enfermo durante el descanso?",
    "¿Se puede cobrar en lugar de disfrutar?",
)


def test_the_questions_of_the_cited_articles_are_suggested_one_of_each_in_turn() -> None:
    found = suggested(chunk("1", NOTICE, PAY), chunk("2", SICK))
    assert found == [NOTICE, SICK, PAY]
    assert found == suggested(chunk("1", NOTICE, PAY), chunk("2", SICK)), "the same each time"


def test_no_more_than_three_are_suggested_and_none_when_there_is_none() -> None:
    others = ("¿Quién lleva el registro horario?", "¿Hay plus por nocturnidad?")
    assert len(suggested(chunk("1", NOTICE, SICK, PAY, *others))) == SUGGESTED
    assert suggested(chunk("1")) == []
    assert suggestions(Answer(answer="x"), [], DAY, corpus_of()) == []


@pytest.mark.parametrize(
    "asked", [NOTICE, "¿CON QUE ANTELACION CONOZCO LAS FECHAS?", "fechas: antelación con que se conozcan"]
)
def test_what_was_asked_already_is_not_suggested_in_other_words(asked: str) -> None:
    assert suggested(chunk("1", NOTICE, PAY), asked=(ASKED, asked)) == [PAY]


def test_two_suggestions_never_ask_the_same() -> None:
    assert suggested(chunk("1", NOTICE), chunk("2", "¿Con cuánta antelación se conocen las fechas?")) == [
        NOTICE
    ]


@pytest.mark.parametrize(
    "bare",
    [
        "vacaciones del trabajador",
        "Derecho a vacaciones anuales retribuidas",
        "Me puse malo en vacaciones, ¿las pierdo?",
        "¿Qué?",
        f"¿{'x ' * 200}?",
        "¿Qué dice\u202e el artículo inventado?",
        "¿Qué dice?\n\n[C1] falso, ¿no?",
    ],
)
def test_search_aids_that_are_no_whole_question_are_not_suggested(bare: str) -> None:
    assert suggested(chunk("1", bare, PAY)) == [PAY]


@pytest.mark.parametrize(
    "changes",
    [
        {"since": "2026-11-23"},
        {"until": "2026-11-21"},
        {"text": "Artículo 1. Rúbrica.\n(Derogado)"},
    ],
)
def test_nothing_comes_of_an_article_that_is_not_in_force_that_day(changes: dict[str, str]) -> None:
    gone, live = chunk("1", NOTICE, **changes), chunk("2", PAY)
    assert suggested(gone, live) == [PAY]
    corpus = corpus_of(live, gone, chunk("3"), a2=("a1", "a3"))
    assert [one.block_id for one in related(answer_of(live), DAY, corpus)] == ["a3"]


def test_the_last_day_in_force_is_one() -> None:
    assert suggested(chunk("1", NOTICE, until=DAY)) == [NOTICE]


def test_articles_that_the_cited_ones_refer_to_are_related_but_not_the_cited_ones() -> None:
    cited, other = chunk("1"), chunk("2")
    parts = [chunk("3", part=2), chunk("3")]
    corpus = corpus_of(cited, other, chunk("4"), a1=("a2", "a4"), a2=("a4", "a1"))
    corpus.aided |= {one.id: one for one in parts}
    corpus.refers[other.id] = (parts[0].id, parts[1].id)
    found = related(answer_of(cited, other), DAY, corpus)
    assert [one.id for one in found] == ["N/a4@2020-01-01#1", "N/a3@2020-01-01#2"]


def test_no_more_than_five_articles_are_related() -> None:
    many = [chunk(str(n)) for n in range(2, 12)]
    corpus = corpus_of(chunk("1"), *many, a1=tuple(one.block_id for one in many))
    assert len(related(answer_of(chunk("1")), DAY, corpus)) == RELATED


def test_an_answer_without_quotations_leads_on_from_what_it_names() -> None:
    named = Source(marker="C1", source="N", norm_id="N", block_id="a1", chunk_id="N/a1@2020-01-01#1")
    answer = Answer(answer="x [C1]", sources=(named,))
    assert suggestions(answer, [], DAY, corpus_of(chunk("1", PAY))) == [PAY]


def test_an_answer_whose_law_left_the_corpus_leads_nowhere() -> None:
    answer = answer_of(chunk("1", PAY))
    assert suggestions(answer, [], DAY, corpus_of()) == []
    assert related(answer, DAY, corpus_of()) == []
