"""A review table and a brief from an expediente, in a real browser, wide and narrow."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from openpyxl import load_workbook
from playwright.sync_api import expect

from tests.e2e.conftest import Opener, screenshot, served, settled
from tests.matter_files import SALARY, letter, payslip

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("tables")) as address:
        yield address


def matter_of(page: Any, folder: Path, name: str) -> str:
    """The address of a new expediente with the letter and the payslip."""
    (folder / "carta.pdf").write_bytes(letter())
    (folder / "nomina.docx").write_bytes(payslip())
    page.get_by_text("Nuevo expediente").click()
    page.get_by_label("Nombre").fill(name)
    page.get_by_label("Nombre").press("Enter")
    page.get_by_role("heading", name=name).wait_for()
    page.locator('input[type="file"]').set_input_files([folder / "carta.pdf", folder / "nomina.docx"])
    page.get_by_text("Leído", exact=True).nth(1).wait_for()
    settled(page)
    address: str = page.url
    return address


def accessible(page: Any, width: int) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page, {"include": [[".stMain"]]}).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_a_table_is_made_read_and_exported(
    open_page: Opener, server: str, tmp_path: Path, scheme: str, width: int
) -> None:
    page = open_page(server, scheme, width=width, path="/matters")
    matter_of(page, tmp_path, f"Tabla {width}")
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
    accessible(page, width)
    screenshot(page, f"review-table-{scheme}-{width}")
    page.get_by_role("button", name="Exportar a Excel…").click()
    with page.expect_download() as given:
        page.get_by_role("dialog").get_by_role("button", name="Descargar", exact=True).click()
    assert given.value.suggested_filename == "Cartas y nóminas.xlsx"
    assert load_workbook(io.BytesIO(Path(given.value.path()).read_bytes())).sheetnames == ["Tabla", "Citas"]


@pytest.mark.parametrize(("scheme", "width"), [("dark", 1280), ("light", 390)])
def test_a_brief_starts_from_an_expediente(
    open_page: Opener, server: str, tmp_path: Path, scheme: str, width: int
) -> None:
    page = open_page(server, scheme, width=width, path="/matters")
    matter_of(page, tmp_path, f"Escrito {width}")
    page.get_by_role("link", name="Preparar un escrito").click()
    page.get_by_text("Papeleta de conciliación por despido").wait_for()
    settled(page)
    accessible(page, width)
    page.locator(".st-key-template-papeleta-despido").get_by_role("button", name="Usar").click()
    page.get_by_text("15/03/2025, según Doc 1, p. 1").wait_for()
    settled(page)
    page.get_by_label("Nombre y apellidos de la persona trabajadora").fill("Filomena Zurrutúa")
    page.get_by_role("button", name="Preparar el borrador").click()
    page.get_by_text("Preceptos en que se apoya").wait_for()
    page.get_by_text("Con efectos del 15 de marzo de 2025 la empresa").first.wait_for()
    settled(page)
    accessible(page, width)
    screenshot(page, f"brief-{scheme}-{width}")
    page.get_by_role("button", name="Descargar en Word…").click()
    with page.expect_download() as given:
        page.get_by_role("button", name="Guardar el archivo").click()
    assert given.value.suggested_filename == "papeleta-despido.docx"
