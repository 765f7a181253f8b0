"""From a question to a Word file that is handed in: asked, written, checked, altered by hand, found out."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docx
import pytest

from tests.conftest import BOE
from tests.e2e.conftest import Opener, ask, screenshot, served, settled
from tests.homes import new_program

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.corpus,
    pytest.mark.skipif(not BOE.is_dir(), reason="the real norms (../shared/boe) are not here"),
]
STATUTE = "BOE-A-2015-11430"
QUESTIONS = (
    "¿Cuántos días de vacaciones anuales corresponden según el artículo 38 ET?",
    "¿Qué preaviso tiene el despido objetivo según el artículo 53 ET?",
)
SOUGHT, PUT = "treinta días naturales", "cuarenta días naturales"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("opinion")
    program = new_program(folder / "home")
    program.loading.ingest([BOE / STATUTE])
    program.close()
    with served(folder) as address:
        yield address


def tags(page: Any) -> list[str]:
    """The counts by state, as the page shows them."""
    found: list[str] = page.locator(".art-tags").first.locator(".art-tag").all_inner_texts()
    return found


def checked(page: Any, file: Path) -> list[str]:
    """The counts of a brief that is uploaded to «Comprobar citas»."""
    page.goto("/citations")
    settled(page)
    page.get_by_role("radio", name="Archivo").click()
    page.locator('input[type="file"]').set_input_files(file)
    page.get_by_text(file.name).wait_for()
    settled(page)
    page.get_by_role("button", name="Comprobar", exact=True).click()
    page.get_by_role("heading", name="Resultado").wait_for()
    settled(page)
    return tags(page)


def altered(file: Path, other: Path) -> None:
    """Save the file with one word of one quotation changed, as somebody does in Word."""
    document = docx.Document(str(file))
    place = next(one for one in document.paragraphs if SOUGHT in one.text and "«" in one.text)
    run = next(one for one in place.runs if SOUGHT in one.text)
    run.text = run.text.replace(SOUGHT, PUT, 1)
    document.save(str(other))


def test_a_dictamen_of_two_answers_is_all_green_until_a_word_of_it_is_altered(
    open_page: Opener, server: str, tmp_path: Path
) -> None:
    page = open_page(server)
    for count, question in enumerate(QUESTIONS):
        ask(page, question)
        page.get_by_role("button", name="Dictamen").nth(count).wait_for()
        settled(page)
    page.get_by_role("button", name="Dictamen").last.click()
    dialog = page.get_by_role("dialog")
    for ticks in range(2):
        dialog.get_by_role("checkbox").nth(ticks).check(force=True)
        settled(page)
    dialog.get_by_label("Quien firma", exact=True).fill("Ana Sanz")
    dialog.get_by_label("Quien firma", exact=True).press("Enter")
    settled(page)
    button = dialog.get_by_role("button", name="Descargar (.docx)")
    button.wait_for()
    settled(page)
    screenshot(page, "opinion-dialog-light")
    with page.expect_download() as taken:
        button.click()
    file, other = tmp_path / "dictamen.docx", tmp_path / "alterado.docx"
    taken.value.save_as(file)
    said = [one.text for one in docx.Document(str(file)).paragraphs]
    assert said[1].startswith("Firmado por Ana Sanz el ")
    assert [one[:11] for one in said if one.startswith("Cuestión ")] == ["Cuestión 1 ", "Cuestión 2 "]

    right = checked(page, file)
    screenshot(page, "opinion-checked-light")
    assert right and all(one.startswith("✔") for one in right)
    assert any("Cita literal exacta" in one for one in right)

    altered(file, other)
    wrong = checked(page, other)
    page.get_by_text("cuarenta").first.wait_for()
    screenshot(page, "opinion-altered-light")
    assert "≠ Cita con diferencias: 1" in wrong
    assert [one for one in wrong if not one.startswith("✔")] == ["≠ Cita con diferencias: 1"]
