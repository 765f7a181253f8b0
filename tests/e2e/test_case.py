"""The case of an expediente in a real browser: its facts, what is counted with them, and its two writs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docx
import pytest

from tests.e2e.conftest import Opener, assert_accessible, assert_fits, look, screenshot, served, settled
from tests.matter_files import letter, payslip

pytestmark = [pytest.mark.browser, pytest.mark.slow]
NAME = "Despido de F. Z."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("case")) as address:
        yield address


def choose(page: Any, label: str, said: str) -> None:
    page.get_by_test_id("stSelectbox").filter(has_text=label).get_by_role("combobox").click()
    page.get_by_role("option").filter(has_text=said).first.click()
    settled(page)


def correct(page: Any, fact: str, value: str) -> None:
    page.locator(f".st-key-correct-{fact} button").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").first.fill(value)
    dialog.get_by_role("button", name="Guardar").click()
    dialog.wait_for(state="detached")
    settled(page)


def test_facts_are_read_and_corrected_counted_with_and_taken_into_the_writs(
    open_page: Opener, server: str, tmp_path: Path
) -> None:
    (tmp_path / "carta.pdf").write_bytes(letter())
    (tmp_path / "nomina.docx").write_bytes(payslip())
    page = open_page(server, path="/matters")
    page.get_by_text("Nuevo expediente").click()
    page.get_by_label("Nombre").fill(NAME)
    page.get_by_role("button", name="Crear el expediente").click()
    page.get_by_role("heading", name=NAME).wait_for()
    page.locator('input[type="file"]').set_input_files([tmp_path / "carta.pdf", tmp_path / "nomina.docx"])
    page.locator(".art-fact", has_text="15/03/2025").wait_for()
    settled(page)
    correct(page, "start", "03/02/2020")
    page.locator(".art-fact", has_text="03/02/2020").wait_for()
    assert_accessible(page, ".st-key-facts")
    screenshot(page, "case-facts-light")
    look(page, width=390)
    assert_fits(page)
    look(page)
    matter = page.url

    page.goto("/calculations")
    settled(page)
    choose(page, "Qué quiere calcular", "Caducidad")
    choose(page, "Tomar los hechos de", NAME)
    page.get_by_text("Fecha de efectos: 15/03/2025").wait_for()
    choose(page, "Acción", "espido")
    seat = page.get_by_test_id("stSelectbox").filter(has_text="Sede del juzgado").get_by_role("combobox")
    seat.fill("Valencia")
    page.get_by_role("option").filter(has_text="Comunitat").first.click()
    page.get_by_role("button", name="Calcular", exact=True).click()
    page.get_by_text("lunes, 14 de abril de 2025").first.wait_for()
    settled(page)
    page.get_by_role("button", name="Guardar", exact=True).click()
    settled(page)
    page.goto(matter)
    with page.expect_download() as given:
        page.get_by_role("button", name="Llevar al calendario (.ics)").click()
    assert "DTSTART;VALUE=DATE:20250414" in Path(given.value.path()).read_text("utf-8")

    page.get_by_role("link", name="Preparar un escrito").click()
    settled(page)
    page.locator(".st-key-use-papeleta-despido button").click()
    page.get_by_text("Inicio o antigüedad: 03/02/2020").wait_for()
    settled(page)
    page.get_by_label("Por qué no se está conforme").fill("Los hechos no son ciertos.")
    page.get_by_role("button", name="Preparar el borrador").click()
    page.get_by_role("button", name="Seguir con «Demanda por despido»").click()
    page.get_by_role("heading", name="Demanda por despido").wait_for()
    settled(page)
    page.get_by_role("button", name="Preparar el borrador").click()
    with page.expect_download() as given:
        page.get_by_role("button", name="Descargar en Word").click()
    said = "\n".join(one.text for one in docx.Document(str(given.value.path())).paragraphs)
    assert "desde el 3 de febrero de 2020" in said
    assert "Los hechos no son ciertos." in said
    page.goto(matter)
    page.get_by_role("link", name="Preparar un escrito").click()
    page.get_by_text("Borradores guardados").wait_for()
    screenshot(page, "case-drafts-light")
