"""Whole norms that derogatory provisions repeal: tests/cases/repeals.md."""

import pytest

from law.repeals import numbered, repealed_in
from tests.case_files import pairs


@pytest.mark.parametrize(("text", "expected"), pairs("repeals"))
def test_only_what_is_repealed_whole_is_repealed(text: str, expected: str) -> None:
    assert "; ".join(map(" ".join, repealed_in(f"Disposición derogatoria única.\n{text}"))) == expected


def test_a_norm_is_told_by_rank_and_number_however_it_is_written() -> None:
    assert numbered("RDLeg 1/94, de 20 de junio") == ("rdleg", "1/1994")
    assert numbered("la ley de faros") is None
