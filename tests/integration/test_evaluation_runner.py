"""Evaluations in the background of a whole program: followed, cancelled, failed, interrupted, stored."""

import pytest

from core.errors import IndexUnavailable, InputError, StorageError
from rag.evaluation.cases import Case, Dataset, Relevant
from rag.evaluation.evaluation_runner import INTERNAL_ERROR, EvaluationRunner, Progress
from rag.evaluation.results import EvaluationState
from service.program.assembly import App
from tests.conftest import DATA, Maker
from tests.fakes import gated

SECONDS = 60
KNOWN = (Relevant(norm="X-LTF", article="2", grade=2),)


def dataset(count: int = 3) -> Dataset:
    cases = [
        Case(id=str(i), question="¿Cuántos días de vacaciones tengo?", relevant=KNOWN) for i in range(count)
    ]
    return Dataset("prueba", "f" * 64, tuple(cases))


def finished(current: Progress) -> Progress:
    assert current.finished.wait(SECONDS)
    return current


def test_an_evaluation_is_stored_with_its_cases_traces_and_what_it_depends_on(program: App) -> None:
    runner = program.evaluations
    current = finished(runner.start("ana", dataset()))
    assert (current.done, current.total, runner.active) == (3, 3, None)
    stored = runner.evaluations()[0]
    assert (stored.id, stored.owner, stored.dataset) == (current.id, "ana", "prueba")
    assert (stored.state, stored.done, stored.error) == (EvaluationState.DONE, 3, "")
    assert stored.summary is not None
    assert stored.summary.metrics["hit@3"] == 1.0
    assert stored.facts["mode"] == "offline"
    assert stored.facts["norms"] == "3"
    assert stored.facts["corpus"] == program.database.corpus.fingerprint()
    assert {"prompts", "reader", "embeddings", "rag_max_chunks_in_prompt", "index"} <= stored.facts.keys()
    trace = runner.store.case_trace(current.id, 2)
    assert trace is not None
    assert [record.name for record in trace.stages][-1] == "assess"


def test_facts_hold_no_key(make_program: Maker) -> None:
    program = make_program([DATA], openai_api_key="sk-secreta", openai_base_url="http://127.0.0.1:1")
    current = program.evaluations.start("ana", dataset(1))
    program.evaluations.cancel(current.id)
    finished(current)
    [stored] = program.evaluations.evaluations()
    assert stored.facts["reader"]
    assert "sk-secreta" not in str(stored)


def test_only_one_runs_at_a_time_and_then_another_may(program: App) -> None:
    gate = gated(program)
    current = program.evaluations.start("ana", dataset())
    with pytest.raises(InputError, match="en curso"):
        program.evaluations.start("eva", dataset())
    gate.open.set()
    finished(current)
    finished(program.evaluations.start("eva", dataset(1)))
    assert [one.owner for one in program.evaluations.evaluations()] == ["eva", "ana"]


def test_a_cancelled_one_keeps_the_cases_measured_and_their_measures(program: App) -> None:
    gate = gated(program)
    current = program.evaluations.start("ana", dataset(200))
    assert gate.reached.wait(SECONDS)
    program.evaluations.cancel("otra")
    assert current.stop is None
    program.evaluations.cancel(current.id)
    gate.open.set()
    finished(current)
    stored = program.evaluations.evaluations()[0]
    assert stored.state is EvaluationState.CANCELLED
    assert 0 < stored.done < 200
    assert stored.done == len(program.evaluations.store.results(current.id))
    assert stored.summary is not None
    assert stored.summary.metrics["questions"] == stored.done


def test_while_it_runs_it_is_listed_as_running_and_its_cases_can_be_read(program: App) -> None:
    gate = gated(program)
    current = program.evaluations.start("ana", dataset(50))
    assert gate.reached.wait(SECONDS)
    stored = program.evaluations.evaluations()[0]
    assert stored.state is EvaluationState.RUNNING
    assert len(program.evaluations.store.results(current.id)) == stored.done > 0
    program.evaluations.cancel(current.id)
    gate.open.set()
    finished(current)


@pytest.mark.parametrize(
    ("failure", "told"),
    [(IndexUnavailable("El índice no responde."), "El índice no responde."), (KeyError("x"), INTERNAL_ERROR)],
)
def test_a_failure_is_told_and_the_cases_before_it_stay(program: App, failure: Exception, told: str) -> None:
    gated(program, failure=failure)
    finished(program.evaluations.start("ana", dataset(20)))
    stored = program.evaluations.evaluations()[0]
    assert (stored.state, stored.error) == (EvaluationState.FAILED, told)
    assert stored.done > 0


def test_closing_the_program_leaves_it_interrupted(make_program: Maker) -> None:
    program = make_program([DATA])
    gate = gated(program)
    program.evaluations.start("ana", dataset(200))
    assert gate.reached.wait(SECONDS)
    gate.open.set()
    program.evaluations.close()
    assert program.database.evaluations.evaluations()[0].state is EvaluationState.INTERRUPTED


def test_the_evaluation_of_a_dead_process_is_shown_as_interrupted(
    program: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    abandoned = program.database.evaluations.start("ana", "prueba", "f", 9, {})
    assert program.evaluations.evaluations()[0].state is EvaluationState.RUNNING
    monkeypatch.setattr("rag.evaluation.evaluation_runner.STALE_SECONDS", 0)
    found = program.evaluations.evaluations()[0]
    assert (found.id, found.state) == (abandoned.id, EvaluationState.INTERRUPTED)


def test_nothing_starts_when_nothing_can_be_searched(program: App) -> None:
    def services() -> None:
        raise IndexUnavailable("El índice no responde.")

    runner = EvaluationRunner(services, program.database.evaluations, dict)  # type: ignore[arg-type]
    with pytest.raises(IndexUnavailable):
        runner.start("ana", dataset())
    assert (runner.active, runner.evaluations()) == (None, [])


def test_a_database_that_fails_at_the_start_leaves_room_for_the_next(program: App) -> None:
    def facts() -> dict[str, str]:
        raise StorageError("No.")

    runner = EvaluationRunner(lambda: program.services, program.database.evaluations, facts)
    with pytest.raises(StorageError):
        runner.start("ana", dataset())
    assert runner.active is None


def test_the_sets_at_hand_are_those_of_the_program_and_of_its_home(program: App) -> None:
    folder = program.settings.articulado_home / "evaluation"
    folder.mkdir()
    (folder / "propias.jsonl").write_text('{"id": "a", "question": "¿Uno?"}', encoding="utf-8")
    [case] = program.evaluations.datasets()["propias"]().cases
    assert case.question == "¿Uno?"
