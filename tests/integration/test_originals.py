"""The original of every norm is there: killed at any step, on a full disk, and while others do the same."""

import dataclasses
import os
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import update

from law.norms import Document
from loading.ingestion import intake as intake_module
from loading.ingestion.load_request import UploadRequest
from loading.ingestion.uploads import content_hash
from loading.jobs.job_loop import Worker
from loading.records.jobs import Job, JobState
from service.program.assembly import App
from storage.tables.jobs import JobRow
from tests.conftest import Maker
from tests.homes import work
from tests.killed import age, killed_at
from tests.texts import law

ONE = law("una", {"1": "Las vacaciones duran un mes.", "2": "El descanso semanal es de dos días."})
NEW = law("una", {"1": "Las vacaciones duran dos meses."})


@pytest.fixture
def program(make_program: Maker) -> App:
    made = make_program()
    made.models.embedder = None
    return made


def loaded(program: App, *files: tuple[str, bytes], **options: object) -> Job:
    """The ended job of an upload."""
    job = program.loading.upload(UploadRequest(files, **options))
    work(program)
    return program.database.jobs.job(job.id)


def originals(program: App) -> dict[str, bytes]:
    """Files kept for each norm that has a record: the file that its text is from."""
    found = {}
    for norm in program.database.corpus.norms():
        record = program.database.documents.get(norm.id)
        assert record is not None, f"{norm.id} has no record"
        path = program.home / record.source / record.file_name
        assert content_hash(path) == record.content_hash
        found[norm.id] = path.read_bytes()
        for chunk in program.database.corpus.norm_chunks(norm.id):
            assert chunk.text.splitlines()[-1].encode() in found[norm.id]
    return found


def kept(program: App) -> list[Path]:
    return sorted((program.home / "sources").iterdir())


def time_passes(program: App) -> None:
    """Nobody has heard of the dead worker for a while, and what nothing names is old."""
    with program.database.engines.write() as session:
        old = datetime.now(UTC) - timedelta(hours=1)
        session.execute(update(JobRow).where(JobRow.heartbeat_at.is_not(None)).values(heartbeat_at=old))
        session.commit()
    age(program.home)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX")
@pytest.mark.parametrize("then", ["cancelled", "finished"])
def test_killed_at_any_step_of_a_replacement_the_norm_has_the_original_of_its_text(
    program: App, then: str
) -> None:
    before = law("una", {"1": "Generación 0."})
    loaded(program, ("una.md", before))
    step = 0
    for step in count(1):
        new = law("una", {"1": f"Generación {step}."})
        job = program.loading.upload(UploadRequest([("una.md", new)]))
        killed = killed_at(program, step)
        assert originals(program)["UNA"] in (before, new)
        time_passes(program)
        if then == "cancelled" and killed:
            program.database.jobs.cancel(job.id)
            program.corrections.discard_job(job.id)
        else:
            work(program)
            assert program.database.jobs.job(job.id).state is JobState.DONE
            assert originals(program)["UNA"] == new
            program.corrections.discard_job(job.id)
        program.doctor(mend=True)
        before = originals(program)["UNA"]
        assert len(kept(program)) == 1
        assert not list((program.home / "uploads").iterdir())
        if not killed:
            break
    assert step > 7, "too few steps"


