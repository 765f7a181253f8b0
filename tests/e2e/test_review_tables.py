"""A review table and a brief from an expediente, in a real browser, wide and narrow."""

import io
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from playwright.sync_api import expect

from tests.e2e.conftest import Opener, assert_accessible, assert_fits, look, screenshot, settled
from tests.matter_files import SALARY, letter, payslip

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def fill_matter(page: Any, folder: Path, name: str) -> None:
    """Make an expediente with the letter and the payslip."""
    (folder / "carta.pdf").write_bytes(letter())
    (folder / "nomina.docx").write_bytes(payslip())
    page.get_by_text("Nuevo expediente").click()
    page.get_by_label("Nombre").fill(name)
    page.get_by_label("Nombre").press("Enter")
    page.get_by_role("heading", name=name).wait_for()
    page.locator('input[type="file"]').set_input_files([folder / "carta.pdf", folder / "nomina.docx"])
    page.get_by_text("Leído", exact=True).nth(1).wait_for()
    settled(page)


def assert_accessible_everywhere(page: Any, name: str) -> None:
    for scheme, width in (("light", 1280), ("dark", 390), ("light", 390), ("dark", 1280)):
        look(page, scheme, width)
        assert_fits(page, width)
        assert_accessible(page, ".stMain")
        screenshot(page, f"{name}-{scheme}-{width}")


def test_a_table_and_a_brief_are_made_of_an_expediente_read_and_taken_away(
    open_page: Opener, offline_server: str, tmp_path: Path
) -> None:
    page = open_page(offline_server, path="/matters")
    fill_matter(page, tmp_path, "Tabla y escrito")
    matter = page.url
    page.get_by_role("button", name="Nueva tabla").click()
    page.get_by_role("heading", name="Nueva tabla de revisión").wait_for()
    settled(page)
    page.get_by_label("Nombre").fill("Cartas y nóminas")
    page.get_by_role("button", name="Añadir a las preguntas").click()
    expect(page.get_by_role("textbox", name="Preguntas")).not_to_have_value("")
    settled(page)
    page.get_by_role("button", name="Crear y rellenar").click()
    page.get_by_text("Terminada").wait_for()
    settled(page)
    page.locator("summary", has_text="15 de marzo de 2025").first.click()
    page.locator("mark", has_text="con efectos de 15 de marzo de 2025").first.wait_for()
    page.locator("summary", has_text=SALARY).wait_for()
    assert_accessible_everywhere(page, "review-table")
    page.get_by_role("button", name="Exportar a Excel…").click()
    with page.expect_download() as given:
        page.get_by_role("dialog").get_by_role("button", name="Descargar", exact=True).click()
    assert given.value.suggested_filename == "Cartas y nóminas.xlsx"
    assert load_workbook(io.BytesIO(Path(given.value.path()).read_bytes())).sheetnames == ["Tabla", "Citas"]

    page.goto(matter)
    page.get_by_role("link", name="Preparar un escrito").click()
    page.get_by_text("Papeleta de conciliación por despido").wait_for()
    settled(page)
    assert_accessible_everywhere(page, "templates")
    page.locator(".st-key-template-papeleta-despido").get_by_role("button", name="Usar").click()
    page.get_by_text("Fecha de efectos: 15/03/2025. Doc 1, p. 1").wait_for()
    settled(page)
    page.get_by_label("Nombre y apellidos de la persona trabajadora").fill("Filomena Zurrutúa")
    page.get_by_role("button", name="Preparar el borrador").click()
    page.get_by_text("Preceptos en que se apoya").wait_for()
    page.get_by_text("Con efectos del 15 de marzo de 2025 la empresa").first.wait_for()
    settled(page)
    assert_accessible_everywhere(page, "brief")
    with page.expect_download() as given:
        page.get_by_role("button", name="Descargar en Word").click()
    assert given.value.suggested_filename == "papeleta-despido.docx"
