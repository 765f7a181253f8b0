"""Parsing the verdict (S0.51): exact lines, never substrings."""

from datetime import date

import pytest

from rag.stages.assess import parse_reply
from rag.stages.needed_articles import Need


@pytest.mark.parametrize("output", ["READY", " READY \n", "`READY`", "**READY**", "Bien.\nREADY"])
def test_ready_is_a_line_of_its_own(output):
    assert parse_reply(output).ready


@pytest.mark.parametrize(
    "output",
    ["", "El contexto está READY para responder", "NOT READY", "ready", "ALREADY", "NEED|48", "DROP|"],
)
def test_anything_else_is_no_verdict(output):
    assert parse_reply(output) is None


def test_need_and_drop_are_read():
    reply = parse_reply("NEED|48.4|Estatuto Trabajadores\nNEED|177|LGSS\nDROP|0, 3,7")
    assert [str(need) for need in reply.needs] == ["artículo 48.4 Estatuto Trabajadores", "artículo 177 LGSS"]
    assert reply.drops == [0, 3, 7]
    assert not reply.ready


@pytest.mark.parametrize(
    ("when", "told"),
    [
        ("2019-07-01", " a 01/07/2019"),
        ("1/7/2019", " a 01/07/2019"),
        ("1 de julio de 2019", " a 01/07/2019"),
        ("2019", " a 02/07/2019"),
        ("redacción vigente en 2019", " a 02/07/2019"),
        ("2019-02-30", " a 2019-02-30"),
        ("", ""),
        ("hoy", ""),
        ("permiso por nacimiento", ""),
    ],
)
def test_a_need_may_have_a_day(when: str, told: str) -> None:
    reply = parse_reply(f"NEED|48.4|Estatuto Trabajadores|{when}")
    assert reply is not None
    assert [str(need) for need in reply.needs] == [f"artículo 48.4 Estatuto Trabajadores{told}"]


def test_an_article_of_two_days_is_needed_twice() -> None:
    reply = parse_reply("NEED|48|ET|2019-07-01\nNEED|48|ET\nNEED|48|ET|2019-07-01")
    assert reply is not None
    assert [need.day for need in reply.needs] == [date(2019, 7, 1), None]


def test_ready_with_needs_is_not_ready():
    assert not parse_reply("READY\nNEED|48|ET").ready


def test_at_most_three_needs_and_one_drop_line_count():
    reply = parse_reply("\n".join(f"NEED|{n}|ET" for n in range(1, 7)) + "\nDROP|1\nDROP|2")
    assert len(reply.needs) == 3
    assert reply.drops == [1]


def test_a_repeated_need_counts_once_and_words_are_no_index():
    reply = parse_reply("NEED|48|ET\nNEED|48|ET\nDROP|x,2,-1")
    assert len(reply.needs) == 1
    assert reply.drops == [2]


@pytest.mark.parametrize(
    ("number", "base", "apartado"),
    [
        ("48", "48", None),
        ("48.4", "48", "4"),
        ("48 bis", "48 bis", None),
        ("48 bis.2", "48 bis", "2"),
        ("37.3.b)", "37", "3"),
    ],
)
def test_the_base_article_of_a_need(number, base, apartado):
    need = Need(number, "ET")
    assert (need.base, need.apartado) == (base, apartado)
