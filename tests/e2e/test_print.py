"""Printed pages: the text with its sources on A4, and nothing that works the page."""

from typing import Any

import pypdfium2
import pytest

from tests.e2e.conftest import Opener, ask, settled
from tests.e2e.test_calculations import compensation

pytestmark = [pytest.mark.browser, pytest.mark.slow]
A4 = (595, 842)
QUESTION = "¿Cuántos días de vacaciones anuales corresponden al trabajador?"
ON_SCREEN_ONLY = (
    "Nueva consulta",
    "Expedientes",
    "Comprobar citas",
    "Consultas anteriores",
    "Escriba su consulta",
    "Copiar",
    "Descargar",
    "Corregir la pregunta",
    "Primeros pasos",
)


def printed(page: Any) -> str:
    """The words of its PDF, in one line."""
    document = pypdfium2.PdfDocument(page.pdf(prefer_css_page_size=True))
    assert {tuple(map(round, one.get_size())) for one in document} == {A4}
    text = " ".join(one.get_textpage().get_text_range() for one in document)
    return " ".join(text.replace("\ufffe", "").split())


def test_an_answer_is_printed_with_its_sources_and_without_the_menu(
    offline_server: str, open_page: Opener
) -> None:
    page = open_page(offline_server, scheme="dark")
    ask(page, QUESTION)
    page.get_by_role("heading", name="Fuentes citadas").wait_for()
    settled(page)
    quotation = page.locator(".art-printed .art-quote").first.text_content()
    assert quotation and not page.locator(".art-printed").is_visible()
    text = printed(page)
    assert QUESTION in text and text.index(QUESTION) < text.index("Fuentes citadas")
    assert " ".join(quotation.split()) in text.partition("Fuentes citadas")[2]
    assert "Comprobada letra por letra al responder" in text
    assert "https://www.boe.es/buscar/act.php?id=BOE-A-2015-11430" in text
    assert [word for word in ON_SCREEN_ONLY if word in text] == []


def test_an_article_and_a_calculation_are_printed_whole_and_alone(
    offline_server: str, open_page: Opener
) -> None:
    page = open_page(offline_server, path="/normativa?doc=demo-et&block=a38")
    page.locator(".art-law").wait_for()
    settled(page)
    text = printed(page)
    assert "Artículo 38" in text
    assert " ".join(page.locator(".art-law").first.inner_text().split())[:200] in text
    assert [word for word in ON_SCREEN_ONLY if word in text] == []

    page.goto("/calculations")
    compensation(page)
    text = printed(page)
    assert "Datos" in text and "01/03/2005" in text and "59.178,08 €" in text
    assert "art. 26.1 ET" in text
    assert "Qué quiere calcular" not in text
    assert [word for word in ON_SCREEN_ONLY if word in text] == []
