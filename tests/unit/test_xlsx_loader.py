"""An XLSX keeps every cell that it shows, as it shows it, in rows with the names of their columns."""

import random
import re
from datetime import date
from pathlib import Path

import pytest

from core.errors import InputError
from law.norms import Document
from loading.chunking.chunk import chunk_document
from loading.formats import load, office_xml, sheets
from loading.formats.sheets import COMMENTS, DRAWN, HIDDEN, UNSAVED
from rag.answers.quotable import quotable
from tests.office_files import zipped
from tests.sheet_files import book, related, rows, sheet

HEADER = ("Grupo profesional", "Salario mensual")
RULE = "| --- | --- |"
EURO = '#,##0.00 "€"'


def read(tmp_path: Path, data: bytes) -> Document:
    path = tmp_path / "Tablas_2024.xlsx"
    path.write_bytes(data)
    (found,) = load(path)
    return found


def one(tmp_path: Path, data: str, *, columns: str = "", merged: tuple[str, ...] = (), **more) -> str:
    found = read(tmp_path, book({"Salarios": sheet(data, columns, merged)}, **more))
    return found.blocks[0].versions[0].text


def test_each_sheet_is_a_section_and_its_cells_are_a_table(tmp_path: Path) -> None:
    data = rows(HEADER, ("Grupo 1", (1512.6, EURO)), codes=[EURO])
    found = read(tmp_path, book({"Salarios": sheet(data), "Pluses": sheet(rows(("Nocturnidad",)))}, [EURO]))
    assert found.norm.title == "Tablas 2024"
    assert [(block.title, block.versions[0].text) for block in found.blocks] == [
        ("Salarios", f"Salarios\n| Grupo profesional | Salario mensual |\n{RULE}\n| Grupo 1 | 1.512,60 € |"),
        ("Pluses", "Pluses\nNocturnidad"),
    ]
    assert found.warnings == ()


def test_a_row_of_a_sheet_can_be_quoted_with_the_names_of_its_columns(tmp_path: Path) -> None:
    data = rows(
        HEADER,
        ("Grupo 1, oficiales", 1512),
        (),
        ("Antigüedad en años", "Complemento"),
        ("De tres a seis años", 40),
    )
    found = read(tmp_path, book({"Salarios": sheet(data)}))
    quotes = [piece for chunk in chunk_document(found) for piece in quotable(chunk)]
    assert [(piece.text, piece.headers) for piece in quotes] == [
        ("| Grupo 1, oficiales | 1512 |", ("| Grupo profesional | Salario mensual |",)),
        ("| De tres a seis años | 40 |", ("| Antigüedad en años | Complemento |",)),
    ]


def test_lines_over_a_table_are_no_rows_of_it(tmp_path: Path) -> None:
    data = rows(("Anexo de salarios",), ("En euros",), HEADER, ("Grupo 1", 10))
    text = one(tmp_path, data, merged=("A1:B1",))
    assert (
        text
        == f"Salarios\nAnexo de salarios\nEn euros\n| {HEADER[0]} | {HEADER[1]} |\n{RULE}\n| Grupo 1 | 10 |"
    )


def test_a_blank_row_does_not_take_the_names_from_the_columns(tmp_path: Path) -> None:
    text = one(tmp_path, rows(HEADER, ("Grupo 1", 10), (), ("Técnicos",), ("Grupo 2", 20)))
    header = f"| {HEADER[0]} | {HEADER[1]} |\n{RULE}\n"
    assert text.endswith(f"{header}| Grupo 1 | 10 |\nTécnicos\n{header}| Grupo 2 | 20 |")


def test_figures_without_names_have_an_empty_header(tmp_path: Path) -> None:
    assert one(tmp_path, rows(("Grupo 1", 10), ("Grupo 2", 20))).endswith(
        f"|  |  |\n{RULE}\n| Grupo 1 | 10 |\n| Grupo 2 | 20 |"
    )


def test_years_name_columns(tmp_path: Path) -> None:
    assert one(tmp_path, rows(("Grupo", 2024), ("Uno", 10))).endswith(
        f"| Grupo | 2024 |\n{RULE}\n| Uno | 10 |"
    )


def test_merged_cells_stand_in_each_of_their_rows_and_columns(tmp_path: Path) -> None:
    data = rows(("Grupo", "Euros", None), ("Uno", 10, 20), (None, 30, 40), ("Dos", 50, 60))
    text = one(tmp_path, data, merged=("B1:C1", "A2:A3"))
    assert text.endswith(
        "| Euros | Euros |\n| --- | --- | --- |\n| Uno | 10 | 20 |\n| Uno | 30 | 40 |\n| Dos | 50 | 60 |"
    )


