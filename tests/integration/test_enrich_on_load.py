"""Search aids that follow a load: behind it, within a budget, once, and told. The law is invented."""

import threading
from datetime import date

import pytest

from core.errors import InputError
from core.progress import Pace
from domain.accounts import LOCAL_USER
from index.points import IndexQuery
from index.sparse import query_vector
from loading.enrichment.written_aids import MODEL, ORIGIN
from loading.ingestion.load_request import UploadRequest
from loading.jobs.job_loop import Worker
from loading.records.jobs import LANES, Job, JobKind, JobState, OutcomeState
from models.metering import ENRICHMENT
from service.program.assembly import App
from tests.homes import work
from tests.model_replies import Request, as_json, fails, says
from tests.model_server import ModelServer
from tests.texts import eventually, law

READER = "gpt-5-nano"
AID = {
    "resumen": "Regula el turno de riego.",
    "palabras_clave": ["turno de riego", "acequia"],
    "preguntas": ["¿Cuándo me toca regar?"],
}
BODY = "Cada regante tendrá un turno de riego semanal, que fijará la comunidad de regantes"
ONE = ("una.md", law("una", {"1": f"{BODY} en otoño.", "2": f"{BODY} en primavera."}))
TWO = ("dos.md", law("dos", {"1": f"{BODY} en verano."}))


@pytest.fixture
def program(server: ModelServer, make_program) -> App:
    server.script(**{READER: [as_json(AID)]})
    return make_program(openai_base_url=server.url, model_retries=0)


def loaded(program: App, *files: tuple[str, bytes], **options: bool) -> Job | None:
    """The ended job of the aids that followed a load, if one did."""
    before = program.database.jobs.ids()
    program.loading.load(program.loading.preview(UploadRequest(files)), **options)
    work(program)
    found = [
        one for one in program.database.jobs.jobs() if one.kind is JobKind.ENRICH and one.id not in before
    ]
    return found[0] if found else None


def summaries(program: App, norm_id: str) -> list[str]:
    return [chunk.summary for chunk in program.database.corpus.norm_chunks(norm_id)]


def spent(program: App) -> int:
    """Calls recorded for search aids."""
    rows = program.database.usage.rows(date(2000, 1, 1), date(2999, 1, 1), LOCAL_USER)
    return sum(row.calls for row in rows if row.role == ENRICHMENT)


def test_a_load_is_followed_by_the_aids_of_what_it_brought_in(program, server):
    job = loaded(program, ONE, TWO)
    assert (job.state, job.payload.norm_ids) == (JobState.DONE, ("UNA", "DOS"))
    assert [one.message for one in job.outcomes] == [
        "Enriquecidos 2 de 2 fragmentos.",
        "Enriquecidos 1 de 1 fragmentos.",
    ]
    assert summaries(program, "UNA") == [AID["resumen"]] * 2
    assert server.count(READER) == 3
    assert spent(program) == 3


def test_the_time_left_counts_the_articles_done_of_the_norm_under_way(program, monkeypatch):
    counted: list[tuple[float, int]] = []
    monkeypatch.setattr(Pace, "left", lambda self, now, done, total: counted.append((done, total)) or "")
    job = loaded(program, ONE, TWO)
    assert job.state is JobState.DONE
    assert [step for step in counted if step[1] == 2][-3:] == [(0.5, 2), (1.0, 2), (2.0, 2)]


def test_the_preview_says_what_the_aids_take_and_may_leave_them_out(program, server):
    (program.home / "prices.toml").write_text(
        'currency = "EUR"\n[[price]]\nmodel = "gpt-5-nano"\ninput = 1.0\noutput = 1.0\n', "utf-8"
    )
    staged = program.loading.preview(UploadRequest([ONE, TWO]))
    cost = staged.aids
    assert (cost.model, cost.calls, cost.within, cost.currency) == (READER, 3, True, "EUR")
    assert cost.tokens > 3 * 300
    assert cost.money == pytest.approx(cost.tokens / 1_000_000)
    program.loading.discard(staged)
    assert loaded(program, ONE, enrich=False) is None
    assert server.count(READER) == 0
    assert program.aids.status("UNA").cost.calls == 2


