"""Tables of HTML and of the BOE: every value stands in the column that it has on the page."""

import pytest
from lxml import etree

from loading.formats.markdown_tables import (
    MOST_PLACES,
    REPEATED,
    Spanning,
    markdown_rows,
    markup_rows,
    spread,
)


def rows(*lines: str) -> list[list[str]]:
    table = etree.fromstring(f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>")
    return markup_rows(table, lambda cell: "".join(map(str, cell.itertext())))


def test_a_cell_that_spans_rows_stands_in_each() -> None:
    assert rows(
        "<th>Grupo</th><th>Nivel</th><th>Euros</th>",
        '<td rowspan="2">Grupo 1</td><td>A</td><td>10</td>',
        "<td>B</td><td>20</td>",
        "<td>Grupo 2</td><td>A</td><td>30</td>",
    ) == [["Grupo", "Nivel", "Euros"], ["Grupo 1", "A", "10"], ["Grupo 1", "B", "20"], ["Grupo 2", "A", "30"]]


def test_a_cell_that_spans_columns_stands_in_each() -> None:
    assert rows('<th>Grupo</th><th colspan="2">Euros</th>', "<td>1</td><td>10</td><td>20</td>") == [
        ["Grupo", "Euros", "Euros"],
        ["1", "10", "20"],
    ]


def test_cells_in_the_middle_and_at_the_end_reach_down() -> None:
    assert rows(
        '<td>a</td><td rowspan="3">b</td><td rowspan="2">c</td>', "<td>d</td>", "<td>e</td><td>f</td>"
    ) == [["a", "b", "c"], ["d", "b", "c"], ["e", "b", "f"]]


def test_a_title_over_the_whole_table_stands_once() -> None:
    assert rows('<th colspan="3">Anexo</th>', "<td>1</td><td>2</td><td>3</td>")[0] == ["Anexo"]


def test_a_long_cell_is_not_multiplied() -> None:
    long = "palabra " * 100
    assert rows(f'<td rowspan="2" colspan="2">{long}</td><td>a</td>', "<td>b</td>") == [
        [long, "", "a"],
        ["", "", "b"],
    ]


@pytest.mark.parametrize("span", ["0", "-2", "x", "", "9" * 30, "٣"])
def test_a_span_that_makes_no_sense_costs_nothing(span: str) -> None:
    found = rows(f'<td rowspan="{span}" colspan="{span}">a</td><td>b</td>', "<td>c</td><td>d</td>")
    assert found[0][-1] == "b"
    assert len(found[0]) <= 101
    assert "d" in found[1]


def test_bars_in_cells_are_escaped_and_rows_filled_up() -> None:
    assert list(markdown_rows([["a|b", "c"], [], ["d"]])) == ["| a\\|b | c |", "| --- | --- |", "| d |  |"]


def test_one_wide_row_does_not_widen_all_the_others() -> None:
    rows = [["a"] * 20_000, *[["b"]] * 20_000]
    assert MOST_PLACES < 20_000 * 20_000
    assert sum(map(len, markdown_rows(rows))) < 1_000_000


def test_cells_that_span_do_not_multiply_a_table_without_end() -> None:
    rows = [[Spanning("a" * REPEATED, 100, 100), Spanning("b")], *[[Spanning("b")]] * 99] * 10
    assert sum(len(cell) for row in spread(rows) for cell in row) < 15_000_000


def test_a_table_that_names_no_columns_has_an_empty_header() -> None:
    assert list(markdown_rows([["a", "b"]], headed=False)) == ["|  |  |", "| --- | --- |", "| a | b |"]
