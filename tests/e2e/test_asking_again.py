"""A question put right and asked again, its versions, what follows an answer, and its text to copy."""

from typing import Any

import pytest

from tests.e2e.conftest import Opener, ask, assert_fits, screenshot, settled

pytestmark = [pytest.mark.browser, pytest.mark.slow]

QUESTION = "¿Cuántos días de vacaciones anuales corresponden al trabajador?"
OTHER = "¿Cuánto dura el periodo de prueba?"
REFUSES = (
    "() => { navigator.clipboard.write = () => Promise.reject(new DOMException('no', 'NotAllowedError')); }"
)
BEGINNING = """() => {
  const [question] = [...document.querySelectorAll('[data-testid="stChatMessage"]')].slice(-2);
  const top = question.getBoundingClientRect().top;
  return document.activeElement.matches('[data-testid="stChatInputTextArea"]') && top >= 60 && top < 200;
}"""
"""True when the last question is right under the menu, above its answer, and the box has the focus."""
MOVES = """() => {
  let left = 60;
  const timer = setInterval(() => {
    const frame = document.querySelector('[data-testid="stAppScrollToBottomContainer"]');
    const drawn = document.querySelector('[data-test-script-state="notRunning"] .st-key-follow-ups');
    if (drawn === null) return;
    frame.scrollTop = frame.scrollHeight - frame.clientHeight - 5 * (left % 2);
    if (!left--) clearInterval(timer);
  }, 50);
}"""
"""Makes the page move for three seconds from its answer on, as it does on a slow machine."""
TOLD = "() => document.querySelector('a.art-chip').title.startsWith('ET · Artículo 38: «')"
"""True when a tooltip has the words that the page holds once."""


def answered(page: Any) -> None:
    page.get_by_role("heading", name="Fuentes citadas").first.wait_for()
    settled(page)


def version(page: Any, place: int, count: int) -> None:
    page.get_by_text(f"Versión {place} de {count}").wait_for()
    answered(page)


@pytest.mark.parametrize("width", [1280, 390])
def test_ask_put_right_go_back_answer_again_follow_and_copy(
    open_page: Opener, offline_server: str, width: int
) -> None:
    page = open_page(offline_server, width=width)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ask(page, QUESTION)
    answered(page)
    page.wait_for_function(BEGINNING)
    chip = page.locator("a.art-chip").first
    assert chip.inner_text() == "1"
    assert chip.get_attribute("title") is None
    chip.hover()
    page.wait_for_function(TOLD)

    page.get_by_role("button", name="Corregir la pregunta").click()
    box = page.get_by_label("Corrija la pregunta")
    page.wait_for_function("() => document.activeElement.matches('textarea[aria-label^=\"Corrija\"]')")
    assert box.input_value() == QUESTION
    screenshot(page, f"edit-{width}")
    settled(page)
    box.fill(OTHER)
    page.get_by_role("button", name="Preguntar de nuevo").click()
    version(page, 2, 2)
    page.wait_for_function(BEGINNING)
    page.get_by_role("button", name="Versión anterior").scroll_into_view_if_needed()
    screenshot(page, f"version-{width}")
    page.get_by_role("button", name="Versión anterior").click()
    version(page, 1, 2)
    page.locator(".art-question", has_text=QUESTION).wait_for()

    settled(page)
    page.get_by_role("button", name="Volver a responder").click()
    version(page, 3, 3)
    page.wait_for_function(BEGINNING)

    settled(page)
    page.get_by_role("button", name="Copiar", exact=True).click()
    said = page.get_by_role("status").filter(has_text="Respuesta copiada, con sus fuentes.")
    said.wait_for()
    screenshot(page, f"copied-{width}")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"CONSULTA\n{QUESTION}\n\nRESPUESTA\n") and "\n\nFUENTES\n[1] " in copied

    follow = page.locator(".st-key-follow-ups button").first
    question = follow.inner_text()
    follow.click()
    page.locator(".art-question", has_text=question).wait_for()
    page.locator(".art-question + *, .art-answer").nth(1).wait_for()
    answered(page)
    page.wait_for_function(BEGINNING)
    screenshot(page, f"followed-{width}")
    assert_fits(page, width)


def test_an_answer_whose_page_goes_on_moving_is_shown_from_its_beginning(
    open_page: Opener, offline_server: str
) -> None:
    page = open_page(offline_server, width=390)
    page.evaluate(MOVES)
    ask(page, QUESTION)
    answered(page)
    page.wait_for_function(BEGINNING)


def test_where_the_clipboard_is_refused_the_text_is_shown_selected(
    open_page: Opener, offline_server: str
) -> None:
    page = open_page(offline_server)
    ask(page, QUESTION)
    answered(page)
    page.evaluate(REFUSES)
    copy = page.get_by_role("button", name="Copiar", exact=True)
    copy.focus()
    page.keyboard.press("Space")
    dialog = page.get_by_role("dialog", name="Copiar respuesta")
    dialog.wait_for()
    box = dialog.get_by_label("Respuesta con sus fuentes")
    text = box.input_value()
    assert text.startswith("CONSULTA\n") and "FUENTES\n[1]" in text
    assert box.evaluate("box => box.value.slice(box.selectionStart, box.selectionEnd)") == text
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert copy.evaluate("element => element === document.activeElement")
