"""Tables of PDFs: each value stays in its row and its column, and text in columns is no table."""

import random
from pathlib import Path

import pytest

from law.norms import Document
from loading.formats import grids, load, pdf_tables
from loading.formats.pdf_tables import continued
from tests.office_files import Drawn, pdf
from tests.pdf_drawings import COLUMN, HEIGHT, box, columns, line, table, text

HEADER = ("Grupo profesional", "Salario mes", "Salario anual")
ROWS = [
    ("Grupo 1. Oficiales", "1.512,60", "18.151,20"),
    ("Grupo 2", "1.400,00", "16.800,00"),
    ("Grupo 3", "900", "10.800"),
]
RULE = "| --- | --- | --- |"
SAID = ["| " + " | ".join(row) + " |" for row in (HEADER, *ROWS)]
WHOLE = [SAID[0], RULE, *SAID[1:]]
PROSE = "El torrero cuidará de la luz y avisará en 24 horas por 1.500 euros"


def read(tmp_path: Path, *pages: Drawn | str | list[str]) -> Document:
    path = tmp_path / "tablas.pdf"
    path.write_bytes(pdf(Drawn(page) if isinstance(page, str) else page for page in pages))
    (found,) = load(path)
    return found


def said(found: Document) -> list[str]:
    return "\n".join(block.versions[0].text for block in found.blocks).split("\n")


def test_a_ruled_table_is_rows_in_its_place(tmp_path: Path) -> None:
    page = text(50, 760, "Artículo 1. Salario.", "Será el siguiente:") + table([HEADER, *ROWS])
    found = read(tmp_path, page + text(50, 500, "Artículo 2. Fin.", "Acaba."))
    assert said(found) == ["Artículo 1. Salario.", "Será el siguiente:", *WHOLE, "Artículo 2. Fin.", "Acaba."]
    assert found.warnings == ()


def test_the_order_in_the_file_does_not_move_values(tmp_path: Path) -> None:
    drawn = [*table([HEADER, *ROWS]).splitlines(keepends=True)]
    random.Random(1).shuffle(drawn)
    assert said(read(tmp_path, text(50, 760, "Artículo 1. Salario.") + "".join(drawn)))[1:] == WHOLE


def test_cells_that_span_stand_in_each_row_and_column(tmp_path: Path) -> None:
    w, h, x, y = COLUMN, HEIGHT, 50, 700
    drawn = (
        box(x, y - 3 * h, 3 * w, 3 * h)
        + line(x, y - h, x + 3 * w, y - h)
        + line(x + w, y - 2 * h, x + 3 * w, y - 2 * h)
        + line(x + w, y, x + w, y - 3 * h)
        + line(x + 2 * w, y - h, x + 2 * w, y - 3 * h)
        + columns([("Grupo", "Euros"), ("Uno", "10", "20")], x + 4, y - 14)
        + text(x + w + 4, y - 54, "30")
        + text(x + 2 * w + 4, y - 54, "40")
    )
    assert said(read(tmp_path, text(50, 760, "Artículo 1. Salario.") + drawn))[1:] == [
        "| Grupo | Euros | Euros |",
        RULE,
        "| Uno | 10 | 20 |",
        "| Uno | 30 | 40 |",
    ]


def test_a_title_over_the_whole_table_is_no_header(tmp_path: Path) -> None:
    title = box(50, 700, 3 * COLUMN, HEIGHT) + text(54, 706, "Tablas de 2031")
    page = text(50, 760, "Artículo 1. Salario.") + title + table([HEADER, *ROWS])
    assert said(read(tmp_path, page))[1:] == ["Tablas de 2031", *WHOLE]


