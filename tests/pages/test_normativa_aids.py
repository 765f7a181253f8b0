"""The corpus pages: search aids that a model writes, offered before a load and told apart after it."""

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Checkbox

from loading.ingestion.load_request import AidsCost, UploadRequest
from loading.records.jobs import JobKind
from pages.parts.normativa.aids import cost_line
from service.program.assembly import App
from tests.conftest import Maker
from tests.homes import overriding, work
from tests.model_replies import as_json
from tests.model_server import ModelServer
from tests.pages.corpus import pressed
from tests.pages.driver import html, labels, page_at, set_open
from tests.texts import law

READER = "gpt-5-nano"
AID = {"resumen": "Regula el riego.", "palabras_clave": ["acequia"], "preguntas": ["¿Cuándo me toca regar?"]}
LAW = law("nueva", {"1": "Cada regante tendrá un turno de riego semanal, que fijará la comunidad en otoño."})
MARK = "Ayudas de búsqueda escritas por un modelo: no son texto de la norma"


@pytest.fixture
def app(server: ModelServer, make_program: Maker) -> Iterator[App]:
    server.script(**{READER: [as_json(AID)]})
    with overriding(make_program(openai_base_url=server.url)) as program:
        yield program


def previewed() -> AppTest:
    page = page_at("normativa", tab="Cargar")
    page.file_uploader[0].set_value([("nueva.md", LAW, "text/markdown")]).run()
    return pressed(page, "preview")


def box(page: AppTest) -> Checkbox:
    [found] = [one for one in page.checkbox if one.key.startswith("aids-")]
    return found


def written(app: App) -> list[str]:
    return [chunk.summary for chunk in app.database.corpus.norm_chunks("NUEVA")]


def test_a_confirmed_load_is_followed_by_the_aids_whose_cost_was_shown(app: App) -> None:
    page = previewed()
    assert "1 consulta a gpt\\-5\\-nano · al menos" in box(page).label
    pressed(page, "confirm")
    work(app)
    assert written(app) == ["Regula el riego."]
    shown = html(page_at("normativa", tab="Trabajos"))
    assert "Ayudas de búsqueda" in shown
    assert "Enriquecidos 1 de 1 fragmentos." in shown


def test_a_load_without_the_tick_goes_in_without_aids(app: App, server: ModelServer) -> None:
    page = previewed()
    box(page).uncheck().run()
    pressed(page, "confirm")
    work(app)
    assert written(app) == [""]
    assert server.count(READER) == 0


def test_a_budget_that_is_not_enough_is_told_before_the_load(app: App) -> None:
    app.aids.limits = app.aids.limits.model_copy(update={"tokens": 5})
    assert "no alcanza para todas" in html(previewed())


def test_aids_by_a_model_are_marked_as_such_and_can_be_taken_off(app: App) -> None:
    app.loading.upload(UploadRequest([("nueva.md", LAW)]))
    work(app)
    [chunk] = app.database.corpus.norm_chunks("NUEVA")
    page = set_open(page_at("normativa", doc="NUEVA"), f"fragment-{chunk.id}")
    assert MARK in html(page)
    page = pressed(page, "aids")
    assert "1 artículo tiene ayudas escritas por un modelo." in html(page)
    assert "Escribir las que faltan" not in labels(page)
    page = pressed(page, "aids-remove")
    assert "Ayudas quitadas\\: 1 artículo" in page.toast[0].value
    assert written(app) == [""]
    assert MARK not in html(set_open(page_at("normativa", doc="NUEVA"), f"fragment-{chunk.id}"))


def test_the_aids_that_a_document_lacks_can_be_asked_for(app: App) -> None:
    app.loading.load(app.loading.preview(UploadRequest([("nueva.md", LAW)])), enrich=False)
    work(app)
    page = pressed(page_at("normativa", doc="NUEVA"), "aids")
    assert "Las que faltan: 1 consulta a gpt-5-nano" in html(page)
    page = pressed(page, "aids-write")
    assert next(job.kind for job in app.database.jobs.jobs()) is JobKind.ENRICH
    work(app)
    assert written(app) == ["Regula el riego."]


def test_without_a_model_nothing_is_offered(make_program: Maker) -> None:
    with overriding(make_program()):
        page = previewed()
        assert [one.key for one in page.checkbox if one.key.startswith("aids-")] == []
        assert "un modelo escribe las ayudas" not in html(page_at("normativa", tab="BOE"))


def test_the_page_of_the_boe_says_that_aids_follow(app: App) -> None:
    assert "un modelo escribe las ayudas de búsqueda" in html(page_at("normativa", tab="BOE"))


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({}, "12 consultas a m-1 · unos 14.200 tokens"),
        ({"reasons": True}, "12 consultas a m-1 · al menos 14.200 tokens"),
        ({"money": 0.021, "currency": "EUR"}, "12 consultas a m-1 · unos 14.200 tokens · 0,02 EUR"),
        ({"money": 0.0004, "currency": "EUR"}, "12 consultas a m-1 · unos 14.200 tokens · 0,0004 EUR"),
    ],
)
def test_a_cost_is_told_in_calls_tokens_and_money(changes: dict[str, object], line: str) -> None:
    cost = AidsCost(model="m-1", calls=12, tokens=14200, reasons=False)
    assert cost_line(cost.model_copy(update=changes)) == line
