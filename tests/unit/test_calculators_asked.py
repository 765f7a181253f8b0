"""A question that asks for an account is told of the calculator that does it."""

import pytest

from calculations.catalogue import CALCULATORS
from lexicon.calculators import calculator
from lexicon.data_files import read_toml
from tests.case_files import pairs


@pytest.mark.parametrize(("question", "title"), pairs("calculations", "Preguntas que hace una calculadora"))
def test_an_account_that_a_calculator_does_is_known_by_its_words(question: str, title: str) -> None:
    assert calculator(question) == title


def test_every_name_and_title_is_of_a_calculator() -> None:
    named = {item["name"]: item["title"] for item in read_toml("calculators.toml")["calculator"]}
    assert named == {name: CALCULATORS[name].title for name in named}
