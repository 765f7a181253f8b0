"""A file that is too much among others: its sentence, the others' way in, and nothing left of it."""

import threading

import pytest

from loading.ingestion.load_request import UploadRequest
from loading.ingestion.preview_run import Reading, ReadingCancelled
from loading.jobs.job_loop import Worker
from loading.parsing import reading_process
from loading.parsing.reading_process import Process
from loading.records.jobs import JobState, OutcomeState
from service.program.assembly import App
from tests.conftest import Maker
from tests.office_files import zipped
from tests.texts import law

SLOW = (
    "import time; from loading.parsing import child; load = child.load;"
    "child.load = lambda path, *more: time.sleep(3600) if 'lenta' in path.name else load(path, *more);"
    "child.main()"
)
"""A process that never reads a file called «lenta»."""
FILES = [("lenta.md", b"# Lenta\n"), ("una.md", law("una", {"1": "Las vacaciones duran un mes."}))]
SECONDS = 4
"""Enough for the other file on a loaded machine."""
TOLD = (
    f"lenta.md: ha tardado más de {SECONDS} segundos en leerse; "
    "divídalo en partes o guárdelo en otro formato."
)


@pytest.fixture(autouse=True)
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_process, "COMMAND", ("-c", SLOW))


def test_a_preview_tells_it_and_shows_the_others(make_program: Maker) -> None:
    program = make_program(parse_seconds=SECONDS, parse_memory_mb=701)
    staged = program.loading.preview(UploadRequest(FILES))
    (_, slow), (_, other) = staged.found
    assert slow == TOLD
    assert not isinstance(other, str)
    assert [file.name for file in staged.payload.files] == ["una.md"]


@pytest.mark.parametrize("packed", [False, True])
def test_a_job_tells_it_and_loads_the_others(make_program: Maker, packed: bool) -> None:
    program = make_program(parse_seconds=SECONDS, parse_memory_mb=702)
    files = [("todo.zip", zipped(dict(FILES)))] if packed else FILES
    job = program.loading.upload(UploadRequest(files))
    Worker(program.database.jobs, program.job_runner().run).run_next()
    ended = program.database.jobs.job(job.id)
    assert ended.state is JobState.DONE
    assert [one.state for one in ended.outcomes] == [OutcomeState.FAILED, OutcomeState.DONE]
    assert ended.outcomes[0].message == ("todo.zip/" if packed else "") + TOLD
    assert program.database.corpus.norm("UNA") is not None


def test_a_job_that_is_cancelled_ends_in_the_middle_of_a_file(make_program: Maker) -> None:
    program = make_program(parse_seconds=600, parse_memory_mb=703)
    job = program.loading.upload(UploadRequest(FILES))
    worker = Worker(program.database.jobs, program.job_runner().run)
    thread = threading.Thread(target=worker.run_next)
    thread.start()
    while program.database.jobs.job(job.id).state is not JobState.RUNNING:
        thread.join(0.05)
    program.database.jobs.cancel(job.id)
    thread.join(60)
    assert not thread.is_alive()
    assert program.database.jobs.job(job.id).state is JobState.CANCELLED
    assert program.database.corpus.norm("UNA") is None


def test_a_preview_that_is_cancelled_ends_the_process_that_reads(
    make_program: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    program: App = make_program(parse_seconds=600, parse_memory_mb=704)
    asked, ended = threading.Event(), threading.Event()
    ask, end = Process._tell, Process.end
    monkeypatch.setattr(Process, "_tell", lambda self, task: (ask(self, task), asked.set()))
    monkeypatch.setattr(Process, "end", lambda self: (end(self), ended.set()))
    reading = Reading(
        lambda told: program.loading.preview(UploadRequest(FILES), on_progress=told), lambda _: None
    )
    assert asked.wait(60)
    reading.cancel()
    assert ended.wait(60)
    with pytest.raises(ReadingCancelled):
        reading.result()
    assert not list((program.home / "uploads").iterdir())