def test_nothing_is_offered_or_written_when_it_is_switched_off(server, make_program):
    program = make_program(openai_base_url=server.url, enrich_on_load=False)
    assert program.loading.preview(UploadRequest([TWO])).aids is None
    assert loaded(program, ONE) is None


def test_nothing_is_offered_without_a_model(make_program):
    program = make_program()
    assert program.loading.preview(UploadRequest([TWO])).aids is None
    assert loaded(program, ONE) is None


def test_the_same_file_again_asks_for_nothing(program, server):
    loaded(program, ONE)
    assert program.loading.preview(UploadRequest([ONE])).aids is None
    assert loaded(program, ONE) is None
    assert server.count(READER) == 2


def test_the_same_file_again_does_not_write_the_aids_that_were_left_out(program, server):
    loaded(program, ONE, enrich=False)
    assert program.loading.preview(UploadRequest([ONE])).aids is None
    assert loaded(program, ONE) is None


def test_only_the_article_with_a_new_wording_is_asked_about_again(program, server):
    loaded(program, ONE)
    text = law("una", {"1": f"{BODY} en otoño.", "2": f"{BODY} en invierno."})
    staged = program.loading.preview(UploadRequest([("una.md", text)]))
    assert staged.aids.calls == 1
    server.script(**{READER: [as_json(AID | {"resumen": "Otra redacción."})]})
    program.loading.load(staged, wordings={"UNA": None})
    work(program)
    assert server.count(READER) == 3
    assert summaries(program, "UNA") == [AID["resumen"], "Otra redacción."]


def test_an_article_that_joins_a_norm_loses_the_aids_of_its_old_wording(program):
    loaded(program, ONE)
    request = UploadRequest.of_text(
        f"Artículo 2. Dos.\n{BODY} cuando llueva.", {"id": "UNA", "title": "Ley una"}, merge=True
    )
    program.loading.load(program.loading.preview(request), enrich=False)
    work(program)
    block = program.database.corpus.block("UNA", "a2")
    assert "cuando llueva" in block.versions[-1].text
    assert not block.attributes.keys() & {"summary", "keywords", "questions", ORIGIN}
    assert program.database.corpus.block("UNA", "a1").attributes[ORIGIN] == MODEL


def test_a_load_does_not_wait_for_the_aids_of_another(program, server):
    go_on = threading.Event()
    server.script(**{READER: [as_json(AID, wait=go_on)]})
    ending = threading.Event()
    workers = [Worker(program.database.jobs, program.job_runner().run, kinds, ending) for kinds in LANES]
    threads = [threading.Thread(target=worker.work) for worker in workers]
    for thread in threads:
        thread.start()
    try:
        program.loading.upload(UploadRequest([ONE]))
        assert server.wait_for(1, timeout=30)
        program.loading.upload(UploadRequest([TWO]))
        eventually(lambda: program.database.corpus.norm("DOS") is not None)
        assert summaries(program, "UNA") == ["", ""]
    finally:
        ending.set()
        go_on.set()
        for thread in threads:
            thread.join()
    states = {job.title: job.state for job in program.database.jobs.jobs() if job.kind is JobKind.ENRICH}
    assert set(states.values()) == {JobState.QUEUED}


def test_a_cancelled_job_ends_while_the_model_is_silent_and_keeps_what_is_done(program, server, monkeypatch):
    monkeypatch.setattr("loading.enrichment.enrich.LISTEN_SECONDS", 0.01)
    go_on = threading.Event()

    def answer(request: Request) -> object:
        return as_json(AID) if "otoño" in request.prompt else as_json(AID, wait=go_on)

    server.script(**{READER: [answer]})
    program.loading.upload(UploadRequest([ONE]))
    worker = Worker(program.database.jobs, program.job_runner().run, LANES[0])
    while worker.run_next():
        pass
    [job] = [one for one in program.database.jobs.jobs() if one.kind is JobKind.ENRICH]
    thread = threading.Thread(target=work, args=(program,))
    thread.start()
    try:
        eventually(lambda: spent(program) == 1)
        program.database.jobs.cancel(job.id)
        thread.join(30)
        assert not thread.is_alive()
    finally:
        go_on.set()
        thread.join()
    assert program.database.jobs.job(job.id).state is JobState.CANCELLED
    assert sorted(summaries(program, "UNA")) == ["", AID["resumen"]]


