"""The measure of growth lets a linear cost pass and stops a quadratic one."""

import re

import pytest

from tests.growth import assert_linear


def test_a_linear_cost_passes() -> None:
    assert_linear(lambda size: sum(range(size)), 100_000)


def test_a_quadratic_cost_fails() -> None:
    endings = re.compile(r"\s+$")
    with pytest.raises(AssertionError, match="times as long"):
        assert_linear(lambda size: endings.search(" " * size + "x"), 4_000)
