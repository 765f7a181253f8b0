"""Rulings as briefs cite them: the cases of tests/cases/rulings.md, and forms that cannot be."""

import pytest

from tests.brief_notation import rulings_of
from tests.case_files import pairs


@pytest.mark.parametrize(("text", "expected"), pairs("rulings"))
def test_a_ruling_is_read_as_the_cases_say(text: str, expected: str) -> None:
    assert rulings_of(text) == expected


def test_a_year_that_contradicts_the_date_is_told_whatever_the_order() -> None:
    assert rulings_of("STS 123/2019, de 4 de mayo de 2020.") == "STS 123/2019 4-5-2020 !"
    assert rulings_of("STS de 31 de abril de 2020 (rec. 1/2019).") == "STS rec 1/2019 !"


def test_a_statute_behind_a_ruling_is_none_of_its_list() -> None:
    assert rulings_of("STS 12/2020, Ley 3/2012 y RD 4/2013.") == "STS 12/2020"
    assert rulings_of("STS de 3 de mayo de 2017 y 4 de junio de 2018 se firmó.") == "STS 3-5-2017"
