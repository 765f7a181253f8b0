"""Contracts beside the law: conditions read off a question narrow the search before it. All is invented."""

import asyncio
import json
from datetime import date

import pytest

from lab.documents import ABOUT
from law.norms import BlockKind, Document, Norm
from loading.ingestion.ingest import store_document
from rag.run.pipeline import retrieve
from tests.conftest import DATA, SHARED
from tests.factories import make_block

TODAY = date(2033, 6, 1)
WEIGHTS = {"normativa": 1.0, "sentencias": 0.8, "contratos": 1.0}
PDFS = SHARED / "contracts"
CONTRACTS = (
    ("EXP-1", "podas del jardín", "Talleres Zarzal S.L.", "90.000", date(2031, 3, 1), "aval bancario"),
    ("EXP-2", "podas del parque", "Motosierras Brezo S.A.", "7.000.000", date(2032, 10, 5), "depósito"),
    ("EXP-3", "siembras del vivero", "Jardines Malva S.L.", "8.000.000", date(2032, 2, 2), "aval bancario"),
)


def contract(collection, number, name, party, amount, signed, guarantee):  # noqa: PLR0917
    sections = {
        "OBJETO": f"El contratista hará las {name} que se le encarguen durante la vigencia.",
        "IMPORTE": f"Importe total: {amount} EUR, que se pagarán por certificaciones mensuales.",
        "GARANTÍAS": f"Tipo de garantía: {guarantee}, que se mantendrá hasta la liquidación.",
    }
    blocks = [
        make_block("", text, id=title.lower(), title=title, kind=BlockKind.SECTION, since=signed, position=n)
        for n, (title, text) in enumerate(sections.items())
    ]
    extra = {
        "num_contrato": number,
        "importe_eur": f"{amount.replace('.', '')}.00",
        "fecha_firma_iso": signed.isoformat(),
        "contratista": party,
    }
    norm = Norm(
        id=number.lower(),
        collection=collection,
        title=f"Contrato de {name}",
        law=number,
        alias=number,
        rank="Contrato",
        valid_from=signed,
        extra=extra,
    )
    return Document(norm=norm, blocks=tuple(blocks))


@pytest.fixture
def program(make_program):
    def make(collection: str = "contratos", **settings: object):
        made = make_program([DATA], collection_weights=WEIGHTS, **settings)
        for fields in CONTRACTS:
            store_document(
                DATA, contract(collection, *fields), made.database.corpus, made.database.corpus_writer
            )
        made.keeper.sync(dense=False)
        return made

    return make


def ask(program, question: str):
    state, trace = asyncio.run(retrieve(question, program.services, today=TODAY))
    return state, trace.stage("search"), {hit.chunk.norm_id for hit in state.candidates}


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("¿Qué importe tiene el contrato EXP-2?", {"exp-2"}),
        ("contratos de Malva", {"exp-3"}),
        ("¿Qué contratos tienen un importe superior a 5 millones de euros?", {"exp-2", "exp-3"}),
        ("¿Qué contratos de más de 5 millones de euros firmados antes de junio de 2032?", {"exp-3"}),
    ],
)
def test_what_is_sure_leaves_nothing_but_the_documents_that_meet_it(program, question, found):
    state, search, norms = ask(program(), question)
    assert norms == found
    assert search.filters
    assert state.notices == []


def test_a_title_narrows_the_contracts_and_hides_nothing_of_the_law(program):
    _, search, norms = ask(program(), "¿Cuántas vacaciones da el contrato de siembras del vivero?")
    assert "contrato EXP-3" in search.filters
    assert "exp-3" in norms
    assert not norms & {"exp-1", "exp-2"}
    assert any(norm.startswith("X-") for norm in norms)


def test_dates_of_contracts_do_not_choose_the_day_whose_law_is_applied_to_them(program):
    _, search, norms = ask(program(), "¿Qué contratos se firmaron en 2032?")
    assert {"exp-2", "exp-3"} <= norms
    assert "exp-1" not in norms
    assert search.strategy == "hierarchical"


def test_a_guarantee_asked_for_is_looked_for_in_the_fragments_that_hold_one(program):
    state, search, _ = ask(program(), "¿Qué contratos tienen aval?")
    found = {
        (hit.chunk.norm_id, hit.chunk.block_id)
        for hit in state.candidates
        if hit.chunk.norm_id.startswith("exp")
    }
    assert found == {("exp-1", "garantías"), ("exp-3", "garantías")}
    assert "contiene aval" in search.filters


def test_when_no_document_meets_it_everything_is_searched_and_it_is_said(program):
    state, search, norms = ask(program(), "contratos con importe superior a 900 millones de euros")
    assert norms & {"exp-1", "exp-2", "exp-3"}
    assert search.searches[0].widened
    assert "No hay nada que cumpla" in str(state.notices[0])
    assert "900.000.000,00 €" in str(state.notices[0])


def test_contracts_among_the_norms_are_narrowed_to_only_when_it_is_sure(program):
    made = program("normativa")
    _, search, norms = ask(made, "¿Cuántas vacaciones da el contrato de siembras del vivero?")
    assert search.filters == ()
    assert any(norm.startswith("X-") for norm in norms)
    _, search, norms = ask(made, "¿Qué importe tiene el contrato EXP-2?")
    assert norms == {"exp-2"}


def test_a_question_about_the_law_is_searched_as_if_there_were_no_contracts(program):
    state, search, _ = ask(program(), "¿Cuántos días de vacaciones me corresponden al año?")
    assert search.filters == ()
    assert state.hits[0].chunk.norm_id == "X-LTF"


def test_a_question_about_a_document_of_the_corpus_is_of_its_matter(program):
    state, _, _ = ask(program(), "¿Qué alquiler paga el contrato de siembras del vivero?")
    assert state.understanding.matter.branch == "own"
    assert state.understanding.missing == ()


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "hierarchical"])
def test_the_twenty_questions_find_the_right_contract_first(make_program, strategy):
    if not PDFS.is_dir():
        pytest.skip("the contracts (../shared/contracts) are not here")
    program = make_program(collection_weights={"contratos": 1.0}, rag_search_strategy=strategy)
    report, _ = program.loading.ingest([PDFS], "contratos", dense=False)
    assert not report.failures
    wrong = {}
    for case in json.loads((PDFS / "questions.json").read_text("utf-8")):
        state, _ = asyncio.run(retrieve(case["pregunta"], program.services, today=date(2026, 6, 1)))
        first = state.hits[0].chunk.alias if state.hits else None
        if first != ABOUT[case["id"]]:
            wrong[case["id"]] = first
    assert len(ABOUT) - len(wrong) >= 18, wrong
