"""The set of invented agreements: its shares, that every answer stands where its case says, and the files."""

import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import docx
import pypdfium2
import pytest
from openpyxl import load_workbook

from lab.make_agreements import SOURCE, Agreement, Grid, agreements, write

CASES: list[dict[str, Any]] = [
    json.loads(line) for line in (SOURCE.parent / "agreements.jsonl").read_text("utf-8").splitlines()
]
AGREEMENTS = {one.stem: one for one in agreements()}


def case_id(case: dict[str, Any]) -> str:
    return str(case["id"])


def test_there_are_ten_questions_about_each_of_ten_agreements() -> None:
    assert Counter(case["category"] for case in CASES) == dict.fromkeys(AGREEMENTS, 10)
    assert len(AGREEMENTS) == 10
    assert len({case["id"] for case in CASES}) == len({case["question"] for case in CASES}) == 100


def test_the_shares_of_the_questions_are_those_of_the_readme() -> None:
    assert Counter(case["naming"] for case in CASES) == {"sector": 50, "full": 33, "none": 17}
    assert Counter(case["voice"] for case in CASES) == {"plain": 50, "lawyer": 50}
    assert Counter("row" in case for case in CASES) == {True: 50, False: 50}


@pytest.mark.parametrize("case", [case for case in CASES if case["naming"] == "full"], ids=case_id)
def test_a_question_that_names_its_agreement_in_full_holds_its_title(case: dict[str, Any]) -> None:
    title = AGREEMENTS[case["category"]].title
    assert title.casefold().removesuffix(".") in accentless(case["question"], title)


def accentless(question: str, title: str) -> str:
    """The question with the accents of the title, as many write without them."""
    plain = str.maketrans("áéíóú", "aeiou")
    known = {word.translate(plain): word for word in title.casefold().split()}
    return " ".join(known.get(word, word) for word in question.casefold().split())


@pytest.mark.parametrize("case", [case for case in CASES if "row" in case], ids=case_id)
def test_the_value_of_a_table_stands_in_the_row_that_its_case_names(case: dict[str, Any]) -> None:
    grids = [item for item in AGREEMENTS[case["category"]].items if isinstance(item, Grid)]
    rows = [row for grid in grids for row in grid.filled() if case["row"] in row and case["value"] in row]
    assert len(rows) == 1


@pytest.mark.parametrize("case", [case for case in CASES if "fact" in case], ids=case_id)
def test_the_fact_of_an_article_stands_in_the_article_that_its_case_names(case: dict[str, Any]) -> None:
    (label,) = case["relevant"]
    assert case["fact"] in AGREEMENTS[label["norm"]].articles()[label["article"]]


@pytest.mark.parametrize("one", AGREEMENTS.values(), ids=lambda one: one.stem)
def test_an_agreement_has_between_25_and_45_articles_numbered_in_order(one: Agreement) -> None:
    assert list(one.articles()) == [str(number) for number in range(1, len(one.articles()) + 1)]
    assert 25 <= len(one.articles()) <= 45


def test_cells_of_two_header_lines_cover_their_columns_and_rows() -> None:
    grid = Grid((("Grupo", "2025", "<"), ("^", "Mes", "Año"), ("I", "1", "2")), 2, "")
    covered = [(cell.text, cell.width, cell.height) for cell in grid.cells()]
    assert covered[:3] == [("Grupo", 1, 2), ("2025", 2, 1), ("Mes", 1, 1)]
    assert list(grid.filled()) == [("I", "1", "2")]


def test_a_pdf_of_a_split_table_repeats_its_header_on_the_next_page(tmp_path: Path) -> None:
    (path,) = write(AGREEMENTS["limpieza-burgos"], tmp_path)
    pages = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(path)]
    assert sum("Grupo y puesto" in page for page in pages) == 2
    assert all("Boletín Oficial de la Provincia de Burgos" in page for page in pages)


def test_a_document_with_tracked_changes_holds_both_texts_and_its_notes(tmp_path: Path) -> None:
    (path,) = write(AGREEMENTS["mayores-murcia"], tmp_path)
    package = docx.Document(io.BytesIO(path.read_bytes())).part.package
    parts = {str(part.partname): part.blob.decode("utf-8") for part in package.iter_parts()}
    assert "<w:delText>0,21</w:delText>" in parts["/word/document.xml"]
    assert "sin datos personales" in parts["/word/footnotes.xml"]


def test_a_workbook_holds_the_tables_as_numbers(tmp_path: Path) -> None:
    main, annex = write(AGREEMENTS["frio-levante"], tmp_path)
    sheet = load_workbook(annex)["Salarios"]
    assert ["Grupo 3. Carretillero", 1437.6, 1487.92] in [[cell.value for cell in row] for row in sheet.rows]
    assert docx.Document(str(main)).tables == []