def test_rows_that_no_line_divides_are_divided_by_their_figures(tmp_path: Path) -> None:
    w, x, y = COLUMN, 50, 700
    frame = box(x, y - 80, 3 * w, 80) + line(x, y - 20, x + 3 * w, y - 20)
    frame += line(x + w, y, x + w, y - 80) + line(x + 2 * w, y, x + 2 * w, y - 80)
    cells = columns([HEADER], x + 4, y - 14) + columns(ROWS[:1], x + 4, y - 32)
    cells += text(x + 4, y - 56, "Grupo 2", "de la isla") + text(x + w + 4, y - 56, "1.400,00")
    cells += text(x + 2 * w + 4, y - 56, "16.800,00")
    assert said(read(tmp_path, text(50, 760, "Artículo 1. Salario.") + frame + cells))[1:] == [
        *WHOLE[:3],
        "| Grupo 2 de la isla | 1.400,00 | 16.800,00 |",
    ]


def test_text_of_several_lines_in_a_cell_is_one_line(tmp_path: Path) -> None:
    drawn = table([("Clase", "Texto"), ("Uno", "")]) + text(50 + COLUMN + 4, 672, "Falta exce-", "lente")
    assert (
        said(read(tmp_path, text(50, 760, "Artículo 1. Faltas.") + drawn))[-1] == "| Uno | Falta excelente |"
    )


@pytest.mark.parametrize("turned", [90, 180, 270])
def test_a_page_that_is_turned_has_its_rows_across_the_page_as_it_is_shown(
    tmp_path: Path, turned: int
) -> None:
    matrix = {90: "0 1 -1 0 595 0", 180: "-1 0 0 -1 595 842", 270: "0 -1 1 0 0 842"}[turned]
    drawn = text(50, 560, "Artículo 1. Salario.") + table([HEADER, *ROWS], y=500)
    assert said(read(tmp_path, Drawn(f"q {matrix} cm\n{drawn}Q", turned)))[1:] == WHOLE


def test_figures_under_each_other_are_a_table_without_lines(tmp_path: Path) -> None:
    page = (
        text(50, 760, "Artículo 1. Salario.", "Será:") + columns([HEADER, *ROWS]) + text(50, 500, "Nada más.")
    )
    assert said(read(tmp_path, page))[2:] == [*WHOLE, "Nada más."]


def test_a_name_of_two_lines_is_one_cell(tmp_path: Path) -> None:
    rows = [HEADER, ROWS[0], ("de la isla",), *ROWS[1:], ("y boyas",)]
    page = text(50, 760, "Artículo 1. Salario.") + columns(rows) + text(50, 500, "nada más.")
    found = said(read(tmp_path, page))
    assert found[3] == SAID[1].replace("Oficiales", "Oficiales de la isla")
    assert found[5:] == [SAID[3].replace("Grupo 3", "Grupo 3 y boyas"), "nada más."]


def test_figures_without_names_over_them_have_an_empty_header(tmp_path: Path) -> None:
    page = text(50, 760, "Artículo 1. Salario.") + columns(ROWS)
    assert said(read(tmp_path, page))[1:] == ["|  |  |  |", RULE, *SAID[1:]]


@pytest.mark.parametrize(
    "ruled",
    [
        "",
        box(40, 40, 520, 760) + line(300, 40, 300, 800),
        box(40, 40, 520, 760) + line(300, 40, 300, 800) + line(40, 780, 560, 780),
    ],
)
def test_text_in_two_columns_is_no_table(tmp_path: Path, ruled: str) -> None:
    half = [f"{n}. {PROSE[:38]} {n}" for n in range(1, 50)]
    page = ruled + text(50, 760, "Artículo 1. Luz.", *half) + text(310, 760, *half)
    assert not [row for row in said(read(tmp_path, page)) if row.startswith("|")]


def test_an_index_with_leaders_is_still_an_index(tmp_path: Path) -> None:
    entries = [(f"Artículo {n}. Luz {n} ........", f"{n + 3}") for n in range(1, 6)]
    page = text(50, 760, "ÍNDICE") + columns(entries) + text(50, 500, "Artículo 1. Luz 1.", "Alumbra.")
    assert said(read(tmp_path, page)) == ["Artículo 1. Luz 1.", "Alumbra."]


