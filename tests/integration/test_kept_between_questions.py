"""Values kept from one question to the next never outlive the corpus that they were read from."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import pytest

from index.edge import EdgeIndex
from index.points import Fingerprint, IndexFilter, IndexPoint, IndexQuery, ScoredId
from index.single_terms import SingleTerms
from index.sparse import document_vector, query_vector, term_vector
from law.norms import Norm
from rag.ranking.ranking_features import Asked, articles, table
from rag.run.pipeline import retrieve, run_stages
from rag.shared.hits import Hit
from service.program.assembly import App
from tests.factories import chunks_of, make_block, make_chunk, make_norm, save
from tests.queries import statements
from text.textnorm import stems

TODAY = date(2026, 6, 1)
PRINT = Fingerprint(embedding="ninguno", dimensions=0, chunker="c1")
PEOPLE, DOCUMENTS = 30, 6


@pytest.fixture
def index(tmp_path: Path) -> Iterator[EdgeIndex]:
    opened = EdgeIndex(tmp_path / "index")
    opened.open(PRINT)
    yield opened
    opened.close()


def put(index: EdgeIndex, texts: dict[str, str]) -> None:
    index.upsert(
        [
            IndexPoint(chunk=make_chunk(label=label), sparse=document_vector(text))
            for label, text in texts.items()
        ]
    )


def alone(word: str, where: IndexFilter | None = None) -> IndexQuery:
    return IndexQuery(sparse=term_vector(stems(word)[0]), limit=1, where=where or IndexFilter())


def best(index: EdgeIndex, word: str) -> float:
    """Asked twice: the second answer is the one that was kept."""
    first, second = (index.search([alone(word)])[0] for _ in range(2))
    assert first == second
    return first[0].score if first else 0.0


def test_how_rare_a_word_is_follows_every_write(index: EdgeIndex) -> None:
    put(index, {"1": "carroza", "2": "trabajo", "3": "trabajo"})
    rare = best(index, "carroza")
    put(index, {"4": "carroza", "5": "carroza"})
    common = best(index, "carroza")
    assert common < rare
    index.delete([make_chunk(label=label).id for label in "145"])
    assert best(index, "carroza") == 0.0
    index.optimize()
    put(index, {"1": "carroza"})
    assert best(index, "carroza") == pytest.approx(rare)
    index.reset(PRINT)
    assert best(index, "carroza") == 0.0


def test_an_index_that_is_opened_again_is_asked_again(index: EdgeIndex, tmp_path: Path) -> None:
    put(index, {"1": "carroza"})
    assert best(index, "carroza") > 0
    index.close()
    other = EdgeIndex(tmp_path / "index")
    other.open(PRINT)
    other.delete([make_chunk(label="1").id])
    other.close()
    index.open(PRINT)
    assert best(index, "carroza") == 0.0


def test_words_that_are_known_and_others_are_answered_in_the_order_of_the_questions(index: EdgeIndex) -> None:
    put(index, {"1": "carroza", "2": "trabajo"})
    index.search([alone("trabajo")])
    asked = [
        alone("festejo"),
        alone("trabajo"),
        IndexQuery(sparse=query_vector("carroza trabajo")),
        alone("carroza"),
        alone("carroza", IndexFilter(labels=("2",))),
    ]
    labels = [[hit.id for hit in ranking] for ranking in index.search(asked)]
    one, two = (make_chunk(label=label).id for label in "12")
    assert labels == [[], [two], [one, two], [one], []]


def test_an_answer_from_before_a_write_is_not_kept() -> None:
    terms, answers = SingleTerms(), iter(["antes", "ahora"])

    def ask(queries: object) -> list[list[ScoredId]]:
        found = next(answers)
        if found == "antes":
            terms.forget()
        return [[ScoredId(id=found, score=1.0)]]

    assert [terms.search([alone("carroza")], ask)[0][0].id for _ in range(3)] == ["antes", "ahora", "ahora"]


def test_of_more_words_than_allowed_the_last_asked_for_are_kept() -> None:
    terms, asked = SingleTerms(size=2), []

    def ask(queries: list[IndexQuery]) -> list[list[ScoredId]]:
        asked.extend(queries)
        return [[] for _ in queries]

    words = [alone(word) for word in ("carroza", "trabajo", "carroza", "festejo", "carroza", "trabajo")]
    for word in words:
        terms.search([word], ask)
    assert asked == [words[0], words[1], words[3], words[5]]


@pytest.mark.parametrize(
    ("change", "feature", "value"),
    [
        ({"rank": "Real Decreto"}, "regulation", 1.0),
        ({"alias": "ET"}, "general", 1.0),
        ({"text": "El festejo anual."}, "coverage", 1.0),
        ({"keywords": ("festejo",)}, "asked_words", 1.0),
        ({"section": "Artículo 1. Festejo."}, "heading_explained", 1.0),
    ],
)
def test_a_chunk_of_which_anything_changed_is_read_anew(change, feature, value) -> None:
    chunk = make_chunk("N-kept", rank="Ley", section="Artículo 1. Prueba.")
    asked = Asked.of("festejo")

    def row(one):
        return table(asked, articles([Hit(chunk=one, score=1.0)]))[0]

    assert row(chunk)[feature] == 0.0
    assert row(chunk.model_copy(update=change))[feature] == value
    assert row(chunk)[feature] == 0.0


@pytest.mark.parametrize(
    "question",
    [
        "¿Cuántas vacaciones hay en Madrid?",
        "¿Qué dice la sentencia 123/2020 de las vacaciones?",
        "¿Qué dice el Tribunal Supremo de las vacaciones?",
    ],
)
def test_the_norms_are_not_read_for_each_question(program, question) -> None:
    def ask() -> int:
        with statements(program.database) as asked:
            asyncio.run(retrieve(question, program.services, as_of=TODAY, today=TODAY))
        return len(asked.reading("norms"))

    ask()
    assert ask() == 0
    save(program.database.corpus_writer, make_norm("N-9", make_block("1")))
    assert ask() == 1
    assert ask() == 0


def test_a_whole_answer_never_asks_the_store_for_every_norm(
    program: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def norms() -> list[Norm]:
        calls.append("norms")
        return stored()

    def ask(question: str) -> int:
        calls.clear()
        asyncio.run(run_stages(question, program.services, today=TODAY))
        return len(calls)

    stored = program.database.corpus.norms
    monkeypatch.setattr(program.database.corpus, "norms", norms)
    ask("¿Cuántos días de vacaciones tengo?")
    asked = [
        "¿Cuántos días de vacaciones tengo?",
        "¿Qué dice el artículo 99 de la LTF?",
        "¿Qué dice el Tribunal Supremo de las vacaciones?",
        "¿Qué leyes orgánicas hablan de vacaciones?",
    ]
    assert [ask(question) for question in asked] == [0, 0, 0, 0]
    save(program.database.corpus_writer, make_norm("N-9", make_block("1")))
    assert ask(asked[0]) > 0
    assert ask(asked[0]) == 0


def test_people_ask_while_a_document_is_replaced_and_the_next_question_sees_the_new_one(
    program,
) -> None:
    services = program.services

    def document(number: int):
        text = f"La carroza de gala se concede durante {number} jornadas."
        return make_norm("N-9", make_block("1", text, title="Artículo 1. Carroza de gala."))

    def texts(question: str) -> list[str]:
        state, _ = asyncio.run(retrieve(question, services, as_of=TODAY, today=TODAY))
        return [hit.chunk.text for hit in state.hits if hit.chunk.norm_id == "N-9"]

    def ask(person: int) -> set[str]:
        return {text for _ in range(4) for text in texts(f"¿Cuánto dura la carroza de gala {person}?")}

    def replace(number: int) -> str:
        save(program.database.corpus_writer, document(number))
        program.keeper.sync()
        return chunks_of(document(number))[0].text

    written = {replace(0)}
    with ThreadPoolExecutor(PEOPLE) as people:
        asked = [people.submit(ask, person) for person in range(PEOPLE)]
        written |= {replace(number) for number in range(1, DOCUMENTS)}
        seen = {text for answer in asked for text in answer.result()}
    assert seen
    assert seen <= written
    last = replace(DOCUMENTS)
    assert texts("¿Cuánto dura la carroza de gala?") == [last]