def test_a_norm_whose_articles_all_fail_is_told_and_the_others_go_on(program, server):
    def answer(request: Request) -> object:
        return as_json(AID) if "verano" in request.prompt else fails(500)

    server.script(**{READER: [answer]})
    job = loaded(program, ONE, TWO)
    assert [one.state for one in job.outcomes] == [OutcomeState.FAILED, OutcomeState.DONE]
    assert job.message == "1 de 2 no han quedado completas: vea el motivo de cada una."
    assert summaries(program, "DOS") == [AID["resumen"]]
    server.script(**{READER: [as_json(AID)]})
    program.database.jobs.retry(job.id)
    work(program)
    assert program.database.jobs.job(job.id).message == ""
    assert summaries(program, "UNA") == [AID["resumen"]] * 2


def test_a_refused_key_ends_the_job_at_once_with_its_reason(program, server):
    server.script(**{READER: [fails(401)]})
    job = loaded(program, ONE, TWO)
    assert (job.state, job.outcomes) == (JobState.FAILED, ())
    assert "clave" in job.message
    assert server.count(READER) <= 2


def test_a_norm_is_left_after_ten_useless_answers(program, server):
    server.script(**{READER: [says("nada")]})
    long = law("larga", {str(n): f"{BODY}, turno {n}." for n in range(1, 41)})
    job = loaded(program, ("larga.md", long))
    assert job.state is JobState.FAILED
    assert server.count(READER) < 3 * 40


def test_the_budget_of_a_month_ends_the_aids_and_is_told_before(server, make_program):
    server.script(**{READER: [as_json(AID)]})
    program = make_program(openai_base_url=server.url, enrich_max_tokens_per_month=30)
    staged = program.loading.preview(UploadRequest([ONE]))
    assert not staged.aids.within
    many = law("larga", {str(n): f"{BODY}, turno {n}." for n in range(1, 31)})
    job = loaded(program, ("larga.md", many))
    assert "presupuesto mensual de las ayudas de búsqueda (30 tokens)" in job.message
    asked = server.count(READER)
    assert asked < 12
    assert program.aids.enricher.allowance() == 0
    program.database.jobs.retry(job.id)
    work(program)
    assert server.count(READER) == asked


def test_a_load_that_has_got_aids_can_be_undone(program):
    loaded(program, ONE)
    before = program.database.corpus_writer.norm_hash("UNA")
    staged = program.loading.preview(UploadRequest([("una.md", law("una", {"1": f"{BODY} en mayo."}))]))
    load = program.loading.load(staged, wordings={"UNA": None})
    work(program)
    assert summaries(program, "UNA") == [AID["resumen"]]
    program.corrections.undo("local", load.id)
    assert program.database.corpus_writer.norm_hash("UNA") == before


def test_removed_aids_are_gone_for_good_and_a_load_with_them_can_be_undone(program, server):
    program.loading.load(program.loading.preview(UploadRequest([ONE])))
    work(program)
    [load] = [job for job in program.database.jobs.jobs() if job.kind is JobKind.INGEST]
    assert program.aids.status("UNA").written == 2
    assert program.corrections.remove_aids("local", "UNA") == 2
    assert summaries(program, "UNA") == ["", ""]
    assert not list((program.home / "enriched").iterdir())
    assert program.aids.status("UNA").written == 0
    program.corrections.undo("local", load.id)
    assert program.database.corpus.norms() == []
    with pytest.raises(InputError, match="«UNA»"):
        program.corrections.remove_aids("local", "UNA")


def test_aids_survive_a_new_index(program):
    loaded(program, ONE)
    for _ in range(2):
        program.keeper.sync(dense=False)
        asked = IndexQuery(aids=query_vector("acequia"))
        (hits,) = program.index.search([asked])
        assert {chunk.norm_id for chunk in program.database.corpus.chunks([hit.id for hit in hits])} == {
            "UNA"
        }
        program.index.reset(program.models.fingerprint)
        program.database.ledger.reset_index_state()
