"""Headers and footers that change with the page, with the chapter or from odd to even pages."""

import pytest

from loading.formats.page_furniture import without_furniture

CHAPTERS = ["CAPÍTULO I. Objeto", "CAPÍTULO II. De la jornada", "CAPÍTULO III. Del salario"]


def body(page: int) -> list[str]:
    return [
        f"Artículo {page}. Luz {page}.",
        f"Texto primero {page * 7}a.",
        f"Texto segundo {page * 9}b.",
        f"Y fin {page * 3}c.",
    ]


@pytest.mark.parametrize("length", [2, 3, 5])
def test_a_header_that_names_the_chapter_goes_and_the_chapters_heading_stays(length: int) -> None:
    pages, expected = [], []
    for page in range(len(CHAPTERS) * length):
        chapter, first = CHAPTERS[page // length], page % length == 0
        inside = [*body(page)[:3], chapter, body(page)[3]] if first else body(page)
        pages.append([chapter, *inside])
        expected.append(inside)
    assert without_furniture(pages) == expected


def test_a_header_may_say_more_than_the_heading_of_the_chapter() -> None:
    pages = [
        ["CAPÍTULO II", "De la jornada", *body(1)],
        *[["Capítulo II. De la jornada", *body(n)] for n in (2, 3)],
    ]
    assert without_furniture(pages) == [pages[0], body(2), body(3)]


def test_a_chapter_of_the_next_title_is_another_one() -> None:
    pages = [["TÍTULO I", "CAPÍTULO I", *body(1)], [*body(2), "TÍTULO II"], ["CAPÍTULO I", *body(3)]]
    assert without_furniture(pages) == pages


def test_an_article_that_a_header_names_again_goes_on() -> None:
    pages = [
        ["Artículo 1. Luz.", *body(7)[1:]],
        ["Artículo 1. Luz.", *body(8)[1:]],
        ["Artículo 2. Mar.", *body(9)[1:]],
    ]
    assert without_furniture(pages) == [pages[0], pages[1][1:], pages[2]]


def test_annexes_without_a_number_are_not_one() -> None:
    pages = [["ANEXO", *body(1)[1:]], ["ANEXO", *body(2)[1:]], body(3)]
    assert without_furniture(pages) == pages


def test_odd_and_even_pages_may_have_headers_of_their_own() -> None:
    pages = [
        [f"{n} Convenio de faros" if n % 2 else f"De la jornada {n}", *body(n), "Mar, S.A."]
        for n in range(1, 9)
    ]
    assert without_furniture(pages) == [body(n) for n in range(1, 9)]


def test_a_header_of_two_pages_goes_where_most_pages_have_one() -> None:
    names = ["Del salario"] * 4 + ["De la jornada"] * 2 + ["Del fin"] * 2
    pages = [[name, *body(n)] for n, name in enumerate(names, 1)]
    assert without_furniture(pages) == [body(n) for n in range(1, 9)]


def test_two_pages_that_begin_alike_stay_where_pages_have_no_header() -> None:
    pages = [["Del salario", *body(1)], ["Del salario", *body(2)], body(3), body(4)]
    assert without_furniture(pages) == pages


def test_the_header_of_a_table_over_pages_is_no_header_of_the_page() -> None:
    table = ["| Grupo | Euros |", "| --- | --- |"]
    pages = [["Convenio de faros", *table, *[f"| {n}{m} | {m} |" for m in range(4)]] for n in range(1, 6)]
    assert without_furniture(pages) == [page[1:] for page in pages]


def test_a_header_that_is_a_table_goes() -> None:
    head = ["| Mar, S.A. | Convenio |", "| --- | --- |", "| Faros | {page} |"]
    pages = [[*(line.format(page=n) for line in head), *body(n)] for n in range(1, 6)]
    assert without_furniture(pages) == [body(n) for n in range(1, 6)]