def test_a_disk_without_room_for_the_original_stores_nothing_and_a_retry_goes_on(
    program: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded(program, ("una.md", ONE))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(intake_module, "keep", full)
    job = loaded(program, ("una.md", NEW))
    assert (job.state, "espacio" in job.message) == (JobState.FAILED, True)
    assert originals(program) == {"UNA": ONE}
    monkeypatch.undo()
    program.database.jobs.retry(job.id)
    work(program)
    assert program.database.jobs.job(job.id).state is JobState.DONE
    assert originals(program) == {"UNA": NEW}
    program.corrections.discard_job(job.id)
    assert len(kept(program)) == 1


class Other:
    """An action of another thread as a call of this one begins.

    The call waits for it a second: the other one may itself have to wait until the call is over.
    """

    def __init__(self, act: Callable[[], object]) -> None:
        self._thread = threading.Thread(target=act)

    def overtakes(self, monkeypatch: pytest.MonkeyPatch, thing: object, name: str) -> None:
        real = getattr(thing, name)

        def called(*given: object, **named: object) -> object:
            if self._thread.ident is None:
                self._thread.start()
                self._thread.join(1)
            return real(*given, **named)

        monkeypatch.setattr(thing, name, called)

    def end(self) -> None:
        assert self._thread.ident is not None, "never called"
        self._thread.join(60)


def test_an_original_that_another_norm_takes_up_as_it_is_dropped_stays(
    program: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded(program, ("una.md", ONE))
    other = Other(lambda: loaded(program, ("otra.md", ONE), metadata={"id": "OTRA"}))
    other.overtakes(monkeypatch, intake_module, "remove_source")
    program.corrections.discard_job(loaded(program, ("una.md", NEW)).id)
    other.end()
    assert originals(program) == {"UNA": NEW, "OTRA": ONE}


def test_a_deletion_leaves_the_original_that_another_norm_takes_up_meanwhile(
    program: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded(program, ("una.md", ONE))
    other = Other(lambda: loaded(program, ("otra.md", ONE), metadata={"id": "OTRA"}))
    other.overtakes(monkeypatch, intake_module, "remove_source")
    program.corrections.delete("local", "UNA")
    other.end()
    assert originals(program) == {"OTRA": ONE}


def test_an_original_is_not_swept_away_before_its_record_is_there(
    program: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker killed some time ago has left it."""
    loaded(program, ("una.md", ONE))
    program.database.corpus_writer.remove("UNA")
    age(program.home)
    other = Other(lambda: program.doctor(mend=True))
    other.overtakes(monkeypatch, program.database.corpus_writer, "save")
    loaded(program, ("una.md", ONE))
    other.end()
    assert originals(program) == {"UNA": ONE}


def test_a_correction_overtaken_by_a_new_version_is_made_to_that_one(
    program: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = ONE.replace(b"un mes", b"dos meses")
    loaded(program, ("una.md", ONE))
    other = Other(lambda: loaded(program, ("una.md", new)))
    other.overtakes(monkeypatch, program.database.corpus_writer, "update")
    program.corrections.edit("local", "UNA", {"law": "Ley Prima"})
    other.end()
    assert originals(program) == {"UNA": new}
    assert program.database.corpus.norm("UNA").law == "Ley Prima"


@pytest.mark.parametrize("merge", [False, True])
def test_a_correction_made_while_a_new_version_is_read_stays(program: App, merge: bool) -> None:
    loaded(program, ("una.md", ONE))

    def slow(document: Document) -> Document:
        if program.database.corpus.norm("UNA").law != "Ley Prima":
            program.corrections.edit("local", "UNA", {"law": "Ley Prima"})
        return document

    job = program.loading.upload(UploadRequest([("nueva.md", NEW)], metadata={"id": "UNA"}, merge=merge))
    desk = program.job_runner()
    slowly = dataclasses.replace(desk, intake=dataclasses.replace(desk.intake, refine=[slow]))
    Worker(program.database.jobs, slowly.run).run_next()
    assert program.database.jobs.job(job.id).state is JobState.DONE
    assert program.database.corpus.norm("UNA").law == "Ley Prima"
    assert {chunk.law for chunk in program.database.corpus.norm_chunks("UNA")} == {"Ley Prima"}
    assert "dos meses" in program.database.corpus.find("UNA", "1")[0].text
    assert program.database.documents.get("UNA").overrides["law"] == "Ley Prima"


def test_articles_put_into_a_norm_are_kept_beside_the_originals_of_its_others(program: App) -> None:
    loaded(program, ("una.md", ONE))
    for text in ("Descanso de tres días.", "Descanso de cuatro días.", "Descanso de cinco días."):
        pasted = f"Artículo 2. Prueba.\n{text}"
        job = program.loading.upload(
            UploadRequest.of_text(pasted, {"id": "UNA", "title": "Ley una"}, merge=True)
        )
        work(program)
        program.corrections.discard_job(job.id)
    assert "cinco" in program.database.corpus.find("UNA", "2")[0].text
    (source,) = kept(program)
    texts = [path.read_bytes() for path in source.rglob("*") if path.is_file()]
    assert ONE in texts
    assert sorted(word for text in texts for word in (b"tres", b"cuatro", b"cinco") if word in text) == [
        b"cinco",
        b"cuatro",
        b"tres",
    ]
    assert program.corrections.delete("local", "UNA").source
    assert kept(program) == []


def test_a_job_discarded_while_its_file_is_read_stores_nothing(program: App) -> None:
    job = program.loading.upload(UploadRequest([("una.md", ONE)]))

    def discarding(document: Document) -> Document:
        time_passes(program)
        program.database.jobs.cancel(job.id)
        program.corrections.discard_job(job.id)
        return document

    desk = program.job_runner()
    slowly = dataclasses.replace(desk, intake=dataclasses.replace(desk.intake, refine=[discarding]))
    Worker(program.database.jobs, slowly.run).run_next()
    assert program.database.corpus.norms() == []
    assert program.doctor()["healthy"]


def test_the_files_of_a_cancelled_job_outlive_the_deletion_of_what_it_had_loaded(program: App) -> None:
    other = law("dos", {"1": "Texto."})
    job = program.loading.upload(UploadRequest([("una.md", ONE), ("dos.md", other)]))
    desk = program.job_runner()

    def cancelling(document: Document) -> Document:
        program.database.jobs.cancel(job.id)
        return document

    stopped = dataclasses.replace(desk, intake=dataclasses.replace(desk.intake, refine=[cancelling]))
    Worker(program.database.jobs, stopped.run).run_next()
    assert program.database.jobs.job(job.id).state is JobState.CANCELLED
    program.corrections.delete("local", "UNA")
    program.database.jobs.retry(job.id)
    work(program)
    assert originals(program) == {"DOS": other}
