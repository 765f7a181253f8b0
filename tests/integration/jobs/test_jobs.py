"""Jobs as the worker does them, in this process: files in, failures, vectors, what is left behind."""

import json
import os
import shutil
import threading
from pathlib import Path

import pytest

from core.errors import InputError, StorageError
from loading.ingestion import originals, uploads
from loading.ingestion.intake import Intake
from loading.ingestion.load_request import UploadRequest
from loading.jobs.job_loop import Worker
from loading.records.jobs import FileOutcome, JobFile, JobKind, JobPayload, JobState, OutcomeState
from tests.fakes import HashEmbedder
from tests.homes import work
from tests.integration.jobs.conftest import ONE, TWO, found, loaded, settle
from tests.texts import big_law, law


def test_uploaded_files_go_in_and_are_found(program):
    job = loaded(program, ("una.md", ONE), ("dos.md", TWO), owner="ana")
    assert (job.state, job.done, job.total, job.message) == (JobState.DONE, 2, 2, "")
    assert [(one.name, one.norm_ids, one.added) for one in job.outcomes] == [
        ("una.md", ("UNA",), 2),
        ("dos.md", ("DOS",), 1),
    ]
    settle(program)
    assert found(program, "vacaciones") == ["UNA"]
    (row, _) = program.database.documents.page(sort="-fragments").rows
    assert (row.norm.id, row.record.loaded_by, row.record.file_name) == ("UNA", "ana", "una.md")
    assert (program.home / row.record.source / "una.md").read_bytes() == ONE
    assert not list((program.home / "uploads").iterdir())


def test_a_file_that_cannot_be_read_says_why_and_the_others_go_in(program):
    job = loaded(program, ("rota.md", b"\x00\x01\x02"), ("una.md", ONE))
    assert job.state is JobState.DONE
    assert "1 de 2" in job.message
    bad, good = job.outcomes
    assert (bad.state, good.state) == (OutcomeState.FAILED, OutcomeState.DONE)
    assert bad.message


def test_a_job_whose_only_file_fails_has_failed_and_can_be_retried_until_it_is_discarded(program):
    job = loaded(program, ("rota.md", b"\x00\x01\x02"))
    assert job.state is JobState.FAILED
    assert job.message == job.outcomes[0].message
    program.database.jobs.retry(job.id)
    work(program)
    again = program.database.jobs.job(job.id)
    assert (again.state, len(again.outcomes)) == (JobState.FAILED, 1)
    program.corrections.discard_job(job.id)
    assert program.database.jobs.jobs() == []
    assert not list((program.home / "uploads").iterdir())


def test_the_same_contents_under_another_name_are_told_and_not_loaded_again(program):
    job = loaded(program, ("una.md", ONE), ("copia.md", ONE))
    assert [one.state for one in job.outcomes] == [OutcomeState.DONE, OutcomeState.SKIPPED]
    assert "«una.md»" in job.outcomes[1].message
    later = loaded(program, ("otra copia.md", ONE))
    assert "«una.md», que ya está cargado" in later.outcomes[0].message


def test_the_same_norm_twice_in_one_upload_is_told(program):
    other = law("una", {"1": "Otro texto."})
    job = loaded(program, ("una.md", ONE), ("una bis.md", other))
    assert job.outcomes[1].state is OutcomeState.FAILED
    assert "viene dos veces" in job.outcomes[1].message
    assert program.database.corpus.counts().chunks == 2


def test_the_same_file_again_changes_nothing(program):
    loaded(program, ("una.md", ONE))
    revision = program.database.corpus.revision()
    (outcome,) = loaded(program, ("una.md", ONE)).outcomes
    assert (outcome.unchanged, outcome.added, program.database.corpus.revision()) == (2, 0, revision)


def test_a_new_version_replaces_the_old_one_and_its_source(program):
    loaded(program, ("una.md", ONE))
    old = program.database.documents.get("UNA").source
    job = loaded(program, ("una.md", law("una", {"1": "Las vacaciones duran dos meses."})))
    settle(program)
    assert program.database.corpus.counts().chunks == 1
    assert found(program, "descanso semanal") == []
    program.corrections.discard_job(job.id)
    assert not (program.home / old).exists()
    assert program.doctor()["healthy"]


