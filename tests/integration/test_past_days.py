"""Past days of which the corpus has nothing: today's law is tried, told, and never with high confidence."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest

from index.points import IndexQuery, ScoredId
from index.vector_index import VectorIndex
from loading.chunking.chunk import chunk_document
from models.chat import ModelCall
from rag.run.pipeline import run_stages
from rag.shared.cited_answer import Answer, Verdict
from rag.shared.notices import Kind, Notice
from rag.shared.state import State
from rag.stages.past_days import CEILING, tries_today
from service.program.assembly import App
from tests.conftest import Maker
from tests.factories import make_block, make_norm, make_version
from tests.fakes import HashEmbedder
from tests.real_law import RealLaw

TODAY = date(2026, 6, 1)
LONG_AGO = date(1999, 7, 2)
VACATIONS = "¿Cuántos días de vacaciones tenía un trabajador en 1999?"


def ask(program: App, question: str, as_of: date | None = None) -> Answer:
    return asyncio.run(run_stages(question, program.services, today=TODAY, as_of=as_of)).answer


def test_where_a_past_day_has_nothing_todays_law_is_tried_before_refusing(program: App) -> None:
    answer = ask(program, VACATIONS)
    assert not answer.refusal
    assert (answer.as_of, answer.other_days) == (TODAY, (LONG_AGO,))
    assert "nada vigente a 02/07/1999" in (answer.notes or "")
    assert "Se ha aplicado la normativa vigente a 02/07/1999" not in (answer.notes or "")
    assert answer.confidence <= CEILING


def test_what_was_told_of_papers_stays_when_the_day_is_left() -> None:
    state = State(question=VACATIONS, as_of=LONG_AGO, as_of_given=False, today=TODAY)
    state.verdict = Verdict.INSUFFICIENT
    state.notices = [Notice(Kind.SEARCH, "No se pudo leer la carta."), Notice(Kind.DATE, "En 1999.")]
    assert tries_today(state)
    first, second = map(str, state.notices)
    assert first == "No se pudo leer la carta."
    assert second.startswith("No se ha encontrado nada vigente a 02/07/1999")


def test_a_day_that_the_reader_chose_is_never_left(program: App) -> None:
    answer = ask(program, VACATIONS, LONG_AGO)
    assert answer.refusal
    assert answer.as_of == LONG_AGO


def test_a_question_of_another_matter_is_not_tried_again(program: App) -> None:
    answer = ask(program, "¿Me podía subir el alquiler el casero en 1999?")
    assert answer.refusal
    assert answer.as_of == LONG_AGO


def test_a_day_before_the_norm_that_is_named_is_told_with_its_first_day(program: App) -> None:
    norm = next(norm for norm in program.database.corpus.norms() if norm.alias == "LTF")
    question = "¿Qué decía de las vacaciones el artículo 2 de la LTF en 1999?"
    answer = ask(program, question)
    chosen = ask(program, question, LONG_AGO)
    assert norm.valid_from is not None
    assert answer.as_of == TODAY
    assert f"anteriores al {norm.valid_from:%d/%m/%Y}" in (answer.notes or "")
    assert answer.confidence <= CEILING
    assert "Se ha aplicado la normativa vigente a 02/07/1999" not in (answer.notes or "")
    assert chosen.as_of == LONG_AGO
    assert f"anteriores al {norm.valid_from:%d/%m/%Y}" in (chosen.notes or "")


class Searched:
    """An index that keeps the day of each search by words or meaning; the rarity of one term is no search."""

    def __init__(self, index: VectorIndex) -> None:
        self._index = index
        self.days: set[date | None] = set()

    def search(self, queries: Sequence[IndexQuery]) -> list[list[ScoredId]]:
        self.days |= {query.where.as_of for query in queries if query.limit > 1}
        return self._index.search(queries)


class Embedded(HashEmbedder):
    """Keeps the texts of each call."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[list[str]] = []

    async def embed_queries(self, texts: Sequence[str]) -> tuple[list[tuple[float, ...]], ModelCall]:
        self.calls.append(list(texts))
        return await super().embed_queries(texts)


