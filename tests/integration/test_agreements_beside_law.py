"""Agreements beside the law: whom they bind, and the rows of their tables."""

import asyncio
from datetime import date
from pathlib import Path

import pytest

from rag.answers.confidence import LEAST_HIGH
from rag.run.pipeline import run_stages
from rag.shared.cited_answer import Answer
from service.program.assembly import App
from tests.conftest import DATA, Maker

AGREEMENT = """CONVENIO COLECTIVO DE HELADERÍAS DE VILLARRUBIA
Código de convenio: 99887766012026. Vigencia: del 1 de enero de 2024 al 31 de diciembre de 2028.

Artículo 1. Ámbito.
Este convenio obliga a las heladerías artesanas de Villarrubia.

Artículo 2. Vacaciones.
Las vacaciones al año son de treinta y cinco días naturales.

Artículo 3. Plus de frío.
Quien trabaja en la cámara cobra un plus de frío de noventa euros al mes.

Artículo 4. Tablas salariales.

| Grupo | Salario base mensual | Plus de transporte | Plus de altura |
| --- | --- | --- | --- |
| Maestro heladero | 1.842,15 € | 60,00 € | 12,00 € |
| Oficial de obrador | 1.560,40 € | 50,00 € | 11,00 € |
"""
SCOPE = "solo si le es aplicable"


@pytest.fixture
def program(make_program: Maker, tmp_path: Path) -> App:
    file = tmp_path / "heladerias.txt"
    file.write_text(AGREEMENT)
    made = make_program([DATA])
    made.loading.ingest([file])
    return made


def ask(program: App, question: str) -> Answer:
    return asyncio.run(run_stages(question, program.services, as_of=date(2026, 6, 1))).answer


def test_the_law_answers_a_general_question_before_an_agreement(program: App) -> None:
    answer = ask(program, "¿Cuántos días de vacaciones me corresponden al año?")
    assert answer.citations[0].norm_id == "X-LTF"
    assert "heladerias" in {one.norm_id for one in answer.citations}
    assert SCOPE in (answer.notes or "")


def test_an_agreement_that_answers_alone_is_less_sure_and_told(program: App) -> None:
    answer = ask(program, "¿Cuánto es el plus de frío?")
    assert answer.citations[0].norm_id == "heladerias"
    assert SCOPE in (answer.notes or "")
    assert answer.confidence < LEAST_HIGH


@pytest.mark.parametrize(
    "question",
    [
        "¿Cuántos días de vacaciones da el convenio de heladerías de Villarrubia?",
        "¿Cuántos días de vacaciones tienen las heladerías artesanas de Villarrubia?",
    ],
)
def test_an_agreement_that_is_named_answers_without_a_warning(program: App, question: str) -> None:
    answer = ask(program, question)
    assert answer.citations[0].norm_id == "heladerias"
    assert SCOPE not in (answer.notes or "")


def test_a_row_is_said_with_the_columns_of_each_question(program: App) -> None:
    answer = ask(
        program,
        "En el convenio de heladerías de Villarrubia, ¿cuánto cobra un oficial de obrador y qué plus de "
        "transporte tiene?",
    )
    row = "Grupo: Oficial de obrador · Salario base mensual: 1.560,40 € · Plus de transporte: 50,00 € ["
    assert row in answer.answer
