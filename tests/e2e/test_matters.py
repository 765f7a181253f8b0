"""A lawyer's day in an expediente, in a real browser: made, filled, asked in, read and erased."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import (
    Opener,
    ask,
    assert_accessible,
    assert_fits,
    look,
    screenshot,
    served,
    settled,
)
from tests.matter_files import SALARY, letter, payslip

pytestmark = [pytest.mark.browser, pytest.mark.slow]

DATED = "¿Desde qué fecha tiene efectos el despido disciplinario por faltas de puntualidad?"
PAID = "¿Qué salario base consta en la nómina?"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("matters")


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[str]:
    with served(home) as address:
        yield address


def answered(page: Any, question: str) -> None:
    ask(page, question)
    page.get_by_text("En sus documentos:").last.wait_for()
    settled(page)


def test_an_expediente_is_made_filled_asked_in_and_erased(
    open_page: Opener, server: str, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "carta.pdf").write_bytes(letter())
    (tmp_path / "nomina.docx").write_bytes(payslip())
    page = open_page(server)
    page.get_by_role("link", name="Expedientes").click()
    page.get_by_text("Nuevo expediente").click()
    page.get_by_label("Nombre").fill("Despido de F. Z.")
    page.get_by_label("Referencia (opcional)").fill("EXP-2026-014")
    page.get_by_role("button", name="Crear el expediente").click()
    page.get_by_role("heading", name="Despido de F. Z.").wait_for()
    assert "/matters?e=" in page.url

    files = [tmp_path / "carta.pdf", tmp_path / "nomina.docx"]
    page.locator('input[type="file"]').set_input_files(files)
    page.get_by_text("Doc 2 · nomina.docx").wait_for()
    page.get_by_text("Leído", exact=True).nth(1).wait_for()
    settled(page)
    screenshot(page, "matter-light")
    matter = page.url

    # Streamlit's button asks for its file when it appears: without the dialog there would be none.
    with page.expect_response("**/media/*"):
        page.get_by_role("button", name="Descargar…").first.click()
    with page.expect_download() as given:
        page.get_by_role("dialog").get_by_role("button", name="Descargar", exact=True).click()
    assert Path(given.value.path()).read_bytes() == letter()
    page.keyboard.press("Escape")
    settled(page)

    page.get_by_role("button", name="Preguntar en este expediente").click()
    page.get_by_role("link", name="Expediente: Despido de F. Z.").wait_for()
    answered(page, DATED)
    page.get_by_text("15 de marzo de 2025").first.wait_for()
    page.locator(".art-chip", has_text="Doc 1, p.").click()
    page.locator("#art-pane .art-sheet mark").first.wait_for()
    sheet, mark = (
        page.locator(f"#art-pane .art-sheet {one}").first.bounding_box() for one in ("img", "mark")
    )
    assert sheet["x"] <= mark["x"] and mark["x"] + mark["width"] <= sheet["x"] + sheet["width"]
    assert sheet["y"] <= mark["y"] < sheet["y"] + sheet["height"] / 2, "the cited lines are in its upper half"
    assert_accessible(page, "#art-pane")
    screenshot(page, "matter-page-light")
    page.keyboard.press("Escape")
    page.get_by_text("carta.pdf").filter(visible=True).last.click()
    page.get_by_text("Documento del expediente").wait_for()
    page.locator("mark", has_text="15 de marzo de 2025").wait_for()
    screenshot(page, "matter-answer-light")
    answered(page, PAID)
    page.get_by_text(SALARY).first.wait_for()

    page.goto(matter)
    page.get_by_role("button", name="Eliminar el expediente…").click()
    page.get_by_role("button", name="Eliminar definitivamente").click()
    page.get_by_text("Aquí aparecerán sus expedientes.").wait_for()
    assert not (home / "matters").exists()
    left = [path for path in home.rglob("*") if path.is_file() and b"Zurrut" in path.read_bytes()]
    assert left == []


def test_its_page_has_no_barrier_and_fits(open_page: Opener, server: str, tmp_path: Path) -> None:
    (tmp_path / "foto.png").write_bytes(b"\x89PNG" + bytes(64))
    page = open_page(server, path="/matters")
    page.get_by_text("Nuevo expediente").click()
    page.get_by_label("Nombre").fill("Reclamación de cantidad")
    page.get_by_label("Nombre").press("Enter")
    page.get_by_role("heading", name="Reclamación de cantidad").wait_for()
    page.locator('input[type="file"]').set_input_files(tmp_path / "foto.png")
    page.get_by_text("es una imagen y necesita OCR").wait_for()
    settled(page)
    for scheme, width in (("light", 1280), ("dark", 390)):
        look(page, scheme, width)
        assert_fits(page, width)
        assert_accessible(page, ".stMain")
        screenshot(page, f"matter-{scheme}-{width}")