def test_lists_and_sums_in_sentences_are_no_table(tmp_path: Path) -> None:
    lists = [("1.", "300"), ("2.", "400"), ("3.", "500"), ("4.", "600")]
    page = text(50, 760, "Artículo 1. Luz.", *[f"Se pagarán {n}.000 euros" for n in range(9)]) + columns(
        lists, y=500
    )
    assert not [row for row in said(read(tmp_path, page)) if row.startswith("|")]


def test_two_columns_with_names_in_ruled_boxes_are_no_table(tmp_path: Path) -> None:
    half = [f"{n}. {PROSE[:38]} {n}" for n in range(1, 50)]
    frame = box(40, 40, 520, 760) + line(300, 40, 300, 800) + line(40, 780, 560, 780)
    page = frame + text(50, 785, "Castellano") + text(310, 785, "Gallego")
    found = said(read(tmp_path, page + text(50, 760, "Artículo 1. Luz.", *half) + text(310, 760, *half)))
    assert not [row for row in found if row.startswith("|")]


def test_lines_through_words_are_no_table(tmp_path: Path) -> None:
    drawn = table([("Grupo", "Puesto"), ("Oficiales", "Torreros")]) + line(65, 700, 65, 660)
    found = said(read(tmp_path, text(50, 760, "Artículo 1. Salario.") + drawn))
    assert " ".join(found[1:]) == "Grupo Puesto Oficiales Torreros"


def test_a_form_that_is_nearly_empty_is_no_table(tmp_path: Path) -> None:
    drawn = table([("Nombre", "", "", ""), ("", "", "", "Firma"), ("", "", "", "")])
    assert said(read(tmp_path, text(50, 760, "Artículo 1. Luz.") + drawn))[1:] == ["Nombre", "Firma"]


def test_a_table_inside_a_cell_is_not_said_twice(tmp_path: Path) -> None:
    inner = "".join(box(180 + c * 50, 560 + r * 15, 50, 15) for r in range(2) for c in range(2))
    words = text(183, 579, "a1") + text(233, 579, "b1") + text(183, 564, "a2") + text(233, 564, "b2")
    outer = box(50, 500, 360, 200) + line(50, 660, 410, 660) + line(170, 500, 170, 700)
    cells = text(55, 670, "Clase") + text(175, 670, "Valor") + text(55, 600, "Uno")
    found = said(read(tmp_path, text(50, 760, "Artículo 1. Luz.") + outer + inner + cells + words))
    assert found[1:] == ["| Clase | Valor |", "| --- | --- |", "| Uno | a1 b1 a2 b2 |"]


def test_a_box_around_a_sentence_is_no_table(tmp_path: Path) -> None:
    page = (
        text(50, 760, "Artículo 1. Luz.")
        + box(40, 690, 400, 40)
        + line(40, 710, 440, 710)
        + text(50, 715, "Uno.", "Dos.")
    )
    assert said(read(tmp_path, page)) == ["Artículo 1. Luz.", "Uno.", "Dos."]


def test_a_table_over_pages_has_one_header(tmp_path: Path) -> None:
    foot = text(50, 30, "Convenio de faros")
    pages = [
        text(50, 760, "Artículo 1. Salario.") + table([HEADER, *ROWS]) + foot,
        *[table([HEADER, *ROWS], y=780) + foot] * 3,
    ]
    assert said(read(tmp_path, *pages))[1:] == [*WHOLE, *SAID[1:] * 3]


def test_the_heads_of_two_pages_of_a_journal_do_not_divide_a_table(tmp_path: Path) -> None:
    def head(page: int) -> str:
        name = text(50, 820, "BOLETÍN OFICIAL DE LA PROVINCIA DE SORIA") + text(400, 820, f"Pág. {page}")
        return name + text(50, 806, "Núm. 45 Lunes, 3 de marzo de 2031")

    first = head(1) + text(50, 770, "Artículo 1. Salario.") + table([HEADER, *ROWS])
    assert said(read(tmp_path, first, head(2) + table(ROWS, y=780)))[1:] == [*WHOLE, *SAID[1:]]


