"""An empty home is served at once: the demo corpus is loaded meanwhile, and questions wait for it."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.errors import IndexUnavailable
from loading.jobs.job_loop import JobContext
from loading.jobs.job_runner import JobRunner
from loading.records.jobs import FileOutcome, JobKind, JobState
from rag.run.runs import Run
from service.program import assembly, demo
from service.program.assembly import LOCAL_USER, App
from service.program.demo import JOB, Demo
from service.program.notices import PREPARING
from tests.conftest import DATA, Maker
from tests.fakes import HashEmbedder
from tests.scripted import QUESTION
from tests.texts import eventually

SECONDS = 20


@pytest.fixture
def program(make_program: Maker, monkeypatch: pytest.MonkeyPatch) -> App:
    """Over an empty home, with the invented corpus as its demo."""
    made = make_program(embedder=HashEmbedder())
    monkeypatch.setattr(demo, "LOOK_SECONDS", 0.02)
    made.demo = of(made)
    return made


def of(program: App) -> Demo:
    return Demo(program.database.jobs, program.database.corpus, program.keeper, program.job_runner, DATA)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """The load begins once this is set."""
    go, run = threading.Event(), JobRunner.run

    def waited(runner: JobRunner, context: JobContext) -> str:
        assert go.wait(SECONDS)
        return run(runner, context)

    monkeypatch.setattr(JobRunner, "run", waited)
    yield go
    go.set()


def started(program: App) -> None:
    program.demo.queue()
    program.background.start(worker=False)


def asked(program: App) -> Run:
    chat = program.database.conversations.create(LOCAL_USER, "Prueba").id
    return program.runs.start(LOCAL_USER, chat, QUESTION)


def whole(program: App) -> bool:
    """True if everything of the demo is stored and indexed, its vectors too."""
    counts = program.database.corpus.counts()
    return (
        counts.norms == 3
        and counts.pending_dense == 0
        and program.index.ids() == program.database.corpus.ids()
    )


def test_pages_are_served_while_the_demo_is_loaded_and_say_so(program: App, held: threading.Event) -> None:
    started(program)
    assert program.demo.under_way
    assert PREPARING in program.notices
    assert not program.database.corpus.norms()
    held.set()
    eventually(lambda: not program.demo.under_way, SECONDS)
    assert PREPARING not in program.notices
    assert whole(program)
    assert program.database.jobs.job(JOB).state is JobState.DONE
    assert program.keeper.running


def test_a_question_asked_meanwhile_is_answered_from_the_whole_corpus(
    program: App, held: threading.Event
) -> None:
    started(program)
    run = asked(program)
    eventually(lambda: run.task is not None)
    assert not run.done.wait(0.1)
    held.set()
    assert run.done.wait(SECONDS)
    assert run.answer is not None and not run.answer.refusal
    assert run.answer.citations
    assert whole(program)


def test_what_was_loaded_is_the_same_as_a_load_by_command(program: App, make_program: Maker) -> None:
    started(program)
    eventually(lambda: not program.demo.under_way, SECONDS)
    loaded = program.database.corpus.ids()
    assert loaded == make_program([DATA]).database.corpus.ids()


def test_a_load_that_a_stop_cut_short_goes_on_at_the_next_start(
    program: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = JobContext.record

    def then_stop(context: JobContext, outcome: FileOutcome) -> None:
        context.ending.set()
        record(context, outcome)

    with monkeypatch.context() as patched:
        patched.setattr(JobContext, "record", then_stop)
        started(program)
        eventually(lambda: not program.demo.under_way, SECONDS)
    job = program.database.jobs.job(JOB)
    assert (job.state, len(job.outcomes)) == (JobState.QUEUED, 1)
    program.close()
    again = assembly.build(program.settings)
    again.models.embedder = HashEmbedder()
    again.demo = of(again)
    started(again)
    eventually(lambda: not again.demo.under_way, SECONDS)
    assert whole(again)
    again.close()


def test_closing_ends_the_wait_of_a_question_and_leaves_the_load_for_the_next_start(program: App) -> None:
    program.demo.queue()
    # Another process has it.
    taken = program.database.jobs.claim([JobKind.INGEST])
    program.background.start(worker=False)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(lambda: program.services)
        program.background.stop()
        with pytest.raises(IndexUnavailable):
            waiting.result(SECONDS)
    assert taken is not None
    assert not program.database.jobs.job(JOB).state.ended


def test_a_process_beside_another_waits_for_its_load(program: App) -> None:
    program.demo.queue()
    taken = program.database.jobs.claim([JobKind.INGEST])
    assert taken is not None
    program.background.start(worker=False)
    assert program.demo.under_way
    program.intakes.new().bring_in([DATA], "normativa", LOCAL_USER)
    program.database.jobs.finish(taken, JobState.DONE)
    program.demo.wait()
    assert whole(program)


def test_it_is_queued_once_and_never_where_there_are_norms(program: App) -> None:
    program.demo.queue()
    program.demo.queue()
    assert len(program.database.jobs.jobs()) == 1
    program.background.start(worker=False)
    program.demo.wait()
    program.background.stop()
    program.corrections.discard_job(JOB)
    program.demo.queue()
    assert JOB not in program.database.jobs.ids()


def test_a_demo_that_cannot_be_read_leaves_a_program_that_works(
    program: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> object:
        raise RuntimeError("broken")

    program.demo = Demo(program.database.jobs, program.database.corpus, program.keeper, broken, DATA)  # type: ignore[arg-type]
    started(program)
    program.demo.wait()
    assert program.services.store is program.database.corpus
    assert program.keeper.running