def test_a_long_cell_that_is_merged_stands_once(tmp_path: Path) -> None:
    text = one(tmp_path, rows(("A", "B"), ("palabra " * 50, "1"), (None, "2")), merged=("A2:A3",))
    assert text.count("palabra") == 50


def test_what_is_hidden_is_left_out_and_told(tmp_path: Path) -> None:
    data = rows(HEADER, ("Grupo 1", 10, "oculto")) + '<row r="3" hidden="1"><c r="A3"><v>7777</v></c></row>'
    data += rows(("Grupo 2", 20), start=4)
    shown = sheet(data, columns='<col min="3" max="16384" hidden="1"/>')
    found = read(tmp_path, book({"Salarios": shown, "Vieja": sheet(rows(("secreta",)))}, hidden=["Vieja"]))
    text = "\n".join(block.versions[0].text for block in found.blocks)
    assert text.endswith("| Grupo 1 | 10 |\n| Grupo 2 | 20 |")
    assert not {"oculto", "7777", "secreta"} & set(re.findall(r"\w+", text))
    assert found.warnings == (HIDDEN,)


def test_every_kind_of_cell_is_read(tmp_path: Path) -> None:
    shared = "<si><t>Compartida</t></si><si><r><t>con </t></r><r><t>trozos</t></r><rPh><t>no</t></rPh></si>"
    cells = (
        '<c r="A1" t="s"><v>0</v></c>',
        '<c r="B1" t="s"><v>1</v></c>',
        '<c r="C1" t="b"><v>1</v></c>',
        '<c r="D1" t="e"><v>#N/A</v></c>',
        '<c r="E1" t="str"><f>A1</f><v>calculada</v></c>',
        '<c r="F1" t="d"><v>2024-03-01</v></c>',
        "<c><f>1+1</f><v>2</v></c>",
        "<c><v>3</v></c>",
    )
    text = one(tmp_path, rows(cells), shared=shared)
    assert text.endswith("| Compartida | con trozos | VERDADERO | #N/A | calculada | 01/03/2024 | 2 | 3 |")


def test_what_cannot_be_kept_is_told(tmp_path: Path) -> None:
    data = rows(("Texto", '<c r="B1"><f>1+1</f></c>'))
    found = read(tmp_path, book({"Una": sheet(data)}, more=related(0, "drawing", "comments")))
    assert set(found.warnings) == {UNSAVED, DRAWN, COMMENTS}


def test_a_formula_whose_result_is_an_empty_text_is_no_loss(tmp_path: Path) -> None:
    data = rows(("Texto", '<c r="B1" t="str"><f>IF(A1="x",1,"")</f><v></v></c>'))
    assert read(tmp_path, book({"Una": sheet(data)})).warnings == ()


def test_articles_written_in_cells_are_articles(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        book({"Texto": sheet(rows(("Artículo 1. Objeto.",), ("Uno.",), ("Artículo 2. Fin.",), ("Dos.",)))}),
    )
    assert [block.label for block in found.blocks if block.label] == ["1", "2"]


def refused(tmp_path: Path, data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=rf"^Tablas_2024\.xlsx: .*{message}"):
        read(tmp_path, data)


@pytest.mark.parametrize(("limit", "most"), [("MAX_CELLS", 5), ("MAX_CHARACTERS", 50), ("MAX_AREA", 5)])
def test_more_cells_than_fit_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    data = book({"Una": sheet(rows(*[("largo texto", "otro", "más")] * 3))})
    read(tmp_path, data)
    monkeypatch.setattr(sheets, limit, most)
    refused(tmp_path, data, "más de un millón de celdas")


@pytest.mark.parametrize("limit", ["MAX_TAGS", "MAX_STREAMED_TAGS"])
def test_more_xml_than_fits_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(office_xml, limit, 5)
    refused(tmp_path, book({"Una": sheet(rows(("a", "b"), ("c", "d")))}), "divídalo en partes")


def test_a_merged_range_of_the_whole_sheet_costs_nothing(tmp_path: Path) -> None:
    merged = ("A1:XFD1048576", "A1:XFD1048576", "B2:A1")
    assert one(tmp_path, rows(("Todo",), (None, "Algo"), start=1), merged=merged)


def test_the_same_merged_range_without_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheets, "MAX_CELLS", 1000)
    refused(
        tmp_path, book({"Una": sheet(rows(*[("a", "b")] * 50), merged=["A1:B50"] * 50)}), "millón de celdas"
    )


