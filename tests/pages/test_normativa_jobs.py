"""The corpus pages: the queue of loads, what may be done with them, and the BOE."""

import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.errors import StorageError
from loading.ingestion.load_request import UploadRequest
from loading.jobs import job_loop
from loading.records.jobs import FileOutcome, JobKind, JobPayload, JobState, OutcomeState
from service.program.assembly import App
from tests.boe_server import BoeServer, write_norm
from tests.conftest import Maker
from tests.homes import overriding, work
from tests.pages.corpus import FIRST, NORM, SECOND, SOLE, links, pressed, write_corpus
from tests.pages.driver import html, labels, page_at
from tests.texts import law

LAW = law("nueva", {"1": "Esta ley no existe."})


# The queue


def test_a_job_under_way_says_the_time_left_once_its_pace_is_known(
    whole: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole.loading.upload(UploadRequest([("nueva.md", LAW)]))
    now = 0.0
    monkeypatch.setattr(job_loop, "time", SimpleNamespace(monotonic=lambda: now))
    context = job_loop.JobContext(whole.database.jobs.claim(), whole.database.jobs, threading.Event())

    def shown(until: float) -> str:
        nonlocal now
        while now < until:
            now += 1.0
            context.tell("Calculando vectores", int(now) * 10, 2600)
        text: str = page_at("normativa", tab="Trabajos").get("progress")[0].proto.text
        return text

    assert shown(until=10).endswith("Calculando vectores")
    assert shown(until=20).startswith("200 de 2600")
    assert shown(until=20).endswith("Calculando vectores · quedan unos 4 min")


def test_no_job_is_out_of_reach(whole: App) -> None:
    for number in range(33):
        whole.loading.upload(UploadRequest([(f"nueva{number}.md", LAW)]))
    page = page_at("normativa", tab="Trabajos")
    assert len([label for label in labels(page) if label == "Cancelar"]) == 30
    assert "Ver más trabajos (30 de 33)" in labels(page)
    pressed(page, "more-jobs")
    assert len([label for label in labels(page) if label == "Cancelar"]) == 33


def test_norms_that_the_boe_did_not_give_are_one_error_with_their_titles(whole: App) -> None:
    failed = ("BOE-A-2015-11430", "BOE-A-2015-11724", "BOE-A-9999-1")
    whole.database.jobs.enqueue(JobKind.BOE_ADD, "Normas del BOE", "local", JobPayload(norm_ids=failed))
    claimed = whole.database.jobs.claim()
    for one in failed:
        told = FileOutcome(name=one, state=OutcomeState.FAILED, message=f"{one}: no hay conexión con el BOE.")
        whole.database.jobs.record(claimed, told)
    whole.database.jobs.finish(claimed, JobState.FAILED, "")
    shown = html(page_at("normativa", tab="Trabajos"))
    assert shown.count("no hay conexión con el BOE.") == 1
    assert "Estatuto de los Trabajadores" in shown and "BOE-A-9999-1" in shown
    assert "BOE-A-2015-11430" not in shown


def test_finished_jobs_of_vectors_are_folded(whole: App) -> None:
    jobs = whole.database.jobs
    jobs.enqueue(JobKind.EMBED, "Vectores de los fragmentos", "local", JobPayload())
    jobs.finish(jobs.claim(), JobState.DONE, "")
    page = page_at("normativa", tab="Trabajos")
    assert "1 trabajo de vectores terminado" in [panel.label for panel in page.expander]
    assert "Vectores de los fragmentos" not in html(page)
    page.session_state["jobs-vectors"] = True
    page.run()
    assert "Vectores de los fragmentos" in html(page)


def test_a_failed_file_stays_listed_with_its_reason_and_can_be_tried_again(whole: App) -> None:
    job = whole.loading.upload(UploadRequest([("nueva.md", LAW)]))
    claimed = whole.database.jobs.claim()
    reason = "nueva.md: <b>está dañado</b>; descárguelo otra vez."
    whole.database.jobs.record(
        claimed, FileOutcome(name="nueva.md", state=OutcomeState.FAILED, message=reason)
    )
    whole.database.jobs.finish(claimed, JobState.FAILED, "No ha entrado ninguno.")
    page = page_at("normativa", tab="Trabajos")
    assert "&lt;b&gt;está dañado&lt;/b&gt;; descárguelo otra vez." in html(page)
    pressed(page, f"retry-{job.id}")
    work(whole)
    assert whole.database.jobs.job(job.id).state is JobState.DONE


def test_an_ended_job_leads_to_what_went_in_and_can_be_taken_off_the_list(whole: App) -> None:
    job = whole.loading.upload(UploadRequest([("nueva.md", LAW)]))
    work(whole)
    page = page_at("normativa", tab="Trabajos")
    assert "1 pasaje nuevo" in html(page)
    assert links(page)["Ley nueva"] == "doc=NUEVA"
    pressed(page, f"remove-{job.id}")
    assert [other.kind for other in whole.database.jobs.jobs()] == [JobKind.EMBED]
    assert "1 pasaje nuevo" not in html(page)


def test_a_load_whose_documents_changed_since_is_not_undone_and_says_why(whole: App) -> None:
    job = whole.loading.upload(UploadRequest([("nueva.md", LAW)]))
    work(whole)
    page = pressed(page_at("normativa", tab="Trabajos"), f"undo-{job.id}")
    whole.corrections.edit("local", "NUEVA", {"alias": "LPR"})
    page = pressed(page, f"undo-yes-{job.id}")
    assert "No se puede deshacer esta carga" in page.toast[0].value
    assert whole.database.corpus.norm("NUEVA") is not None


def test_a_job_that_another_page_took_away_is_told(whole: App) -> None:
    job = whole.loading.upload(UploadRequest([("nueva.md", LAW)]))
    work(whole)
    page = page_at("normativa", tab="Trabajos")
    whole.corrections.discard_job(job.id)
    pressed(page, f"remove-{job.id}")
    assert "No existe ese trabajo" in page.toast[0].value


def test_a_database_that_fails_is_a_sentence(whole: App, monkeypatch: pytest.MonkeyPatch) -> None:
    def jobs(*_: object, **__: object) -> None:
        raise StorageError("La base de datos no responde.")

    monkeypatch.setattr(whole.database.jobs, "jobs", jobs)
    assert "La base de datos no responde" in page_at("normativa", tab="Trabajos").error[0].value


# The BOE


def test_ticked_norms_and_written_numbers_are_queued(whole: App) -> None:
    page = page_at("normativa", tab="BOE")
    assert "boe-add" in [button.key for button in page.button if button.disabled]
    page.checkbox(key="boe-BOE-A-2015-11430").check().run()
    page.text_input(key="boe-others").set_value("boe-a-1995-24292 y BOE-A-2015-11430").run()
    assert "Añadir 2 normas" in labels(page)
    pressed(page, "boe-add")
    [job] = whole.database.jobs.jobs()
    assert (job.kind, job.payload.norm_ids) == (JobKind.BOE_ADD, ("BOE-A-2015-11430", "BOE-A-1995-24292"))


def test_a_number_that_is_none_is_told(whole: App) -> None:
    page = page_at("normativa", tab="BOE")
    page.text_input(key="boe-others").set_value("el Estatuto").run()
    assert "Un identificador del BOE se escribe así" in html(page)


def test_a_norm_of_the_corpus_is_not_offered_again(whole: App, tmp_path: Path) -> None:
    write_norm(tmp_path / "boe", "BOE-A-2015-11430", {"1": [SOLE]})
    whole.loading.ingest([tmp_path / "boe"])
    page = page_at("normativa", tab="BOE")
    assert "boe-BOE-A-2015-11430" not in [box.key for box in page.checkbox]
    assert "doc=BOE-A-2015-11430" in links(page).values()
    assert "Actualizar 1 norma cargada" in labels(page)


def test_an_update_is_reported_article_by_article(make_program: Maker, tmp_path: Path) -> None:
    source = write_corpus(tmp_path / "boe")
    write_norm(source, NORM, {"1": [SOLE], "2": [FIRST]})
    with BoeServer(source) as server, overriding(make_program(boe_api_url=server.url, boe_rate=20)) as whole:
        whole.loading.boe_add([NORM])
        work(whole)
        write_norm(source, NORM, {"1": [SOLE], "2": [FIRST, SECOND]}, updated="20200102T000000Z")
        pressed(page_at("normativa", tab="BOE"), "boe-update")
        work(whole)
        found = links(page_at("normativa", tab="Trabajos"))
        jobs = whole.database.jobs
        last = max(jobs.undoable(), key=lambda job_id: jobs.job(job_id).created_at)
        undoing = pressed(page_at("normativa", tab="Trabajos"), f"undo-{last}")
        assert "La próxima actualización desde el BOE" in html(undoing)
        undone = pressed(undoing, f"undo-yes-{last}")
        assert "deshecho" in html(undone)
        assert [label for label in links(undone) if "modificado" in label] == []
        assert {f"undo-{last}", f"retry-{last}"}.isdisjoint(one.key for one in undone.button)
    label = next(label for label in found if "modificado" in label)
    assert label == "Artículo 2. Descanso — modificado, 01/01/2020"
    assert found[label] == f"doc={NORM}&block=a2&to=2020-01-01"


def test_an_embedding_that_waits_is_in_the_queue(whole: App) -> None:
    whole.database.jobs.enqueue(JobKind.EMBED, "Vectores de los fragmentos", "local", JobPayload())
    assert "Espera su turno" in html(page_at("normativa", tab="Trabajos"))
