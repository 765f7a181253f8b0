"""The evaluation store on both databases: every case measured is kept, and no end is overwritten."""

import threading
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import text, update

from core.errors import NotFound
from rag.evaluation.results import CaseResult, EvaluationState, Found, Label, Summary
from rag.shared.trace import DecomposeRecord, Trace
from storage.tables.evaluations import EvaluationRow
from tests.processes import Child

pytest_plugins = ("tests.postgres",)
FACTS = {"mode": "offline", "corpus": "abc", "rag_top_k": "8"}
SUMMARY = Summary(
    metrics={"hit@3": 0.5, "questions": 2},
    intervals={"hit@3": (0.0, 1.0)},
    by_category={"una": {"hit@3": 0.5, "questions": 2}},
    category_intervals={"una": {"hit@3": (0.0, 1.0)}},
    elapsed_ms={"p50": 12.5, "p95": 20.0},
)


def result(name="a", **fields):
    base = {
        "id": name,
        "question": f"¿{name}\x00?",
        "category": "una",
        "answerable": True,
        "labels": (Label(norm="N", article="48 bis", grade=2, held=True, rank=1),),
        "found": (Found(rank=1, norm="N", article="48 bis", name="LI · Artículo 48 bis", score=0.5),),
        "refused": False,
        "as_of": date(2026, 1, 1),
        "expected": {"territory": "León"},
        "scores": {"hit@3": 1.0},
        "checks": {"refusal": True, "retrieval": True},
        "fallbacks": ("Heurística.",),
    }
    return CaseResult.model_validate(base | fields)


def trace(question):
    now = datetime(2026, 1, 1, 10, tzinfo=UTC)
    return Trace(
        question=question, as_of=now.date(), started_at=now, stages=(DecomposeRecord(queries=("a",)),)
    )


@pytest.fixture
def store(database):
    return database.evaluations


@pytest.fixture
def begun(store):
    return store.start("ana", "ley", "f" * 64, 2, FACTS).id


def execute(database, statement, **values):
    with database.engines.engine.begin() as connection:
        return connection.execute(text(statement) if isinstance(statement, str) else statement, values)


def grow_old(database, seconds):
    then = datetime.now(UTC) - timedelta(seconds=seconds)
    execute(database, update(EvaluationRow).values(updated_at=then))


def test_what_is_stored_comes_back_as_it_was(store, begun):
    store.record(begun, 0, result("a"), trace("¿a?"))
    store.record(begun, 1, result("b", refused=True), trace("¿b?"))
    store.finish(begun, EvaluationState.DONE, SUMMARY)
    stored = store.evaluation(begun)
    assert (stored.owner, stored.dataset, stored.total, stored.done) == ("ana", "ley", 2, 2)
    assert (stored.state, stored.summary, stored.facts) == (EvaluationState.DONE, SUMMARY, FACTS)
    assert isinstance(stored.summary.metrics["questions"], int)
    assert stored.finished_at >= stored.created_at
    assert store.results(begun) == [result("a", question="¿a?"), result("b", question="¿b?", refused=True)]
    assert [store.case_trace(begun, place) for place in (0, 1)] == [trace("¿a?"), trace("¿b?")]


def test_cases_can_be_read_while_it_is_under_way(store, begun):
    store.record(begun, 0, result("a"), trace("¿a?"))
    stored = store.evaluation(begun)
    assert (stored.state, stored.done, stored.summary) == (EvaluationState.RUNNING, 1, None)
    assert [one.id for one in store.results(begun)] == ["a"]


def test_the_latest_comes_first_and_no_more_than_asked_for(store):
    ids = [store.start("ana", f"n{number}", "f", 1, {}).id for number in range(3)]
    assert [one.id for one in store.evaluations(2)] == [ids[2], ids[1]]
    assert store.count() == len(store.evaluations())


def test_the_first_end_stands(store, begun):
    store.finish(begun, EvaluationState.CANCELLED, SUMMARY)
    store.finish(begun, EvaluationState.DONE, None, "otro")
    store.record(begun, 0, result(), trace("tarde"))
    store.beat(begun)
    stored = store.evaluation(begun)
    assert (stored.state, stored.summary, stored.error) == (EvaluationState.CANCELLED, SUMMARY, "")
    assert (stored.done, store.results(begun)) == (0, [])


def test_running_is_no_end(store, begun):
    with pytest.raises(ValueError, match="running"):
        store.finish(begun, EvaluationState.RUNNING, None)


