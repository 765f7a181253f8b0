"""One norm loaded alone, with the embedding model and the vectors that ship."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from rag.run.pipeline import run_stages
from rag.shared.cited_answer import Answer, Verdict
from service.program import assembly
from service.program.assembly import App
from tests.factories import settings_of

TODAY = date(2026, 11, 21)
SECURITY = "BOE-A-2015-11724"


@pytest.fixture(scope="module")
def security(boe: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """The Ley General de la Seguridad Social and nothing else."""
    home = tmp_path_factory.mktemp("alone")
    program = assembly.build(settings_of(articulado_home=home, embeddings_provider="local"))
    program.loading.ingest([boe / SECURITY])
    yield program
    program.close()


def ask(program: App, question: str) -> tuple[Answer, Verdict]:
    outcome = asyncio.run(run_stages(question, program.services, as_of=TODAY))
    return outcome.answer, outcome.trace.stage("assess").verdict


@pytest.mark.parametrize(
    ("question", "law"),
    [
        ("¿Qué parte del salario mínimo se puede embargar?", "Estatuto de los Trabajadores"),
        ("¿Cuántos días de vacaciones tengo?", "Estatuto de los Trabajadores"),
        ("¿Cuántos días de huelga hay que preavisar?", "Real Decreto-ley sobre relaciones de trabajo"),
    ],
    ids=["seizure", "holidays", "strike"],
)
def test_a_question_of_a_norm_that_is_not_loaded_is_refused_with_its_name(security, question, law) -> None:
    answer, verdict = ask(security, question)
    assert answer.refusal
    assert verdict is Verdict.INSUFFICIENT
    assert law in answer.answer
    assert "no está cargada" in answer.answer


@pytest.mark.parametrize(
    ("question", "article"),
    [
        ("¿Cuánto paro me corresponde con tres años cotizados?", "269"),
        ("¿Desde qué día se cobra la baja por enfermedad común?", "173"),
    ],
    ids=["unemployment", "sick leave"],
)
def test_a_question_of_the_norm_that_is_loaded_is_answered(security, question, article) -> None:
    answer, _ = ask(security, question)
    assert not answer.refusal
    assert article in {citation.article for citation in answer.citations}


def test_a_likely_better_norm_is_told_beside_an_answer_and_lowers_its_confidence(security) -> None:
    answer, verdict = ask(security, "¿Qué funciones tiene la Inspección de Trabajo y Seguridad Social?")
    assert not answer.refusal
    assert verdict is Verdict.PARTIAL
    assert answer.confidence <= 0.5
    assert "puede importarse del BOE" in (answer.notes or "")


def test_an_article_that_the_question_names_is_answered_whatever_is_missing(security) -> None:
    answer, _ = ask(security, "¿Qué dice el artículo 38 de la LGSS sobre las vacaciones?")
    assert not answer.refusal


INVENTED = "¿Tiene paga doble en verano la pensión de orfandad por estudiar en el extranjero?"


def signals(program: App, question: str, **changes: object) -> dict[str, float]:
    """The signals of the assessment, with some of the services changed."""
    services = replace(program.services, **changes)  # type: ignore[arg-type]
    outcome = asyncio.run(run_stages(question, services, as_of=TODAY))
    return dict(outcome.trace.stage("assess").signals)


def test_an_invented_right_in_words_of_the_law_is_refused_by_the_meaning_of_the_question(security) -> None:
    answer, verdict = ask(security, INVENTED)
    assert answer.refusal
    assert verdict is Verdict.INSUFFICIENT
    assert signals(security, INVENTED)["answerable"] < 0
    assert signals(security, "¿Cuánto paro me corresponde con tres años cotizados?")["answerable"] > 0


@pytest.mark.parametrize(
    ("question", "changes"),
    [
        (INVENTED, {"unseen": frozenset({SECURITY})}),
        (INVENTED, {"without_aids": frozenset({SECURITY})}),
        ("¿Qué funciones tiene la Inspección de Trabajo y Seguridad Social?", {}),
    ],
    ids=["what was found is of a norm that it has not learned", "…as if it were", "a better norm is missing"],
)
def test_what_was_learned_of_the_shipped_norms_says_nothing_of_others(security, question, changes) -> None:
    assert "answerable" not in signals(security, question, **changes)


def test_a_question_about_a_past_day_is_not_refused_for_its_day(security) -> None:
    question = "Me jubilé el 20 de octubre de 2024. ¿Entre cuánto se dividían las bases reguladoras?"
    answer, _ = ask(security, question)
    assert not answer.refusal
