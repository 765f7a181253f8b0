"""«Registro» · «Modelos»: the trial of the models with its button, and who may start it."""

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import Forbidden
from domain.accounts import Identity, Role
from domain.audit import AuditAction
from pages.parts.audit.models import RUNNING
from pages.parts.common.words import today
from service.members.member import Member
from service.program.assembly import App
from tests.homes import new_program, overriding
from tests.model_replies import Reply, Request
from tests.model_server import ModelServer
from tests.pages.driver import html, page_at, press
from tests.probed_server import sound
from tests.scripted import KEY

BUTTON = "Probar el modelo"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        running.on_chat(sound)
        yield running


@pytest.fixture
def program(tmp_path: Path, server: ModelServer) -> Iterator[App]:
    made = new_program(tmp_path, openai_base_url=server.url, openai_api_key=KEY, model_retries=0)
    with overriding(made):
        yield made
    made.close()


def ended(page: AppTest) -> AppTest:
    running: Future[Any] = page.session_state[RUNNING]
    running.exception(60)
    return page.run()


def test_a_press_tries_the_models_and_shows_a_table_of_each(program: App) -> None:
    page = page_at("audit", {"audit-tab": "Modelos"})
    assert "Se enviarán unos 24.400 tokens" in html(page)
    page = ended(press(page, BUTTON))
    shown = html(page)
    for words in (
        "Redacción (principal): gpt-5.2, en 127.0.0.1",
        "Salida estructurada (esquema JSON)",
        "encuentra un dato al principio de unos 12.000 tokens",
        "El modo con modelo funcionará.",
    ):
        assert words in shown
    assert KEY not in shown
    entry = program.audit.log.entries()[0]
    assert (entry.action, entry.target, entry.actor) == (AuditAction.EVALUATED, "models", "local")


def test_the_page_goes_on_while_the_server_takes_its_time(program: App, server: ModelServer) -> None:
    held = threading.Event()

    def slowly(request: Request) -> Reply:
        return Reply(text=sound(request).text, wait=held)

    server.on_chat(slowly)
    page = press(page_at("audit", {"audit-tab": "Modelos"}), BUTTON)
    (button,) = (one for one in page.button if one.label.startswith(BUTTON))
    assert button.disabled and "Probando…" in html(page)
    held.set()
    page = ended(page)
    assert "funcionará" in html(page)
    assert not next(one for one in page.button if one.label.startswith(BUTTON)).disabled


def test_without_a_model_the_page_says_what_to_set(tmp_path: Path) -> None:
    with overriding(new_program(tmp_path)) as program:
        page = page_at("audit", {"audit-tab": "Modelos"})
        program.close()
    assert "OPENAI_API_KEY" in page.error[0].value.replace("\\", "")
    assert not any(one.label.startswith(BUTTON) for one in page.button)


def test_only_an_administrator_may_try_the_models(program: App, server: ModelServer) -> None:
    for role in (Role.LAWYER, Role.REVIEWER):
        who = Member(program, Identity(id="ana", username="ana", name="Ana", roles=(role,)))
        for attempt in (who.model_probe.sends, who.model_probe.start):
            with pytest.raises(Forbidden):
                attempt()
    assert server.count() == 0
    admin = Member(program, Identity(id="rosa", username="rosa", name="Rosa", roles=(Role.ADMIN,)))
    assert admin.model_probe.start(fast=True).result(60).works
    assert [line.key for line in program.usage.report("user", today(), today())] == ["rosa"]
