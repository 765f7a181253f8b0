"""Where a quotation stands on a page: exactly there, told by what is beside it, or nowhere."""

import pytest

from loading.formats.quotation_on_page import PlacedText, Sign, located

PITCH, LINE = 10, 20


def page(*lines: str) -> PlacedText:
    """A page whose characters are 10 wide and 16 high, in lines 20 apart."""
    signs: list[Sign] = []
    for row, line in enumerate(lines):
        for column, char in enumerate(line):
            left, upper = column * PITCH, row * LINE
            signs.append(Sign(char, None if char == " " else (left, upper, left + PITCH, upper + 16)))
        signs.append(Sign("\n"))
    return PlacedText(signs)


def stretch(row: int, start: int, end: int) -> tuple[float, ...]:
    return (start * PITCH, row * LINE, end * PITCH, row * LINE + 16)


LETTER = page("La empresa ha deci-", "dido el despido.", "Total: 60,00 euros", "Saldo: 60,00 euros")


@pytest.mark.parametrize(
    ("quote", "boxes"),
    [
        ("La empresa ha decidido", [stretch(0, 0, 19), stretch(1, 0, 4)]),
        ("el  despido.", [stretch(1, 5, 16)]),
        ("«el despido»", [stretch(1, 5, 15)]),
        ("Total: 60,00 euros", [stretch(2, 0, 18)]),
        (
            "| Total: | 60,00 euros |\n| --- | --- |\n| Saldo: | 60,00 euros |",
            [stretch(2, 0, 18), stretch(3, 0, 18)],
        ),
    ],
)
def test_each_line_of_it_has_a_box(quote: str, boxes: list[tuple[float, ...]]) -> None:
    assert located(quote, quote, [LETTER], ()) == (boxes, [])


@pytest.mark.parametrize(
    "quote",
    ["", "«»", "La empresa no ha decidido", "presa ha decidido", "el despido improcedente", "0,00 euros"],
)
def test_what_is_not_there_letter_by_letter_and_in_whole_words_has_none(quote: str) -> None:
    assert located(quote, quote, [LETTER], ()) is None


def test_of_words_that_stand_twice_those_beside_tell_which() -> None:
    told = ([stretch(3, 7, 18)], [])
    assert located("60,00 euros", "Saldo: 60,00 euros", [LETTER], ()) == told
    assert located("60,00 euros", "| Saldo: | 60,00 euros |", [LETTER], ()) == told
    assert located("60,00 euros", "euros Saldo: 60,00 euros", [LETTER], ()) == told
    for unknown in ("60,00 euros", "", "El pago de 60,00 euros"):
        assert located("60,00 euros", unknown, [LETTER], ()) is None


def test_a_hyphen_that_the_text_kept_is_found_in_the_other_order() -> None:
    broken = page("faltas socio-", "laborales")
    assert located("socio-laborales", "", [broken], ()) is None
    found = located("socio-laborales", "", [broken, broken.unbroken()], ())
    assert found == ([stretch(0, 7, 13), stretch(1, 0, 9)], [])


FIRST = page("El trabajador abandonó su", "puesto, lo que se le", "Página 1")
SECOND = page("Faros, S.L.", "comunica hoy. Sin más.", "Página 2")


def test_a_quotation_that_goes_on_overleaf_is_marked_on_both_pages() -> None:
    found = located("lo que se le comunica hoy.", "", [FIRST], [SECOND])
    assert found == ([stretch(1, 8, 20)], [stretch(1, 0, 13)])
    assert located("Sin más.", "", [FIRST], [SECOND]) == ([], [stretch(1, 14, 22)])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (page("lo que se le", *["Otra cosa."] * 4), SECOND),
        (FIRST, page(*["Otra cosa."] * 4, "comunica hoy.")),
        (FIRST, page("comunica hoy.", "comunica hoy.")),
        (FIRST, page("y comunica ayer.")),
    ],
)
def test_two_pieces_that_do_not_follow_each_other_are_no_quotation(
    first: PlacedText, second: PlacedText
) -> None:
    assert located("lo que se le comunica hoy.", "", [first], [second]) is None


def test_words_twice_overleaf_are_marked_nowhere() -> None:
    assert located("Sin más.", "", [FIRST], [page("Sin más.", "Sin más.")]) is None


def test_a_slanted_line_is_marked_in_pieces_that_cover_no_other() -> None:
    signs = [Sign(char, (n * 10, n * 4, n * 10 + 10, n * 4 + 16)) for n, char in enumerate("despedido")]
    found = located("despedido", "", [PlacedText(signs)], ())
    assert found is not None
    assert max(lower - upper for _, upper, _, lower in found[0]) < 24