THEN = date(2022, 5, 5)
LAMP = "¿Cuánto aceite lleva el farol?"


def lamps(make_program: Maker, *, until: date | None, embedder: HashEmbedder | None = None) -> App:
    """A program with an article about lamps worded anew in 2024, or gone since `until`, and others."""
    made = make_program(embedder=embedder)
    texts = ("El farol lleva un litro de aceite.", "El farol lleva dos litros de aceite.")
    first = make_version(f"Artículo 1. Farol.\n{texts[0]}", until=until or date(2023, 12, 31))
    second = make_version(f"Artículo 1. Farol.\n{texts[1]}", since=date(2024, 1, 1))
    lamp = make_block("1", first, *([] if until else [second]), title="Artículo 1. Farol.")
    others = [
        make_block(str(n), f"Artículo {n}. Torre.\nLa torre {n} tiene una puerta.") for n in range(2, 7)
    ]
    norm = make_norm("N-1", lamp, *others)
    made.database.corpus_writer.save(norm, chunk_document(norm), {})
    made.keeper.sync()
    return made


@pytest.mark.parametrize(("until", "days"), [(None, {THEN, TODAY}), (date(2022, 12, 31), {THEN})])
def test_todays_law_is_searched_only_beside_an_article_that_is_still_there(
    make_program: Maker, until: date | None, days: set[date]
) -> None:
    program = lamps(make_program, until=until)
    index = Searched(program.services.index)
    answer = asyncio.run(
        run_stages(LAMP, replace(program.services, index=index), today=TODAY, as_of=THEN)
    ).answer
    assert "un litro" in answer.answer
    assert index.days == days


def test_the_search_of_today_asks_for_no_vector_again(make_program: Maker) -> None:
    embedder = Embedded()
    program = lamps(make_program, until=None, embedder=embedder)
    answer = ask(program, LAMP, THEN)
    assert "un litro" in answer.answer
    assert [texts for texts in embedder.calls if texts == [LAMP]] == [[LAMP]]


NOTHING_THEN = "no hay cargada ninguna redacción vigente a"


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "day", "article"),
    [
        ("¿Qué recurso cabe contra una sentencia de despido?", "2005-05-05", "LRJS · Artículo 191"),
        ("¿Qué requisitos tiene el ingreso mínimo vital?", "2018-05-05", "LIMV · Artículo 10"),
        ("¿Qué permiso de paternidad había en 2008?", "", ""),
    ],
)
def test_a_day_before_every_wording_of_what_governs_today_is_told(
    real_law: RealLaw, question: str, day: str, article: str
) -> None:
    answer = ask(real_law.program, question, date.fromisoformat(day) if day else None)
    assert f"{article}», {NOTHING_THEN}" in (answer.notes or "")
    assert answer.confidence <= CEILING


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("¿Cuántos días de permiso hay por hospitalización de un familiar?", "2022-05-10"),
        ("¿Cuánto es el salario mínimo interprofesional?", "2025-05-05"),
        ("¿Cuántas horas puede conducir un camionero?", "2005-05-05"),
        ("¿Cómo se convoca una huelga?", "1990-05-05"),
        ("¿Cuántos días de vacaciones hay?", "2026-06-01"),
    ],
)
def test_a_day_with_the_wording_of_what_governs_or_with_its_own_norm_says_nothing(
    real_law: RealLaw, question: str, day: str
) -> None:
    answer = ask(real_law.program, question, date.fromisoformat(day))
    assert not answer.refusal
    assert NOTHING_THEN not in (answer.notes or "")
    assert "No están cargadas" not in (answer.notes or "")


@pytest.mark.corpus
@pytest.mark.slow
def test_a_day_that_the_question_names_before_the_whole_norm_is_tried_with_todays_law(
    real_law: RealLaw,
) -> None:
    answer = ask(real_law.program, "¿Qué recurso cabía contra una sentencia de despido en 2005?")
    assert answer.as_of == TODAY
    assert "No están cargadas las redacciones de LRJS anteriores al 11/12/2011" in (answer.notes or "")
    assert answer.confidence <= CEILING
