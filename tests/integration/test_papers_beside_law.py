"""Papers beside the law: a claim or a draft never leads, and what is quoted of one says so."""

import asyncio
from datetime import date
from pathlib import Path

import pytest

from rag.run.pipeline import run_stages
from rag.shared.cited_answer import Answer
from service.program.assembly import App
from tests.conftest import DATA, Maker
from tests.integration.test_agreements_beside_law import AGREEMENT

CLAIM = """DEMANDA DE VACACIONES

Hechos. El actor reclama sus vacaciones: al año le corresponden cincuenta días naturales de vacaciones.
"""
DRAFT = f"""BORRADOR

{AGREEMENT.replace("noventa", "ciento diez")}
Artículo 5. Plus de sereno.
Quien vela de noche el obrador cobra un plus de sereno de treinta euros al mes.
"""


@pytest.fixture
def program(make_program: Maker, tmp_path: Path) -> App:
    files = {"heladerias.txt": AGREEMENT, "heladerias_DEFINITIVO.txt": DRAFT, "demanda.txt": CLAIM}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    made = make_program([DATA])
    report, _ = made.loading.ingest([tmp_path / name for name in files])
    told = {one.norm.id: " ".join(one.warnings) for one in report.documents}
    assert {norm for norm, says in told.items() if "no responde como ley" in says} == {
        "heladerias-definitivo-borrador",
        "demanda",
    }
    return made


def ask(program: App, question: str) -> Answer:
    return asyncio.run(run_stages(question, program.services, as_of=date(2026, 6, 1))).answer


def test_a_claim_never_leads_an_answer_about_the_law(program: App) -> None:
    answer = ask(program, "¿Cuántos días de vacaciones me corresponden al año?")
    assert answer.citations[0].norm_id == "X-LTF"


def test_a_draft_never_beats_the_final_text_whatever_their_names(program: App) -> None:
    answer = ask(program, "¿Cuánto es el plus de frío en las heladerías de Villarrubia?")
    assert answer.citations[0].norm_id == "heladerias"
    assert "noventa euros" in answer.answer


def test_an_answer_that_quotes_a_draft_says_so(program: App) -> None:
    answer = ask(program, "¿Cuánto es el plus de sereno?")
    assert answer.citations[0].norm_id == "heladerias-definitivo-borrador"
    assert "es un borrador de los cargados en «Documentos»" in (answer.notes or "")
