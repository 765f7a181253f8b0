"""«Calcular» in a real browser: a compensation with its steps, the article beside them, a telephone."""

from typing import Any

import pytest

from tests.e2e.conftest import Opener, assert_accessible, assert_fits, look, screenshot, settled

axe = pytest.importorskip(
    "axe_playwright_python.sync_playwright", reason="pip install -r requirements-dev.txt"
)
pytestmark = [pytest.mark.browser, pytest.mark.slow]


def fill(page: Any, label: str, text: str) -> None:
    box = page.get_by_label(label, exact=True)
    box.fill(text)
    box.press("Tab")


def compensation(page: Any) -> None:
    assert page.get_by_test_id("stDateInputField").first.inner_text().split() == [
        "dd",
        "/",
        "mm",
        "/",
        "aaaa",
    ]
    fill(page, "Salario bruto, con las pagas extraordinarias", "30.000")
    for label, day in (
        ("Inicio de la relación laboral", "01/03/2005"),
        ("Fin de la relación laboral", "15/10/2025"),
    ):
        box = page.get_by_test_id("stDateInput").filter(has_text=label)
        box.get_by_role("spinbutton").first.click()
        page.keyboard.type(day.replace("/", ""))
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Calcular", exact=True).click()
    page.get_by_text("59.178,08 €").first.wait_for()
    settled(page)


def test_a_compensation_has_its_steps_fits_a_telephone_and_its_article_opens_beside_it(
    open_page: Opener, offline_server: str
) -> None:
    page = open_page(offline_server, path="/calculations")
    compensation(page)
    screenshot(page, "calculations-light")
    assert_accessible(page)
    look(page, width=390)
    assert_fits(page)
    screenshot(page, "calculations-phone-light")
    look(page)
    page.locator("a.art-chip").first.click()
    page.locator("#art-pane h2").wait_for()
    screenshot(page, "calculations-pane-light")


def test_a_seat_is_found_as_it_is_typed_and_its_days_are_added(
    open_page: Opener, offline_server: str
) -> None:
    page = open_page(offline_server, path="/calculations")
    chosen = page.get_by_test_id("stSelectbox").filter(has_text="Qué quiere calcular").get_by_role("combobox")
    chosen.fill("Plazo en días")
    chosen.press("Enter")
    seat = page.get_by_test_id("stSelectbox").filter(has_text="Sede del juzgado").get_by_role("combobox")
    seat.fill("cordoba")
    page.get_by_text("Usar «cordoba»").wait_for()
    seat.press("Enter")
    fill(page, "Días hábiles del plazo", "10")
    fill(page, "Otros días inhábiles de la sede (opcional)", "08/10/2025")
    day = page.get_by_test_id("stDateInput").filter(has_text="Día de la notificación")
    day.get_by_role("spinbutton").first.click()
    page.keyboard.type("06102025")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Calcular", exact=True).click()
    page.get_by_text("miércoles, 22 de octubre de 2025").first.wait_for()
    settled(page)
    assert_accessible(page)
    screenshot(page, "calculations-seat-light")
