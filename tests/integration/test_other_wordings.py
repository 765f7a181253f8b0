"""Questions about then and now: both wordings of what leads are read, shown with their days, and quoted."""

import asyncio
from datetime import date

import pytest

from law.norms import BlockVersion
from loading.chunking.chunk import chunk_document
from rag.run.pipeline import retrieve, run_stages
from rag.shared.cited_answer import Answer
from rag.stages.needed_articles import Need, fetch
from rag.stages.past_days import CEILING
from service.program.assembly import App
from tests.conftest import Maker
from tests.factories import make_block, make_norm, make_version
from tests.model_replies import Request, as_json, says
from tests.model_server import ModelServer
from tests.real_law import RealLaw

TODAY = date(2026, 6, 1)
THEN = date(2022, 7, 2)
BOTH = "¿Cuánto aceite llevaba el farol en 2022 y cuánto lleva hoy?"
ONE, TWO = "El farol lleva un litro de aceite.", "El farol lleva dos litros de aceite."
GONE = "La linterna lleva una vela de sebo."


def worded(number: str, title: str, text: str, since: str, until: str | None = None) -> BlockVersion:
    return make_version(f"Artículo {number}. {title}.\n{text}", since=since, until=until)


@pytest.fixture
def lamps(make_program: Maker) -> App:
    return filled(make_program())


def filled(program: App) -> App:
    """With a norm whose article 1 is worded anew in 2024, 2 is gone since 2023 and 3 began on that day."""
    lamp = (
        worded("1", "Farol", ONE, "2020-01-01", "2023-12-31"),
        worded("1", "Farol", TWO, "2024-01-01"),
    )
    lantern = worded("2", "Linterna", GONE, "2020-01-01", "2022-12-31")
    beacon = worded("3", "Baliza", "La baliza lleva una bombilla.", "2023-01-01")
    blocks = [
        make_block("1", *lamp, title="Artículo 1. Farol."),
        make_block("2", lantern, title="Artículo 2. Linterna."),
        make_block("3", beacon, title="Artículo 3. Baliza."),
        *(make_block(str(n), f"Artículo {n}. Torre.\nLa torre {n} tiene una puerta.") for n in range(4, 9)),
    ]
    norm = make_norm("N-1", *blocks, law="Ley del Farol", alias="LF")
    program.database.corpus_writer.save(norm, chunk_document(norm), {})
    program.keeper.sync()
    return program


def ask(program: App, question: str, as_of: date | None = None) -> Answer:
    return asyncio.run(run_stages(question, program.services, today=TODAY, as_of=as_of)).answer


def read(program: App, question: str, as_of: date | None = None) -> dict[str, date | None]:
    """The ids of the fragments read, each with the day whose law it is if that is another."""
    state, _ = asyncio.run(retrieve(question, program.services, today=TODAY, as_of=as_of))
    return {hit.chunk.id: hit.day for hit in state.hits}


def test_both_wordings_are_quoted_the_other_with_its_days(lamps: App) -> None:
    answer = ask(lamps, BOTH)
    now, then = answer.answer.split("\n\n")[:2]
    assert TWO in now
    assert ONE in then
    assert "(vigente desde 01/01/2020 hasta 31/12/2023)" in then
    assert "vigente desde" not in now
    assert (answer.as_of, answer.other_days) == (TODAY, (THEN,))
    assert "regían a 02/07/2022: LF · Artículo 1" in (answer.notes or "")
    assert all(citation.verified for citation in answer.citations)
    assert {citation.valid_from for citation in answer.citations} >= {date(2020, 1, 1), date(2024, 1, 1)}


def test_with_the_past_day_chosen_todays_wording_is_the_other(lamps: App) -> None:
    then, now = ask(lamps, BOTH, THEN).answer.split("\n\n")[:2]
    assert ONE in then
    assert TWO in now
    assert "(vigente desde 01/01/2024)" in now