def test_one_that_gives_no_sign_of_life_is_interrupted_and_the_others_are_left_alone(database, store, begun):
    ended = store.start("ana", "otra", "f", 1, {}).id
    store.finish(ended, EvaluationState.DONE, SUMMARY)
    grow_old(database, 60)
    alive = store.start("ana", "viva", "f", 1, {}).id
    assert store.recover(10) == 1
    states = {one.id: one.state for one in store.evaluations()}
    assert states == {
        begun: EvaluationState.INTERRUPTED,
        ended: EvaluationState.DONE,
        alive: EvaluationState.RUNNING,
    }


@pytest.mark.parametrize("sign", ["beat", "record"])
def test_a_sign_of_life_keeps_it_going_and_brings_it_back(database, store, begun, sign):
    def live():
        if sign == "beat":
            store.beat(begun)
        else:
            store.record(begun, len(store.results(begun)), result(), trace("¿?"))

    grow_old(database, 60)
    live()
    assert store.recover(10) == 0
    grow_old(database, 60)
    assert store.recover(10) == 1
    live()
    assert store.evaluation(begun).state is EvaluationState.RUNNING
    store.finish(begun, EvaluationState.DONE, SUMMARY)
    assert store.evaluation(begun).state is EvaluationState.DONE


def test_removing_takes_cases_and_traces_along(database, store, begun):
    store.record(begun, 0, result(), trace("¿?"))
    store.remove(begun)
    for table in ("evaluations", "evaluation_cases", "evaluation_traces"):
        assert execute(database, f"SELECT count(*) FROM {table}").scalar() == 0
    store.record(begun, 1, result(), trace("¿?"))
    store.finish(begun, EvaluationState.DONE, SUMMARY)
    assert store.evaluations() == []


def test_what_does_not_exist_is_not_found(store):
    for read in (store.evaluation, store.results, store.remove, lambda name: store.case_trace(name, 0)):
        with pytest.raises(NotFound):
            read("nada")


def test_a_case_without_a_trace_has_none(store, begun):
    assert store.case_trace(begun, 7) is None


def test_what_another_version_wrote_is_left_out_and_kept(database, store, begun):
    store.record(begun, 0, result("a"), trace("¿?"))
    store.record(begun, 1, result("b"), trace("¿?"))
    execute(database, "UPDATE evaluation_cases SET body = '{}' WHERE position = 0")
    assert [one.id for one in store.results(begun)] == ["b"]
    assert execute(database, "SELECT count(*) FROM evaluation_cases").scalar() == 2


def test_cases_recorded_at_once_are_all_counted(store, begun):
    threads = [
        threading.Thread(target=store.record, args=(begun, place, result(str(place)), trace("¿?")))
        for place in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.evaluation(begun).done == 8
    assert [one.id for one in store.results(begun)] == [str(place) for place in range(8)]


@pytest.mark.slow
def test_a_killed_process_loses_no_case(database_url, database, store):
    """Another process records without end; killed at some point, what it had recorded is whole."""
    program = (
        "import sys\n"
        "from storage.stores import open_database\n"
        "from tests.contract.test_evaluation_store import result, trace\n"
        "store = open_database(sys.argv[1]).evaluations\n"
        "begun = store.start('ana', 'ley', 'f', 10**6, {}).id\n"
        "for place in range(10**6):\n"
        "    store.record(begun, place, result(str(place)), trace('¿?'))\n"
        "    print(place, flush=True)\n"
    )
    process = Child(program, database_url)
    last = [int(process.out.readline()) for _ in range(20)][-1]
    process.kill()
    process.wait()
    begun = store.evaluations()[0]
    found = store.results(begun.id)
    assert begun.done == len(found) >= last + 1
    assert store.case_trace(begun.id, last) == trace("¿?")


def test_the_fingerprint_of_a_corpus_changes_with_its_text_alone(database):
    from tests.factories import make_block, make_norm, save

    empty = database.corpus.fingerprint()
    save(database.corpus_writer, make_norm("N-1", make_block("1", "Uno.")))
    one = database.corpus.fingerprint()
    save(database.corpus_writer, make_norm("N-1", make_block("1", "Uno.")))
    assert database.corpus.fingerprint() == one
    save(database.corpus_writer, make_norm("N-1", make_block("1", "Dos.")))
    assert len({empty, one, database.corpus.fingerprint()}) == 3
