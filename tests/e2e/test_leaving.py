"""The parts of a question that leave this machine, in a real browser: shown, and taken back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.e2e.conftest import Opener, ask, screenshot, served, settled, sync_api

pytestmark = [pytest.mark.browser, pytest.mark.slow]

QUESTION = (
    "Mi clienta Lucía Martín, DNI 12345678Z, vive en C/ Mayor 5, 28013 Madrid. ¿Cuántas vacaciones tiene?"
)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[str]:
    """A server whose models would be elsewhere; nothing is sent to them."""
    with served(tmp_path, OPENAI_BASE_URL="http://modelo.invalid/v1", OPENAI_API_KEY="sk-test") as address:
        yield address


def test_a_question_is_shown_as_it_would_leave_and_taken_back(elsewhere: str, open_page: Opener) -> None:
    page = open_page(elsewhere)
    page.get_by_text("Ver lo que sale antes de enviarlo").click()
    settled(page)
    ask(page, QUESTION)
    page.get_by_role("button", name="Cancelar").wait_for()
    settled(page)
    page.get_by_text("[PERSONA_1], DNI [DNI_1], vive en [DIRECCION_1].").wait_for()
    assert page.get_by_role("cell", name="Lucía Martín").is_visible()
    page.get_by_role("button", name="Enviar así").scroll_into_view_if_needed()
    screenshot(page, "leaving")
    found = Axe().run(page, {"include": [[".st-key-leaving"]]})
    assert found.violations_count == 0, found.generate_report()
    page.get_by_role("button", name="Cancelar").click()
    sync_api.expect(page.get_by_placeholder("Escriba su consulta")).to_have_value(QUESTION)
    assert "?c=" not in page.url