def test_an_article_that_is_gone_since_is_read_too(lamps: App) -> None:
    found = read(lamps, "¿Qué vela llevaba la linterna en 2022? ¿Y hoy?")
    assert found["N-1/a2@2020-01-01#1"] == THEN


def test_an_article_that_did_not_exist_then_is_told(lamps: App) -> None:
    answer = ask(lamps, "¿Qué bombilla llevaba la baliza en 2022? ¿Y hoy?")
    assert "«LF · Artículo 3», no hay cargada ninguna redacción vigente a 02/07/2022" in (answer.notes or "")
    assert answer.confidence <= CEILING


@pytest.mark.parametrize(
    "question",
    [
        "¿Cuánto aceite llevaba el farol en 2022?",
        "¿Cuánto aceite lleva hoy el farol?",
        "Compré el farol en 2022. ¿Cuánto aceite lleva hoy?",
    ],
)
def test_a_question_about_one_day_reads_one_wording(lamps: App, question: str) -> None:
    found = read(lamps, question)
    assert len([name for name in found if "/a1@" in name]) == 1
    assert set(found.values()) == {None}


@pytest.mark.parametrize(
    ("when", "wording"),
    [
        ("", "2024-01-01"),
        ("2022-07-02", "2020-01-01"),
        ("2 de julio de 2022", "2020-01-01"),
        ("2025", "2024-01-01"),
        ("1999-07-02", None),
        ("2022-02-30", None),
    ],
)
def test_an_article_is_needed_in_the_wording_of_a_day(lamps: App, when: str, wording: str | None) -> None:
    fetched = asyncio.run(fetch(Need("1", "Ley del Farol", when), TODAY, lamps.services, 10))
    assert fetched.found is (wording is not None)
    found = [hit.chunk.id for hit in fetched.hits if hit.chunk.label == "1"]
    assert found == ([f"N-1/a1@{wording}#1"] if wording else [])


def test_a_model_reads_both_wordings_and_is_told_of_a_need_without_one(
    model_program: App, server: ModelServer
) -> None:
    program = filled(model_program)
    server.script(
        decompose=[as_json(["aceite del farol"])],
        rerank=[as_json([0])],
        assess=[says("NEED|2|Ley del Farol|2022-05-01\nNEED|1|Ley del Farol|1999-07-01"), says("READY")],
        answer=[written],
    )
    outcome = asyncio.run(run_stages(BOTH, program.services, today=TODAY))
    first = outcome.trace.stage("assess").rounds[0]
    assert [one.chunk_id for one in first.fetched if one.day] == ["N-1/a2@2020-01-01#1"]
    assert first.missing == ("artículo 1 Ley del Farol a 01/07/1999",)
    assert "no está en el corpus: artículo 1 Ley del Farol a 01/07/1999." in server.last("assess").prompt
    prompt = server.last("answer").prompt
    for text, days in (
        (ONE, "Vigente: desde 01/01/2020 hasta 31/12/2023"),
        (TWO, "Vigente: desde 01/01/2024"),
        (GONE, "Vigente: desde 01/01/2020 hasta 31/12/2022"),
    ):
        assert days in next(block for block in prompt.split("---") if text in block)
    assert outcome.answer.mode == "model"
    assert [citation.valid_from for citation in outcome.answer.citations] == [
        date(2024, 1, 1),
        date(2020, 1, 1),
    ]


def test_a_quotation_of_the_old_wording_under_the_marker_of_the_new_one_is_dropped(
    model_program: App, server: ModelServer
) -> None:
    program = filled(model_program)

    def mistaken(request: Request) -> str:
        return written(request).replace(TWO, ONE, 1)

    server.script(decompose=[as_json(["aceite del farol"])], rerank=[as_json([0])], answer=[mistaken])
    answer = asyncio.run(run_stages(BOTH, program.services, today=TODAY)).answer
    assert "Se ha descartado una cita" in (answer.notes or "")
    assert [(one.quote, one.valid_from) for one in answer.citations] == [(ONE, date(2020, 1, 1))]


