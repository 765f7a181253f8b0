"""A reviewer on the evaluation page, in a real browser: run, read, drill down, compare."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import Opener, assert_contrast, assert_fits, go_to, look, screenshot, settled

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ET, LGSS = "BOE-A-2015-11430", "BOE-A-2015-11724"


def case(name: str, question: str, article: str = "", norm: str = ET, **fields: Any) -> dict[str, Any]:
    relevant = [{"norm": norm, "article": article, "grade": 2}] if article else []
    return {"id": name, "question": question, "relevant": relevant, "category": "plazos"} | fields


SHORT = [
    case("a", "¿Cuántos días de vacaciones anuales corresponden al trabajador?", "38"),
    case("b", "¿Cuánto dura el periodo de prueba?", "14"),
    case("c", "¿Cuántos días de vacaciones anuales hay?", "1", category="basic_info"),
    case("d", "¿Qué tiempo hará mañana en Cuenca?", category="negative"),
    case("e", "¿Qué dice la Ley de Aguas?", "1", "BOE-A-2001-14276"),
]
LONG = [
    case(str(number), f"¿Cuántos días de vacaciones hay en el año {number}?", "38") for number in range(900)
]


@pytest.fixture(scope="module")
def server(offline_server: str, offline_home: Path) -> str:
    """A server whose home has two sets of its own."""
    (offline_home / "evaluation").mkdir(exist_ok=True)
    for name, cases in (("corto", SHORT), ("largo", LONG)):
        write(offline_home / "evaluation" / f"{name}.jsonl", cases)
    return offline_server


def write(path: Path, cases: list[dict[str, Any]]) -> None:
    path.write_text("\n".join(json.dumps(one) for one in cases), encoding="utf-8")


def start(page: Any, name: str) -> None:
    go_to(page, "Evaluación")
    page.get_by_role("heading", name="Evaluación", exact=True).wait_for()
    page.get_by_role("combobox").first.click()
    page.get_by_role("option", name=name).click()
    page.get_by_text(f"{'5' if name == 'corto' else '900'} preguntas:").wait_for()
    page.get_by_role("button", name="Evaluar").click()


def test_run_a_set_read_it_drill_down_to_a_trace_and_compare_it_with_another_run(
    open_page: Opener, server: str
) -> None:
    page = open_page(server)
    start(page, "corto")
    page.get_by_role("heading", name="corto").wait_for()
    page.get_by_text("1 pregunta aparte").wait_for()
    assert "?run=" in page.url
    settled(page)
    screenshot(page, "evaluation-run-light")
    look(page, width=390)
    assert_fits(page)
    screenshot(page, "evaluation-phone-light")
    look(page)

    page.get_by_role("tab", name="Gráficos").click()
    page.locator('[data-testid="stVegaLiteChart"] canvas, [data-testid="stVegaLiteChart"] svg').nth(
        2
    ).wait_for()
    screenshot(page, "evaluation-charts-light")

    page.get_by_role("tab", name="Preguntas").click()
    page.get_by_role("button", name=re.compile("¿Cuántos días de vacaciones anuales hay")).click()
    page.get_by_role("heading", name="Artículos encontrados").wait_for()
    page.get_by_role("cell", name="no encontrado").or_(
        page.get_by_role("cell", name=re.compile("lugar"))
    ).first.wait_for()
    page.get_by_role("tab", name="Búsqueda en normativa").click()
    page.get_by_text("Unión sin duplicados").wait_for()
    screenshot(page, "evaluation-case-light")

    page.reload()
    page.get_by_role("heading", name="Artículos encontrados").wait_for()
    assert_contrast(page, ".art-note", ".art-table th", ".art-tag", ".art-section")

    go_to(page, "Consultas")
    page.get_by_placeholder("Escriba su consulta").wait_for()
    start(page, "corto")
    page.get_by_role("heading", name="corto").wait_for()
    page.get_by_role("button", name="Todas las evaluaciones").click()
    page.get_by_role("heading", name="Evaluaciones guardadas").wait_for()
    for position in range(2):
        page.get_by_text("Comparar", exact=True).nth(position).click()
        settled(page)
    page.get_by_role("button", name="Comparar las dos elegidas").click()
    page.get_by_text("4 preguntas en común").wait_for()
    page.get_by_text("Mismos ajustes, modelos, índice y corpus.").wait_for()
    page.get_by_role("cell", name="sin diferencia clara").first.wait_for()
    settled(page)
    screenshot(page, "evaluation-compare-light")


def test_progress_survives_a_reload_leaves_the_chat_free_and_is_cancelled(
    open_page: Opener, server: str
) -> None:
    page = open_page(server)
    start(page, "largo")
    page.get_by_text(re.compile(r"largo: \d+ de 900 preguntas")).wait_for()
    page.reload()
    page.get_by_text(re.compile(r"largo: \d+ de 900 preguntas")).wait_for()
    screenshot(page, "evaluation-progress-light")

    other = open_page(server)
    other.get_by_placeholder("Escriba su consulta").fill("¿Cuántos días de vacaciones anuales hay?")
    other.get_by_placeholder("Escriba su consulta").press("Enter")
    other.get_by_role("heading", name="Fuentes citadas").wait_for()

    page.get_by_role("button", name="Cancelar").click()
    page.get_by_text("Cancelada: las medidas son de las preguntas hechas").wait_for()
    page.get_by_text(re.compile(r"\d+ de 900 preguntas")).first.wait_for()
