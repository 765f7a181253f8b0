"""Workers as processes of their own, killed and restarted at any moment."""

import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from loading.ingestion.load_request import UploadRequest
from loading.ingestion.uploads import content_hash
from loading.records.jobs import JobKind, JobState
from models.metering import ENRICHMENT
from service.program import assembly
from service.program.assembly import App
from storage.tables.jobs import JobRow
from tests.conftest import ROOT, Maker
from tests.homes import work
from tests.model_replies import Request, as_json
from tests.model_server import ModelServer
from tests.processes import Forked
from tests.texts import big_law, eventually, law

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX"),
]
NORMS = [f"ley{number}" for number in range(10)]
ARTICLES = 25
AID = {"resumen": "Un resumen.", "palabras_clave": ["acequia"], "preguntas": ["¿Cuándo me toca regar?"]}
LEFT_BEHIND = {"archivos", "restos", "trabajos"}
"""Remains of a killed worker for the next start to clear away, as doctor calls it."""


@pytest.fixture
def program(make_program: Maker, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    """A program whose worker processes have the same home."""
    made = make_program()
    made.models.embedder = None
    monkeypatch.setenv("ARTICULADO_HOME", str(made.home))
    monkeypatch.setenv("EMBEDDINGS_PROVIDER", "none")
    # Nobody looks at pages meanwhile, and nobody waits to see that a worker keeps dying.
    monkeypatch.setattr("loading.indexing.index_keeper.REST", 0.0)
    monkeypatch.setattr("service.program.supervisor.BACKOFF_SECONDS", 0.1)
    yield made
    made.background.stop()


def generation(number: int) -> list[tuple[str, bytes]]:
    return [(f"{name}.md", big_law(name, ARTICLES, f"Generación {number}.")) for name in NORMS]


def start_worker() -> Forked:
    return Forked("worker.py", cwd=Path("/"))


def settle(program: App) -> None:
    """Without the rests of a keeper after each batch, which are longer the slower the disk is."""
    program.keeper.sync(dense=False)


def time_passes(program: App) -> None:
    """Nobody has heard of the dead worker for a while."""
    with program.database.engines.write() as session:
        old = datetime.now(UTC) - timedelta(hours=1)
        session.execute(update(JobRow).where(JobRow.heartbeat_at.is_not(None)).values(heartbeat_at=old))
        session.commit()


def check_whole(program: App) -> None:
    """Every norm is of one generation, that of its original, and database and index agree."""
    settle(program)
    wrong = [one for one in program.doctor()["checks"] if not one["ok"] and one["name"] not in LEFT_BEHIND]
    assert not wrong
    for norm in program.database.corpus.norms():
        chunks = program.database.corpus.norm_chunks(norm.id)
        assert len(chunks) == ARTICLES
        (generation,) = {chunk.text.split("Generación ")[1].split(".")[0] for chunk in chunks}
        record = program.database.documents.get(norm.id)
        original = program.home / record.source / record.file_name
        assert content_hash(original) == record.content_hash
        assert f"Generación {generation}." in original.read_text("utf-8")


def test_a_worker_killed_at_random_moments_leaves_norms_whole_and_a_second_run_completes(program):
    """Three times; `python -m lab kills` does it thirty times, to the whole service."""
    moments = random.Random(7)
    reached = set()
    for number, files in enumerate((4, 0, 9)):
        job = program.loading.upload(UploadRequest(generation(number)))
        worker = start_worker()
        try:
            eventually(lambda job=job: program.database.jobs.job(job.id).state is not JobState.QUEUED)
            eventually(lambda job=job, files=files: len(program.database.jobs.job(job.id).outcomes) >= files)
            time.sleep(moments.uniform(0, 0.05))
        finally:
            worker.kill()
            worker.wait()
        reached.add(len(program.database.jobs.job(job.id).outcomes))
        check_whole(program)
        time_passes(program)
        work(program)
        assert program.database.jobs.job(job.id).state is JobState.DONE
        check_whole(program)
        texts = {
            chunk.text
            for norm in program.database.corpus.norms()
            for chunk in program.database.corpus.norm_chunks(norm.id)
        }
        assert all(f"Generación {number}." in text for text in texts)
    assert {norm.id for norm in program.database.corpus.norms()} == {name.upper() for name in NORMS}
    assert len(reached) > 1, f"the kills fell in {reached}: too few moments"


def test_a_server_restarted_in_the_middle_of_a_job_goes_on_with_it(program):
    job = program.loading.upload(UploadRequest(generation(1)))
    program.background.start()
    eventually(lambda: program.database.jobs.job(job.id).outcomes)
    program.close()

    reopened = assembly.build(program.settings)
    state = reopened.database.jobs.job(job.id)
    assert state.state in (JobState.QUEUED, JobState.DONE)
    reopened.background.start()
    eventually(lambda: reopened.database.jobs.job(job.id).state is JobState.DONE)
    eventually(lambda: not reopened.database.ledger.index_work("").sparse)
    reopened.background.stop()
    check_whole(reopened)
    reopened.close()


def test_a_worker_that_dies_is_started_again(program):
    program.background.start()
    supervisor = program.background.supervisor
    eventually(lambda: supervisor._process is not None)
    first = supervisor._process
    os.kill(first.pid, signal.SIGKILL)
    eventually(lambda: supervisor._process is not first)
    job = program.loading.upload(UploadRequest([("una.md", law("una", {"1": "Texto."}))]))
    eventually(lambda: program.database.jobs.job(job.id).state is JobState.DONE)
    eventually(lambda: program.background.status.worker == "")


SERVER = """
import time
from service.program import assembly
program = assembly.app()
program.background.start()
while program.background.supervisor._process is None:
    time.sleep(0.02)
print(program.background.supervisor._process.pid, flush=True)
time.sleep(600)
"""


def test_a_worker_ends_with_its_server_even_when_that_is_killed(program):
    server = subprocess.Popen([sys.executable, "-c", SERVER], cwd=ROOT, stdout=subprocess.PIPE)
    assert server.stdout is not None
    worker = int(server.stdout.readline())
    server.kill()
    server.wait()
    server.stdout.close()
    eventually(lambda: not alive(worker))


def alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_a_worker_on_a_full_disk_loses_nothing_and_goes_on_when_there_is_room(program, tmp_path):
    program.loading.upload(UploadRequest([("una.md", law("una", {"1": "Lo de antes."}))]))
    work(program)
    before = program.database.corpus.document("UNA")
    job = program.loading.upload(UploadRequest([("una.md", big_law("una", 1500))]))
    size = max(path.stat().st_size for path in program.home.glob("articulado.db*"))

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 200_000, size + 200_000))

    log = tmp_path / "log"
    with log.open("wb") as errors:
        worker = subprocess.Popen(
            [sys.executable, str(ROOT / "worker.py")],
            stderr=errors,
            cwd="/",
            preexec_fn=limited,  # noqa: PLW1509
        )
        # Either the failure itself finds room in the database, or not even that.
        try:
            eventually(
                lambda: (
                    program.database.jobs.job(job.id).state is JobState.FAILED
                    or b"Storage" in log.read_bytes()
                )
            )
        finally:
            worker.kill()
            worker.wait()
    assert program.database.corpus.document("UNA") == before
    time_passes(program)
    if program.database.jobs.job(job.id).state is JobState.FAILED:
        assert "espacio" in program.database.jobs.job(job.id).message
        program.database.jobs.retry(job.id)
    work(program)
    assert program.database.jobs.job(job.id).state is JobState.DONE
    settle(program)
    assert program.database.corpus.counts().chunks == 1500
    assert program.doctor()["healthy"]


