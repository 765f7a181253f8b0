"""A DOCX is read as if its tracked changes were accepted; what else it holds is read or told."""

from pathlib import Path

import pytest

from loading.formats.word_text import CHANGES, INCLUDED, OBJECTS, SYMBOLS
from tests.word_files import box, gone, levels, p, read, tabled, text, word_xml

ARTICLE = p("Artículo 1. Salario.")


ARTICLES = levels(("decimal", "Artículo %1."))


def removed(word: str, mark: str = "del") -> str:
    """A numbered paragraph that a tracked change takes away whole."""
    return p(gone(word, mark), list_id="1", mark=f"<w:{mark}/>")


@pytest.mark.parametrize("mark", ["del", "moveFrom"])
def test_a_deleted_paragraph_is_not_counted(tmp_path: Path, mark: str) -> None:
    body = [
        p("Objeto.", list_id="1"),
        removed("Permisos.", mark),
        p(gone("Son diez días."), mark="<w:del/>"),
        p("Jornada.", list_id="1"),
        removed("Otra.", mark),
        p("Fin.", list_id="1"),
    ]
    found = read(tmp_path, word_xml(*body, numbering=ARTICLES))
    assert text(found) == "Artículo 1. Objeto.\nArtículo 2. Jornada.\nArtículo 3. Fin."
    assert found.warnings[0] == CHANGES


def test_paragraphs_that_a_change_joins_have_one_number_and_an_empty_one_counts(tmp_path: Path) -> None:
    body = [
        p("Los permisos ", list_id="1", mark="<w:del/>"),
        p("son diez.", list_id="1"),
        p(list_id="1"),
        p("Fin.", list_id="1"),
    ]
    found = read(tmp_path, word_xml(*body, numbering=ARTICLES))
    assert text(found) == "Artículo 1. Los permisos son diez.\nArtículo 3. Fin."


def test_text_before_a_table_stays_before_it_although_its_end_is_deleted(tmp_path: Path) -> None:
    found = read(tmp_path, word_xml(ARTICLE, p("Según la tabla", mark="<w:del/>"), tabled(("Faro", "Luz"))))
    assert "Según la tabla\n| Faro | Luz |" in text(found)


def test_a_table_in_a_text_box_keeps_its_columns_and_numbers_there_count_for_nothing(tmp_path: Path) -> None:
    boxed = box(p("Nota.", list_id="1"), tabled(("Faro", "Luz"), ("Alto", "Roja")))
    body = [p("Uno.", list_id="1"), p("Lea. ", boxed), p("Dos.", list_id="1")]
    found = read(tmp_path, word_xml(*body, numbering=ARTICLES))
    assert text(found) == (
        "Artículo 1. Uno.\nLea.\nNota.\n| Faro | Luz |\n| --- | --- |\n| Alto | Roja |\nArtículo 2. Dos."
    )


def test_a_deleted_cell_is_not_in_the_table(tmp_path: Path) -> None:
    table = tabled(("Faro", "Vieja", "Luz"), ("Alto", "Verde", "Roja"))
    for word in ("Vieja", "Verde"):
        table = table.replace(
            f"<w:tc>{p(word)}", f'<w:tc><w:tcPr><w:cellDel w:id="1" w:author="a"/></w:tcPr>{p(word)}'
        )
    found = read(tmp_path, word_xml(ARTICLE, table))
    assert "| Faro | Luz |\n| --- | --- |\n| Alto | Roja |" in text(found)
    assert found.warnings[0] == CHANGES


def test_files_included_diagrams_and_private_symbols_are_told(tmp_path: Path) -> None:
    diagram = '<w:r><w:drawing><dgm:relIds xmlns:dgm="urn:d" r="1"/></w:drawing></w:r>'
    tick = '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>'
    body = p("Sí ", tick, " a ", '<w:r><w:sym w:font="Arial" w:char="20AC"/></w:r>', diagram)
    found = read(tmp_path, word_xml(ARTICLE, body, "<w:altChunk/>"))
    assert "Sí a €" in text(found)
    assert set(found.warnings) >= {INCLUDED, OBJECTS, SYMBOLS}