def test_two_admins_with_the_same_norm_leave_it_whole(program):
    """The later wins, nothing is torn."""
    texts = ["del primero", "del segundo"]
    for text in texts:
        program.loading.upload(UploadRequest([("una.md", big_law("una", 60, f"Texto {text}."))]))
    workers = [Worker(program.database.jobs, program.job_runner().run) for _ in texts]
    threads = [threading.Thread(target=worker.run_next) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    settle(program)
    chunks = program.database.corpus.norm_chunks("UNA")
    assert len(chunks) == 60
    assert len({chunk.text.split(".")[2] for chunk in chunks}) == 1
    record = program.database.documents.get("UNA")
    assert (program.home / record.source / "una.md").exists()
    assert program.doctor()["healthy"]


def test_a_cancelled_job_keeps_what_went_in_and_goes_on_when_retried(program, monkeypatch):
    files = [(f"{name}.md", law(name, {"1": f"Texto {name}."})) for name in ("una", "dos", "tres")]
    job = program.loading.upload(UploadRequest(files))
    real = Intake.read

    def cancelling(intake, path, collection, name, check):
        if name == "dos.md":
            program.database.jobs.cancel(job.id)
        return real(intake, path, collection, name, check)

    monkeypatch.setattr(Intake, "read", cancelling)
    work(program)
    stopped = program.database.jobs.job(job.id)
    assert stopped.state is JobState.CANCELLED
    assert [one.name for one in stopped.outcomes] == ["una.md", "dos.md"][: len(stopped.outcomes)]
    monkeypatch.setattr(Intake, "read", real)
    program.database.jobs.retry(job.id)
    work(program)
    assert program.database.jobs.job(job.id).state is JobState.DONE
    assert {norm.id for norm in program.database.corpus.norms()} == {"UNA", "DOS", "TRES"}


def test_a_worker_that_ends_puts_its_job_back(program):
    job = program.loading.upload(UploadRequest([("una.md", ONE), ("dos.md", TWO)]))
    worker = Worker(program.database.jobs, program.job_runner().run)
    worker.ending.set()
    worker.run_next()
    assert program.database.jobs.job(job.id).state is JobState.QUEUED
    work(program)
    assert program.database.jobs.job(job.id).state is JobState.DONE


def test_a_full_disk_while_staging_is_told_and_leaves_nothing(program, monkeypatch):
    def full(contents, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InputError, match="espacio en disco"):
        program.loading.upload(UploadRequest([("una.md", ONE)]))
    assert program.database.jobs.jobs() == []
    assert not list((program.home / "uploads").iterdir())


def test_a_disk_without_room_is_told_before_anything_is_written(program, monkeypatch):
    usage = shutil.disk_usage(program.home)
    monkeypatch.setattr(uploads.shutil, "disk_usage", lambda path: usage._replace(free=10))
    with pytest.raises(InputError, match="espacio en disco"):
        program.loading.upload(UploadRequest([("una.md", ONE)]))


def test_a_database_that_cannot_grow_loses_nothing(program, monkeypatch):
    loaded(program, ("una.md", ONE))
    before = program.database.corpus.document("UNA")

    def refuse(*_, **__):
        raise StorageError("La base de datos no está disponible; compruebe el espacio en disco.")

    monkeypatch.setattr(type(program.database.corpus_writer), "_replace", refuse)
    job = loaded(program, ("una.md", law("una", {"1": "Nuevo."})))
    monkeypatch.undo()
    assert job.state is JobState.FAILED
    assert "espacio en disco" in job.message
    assert program.database.corpus.document("UNA") == before
    program.database.jobs.retry(job.id)
    work(program)
    assert program.database.corpus.counts().chunks == 1


def test_a_staged_file_that_vanished_is_to_be_uploaded_again(program):
    job = program.loading.upload(UploadRequest([("una.md", ONE)]))
    shutil.rmtree(program.home / "uploads")
    work(program)
    assert "vuelva a subirlo" in program.database.jobs.job(job.id).message


def test_a_job_killed_after_its_file_was_kept_finds_it_there(program):
    job = program.loading.upload(UploadRequest([("una.md", ONE)]))
    file = job.payload.files[0]
    originals.keep(program.home, program.home / file.path, uploads.source_of(file.hash))
    originals.unstage(program.home, file)
    work(program)
    assert program.database.jobs.job(job.id).state is JobState.DONE


def test_vectors_follow_in_a_job_of_their_own(make_program):
    program = make_program(embedder=HashEmbedder())
    loaded(program, ("una.md", ONE))
    (embed,) = [job for job in program.database.jobs.jobs() if job.kind is JobKind.EMBED]
    assert (embed.state, embed.done, embed.total) == (JobState.DONE, 2, 2)
    work_left = program.database.ledger.index_work(program.models.embedder.name)
    assert (work_left.sparse, work_left.to_embed) == (2, 0)
    settle(program)
    assert program.database.corpus.counts().pending_dense == 0
    assert program.doctor()["healthy"]


def test_vectors_give_way_to_an_upload(make_program):
    program = make_program(embedder=HashEmbedder())
    program.loading.upload(UploadRequest([("una.md", big_law("una", 200))]))
    worker = Worker(program.database.jobs, program.job_runner().run)
    worker.run_next()
    real = program.models.embedder.embed_passages

    def uploading(texts):
        program.models.embedder.embed_passages = real
        program.loading.upload(UploadRequest([("dos.md", TWO)]))
        return real(texts)

    program.models.embedder.embed_passages = uploading
    worker.run_next()
    kinds = {job.kind: job.state for job in program.database.jobs.jobs()}
    assert kinds[JobKind.EMBED] is JobState.QUEUED
    work(program)
    assert program.database.ledger.index_work(program.models.embedder.name).to_embed == 0
    assert len(program.models.embedder.embedded) == len(set(program.models.embedder.embedded))


def test_a_model_that_stops_fails_the_job_of_vectors_and_a_retry_goes_on(make_program):
    program = make_program(embedder=HashEmbedder(fail_after=20))
    loaded(program, ("una.md", big_law("una", 40)))
    (embed,) = [job for job in program.database.jobs.jobs() if job.kind is JobKind.EMBED]
    assert embed.state is JobState.FAILED
    assert "se ha detenido" in embed.message
    program.models.embedder.fail_after = None
    program.database.jobs.retry(embed.id)
    work(program)
    assert len(program.models.embedder.embedded) == 40


def test_an_upload_to_an_unknown_collection_is_refused(program):
    with pytest.raises(InputError, match="No existe la colección"):
        program.loading.upload(UploadRequest([("una.md", ONE)], "otra"))


def test_a_job_of_files_that_stay_where_they_are_copies_nothing(program, tmp_path):
    path = tmp_path / "fuera.md"
    path.write_bytes(ONE)
    files = (JobFile(name=path.name, path=str(path)),)
    program.database.jobs.enqueue(JobKind.INGEST, "fuera", "ana", JobPayload(files=files))
    work(program)
    assert program.database.documents.get("UNA").source == ""
    assert path.exists()


def test_an_error_nobody_expected_fails_the_job_without_its_details(program):
    job = program.loading.upload(UploadRequest([("una.md", ONE)]))

    def broken(context):
        raise RuntimeError("secret")

    Worker(program.database.jobs, broken).run_next()
    failed = program.database.jobs.job(job.id)
    assert failed.state is JobState.FAILED
    assert "secret" not in json.dumps(failed.model_dump(mode="json"))


def test_the_catalogue_of_references_follows_the_database(program):
    assert program.holdings.catalogue() is program.holdings.catalogue()
    before = program.holdings.catalogue()
    loaded(program, ("una.md", ONE))
    assert program.holdings.catalogue() is not before


def test_what_nobody_knows_any_more_is_removed_at_the_next_start(program):
    for name in ("uploads/00000000000000000000000000000000", "sources/abc"):
        folder = program.home / name
        folder.mkdir(parents=True)
        os.utime(folder, (1, 1))
    fresh = program.home / "sources" / "fresh"
    fresh.mkdir()
    program.background.start(worker=False)
    assert [path.name for path in (program.home / "sources").iterdir()] == ["fresh"]
    assert not list((program.home / "uploads").iterdir())


def test_an_outcome_after_a_cancellation_is_kept(program):
    job = program.loading.upload(UploadRequest([("una.md", ONE)]))
    claimed = program.database.jobs.claim()
    program.database.jobs.cancel(job.id)
    assert not program.database.jobs.record(claimed, FileOutcome(name="una.md", state=OutcomeState.DONE))
    assert len(program.database.jobs.job(job.id).outcomes) == 1