def written(request: Request) -> str:
    """An answer that quotes both wordings by the markers that they have."""
    blocks = {text: block for block in request.prompt.split("---") for text in (ONE, TWO) if text in block}
    marks = {text: block[block.index("[C") + 1 : block.index("]")] for text, block in blocks.items()}
    answer = f"Hoy lleva dos litros [{marks[TWO]}]. En 2022 llevaba un litro [{marks[ONE]}]."
    cited = [{"quote": text, "source": "LF", "page": None, "marker": marks[text]} for text in (TWO, ONE)]
    return as_json(
        {"answer": answer, "citations": cited, "confidence": 0.9, "refusal": False, "notes": None}
    ).text


# Article, then what only its wording of then says, then what only that of today says.
PAIRS = [
    (
        "Lo despidieron en julio de 2019 por faltas de asistencia, justificadas pero intermitentes, del "
        "artículo 52 ET. ¿Era legal? ¿Podrían hacerlo hoy?",
        ("BOE-A-2015-11430", "52", "d) Por faltas de asistencia al trabajo", "(Derogada)"),
    ),
    (
        "¿Cuántas semanas de permiso por nacimiento tenía el padre en 2018 y cuántas tiene hoy?",
        ("BOE-A-2015-11430", "48", "paternidad durante cuatro semanas", "durante diecinueve semanas"),
    ),
    (
        "¿Cuántos días de permiso había por hospitalización de un familiar en 2022? ¿Y ahora?",
        ("BOE-A-2015-11430", "37", "Dos días por el fallecimiento, accidente", "b) Cinco días por accidente"),
    ),
    (
        "¿Qué porcentaje de la base reguladora se cobraba de paro a partir del día 181 en 2021 y cuál hoy?",
        ("BOE-A-2015-11724", "270", "50 por ciento a partir", "60 por ciento a partir"),
    ),
    (
        "¿Qué indemnización correspondía a una empleada de hogar por desistimiento en 2020 y cuál hoy?",
        ("BOE-A-2011-17975", "11", "desistimiento del empleador", "comportamiento de la persona trabajadora"),
    ),
    (
        "¿Qué edad pedía la ley para jubilarse por voluntad propia en 2018 y cuál pide ahora?",
        ("BOE-A-2015-11724", "208", "se refiere el artículo 206.", "los artículos 206 y 206 bis"),
    ),
]


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize(("question", "pair"), PAIRS)
def test_both_wordings_of_the_real_law_are_read(
    real_law: RealLaw, question: str, pair: tuple[str, str, str, str]
) -> None:
    norm, label, then, now = pair
    state, _ = asyncio.run(retrieve(question, real_law.program.services, today=TODAY))
    mine = [hit for hit in state.hits if (hit.chunk.norm_id, hit.chunk.label) == (norm, label)]
    texts = ["\n".join(hit.chunk.text for hit in mine if bool(hit.day) is other) for other in (True, False)]
    assert [then in text for text in texts] == [True, False]
    assert [now in text for text in texts] == [False, True]
    days = {hit.day for hit in mine if hit.day}
    assert all(hit.chunk.in_force_on(day) for hit in mine for day in days if hit.day)


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize(
    "question",
    [
        "Me despidieron en julio de 2019 por faltas de asistencia. ¿Era legal?",
        "¿Me pueden despedir hoy por faltas de asistencia justificadas?",
        "¿Cuántas semanas de permiso por nacimiento tenía el padre en 2018?",
        "Entré en 2005 y ahora me despiden. ¿Qué indemnización me corresponde?",
        "Me despidieron el 14 de octubre de 2019. ¿Qué plazo hay hoy para reclamar?",
        "Me despidieron en un ERE en 2024. ¿Desde qué edad podré jubilarme?",
    ],
)
def test_no_other_wording_of_the_real_law_is_read_for_one_day(real_law: RealLaw, question: str) -> None:
    assert set(read(real_law.program, question).values()) == {None}
