"""Calculations over HTTP, from the client and from the command line."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

import cli
from commands import engine
from domain.accounts import Role, Scope
from service import config
from tests.api_app import Api, api_over
from tests.homes import new_program

NOTICE = {"causa": "objetivo", "comunicacion": "2025-05-01", "efectos": "11/05/2025", "salario": 36500}


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """The API where people have accounts."""
    program = new_program(tmp_path_factory.mktemp("calculate") / "home", auth_mode="local")
    with api_over(program) as made:
        made.person("jefa", Role.ADMIN)
        yield made
    program.close()


def post(api: Api, token: str, name: str, data: Any) -> Any:
    return api("POST", f"/calculations/{name}", token, json={"data": data})


def test_a_program_gets_the_steps_and_the_exact_figures(many: Api) -> None:
    token = many.token(many.person("ana"), Scope.READ)
    found = post(many, token, "preaviso", NOTICE).json()
    assert found["values"] == {"first": "2025-05-16", "days": 15, "missing": 5, "amount": "500.00"}
    assert ["art. 53.1.c ET", "art. 53 ET"] in found["steps"][0]["refs"]


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("nada", {}, "No existe el cálculo «nada»"),
        ("preaviso", {}, "Falta un dato: Causa"),
        ("preaviso", NOTICE | {"salario": -1}, "no puede ser un importe negativo"),
        ("preaviso", NOTICE | {"salario": 1e300}, "no se admiten más de"),
        ("preaviso", NOTICE | {"salario": True}, "escriba un importe"),
        ("preaviso", NOTICE | {"comunicacion": 20250501}, "que exista"),
        ("preaviso", NOTICE | {"efectos": "x" * 201}, "caracteres como máximo"),
        ("preaviso", NOTICE | {"efectos": {"a": 1}}, "No se puede usar"),
        ("preaviso", {str(number): "" for number in range(41)}, "como máximo"),
        ("plazo", {"fecha": "2025-05-01", "dias": 5, "sede": "../../etc/passwd"}, "No hay festivos de"),
        ("x" * 300, {}, "200 caracteres como máximo"),
    ],
)
def test_data_that_cannot_be_used_is_a_problem_in_spanish(many: Api, name: str, data: Any, told: str) -> None:
    token = many.token(many.person(f"p{len(many.program.accounts.names())}"), Scope.READ)
    reply = post(many, token, name, data)
    assert reply.status_code == 422
    assert told in reply.json()["detail"]


def test_the_command_prints_the_text_or_the_document(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    new_program(tmp_path / "home").close()
    monkeypatch.setenv("ARTICULADO_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(engine, "settings", config.chosen)
    monkeypatch.setattr(config, "settings", config.chosen)
    data = ["causa=objetivo", "comunicacion=2025-05-01"]
    assert cli.main(["calculate", "preaviso", *data]) == 0
    assert "- Primer día posible de efectos: viernes, 16 de mayo de 2025" in capsys.readouterr().out
    assert cli.main(["calculate", "preaviso", *data, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["values"]["first"] == "2025-05-16"
    assert cli.main(["calculate", "preaviso", "objetivo"]) == 1
    assert "escríbalo como nombre=valor" in capsys.readouterr().err
    assert cli.main(["calculate", "preaviso"]) == 1
    assert "Falta un dato: Causa" in capsys.readouterr().err