def test_the_command_line_loads_while_the_application_has_the_index(program, tmp_path):
    program.background.start(worker=False)
    program.keeper.wait_first_pass()
    path = tmp_path / "una.md"
    path.write_bytes(law("una", {"1": "Texto.", "2": "Otro."}))
    done = subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), "ingest", str(path), "--json"],
        capture_output=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr.decode()
    told = json.loads(done.stdout)
    assert [one["norm_id"] for one in told["documents"]] == ["UNA"]
    assert "abierto la aplicación" in told["index"]["notice"]
    assert program.index.ids() == program.database.corpus.ids()


def test_a_worker_killed_while_a_model_writes_aids_pays_for_none_of_them_twice(make_program, monkeypatch):
    """Those under way when it dies are asked for again: five at once."""
    reader, articles = "gpt-5-nano", 12

    def silent_after_five(request: Request) -> object:
        [number] = re.findall(r"— Artículo (\d+)\.", request.prompt)
        return as_json(AID, wait=600.0 if int(number) > 5 else None)

    with ModelServer() as server:
        server.script(**{reader: [silent_after_five]})
        program = make_program(openai_base_url=server.url, model_retries=0)
        monkeypatch.setenv("ARTICULADO_HOME", str(program.home))
        monkeypatch.setenv("EMBEDDINGS_PROVIDER", "none")
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        program.loading.upload(UploadRequest([("una.md", big_law("una", articles, "Texto."))]))
        worker = start_worker()
        try:
            assert server.wait_for(10, timeout=60)
            eventually(lambda: program.database.usage.tokens_this_month(ENRICHMENT) > 0)
        finally:
            worker.kill()
            worker.wait()
        asked = server.count()
        server.script(**{reader: [as_json(AID)]})
        time_passes(program)
        work(program)
        assert server.count() - asked == articles - 5
        [job] = [one for one in program.database.jobs.jobs() if one.kind is JobKind.ENRICH]
        assert job.state is JobState.DONE
        assert {chunk.summary for chunk in program.database.corpus.norm_chunks("UNA")} == {AID["resumen"]}