def test_one_cell_at_the_far_end_costs_nothing(tmp_path: Path) -> None:
    far = '<row r="1048576"><c r="XFD1048576"><v>9</v></c></row>'
    assert one(tmp_path, rows(("Cerca",)) + far) == "Salarios\nCerca\n9"


def test_declarations_are_refused(tmp_path: Path) -> None:
    entity = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    for path in ("xl/workbook.xml", "xl/worksheets/sheet0.xml"):
        root = "<workbook>&a;</workbook>" if "workbook" in path else "<worksheet><row>&a;</row></worksheet>"
        refused(
            tmp_path,
            book({"Una": sheet("")}, more={path: entity + root}),
            "" if "work" in path else "declaraciones",
        )


def test_a_book_without_its_parts_is_a_sentence(tmp_path: Path) -> None:
    refused(tmp_path, zipped({"xl/workbook.xml": b"<a/>"}), "no contiene texto")
    refused(tmp_path, zipped({"xl/workbook.xml": b"<a>"}), "está dañado; ábralo en Excel")


@pytest.mark.parametrize("seed", range(80))
def test_damaged_xml_is_read_or_told_and_never_a_crash(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)

    def hurt(xml: str) -> str:
        tags = re.findall(r"<[^>]+>|>[^<]+<", xml)
        for tag in dice.sample(tags, min(len(tags), dice.randint(1, 4))):
            xml = xml.replace(
                tag, dice.choice(["", tag * 2, re.sub(r'"[^"]*"|\d+', '"-1"', tag), ">9e999<"]), 1
            )
        return xml

    data = rows(HEADER, ('<c r="A2" t="s"><v>0</v></c>', (45352.5, EURO)), (1e15, 2), codes=[EURO])
    one_sheet = sheet(data, '<col min="2" max="2" hidden="0"/>', ["A1:B1"])
    parts = {"Una": hurt(one_sheet) if dice.random() < 0.7 else one_sheet}
    more = {
        "xl/styles.xml": hurt(
            '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="0.0"/></numFmts></styleSheet>'
        )
    }
    try:
        found = read(
            tmp_path,
            book(parts, [EURO], hurt("<si><t>Uno</t></si>"), more=more if dice.random() < 0.5 else None),
        )
    except InputError as error:
        assert str(error).startswith("Tablas_2024.xlsx: ")
    else:
        assert found.blocks


AGREEMENT = "Convenio colectivo de boyas de la provincia de Soria"


@pytest.mark.parametrize(
    ("lines", "title", "since"),
    [
        (
            (f"{AGREEMENT}. Tablas salariales 2026",),
            f"{AGREEMENT}. Tablas salariales 2026",
            date(2026, 1, 1),
        ),
        (
            (AGREEMENT, "Tablas salariales para el año 2026"),
            f"{AGREEMENT}. Tablas salariales para el año 2026",
            date(2026, 1, 1),
        ),
        (
            ("Anexo I", "TABLAS SALARIALES 2026", AGREEMENT.upper()),
            "Convenio colectivo de Boyas de la provincia de Soria. Tablas salariales 2026",
            date(2026, 1, 1),
        ),
        (
            (f"Tabla salarial de 2026 del {AGREEMENT}",),
            f"Tabla salarial de 2026 del {AGREEMENT}",
            date(2026, 1, 1),
        ),
        (
            (AGREEMENT, "Vigencia: del 1 de mayo de 2025 al 30 de abril de 2026"),
            AGREEMENT,
            date(2025, 5, 1),
        ),
    ],
)
def test_the_lines_over_the_tables_name_the_agreement(tmp_path: Path, lines, title, since) -> None:
    data = rows(*((line,) for line in lines), (), HEADER, ("Grupo 1", 1512))
    norm = read(tmp_path, book({"Hoja1": sheet(data)})).norm
    assert (norm.title, norm.rank, norm.territory) == (title, "Convenio colectivo", "Castilla y León")
    assert (norm.id, norm.valid_from) == ("tablas-2024", since)


def test_lines_that_name_no_agreement_leave_the_name_of_the_file(tmp_path: Path) -> None:
    lines = (("El convenio colectivo es de Soria",), ("Tablas salariales 2026",))
    norm = read(tmp_path, book({"Hoja1": sheet(rows(*lines, HEADER, ("Grupo 1", 1512)))})).norm
    assert (norm.title, norm.rank, norm.valid_from) == ("Tablas 2024", "Documento", None)