def test_a_head_that_two_pages_repeat_stays_over_the_first_one(tmp_path: Path) -> None:
    head = text(50, 800, "Faros del Norte, S.A.")
    first = head + text(50, 770, "Artículo 1. Salario.") + table([HEADER, *ROWS])
    found = "\n".join(said(read(tmp_path, first, head + table(ROWS, y=780))))
    assert "\n".join([*WHOLE, *SAID[1:]]) in found and found.count("Faros del Norte") == 1


def test_papers_of_one_page_each_keep_what_they_repeat(tmp_path: Path) -> None:
    path = tmp_path / "nominas.pdf"
    path.write_bytes(pdf([["Empresa: Faros, S.A.", f"Líquido: {n}.100,00 euros."] for n in (1, 2)]))
    (paper,) = load(path, "expediente")
    assert "\n".join(said(paper)).count("Faros, S.A.") == 2


def test_a_table_goes_on_without_its_header_and_another_one_does_not() -> None:
    more, other = "| Grupo 4 | 800 | 9.600 |", "| Plus | Noche | Día |"
    assert continued([["Texto", *WHOLE], [more, RULE, SAID[3]], ["|  |  |  |", RULE, more]]) == [
        ["Texto", *WHOLE],
        [more, SAID[3]],
        [more],
    ]
    assert continued([["Texto", *WHOLE], [other, RULE, more], WHOLE]) == [
        ["Texto", *WHOLE],
        [other, RULE, more],
        WHOLE,
    ]
    assert continued([[*WHOLE, "Texto"], WHOLE]) == [[*WHOLE, "Texto"], WHOLE]


def test_a_table_of_words_goes_on_too() -> None:
    first, second = ["| Grupo | Funciones |", "| --- | --- |", "| Torrero | Vela |"], "| Jefe | Manda |"
    assert continued([["Texto", *first], [second, "| --- | --- |", "| Otro | Limpia |", "Fin."]]) == [
        ["Texto", *first],
        [second, "| Otro | Limpia |", "Fin."],
    ]


@pytest.mark.parametrize(
    "joint", ["(continuación)", "Continúa", "Viene de la página 1.", "Sigue en la página 2"]
)
def test_a_line_that_says_that_a_table_goes_on_does_not_divide_it(joint: str) -> None:
    assert continued([["Texto", *WHOLE], [joint, *WHOLE]]) == [["Texto", *WHOLE], SAID[1:]]
    assert continued([["Texto", *WHOLE, joint], WHOLE]) == [["Texto", *WHOLE], SAID[1:]]
    assert continued([["Texto"], [joint, "Más."]]) == [["Texto"], [joint, "Más."]]


@pytest.mark.parametrize(
    ("where", "limit"),
    [
        (pdf_tables, "MAX_SHAPES"),
        (pdf_tables, "MAX_GLYPHS"),
        (pdf_tables, "MAX_LOOKED_AT"),
        (grids, "MAX_LINES"),
        (grids, "MAX_GRIDS"),
    ],
)
def test_a_page_that_draws_too_much_is_read_as_text_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where, limit: str
) -> None:
    monkeypatch.setattr(where, limit, 0)
    found = read(tmp_path, text(50, 760, "Artículo 1. Salario.") + table([HEADER, *ROWS]))
    assert "1.512,60" in "".join(said(found)) and not [row for row in said(found) if row.startswith("|")]
    assert found.warnings[0].startswith("Las páginas 1 tienen demasiados dibujos")


@pytest.mark.parametrize("seed", range(40))
def test_lines_at_random_lose_no_word(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)

    def place() -> float:
        return dice.choice([0, 50, 170, 290, 410, 595, dice.uniform(-100, 900)])

    shapes = "".join(
        dice.choice([line, box])(place(), place(), place(), place()) for _ in range(dice.randint(1, 60))
    )
    rows = [(f"Nombre{n}", f"{n}1", f"{n}2") for n in range(3, 9)]
    words = sorted(["Artículo", "1.", "Luz.", *(word for row in rows for word in row)])
    found = said(read(tmp_path, text(50, 760, "Artículo 1. Luz.") + shapes + columns(rows)))
    assert sorted(set(" ".join(found).replace("|", " ").replace("---", " ").split())) == words
