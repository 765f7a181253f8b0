"""An administrator with the corpus, in a real browser: load, follow, read, compare, delete."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.boe_server import BoeServer, write_norm
from tests.e2e.conftest import (
    BACKGROUNDS,
    Opener,
    ask,
    assert_contrast,
    assert_fits,
    go_to,
    look,
    screenshot,
    served,
    settled,
)
from tests.pages.corpus import FIRST, NORM, SECOND, SOLE
from tests.word_files import levels, p, run, tabled, word_xml

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LAW = (
    "---\nid: X-E2E-{number}\ntitle: Ley {number}/2021, de 6 de mayo, de prueba\n"
    "rank: Ley\nalias: LP{number}\nvalid_from: 2021-06-01\n---\n\n#### Artículo 1. Descanso lunar.\n\n"
    "El descanso lunar de las personas trabajadoras dura {number} días naturales.\n"
)


@pytest.fixture(scope="module")
def boe(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoeServer]:
    source = tmp_path_factory.mktemp("boe")
    write_norm(source, NORM, {"1": [SOLE], "2": [FIRST]})
    with BoeServer(source) as server:
        yield server


@pytest.fixture(scope="module")
def server(boe: BoeServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("normativa"), BOE_API_URL=boe.url, BOE_RATE="20") as address:
        yield address


def files(folder: Path, *numbers: int) -> list[Path]:
    paths = []
    for number in numbers:
        paths.append(folder / f"ley{number}.md")
        paths[-1].write_text(LAW.format(number=number), "utf-8")
    return paths


def tab(page: Any, name: str) -> None:
    """Open it, from elsewhere by the menu: a new load of the page takes three times as long."""
    if "/normativa?doc=" in page.url:
        page.goto("/normativa")
    elif "/normativa" not in page.url:
        go_to(page, "Normativa")
    settled(page)
    page.get_by_role("tab", name=name, exact=True).click()
    page.locator(f'[role="tab"][aria-selected="true"]:has-text("{name}")').wait_for()
    settled(page)


def assert_fits_a_telephone(page: Any, name: str) -> None:
    look(page, width=390)
    assert_fits(page)
    screenshot(page, f"normativa-{name}-phone-light")
    look(page)


def load(page: Any, paths: list[Path]) -> None:
    tab(page, "Cargar")
    page.locator('input[type="file"]').set_input_files(paths)
    page.get_by_role("button", name="Ver qué cambiará").click()
    page.get_by_role("heading", name="Qué cambiará").wait_for()


def test_files_are_seen_confirmed_followed_searched_and_deleted(
    open_page: Opener, server: str, tmp_path: Path
) -> None:
    page = open_page(server)
    broken = tmp_path / "roto.pdf"
    broken.write_bytes(b"%PDF-1.4 nada")
    load(page, [*files(tmp_path, 31, 32, 33), broken])
    page.get_by_text("3 documentos nuevos, 1 archivo que no se puede cargar.").wait_for()
    screenshot(page, "normativa-preview-light")
    assert_fits_a_telephone(page, "preview")
    page.get_by_role("button", name="Cargar 3 documentos").click()
    first_job(page).get_by_text("3 cargados").wait_for()
    screenshot(page, "normativa-job-light")

    page.get_by_role("link", name="Consultas").click()
    page.get_by_role("button", name="Nueva consulta").wait_for()
    ask(page, "¿Cuántos días dura el descanso lunar de las personas trabajadoras?")
    page.get_by_role("heading", name="Fuentes citadas").wait_for()
    settled(page)
    page.get_by_text(re.compile(r"LP3\d · Artículo 1")).first.click()
    page.get_by_role("link", name="Ver el artículo completo").first.wait_for()
    settled(page)
    page.get_by_role("link", name="Ver el artículo completo").first.click()
    page.locator(".stMain").get_by_role("heading", name="Artículo 1. Descanso lunar.").wait_for()
    assert "/normativa?doc=X-E2E-3" in page.url
    assert_fits_a_telephone(page, "document")

    tab(page, "Catálogo")
    assert_fits_a_telephone(page, "catalogue")
    page.get_by_label("Buscar").fill("Ley 32/2021")
    page.get_by_text("1 documento", exact=True).wait_for()
    page.get_by_role("link", name="Ley 32/2021").click()
    page.get_by_role("button", name="Eliminar…").click()
    page.get_by_role("button", name="Eliminar definitivamente").click()
    page.get_by_text("Eliminado: Ley 32/2021").wait_for()


def test_a_convenio_with_changes_notes_and_salaries_is_loaded_and_quoted(
    open_page: Opener, server: str, tmp_path: Path
) -> None:
    inserted = f'<w:ins w:id="1" w:author="a">{run("dieciocho")}</w:ins>'
    deleted = '<w:del w:id="2" w:author="a"><w:r><w:delText>doce</w:delText></w:r></w:del>'
    note = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    path = tmp_path / "convenio.docx"
    path.write_bytes(
        word_xml(
            p("Convenio colectivo de los faros de la provincia de Jaén"),
            p("Vigencia.", list_id="1"),
            p("En vigor del 1 de enero de 2025 al 31 de diciembre de 2027."),
            p(
                "Denunciado el convenio de los faros, seguirá aplicándose ",
                deleted,
                inserted,
                " meses.",
                note,
            ),
            p("Salario base.", list_id="1"),
            p("El salario base mensual es el de esta tabla:"),
            tabled(
                ("Grupo profesional", "Salario base"),
                ("Grupo 2. Fareros", "1.742,15"),
                ("Grupo 3. Mozos", "1.512,60"),
            ),
            numbering=levels(("decimal", "Artículo %1.")),
            footnotes=f'<w:footnote w:id="2">{p("Salvo pacto en contrario.")}</w:footnote>',
        )
    )
    page = open_page(server)
    load(page, [path])
    page.get_by_text("El documento tiene cambios sin aceptar").wait_for()
    page.get_by_text("Texto que se guardará").click()
    page.get_by_text("Artículo 1. Vigencia.").click()
    page.get_by_text("seguirá aplicándose dieciocho meses.").wait_for()
    page.get_by_text("Salvo pacto en contrario.").wait_for()
    assert page.get_by_text("doce").count() == 0
    screenshot(page, "normativa-convenio-light")
    page.get_by_role("button", name="Cargar 1 documento").click()
    first_job(page).get_by_text("1 cargado").wait_for()
    page.get_by_role("link", name="Consultas").click()
    page.get_by_role("button", name="Nueva consulta").wait_for()
    ask(page, "¿Cuál es el salario base de los mozos de los faros?")
    page.get_by_text("Grupo profesional: Grupo 3. Mozos · Salario base: 1.512,60").wait_for()
    screenshot(page, "convenio-row-light")


def test_a_norm_of_the_boe_is_added_updated_and_compared(
    open_page: Opener, server: str, boe: BoeServer
) -> None:
    page = open_page(server)
    tab(page, "BOE")
    page.get_by_label("Otras normas, por su identificador del BOE").fill(NORM)
    page.keyboard.press("Enter")
    assert_fits_a_telephone(page, "boe")
    page.get_by_role("button", name="Añadir 1 norma").click()
    first_job(page).get_by_text("terminado").wait_for()

    write_norm(boe.root, NORM, {"1": [SOLE], "2": [FIRST, SECOND]}, updated="20200102T000000Z")
    tab(page, "BOE")
    page.get_by_role("button", name="Actualizar 1 norma").click()
    first_job(page).get_by_text("Actualización desde el BOE").wait_for()
    page.get_by_role("link", name="Artículo 2. Descanso — modificado").first.click()
    page.get_by_role("heading", name="Artículo 2. Descanso").wait_for()
    # As whoever is sent the link sees it.
    page.reload()
    page.locator("ins", has_text="veinte").first.wait_for()
    page.locator("del", has_text="quince").first.wait_for()
    settled(page)
    for scheme in BACKGROUNDS:
        look(page, scheme)
        screenshot(page, f"normativa-diff-{scheme}")
        check_marks(page)


def check_marks(page: Any) -> None:
    """Insertions and deletions can be told without colours, and read with them."""
    for selector, line in (("del", "line-through"), ("ins", "underline"), ("p", "none")):
        style = f"getComputedStyle(document.querySelector('.art-diff {selector}'))"
        assert page.evaluate(f"{style}.textDecorationLine") == line
        assert_contrast(page, f".art-diff {selector}")


def first_job(page: Any) -> Any:
    return page.locator('[class*="st-key-job-"]').first


def test_a_job_goes_on_when_the_page_is_reloaded_and_can_be_cancelled(
    open_page: Opener, server: str, tmp_path: Path
) -> None:
    page = open_page(server)
    load(page, files(tmp_path, *range(100, 250)))
    page.get_by_role("button", name="Cargar 150 documentos").click()
    page.get_by_text("en curso").first.wait_for()
    page.reload()
    page.get_by_text(re.compile(r"\d+ de 150 · ")).wait_for()
    screenshot(page, "normativa-progress-light")
    page.get_by_role("button", name="Cancelar").click()
    page.get_by_text("cancelado").first.wait_for()
    page.get_by_role("button", name="Reintentar").first.click()
    page.get_by_text("150 cargados").wait_for(timeout=60_000)


def test_a_new_wording_is_dated_tried_and_undone(open_page: Opener, server: str, tmp_path: Path) -> None:
    page = open_page(server)
    load(page, files(tmp_path, 41))
    page.get_by_role("button", name="Cargar 1 documento").click()
    first_job(page).get_by_text("1 cargado").wait_for()
    (tmp_path / "ley41.md").write_text(LAW.format(number=41).replace("lunar", "solar"), "utf-8")
    load(page, [tmp_path / "ley41.md"])
    page.get_by_text("Indique desde qué día rige la nueva redacción").wait_for()
    assert page.get_by_role("button", name="Cargar 1 documento").is_disabled()
    page.get_by_role("spinbutton", name="Día, Rige desde").click()
    page.keyboard.type("01022024")
    page.keyboard.press("Enter")
    settled(page)
    page.get_by_text("Texto que se guardará").click()
    page.get_by_text("Artículo 1. Descanso solar.").click()
    page.get_by_text("El descanso solar de las personas trabajadoras").wait_for()
    screenshot(page, "normativa-wording-light")
    page.get_by_role("button", name="Cargar 1 documento").click()
    first_job(page).get_by_text("1 cargado").wait_for()

    page.get_by_text("Pruebe una pregunta").first.click()
    page.get_by_label("Pregunta").first.fill("¿Cuántos días dura el descanso solar?")
    page.get_by_role("button", name="Buscar").first.click()
    page.get_by_text("LP41 · Artículo 1 queda en el puesto 1 de").wait_for()
    screenshot(page, "normativa-trial-light")

    first_job(page).get_by_role("button", name="Deshacer esta carga").click()
    page.get_by_text("Vuelve a como estaba antes:").wait_for()
    screenshot(page, "normativa-undo-light")
    first_job(page).get_by_role("button", name="Deshacer", exact=True).click()
    page.get_by_text("Carga deshecha: 1 documento.").wait_for()
    first_job(page).get_by_text("deshecho").wait_for()
    screenshot(page, "normativa-undone-light")
    page.goto("/normativa?doc=X-E2E-41")
    page.get_by_role("tab", name="Pasajes (1)").wait_for()


def test_several_documents_are_ticked_and_deleted_together(
    open_page: Opener, server: str, tmp_path: Path
) -> None:
    page = open_page(server)
    load(page, files(tmp_path, 51, 52))
    page.get_by_role("button", name="Cargar 2 documentos").click()
    first_job(page).get_by_text("2 cargados").wait_for()
    tab(page, "Catálogo")
    page.get_by_label("Buscar").fill("X-E2E-5")
    page.get_by_text("2 documentos", exact=True).wait_for()
    settled(page)
    page.get_by_role("button", name="Seleccionar esta página").click()
    page.get_by_text("2 documentos seleccionados").wait_for()
    screenshot(page, "normativa-ticked-light")
    page.get_by_role("button", name="Modificar…").click()
    page.get_by_role("button", name="Modificar 2 documentos").wait_for()
    screenshot(page, "normativa-bulk-edit-light")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Eliminar…").click()
    page.get_by_role("button", name="Eliminar 2 documentos definitivamente").wait_for()
    screenshot(page, "normativa-bulk-delete-light")
    page.get_by_role("button", name="Eliminar 2 documentos definitivamente").click()
    page.get_by_text("2 documentos eliminados.").wait_for()
