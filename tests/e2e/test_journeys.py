"""A lawyer at work, in a real browser against a real server with the demo corpus."""

import re
from contextlib import suppress
from typing import Any

import pytest

from tests.e2e.conftest import (
    PATIENCE,
    Opener,
    ask,
    assert_contrast,
    assert_fits,
    look,
    quoted_from_context,
    screenshot,
    settled,
    sync_api,
)
from tests.model_replies import Request, as_json
from tests.model_server import ModelServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]

QUESTION = "¿Cuántos días de vacaciones anuales corresponden al trabajador?"


def written(request: Request, **changes: Any) -> dict[str, Any]:
    """Answer of a good model from the first fragment."""
    return {
        "answer": "Las vacaciones son **retribuidas** y no se cambian por dinero [C1].",
        "citations": [{"quote": quoted_from_context(request), "source": "ET", "page": None, "marker": "C1"}],
        "confidence": 0.9,
        "refusal": False,
        "notes": "El convenio puede mejorar este mínimo.",
    } | changes


def test_ask_read_the_sources_debug_come_back_and_open_the_link_elsewhere(
    open_page: Opener, offline_server: str
) -> None:
    page = open_page(offline_server)
    page.get_by_role("heading", name="Articulado").wait_for()
    page.get_by_text("Normas de demostración").wait_for()
    assert_built_in_texts_are_spanish(page)
    screenshot(page, "empty-light")

    ask(page, QUESTION)
    page.get_by_role("heading", name="Fuentes citadas").wait_for()
    settled(page)
    assert "?c=" in page.url
    for scheme, width in (("dark", 1280), ("light", 390), ("light", 1280)):
        look(page, scheme, width)
        assert_contrast(page, ".art-tag", ".art-note", ".art-answer", ".art-head", ".art-chip")
        assert_fits(page, width)
        screenshot(page, f"answer-{scheme}-{width}")

    page.locator("summary").filter(has_text="ET · Artículo 38").click()
    page.locator("mark").first.wait_for()
    page.get_by_text(re.compile("comprobadas? letra por letra")).wait_for()
    link = page.locator(".stMain").get_by_role("link", name="Ver en el BOE")
    assert link.get_attribute("href").startswith("https://www.boe.es/")
    page.locator("mark").first.scroll_into_view_if_needed()
    screenshot(page, "source-light")

    page.get_by_text("Mostrar el detalle técnico").click()
    page.locator("summary").filter(has_text="Detalle técnico").click()
    page.get_by_role("tab", name="Búsqueda en normativa").click()
    page.get_by_text("Unión sin duplicados").wait_for()
    page.locator("summary").filter(has_text="Detalle técnico").evaluate("element => element.scrollIntoView()")
    screenshot(page, "debug-light")

    page.reload()
    page.get_by_role("heading", name="Fuentes citadas").wait_for()
    page.get_by_text(QUESTION).first.wait_for()

    page.get_by_role("button", name="Copiar", exact=True).wait_for()

    other = open_page(offline_server, path=page.url)
    other.get_by_role("heading", name="Fuentes citadas").wait_for()
    other.get_by_text(QUESTION).first.wait_for()
    other.get_by_role("button", name="Nueva consulta").click()
    other.get_by_text("Consulte la normativa").wait_for()
    assert "?c=" not in other.url


def assert_built_in_texts_are_spanish(page: Any) -> None:
    assert page.locator("html").get_attribute("lang") == "es"
    assert page.title() == "Articulado"
    page.get_by_role("button", name="Enviar").wait_for()
    english = re.compile(r"^(Send message|Close|Copy to clipboard|Collapse sidebar|Choose date|Main menu)$")
    assert page.get_by_role("button", name=english).count() == 0


def test_a_conversation_is_found_by_its_answer_renamed_pinned_archived_found_again_and_deleted(
    open_page: Opener, offline_server: str
) -> None:
    page = open_page(offline_server)
    # A long text, which is not put back into the box once it is asked.
    ask(
        page,
        "¿Qué preaviso debo dar para irme? " + "No lo en\u00adtiendo \u2764\ufe0f en esta empresa. " * 40,
    )
    page.wait_for_selector(".art-asked")
    page.wait_for_function("() => sessionStorage.getItem('articulado-draft') === null")
    assert page.get_by_placeholder("Escriba su consulta").input_value() == ""
    page.get_by_role("heading", name="Fuentes citadas").wait_for()
    settled(page)
    row_option(page, "¿Qué preaviso", "Cambiar el título…")
    page.get_by_label("Título", exact=True).fill("Expediente 7")
    page.get_by_role("button", name="Guardar título").click()
    page.get_by_role("button", name=re.compile("^Expediente 7")).wait_for()
    page.get_by_role("dialog").wait_for(state="detached")
    settled(page)
    page.get_by_role("button", name="Nueva consulta").click()
    page.get_by_text("Consulte la normativa").wait_for()
    row = page.get_by_role("button", name=re.compile("^Expediente 7"))
    box = page.get_by_placeholder("Palabras del título")
    box.fill("dimis preaviso")
    box.press("Enter")
    page.locator(".art-stretch mark").first.wait_for()
    screenshot(page, "conversations-found")
    settled(page)
    row.click()
    page.get_by_role("heading", name="Fuentes citadas").wait_for()
    box.fill("")
    box.press("Enter")
    page.locator(".art-stretch").wait_for(state="detached")
    settled(page)
    row_option(page, "Expediente 7", "Fijar arriba")
    page.get_by_role("heading", name="Fijadas").wait_for()
    screenshot(page, "conversations-pinned")
    row_option(page, "Expediente 7", "Archivar")
    page.get_by_role("heading", name="Fijadas").wait_for(state="detached")
    box.fill("preaviso")
    box.press("Enter")
    page.get_by_role("button", name=re.compile("archivada")).wait_for()
    settled(page)
    row_option(page, "Expediente 7", "Eliminar la consulta…")
    page.get_by_role("dialog").get_by_role("button", name="Eliminar", exact=True).click()
    page.get_by_text("Ninguna consulta tiene todas esas palabras").wait_for()


