"""The HTTP API of the personal mode and the one where people have accounts, over the invented corpus."""

from collections.abc import Iterator
from typing import Any

import pytest

from domain.accounts import Role
from tests.api_app import Api, api_over
from tests.homes import lexical_program

VACATIONS = "¿Cuántos días de vacaciones me corresponden al año?"
TAXES = "¿Cómo se calcula el impuesto de sociedades de una cooperativa?"


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """The API of the personal mode."""
    with lexical_program(tmp_path_factory.mktemp("one")) as program, api_over(program) as made:
        yield made


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """The API where people have accounts."""
    settings = {"auth_mode": "local", "quota_questions_per_day": 3}
    with lexical_program(tmp_path_factory.mktemp("many"), **settings) as program, api_over(program) as made:
        made.person("jefa", Role.ADMIN)
        yield made


def problem(reply: Any, status: int) -> str:
    """The sentence of a problem."""
    assert (reply.status_code, reply.headers["content-type"]) == (status, "application/problem+json"), (
        reply.text
    )
    found = reply.json()
    assert found["status"] == status
    assert found["title"]
    assert "Traceback" not in reply.text
    assert len(found["detail"].splitlines()) == 1
    told: str = found["detail"]
    return told
