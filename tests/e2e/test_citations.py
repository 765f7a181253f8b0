"""A brief checked in a real browser: pasted, marked, filtered, its article opened, its report taken away."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docx
import pytest

from tests.e2e.conftest import Opener, assert_accessible, assert_fits, look, screenshot, served, settled
from tests.homes import new_program
from tests.pages.corpus import write_corpus

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BRIEF = (
    "AL JUZGADO DE LO SOCIAL\n\nEl art. 2.1 de la Ley 1/2001 dispone: «El descanso dura veinte años».\n\n"
    "El art. 9 de la Ley 1/2001, el art. 2.2 de la Ley 1/2001 y la STS 900/2021, de 31 de septiembre.\n\n"
    "El art. 10 del Convenio Colectivo aplicable y «El descanso dura quince días» (art. 2 de la Ley 1/2001)."
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("citations")
    program = new_program(folder / "home")
    program.loading.ingest([write_corpus(tmp_path_factory.mktemp("norms"))])
    program.close()
    with served(folder) as address:
        yield address


def check(page: Any, brief: str) -> None:
    settled(page)
    page.get_by_label("Texto del escrito").fill(brief)
    page.get_by_role("button", name="Comprobar", exact=True).click()
    page.get_by_role("heading", name="Resultado").wait_for()
    settled(page)


def test_a_brief_is_checked_marked_filtered_taken_away_and_fits_a_telephone(
    open_page: Opener, server: str, tmp_path: Path
) -> None:
    page = open_page(server, path="/citations")
    check(page, BRIEF)
    page.get_by_text("✘ No existe: 1").wait_for()
    screenshot(page, "citations-light")
    look(page, width=390)
    assert_fits(page)
    screenshot(page, "citations-light-390")
    look(page)
    page.get_by_text("Ley 1/2001, artículo 2.2").click()
    page.get_by_role("complementary", name="Texto de la fuente citada").get_by_text("No se paga").wait_for()
    screenshot(page, "citations-pane-light")
    page.keyboard.press("Escape")
    page.get_by_role("button", name=re.compile("No existe")).click()
    page.get_by_text("1 cita", exact=True).wait_for()
    with page.expect_download() as taken:
        page.get_by_role("button", name="Informe en Word").click()
    taken.value.save_as(tmp_path / "informe.docx")
    assert (
        docx.Document(str(tmp_path / "informe.docx")).tables[0].rows[1].cells[2].text.startswith("✔ Vigente")
    )
    page.get_by_role("tab", name="Escrito marcado").click()
    page.locator(".art-brief .art-cited").first.wait_for()
    settled(page)
    screenshot(page, "citations-marked-light")
    assert_accessible(page)
    look(page, width=390)
    assert_fits(page)
    screenshot(page, "citations-marked-light-390")
