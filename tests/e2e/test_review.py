"""A vote in the chat, its review, and the case of evaluation that comes of it, in a real browser."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import Opener, ask, assert_contrast, assert_fits, go_to, look, screenshot, settled

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def vote_down(page: Any, question: str, comment: str) -> None:
    ask(page, question)
    page.get_by_role("radio", name="No me sirve").click()
    field = page.get_by_role("textbox", name=re.compile("Qué falta"))
    field.fill(comment)
    field.press("Enter")
    page.get_by_text("Comentario guardado.").wait_for()


def test_a_vote_is_reviewed_becomes_a_case_that_is_evaluated_and_fits_a_telephone(
    open_page: Opener, offline_server: str
) -> None:
    page = open_page(offline_server)
    question = "¿Cuánto dura el periodo de prueba?"
    vote_down(page, question, "Falta el <b>plazo</b>")
    screenshot(page, "review-vote-light")
    look(page, width=390)
    assert_fits(page)
    screenshot(page, "review-vote-phone-light")
    look(page)
    page.reload()
    page.get_by_role("radio", name="No me sirve", checked=True).wait_for()
    assert page.get_by_role("textbox", name=re.compile("Qué falta")).input_value() == "Falta el <b>plazo</b>"

    later = "¿Cuántos días de vacaciones tengo?"
    ask(page, later)
    # The queue holds answers that have ended: without this one there would be none to step to.
    page.get_by_role("heading", name="Fuentes citadas").nth(1).wait_for()
    go_to(page, "Revisión")
    page.get_by_role("heading", name="Revisión", exact=True).wait_for()
    page.get_by_text("«Falta el <b>plazo</b>»").first.wait_for()
    settled(page)
    screenshot(page, "review-queue-light")
    page.get_by_role("button", name="Exportar la cola…").click()
    with page.expect_download() as given:
        page.get_by_role("dialog").get_by_role("button", name=re.compile("Descargar")).click()
    assert question in Path(given.value.path()).read_text("utf-8-sig")
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    # The latest, where other tests have asked the same.
    page.get_by_role("link", name=question).first.click()
    page.get_by_role("button", name="Siguiente").wait_for()
    settled(page)
    page.keyboard.press("Alt+k")
    page.get_by_text(later).first.wait_for()
    settled(page)
    page.keyboard.press("Alt+j")
    page.get_by_text(question).first.wait_for()
    settled(page)
    screenshot(page, "review-steps-light")
    page.get_by_role("radio", name="Incompleta").click()
    box = page.get_by_role("textbox", name=re.compile("Artículos que responden"))
    box.fill("art. 14 ET")
    box.press("Enter")
    page.get_by_role("button", name="Añadir", exact=True).wait_for()
    page.get_by_role("textbox", name="Lo que debe decir (uno por línea)").fill("desde el primer día")
    page.get_by_role("textbox", name="Notas (opcional)").fill("No dice cuándo empieza.")
    page.get_by_role("textbox", name="Notas (opcional)").blur()
    settled(page)
    screenshot(page, "review-verdict-light")
    page.get_by_role("button", name="Guardar veredicto").click()
    page.get_by_text("No dice cuándo empieza.").wait_for()
    page.get_by_role("button", name="Guardar veredicto").wait_for(state="detached")
    page.get_by_role("button", name="Convertir en caso de evaluación").click()
    page.get_by_text(re.compile("En «Casos de revisión»: Se espera que cite ET · Artículo 14")).wait_for()
    page.get_by_text("La respuesta juzgada falla este caso: no dice todo lo que debe decir.").wait_for()
    settled(page)
    screenshot(page, "review-item-light")
    look(page, width=390)
    assert_fits(page)
    screenshot(page, "review-item-phone-light")
    look(page)
    assert_contrast(page, ".art-note", ".art-tag", ".art-section", ".art-before summary")

    page.get_by_role("link", name="Ver en Inspector").click()
    page.get_by_role("tab", name="Respuestas anteriores", selected=True).wait_for()
    page.get_by_role("tab", name="Ejecución").wait_for()
    settled(page)
    look(page, width=390)
    assert_fits(page)
    look(page)

    go_to(page, "Evaluación")
    page.get_by_role("heading", name="Evaluación", exact=True).wait_for()
    settled(page)
    page.get_by_role("combobox").first.click()
    page.get_by_role("option", name="Casos de revisión").click()
    page.get_by_text(re.compile(r"^\d preguntas?: \d con respuesta")).wait_for()
    settled(page)
    page.get_by_role("button", name="Evaluar").click()
    page.get_by_role("heading", name="Casos de revisión").wait_for()
