"""WCAG 2.2 AA beyond axe: Spanish names, the keyboard alone, a focus that is kept, targets of 24 pixels."""

import re
from typing import Any

import pytest

from pages.parts.chat.welcome import NOTICE
from tests.e2e.conftest import Opener, ask, go_to, settled

pytestmark = [pytest.mark.browser, pytest.mark.slow]

QUESTION = "¿Cuántos días de vacaciones anuales corresponden al trabajador?"
OTHER = "¿Cuánto dura el periodo de prueba?"
LEAST = 24
MOST_STOPS = 60
ENGLISH = re.compile(
    r"\b(day|month|year|help|for|choose|open|close|clear|chat|message|from|user|app|pages?|add|remove|select|"
    r"selected|options?|available|dismiss|start|end|date|range|show|hide|search|send|empty|increment|decrement|"
    r"upload|copy|settings|use|press|keys|next|previous|use|rating|thumbs|january|february|march|april|may|june|"
    r"july|august|september|october|november|december)\b",
    re.IGNORECASE,
)
NAMED = (
    "aria-label",
    "aria-roledescription",
    "aria-valuetext",
    "aria-description",
    "title",
    "placeholder",
    "alt",
)

NAMES = """names => {
  const found = [];
  for (const element of document.body.querySelectorAll("*")) {
    for (const name of names) if (element.hasAttribute(name)) found.push(element.getAttribute(name));
    for (const id of (element.getAttribute("aria-describedby") ?? "").split(" ")) {
      found.push(document.getElementById(id)?.textContent ?? "");
    }
  }
  return [...new Set(found)];
}"""

# A checkbox or a radio is hit by its whole label. What is there only for those who hear the page is cut off
# and has no size to hit, nor has a link inside a sentence.
TARGETS = """least => {
  const pressed = "a[href], button, input, textarea, select, summary, [role=tab]";
  const cut = element => {
    for (let one = element; one; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (style.clipPath !== "none" || style.clip !== "auto" || style.opacity === "0") return true;
    }
    return false;
  };
  const found = [];
  for (const element of document.querySelectorAll(pressed)) {
    if (element.tagName === "A" && element.closest("p, li")) continue;
    const target = element.matches("[type=checkbox], [type=radio]") ? element.closest("label") : element;
    const { width, height } = target.getBoundingClientRect();
    if (width && height && (width < least || height < least) && !cut(element)) {
      found.push([element.outerHTML.slice(0, 160), width, height]);
    }
  }
  return found;
}"""

# How an element and what is around it look; read with the focus on it and without.
FOCUSED = """() => {
  const element = document.activeElement;
  const looks = () => {
    const seen = [];
    for (let one = element, up = 0; one && up < 5; one = one.parentElement, up++) {
      const style = getComputedStyle(one);
      const { outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor } = style;
      seen.push(outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor);
    }
    return seen.join();
  };
  const name = element.getAttribute("aria-label") || element.innerText || "";
  const focused = looks();
  element.blur();
  const blurred = looks();
  element.focus({ preventScroll: true });
  return [element.tagName, name.trim().split("\\n").pop(), focused !== blurred];
}"""


def answered(page: Any) -> None:
    page.get_by_role("heading", name="Fuentes citadas").wait_for()
    settled(page)


def english(page: Any) -> list[str]:
    return [name for name in page.evaluate(NAMES, list(NAMED)) if ENGLISH.search(name)]


def focus_is_in_the_box(page: Any) -> None:
    page.locator('[data-testid="stChatInputTextArea"]:focus').wait_for()