def row_option(page: Any, title: str, option: str) -> None:
    """Choose from the menu of a conversation; a list that is drawn anew closes it, and one presses again."""
    item = page.get_by_role("menuitem", name=option).or_(page.get_by_role("option", name=option)).first
    for patience in (5_000, 5_000, PATIENCE):
        settled(page)
        page.get_by_role("button", name=f"Opciones de «{title}").click()
        with suppress(sync_api.TimeoutError):
            item.click(timeout=patience)
            return
    pytest.fail(f"«{option}» was never pressed")


def at_length(text: str, times: int) -> str:
    """Sentences that differ: one that repeats is taken for a model that does not stop."""
    return " ".join(f"{text} de {chr(97 + n % 26)}{chr(97 + n // 26)} [C1]." for n in range(times))


def test_progress_draft_refresh_and_verified_answer_with_a_model(
    open_page: Opener, online_server: str, model_server: ModelServer
) -> None:
    model_server.script(
        answer=[lambda request: as_json(written(request, answer=at_length("Un mínimo legal", 20)), drip=0.06)]
    )
    page = open_page(online_server)
    ask(page, QUESTION)
    page.get_by_text("Análisis de la consulta").wait_for()
    page.get_by_text("verificando citas…").wait_for()
    screenshot(page, "progress-light")
    page.reload()
    page.get_by_text("verificando citas…").wait_for()
    page.get_by_role("heading", name="Fuentes citadas").wait_for()
    assert page.get_by_text("verificando citas…").count() == 0
    page.get_by_text("Con modelo de lenguaje").wait_for()
    assert page.locator(".art-chip").first.inner_text() == "1"


def test_an_answer_is_stopped_and_asked_again(
    open_page: Opener, online_server: str, model_server: ModelServer
) -> None:
    model_server.script(
        answer=[
            lambda request: as_json(written(request, answer=at_length("Texto largo", 60)), drip=0.2),
            lambda request: as_json(written(request)),
        ]
    )
    page = open_page(online_server)
    ask(page, QUESTION)
    page.get_by_text("verificando citas…").wait_for()
    page.get_by_role("button", name="Detener").click()
    page.get_by_text("Respuesta detenida a petición suya").wait_for()
    settled(page)
    screenshot(page, "stopped-light")
    page.get_by_role("button", name="Volver a preguntar").click()
    page.get_by_text("El convenio puede mejorar este mínimo.").wait_for()


def test_a_hostile_answer_stays_text_and_a_refusal_is_shown_as_such(
    open_page: Opener, online_server: str, model_server: ModelServer
) -> None:
    hostile = (
        'Texto [C1]. <img src="https://evil.example/a.png" onerror="alert(1)"> '
        "![x](https://evil.example/b.png) [pulse](https://evil.example/c) <script>alert(1)</script> [C1]"
    )
    refusal = {
        "answer": "No tengo esa información verificada. El contexto no trata del impuesto sobre la renta.",
        "citations": [],
        "confidence": 0.0,
        "refusal": True,
        "notes": "Puede estar en la normativa tributaria, fuera de este corpus.",
    }
    answers = [lambda request: as_json(written(request, answer=hostile, notes=hostile)), as_json(refusal)]
    model_server.script(answer=answers)
    page = open_page(online_server)
    ask(page, QUESTION)
    page.get_by_role("heading", name="Fuentes citadas").wait_for()
    page.get_by_text("x (https://evil.example/b.png) pulse").first.wait_for()
    assert page.locator('a[href*="evil"], img[src*="evil"]').count() == 0

    settled(page)
    ask(page, "¿Qué retención de renta se aplica a las vacaciones?")
    page.get_by_text("Sin respuesta verificada").wait_for()
    settled(page)
    screenshot(page, "refusal-light")
    page.get_by_text("Qué falta y dónde puede estar").wait_for()
