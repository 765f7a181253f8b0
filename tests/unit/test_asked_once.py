"""Failures of endpoints that a run remembers."""

from typing import Any, NamedTuple

import pytest

from core.errors import ModelBusy, ModelError, ModelMissing, ModelTimeout, ModelUnavailable, ModelUnreachable
from models import failed_endpoints
from models.failed_endpoints import Failures


class Model(NamedTuple):
    endpoint: str
    model: str


READER, PRINCIPAL, ELSEWHERE = Model("a", "small"), Model("a", "large"), Model("b", "small")


@pytest.mark.parametrize(
    ("error", "closed"),
    [
        (ModelUnreachable("x"), [READER, PRINCIPAL]),
        (ModelMissing("x"), [READER]),
        (ModelBusy("x"), [READER]),
        (ModelUnavailable("x"), []),
        (ModelError("x"), []),
    ],
)
def test_a_fault_reaches_as_far_as_it_is_of(error: ModelError, closed: list[Any]) -> None:
    known = Failures()
    known.add(READER, error, 5.0)
    for model in (READER, PRINCIPAL, ELSEWHERE):
        found = known.of(model, 100.0)
        assert (found is not None) == (model in closed)
        assert found is None or str(found) == "no se ha vuelto a preguntar: x"


def test_a_wait_in_vain_is_not_repeated_for_as_long_or_less() -> None:
    known = Failures()
    known.add(READER, ModelTimeout("tarde"), 5.0)
    known.add(PRINCIPAL, ModelTimeout("tarde"), 2.0)
    assert [known.of(PRINCIPAL, seconds) is None for seconds in (2.0, 5.0, 6.0)] == [False, False, True]
    assert known.of(ELSEWHERE, 1.0) is None


def test_a_busy_model_is_asked_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failed_endpoints, "BUSY_SECONDS", 0.0)
    known = Failures()
    known.add(READER, ModelBusy("x"), 5.0)
    assert known.of(READER, 5.0) is None
