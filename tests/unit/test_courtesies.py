"""Courtesies: what is answered in a line, and what stays a question."""

from datetime import date

import pytest

from rag.question.courtesies import reply
from rag.question.question_form import clean
from tests.case_files import listed, pairs

TODAY = date(2026, 11, 28)


@pytest.mark.parametrize(("said", "begins"), pairs("courtesies", "courtesies"))
def test_a_courtesy_is_answered_in_a_line(said: str, begins: str) -> None:
    assert reply(clean(said), TODAY).startswith(begins)


@pytest.mark.parametrize("said", listed("courtesies", "questions"))
def test_a_question_is_no_courtesy(said: str) -> None:
    assert reply(clean(said), TODAY) == ""