def test_no_name_that_is_read_aloud_is_english_and_everything_pressed_measures_24_pixels(
    open_page: Opener, offline_server: str
) -> None:
    page = open_page(offline_server)
    ask(page, QUESTION)
    answered(page)
    page.locator("summary").filter(has_text="ET · Artículo 38").click()
    page.locator("mark").first.wait_for()
    assert page.evaluate(TARGETS, LEAST) == []
    assert english(page) == []
    page.get_by_role("button", name="Elegir fecha").click()
    page.get_by_role("grid").wait_for()
    assert english(page) == []
    page.keyboard.press("Escape")
    for title in ("Normativa", "Revisión", "Evaluación", "Inspector"):
        go_to(page, title)
        page.get_by_role("heading", level=1, name=title).wait_for()
        settled(page)
        assert english(page) == [], title
        assert page.evaluate(TARGETS, LEAST) == [], title


def test_an_answer_is_asked_for_and_read_with_the_keyboard_alone(
    open_page: Opener, offline_server: str
) -> None:
    page = open_page(offline_server)
    page.get_by_placeholder("Escriba su consulta").wait_for()
    page.get_by_text(NOTICE).wait_for()
    tab_to(page, "Escriba su consulta")
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    answered(page)
    tab_to(page, "Vacaciones anuales", back=True)
    page.keyboard.press("Enter")
    page.locator("mark").first.wait_for()


def tab_to(page: Any, name: str, *, back: bool = False) -> None:
    """Press Tab until something whose name holds `name` has the focus, which must be seen at every stop."""
    for _ in range(MOST_STOPS):
        page.keyboard.press("Shift+Tab" if back else "Tab")
        tag, found, seen = page.evaluate(FOCUSED)
        assert seen or tag in {"BODY", "MAIN"}, f"nobody sees that {tag} «{found}» has the focus"
        if name in found:
            return
    pytest.fail(f"«{name}» is not reached in {MOST_STOPS} stops")


def test_the_focus_stays_where_it_was_taken_is_in_the_box_after_an_answer_and_returns_from_a_citation(
    open_page: Opener, offline_server: str
) -> None:
    page = open_page(offline_server)
    ask(page, QUESTION)
    new = page.get_by_role("button", name="Nueva consulta")
    new.focus()
    answered(page)
    page.get_by_placeholder("Escriba su consulta").wait_for()
    assert new.evaluate("element => element === document.activeElement")
    ask(page, OTHER)
    page.locator(".art-question", has_text=OTHER).wait_for()
    page.locator(".art-answer").nth(1).wait_for()
    settled(page)
    focus_is_in_the_box(page)
    new.click()
    page.get_by_text(NOTICE).wait_for()
    settled(page)
    page.locator(".st-key-example-1 button").focus()
    page.keyboard.press("Enter")
    answered(page)
    focus_is_in_the_box(page)

    chip = page.locator("a.art-chip").first
    chip.focus()
    page.keyboard.press("Enter")
    page.locator("#art-pane mark").first.wait_for()
    # The pane may have opened by itself meanwhile, without the focus.
    page.locator("#art-pane h2:focus").wait_for()
    assert chip.get_attribute("aria-current") == "true"
    assert page.evaluate(TARGETS, LEAST) == []
    assert english(page) == []
    page.keyboard.press("Escape")
    page.locator("#art-pane").wait_for(state="detached")
    assert chip.evaluate("element => element === document.activeElement")


def test_where_there_is_room_the_first_source_opens_by_itself_and_once_closed_stays_closed(
    open_page: Opener, offline_server: str
) -> None:
    page = open_page(offline_server, width=1180)
    ask(page, QUESTION)
    answered(page)
    settled(page)
    assert page.locator("#art-pane").count() == 0
    page.set_viewport_size({"width": 1280, "height": 900})
    ask(page, OTHER)
    page.locator(".art-answer").nth(1).wait_for()
    page.locator("#art-pane mark").first.wait_for()
    settled(page)
    focus_is_in_the_box(page)
    assert page.locator("a.art-chip[aria-current]").first.text_content() == "1"
    page.locator("#art-pane [data-close]").click()
    ask(page, QUESTION)
    page.locator(".art-answer").nth(2).wait_for()
    settled(page)
    assert page.locator("#art-pane").count() == 0
