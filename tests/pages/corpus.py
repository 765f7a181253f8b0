"""A whole offline program for the corpus pages: a norm with a history, a worker that a test steps."""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.boe_server import write_norm
from tests.pages.driver import drawn

NORM = "BOE-A-2001-1"
OTHER = "BOE-A-2002-2"
FIRST = ("20010201", NORM, "Descanso\n1. El descanso dura quince días <b>naturales</b>.\n2. No se paga.")
SECOND = ("20200101", OTHER, "Descanso\n1. El descanso dura veinte días <b>naturales</b>.\n2. No se paga.")
SOLE = ("20010201", NORM, "Objeto\nEsta ley regula el descanso del artículo 2 en el trabajo inventado.")
CITING = ("20020201", OTHER, "Remisión\nSe aplica el artículo 2 de la Ley 1/2001, de 2 de enero.")


def write_corpus(folder: Path) -> Path:
    """Two norms as the BOE serves them: one with an amended article, and one that refers to it."""
    write_norm(folder, NORM, {"1": [SOLE], "2": [FIRST, SECOND]})
    write_norm(
        folder,
        OTHER,
        {"1": [CITING]},
        title="Ley 2/2002, de 3 de enero, de remisiones",
        numero_oficial="2/2002",
        fecha_publicacion="20020104",
        fecha_vigencia="20020201",
    )
    return folder


def links(page: AppTest) -> dict[str, str]:
    """Label to the query of every link to a view of the corpus."""
    return {link.proto.label.replace("\\", ""): link.proto.query_string for link in page.get("page_link")}


def pressed(page: AppTest, key: str) -> AppTest:
    page.button(key=key).click().run()
    assert not page.exception, page.exception
    return page


def tab(page: AppTest, key: str, name: str) -> AppTest:
    page.session_state[key] = name
    return drawn(page)
