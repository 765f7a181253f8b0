"""A question tried on what a job has loaded, beside the job."""

from streamlit.testing.v1 import AppTest

from loading.ingestion.load_request import UploadRequest
from loading.records.jobs import Job
from service.program.assembly import App
from tests.homes import work
from tests.pages.corpus import links
from tests.pages.driver import html, page_at, set_open
from tests.texts import law

ONE = law("una", {"1": "La zarzaparrilla se recoge en otoño.", "2": "El descanso es de dos días."})


def loaded(whole: App, text: bytes = ONE) -> Job:
    job = whole.loading.upload(UploadRequest([("una.md", text)]))
    work(whole)
    while whole.keeper.step():
        pass
    return whole.database.jobs.job(job.id)


def tried(job: Job, question: str) -> AppTest:
    page = set_open(page_at("normativa", tab="Trabajos"), f"trial-panel-{job.id}")
    page.text_input(key=f"trial-question-{job.id}").set_value(question)
    next(button for button in page.button if button.label == "Buscar").click().run()
    assert not page.exception, page.exception
    return page


def test_a_question_tells_where_the_loaded_articles_rank(whole: App) -> None:
    page = tried(loaded(whole), "¿Cuándo se recoge la zarzaparrilla?")
    shown = html(page)
    assert "Ley una · Artículo 1 queda en el puesto 1 de" in shown
    assert "la respuesta se escribiría con él" in shown
    assert "«¿Cuándo se recoge la zarzaparrilla?», con la normativa vigente el" in shown
    assert links(page)["Ley una · Artículo 1"] == "doc=UNA&block=a1"


def test_a_document_that_is_not_found_is_told(whole: App) -> None:
    future = law("una", {"1": "La zarzaparrilla se recoge en otoño."}, valid_from="2090-01-01")
    shown = html(tried(loaded(whole, future), "¿Cuándo se recoge la zarzaparrilla?"))
    assert "Lo cargado no está entre los" in shown


def test_an_empty_question_is_a_sentence(whole: App) -> None:
    assert "Escriba una pregunta" in tried(loaded(whole), " ").error[0].value
