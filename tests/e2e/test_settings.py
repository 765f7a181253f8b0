"""Choices of a person in «Ajustes», in the browser: the theme, the keys, the first steps by keyboard."""

import re

import pytest

from lab.harness import Server
from tests.e2e.conftest import Opener, go_to, has_background, settled, sync_api

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def own_server(tmp_path):
    """A home of its own, empty until the server brings in the demo corpus: what is chosen here counts in
    every window of the person."""
    with Server(tmp_path, {"EMBEDDINGS_PROVIDER": "none"}) as server:
        yield server.address


def test_choices_count_at_once_and_in_another_browser_too(own_server: str, open_page: Opener) -> None:
    page = open_page(own_server)
    page.get_by_text("Primeros pasos · 1 de 3").wait_for()
    page.get_by_text("Normas de demostración").wait_for()
    small = open_page(own_server, width=390)
    for seen in (small.get_by_text("Primeros pasos · 1 de 3"), small.locator(".art-welcome h1")):
        sync_api.expect(seen).to_be_in_viewport()
    box = page.get_by_test_id("stChatInput")
    sync_api.expect(box).to_have_css("outline-style", "solid")
    # By keyboard alone, without leaving what one was doing: the steps lie over nothing.
    page.get_by_role("button", name="Paso siguiente").focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Lea la fuente").wait_for()
    sync_api.expect(box).to_have_css("outline-style", "none")
    settled(page)
    page.get_by_role("button", name="Cerrar", exact=True).press("Enter")
    page.get_by_text("Primeros pasos ·").wait_for(state="detached")
    settled(page)
    page.locator("body").press("/")
    sync_api.expect(page.get_by_placeholder("Escriba su consulta")).to_be_focused()
    page.keyboard.type("n/?")
    assert page.get_by_placeholder("Escriba su consulta").input_value() == "n/?", "keys of a text are its own"

    go_to(page, "Ajustes")
    page.get_by_role("heading", name="Ajustes").wait_for()
    settled(page)
    has_background(page, "light")
    page.get_by_role("radio", name="Oscuro").press("Enter")
    has_background(page, "dark")
    sync_api.expect(page.get_by_role("radio", name="Oscuro")).to_be_focused()
    page.get_by_text("Usar los atajos").click()
    page.locator('[data-shortcuts="false"]').wait_for(state="attached")
    settled(page)
    page.locator("body").press("Control+k")
    page.locator("body").press("n")
    assert re.search("/settings$", page.url), "switched off, no key leads anywhere"

    other = open_page(own_server, scheme="light")
    has_background(other, "dark")
    assert other.get_by_text("Primeros pasos ·").count() == 0
    go_to(other, "Ajustes")
    other.get_by_role("radio", name="El del sistema").click()
    has_background(other, "light")
