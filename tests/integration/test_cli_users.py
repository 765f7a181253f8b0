"""`cli.py users`: accounts without a browser, whatever the mode; a password is printed once and alone."""

import json

import pytest

import cli
from core.errors import ArticuladoError, InputError, NotFound
from domain.accounts import Role
from service.accounts.throttle import SignInRefused
from tests.conftest import Maker

ACCOUNT = {"id", "username", "name", "roles", "active", "provider"}
ACCOUNT |= {"must_change", "change_by", "created_at", "last_login"}


@pytest.fixture
def run(make_program: Maker, capsys: pytest.CaptureFixture[str]):
    """`run("add rosa --role admin")` on one program; what it printed on both streams."""
    program = make_program(auth_mode="local")

    def one(line: str):
        options = cli._parser().parse_args(["users", *line.split()])
        assert not options.run(program, options)
        return capsys.readouterr()

    one.program = program  # pyright: ignore[reportFunctionMemberAccess]
    return one


def sign_in(program, username, password):
    return program.accounts.sign_in.by_password(username, password, address="127.0.0.1", agent="")


def test_the_first_admin_is_made_and_signs_in_with_what_was_printed(run):
    assert "No hay ninguna cuenta" in run("list").out
    assert run.program.accounts.setup.needed
    printed = run("add Rosa --role admin --role revisor")
    password = printed.out.strip()
    assert password not in printed.err
    assert sign_in(run.program, "rosa", password).identity.must_change
    listed = run("list").out
    assert "rosa" in listed
    assert password not in listed


def test_an_account_from_its_making_to_its_end(run):
    run("add rosa --role admin")
    made = json.loads(run("add ana --role abogado --name Ana --json").out)
    assert (set(made), set(made["user"])) == ({"user", "password"}, ACCOUNT)
    assert (made["user"]["name"], made["user"]["roles"]) == ("Ana", ["abogado"])
    signed = sign_in(run.program, "ana", made["password"])
    run("roles ana --role revisor")
    run("rename ana Anita")
    assert run.program.accounts.sessions.identify(signed.token).roles == (Role.REVIEWER,)
    again = json.loads(run("reset ANA --json").out)
    assert run.program.accounts.sessions.identify(signed.token) is None
    with pytest.raises(SignInRefused):
        sign_in(run.program, "ana", made["password"])
    run("disable ana")
    with pytest.raises(SignInRefused):
        sign_in(run.program, "ana", again["password"])
    run("enable ana")
    assert sign_in(run.program, "ana", again["password"])
    assert "proveedor" in run("provider ana").out
    assert json.loads(run("remove ana --json").out) == {"removed": "ana"}
    assert [one["username"] for one in json.loads(run("list --json").out)["users"]] == ["rosa"]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("add ana --role abogado", InputError),
        ("add rosa --role admin", InputError),
        ("disable rosa", InputError),
        ("remove rosa", InputError),
        ("roles rosa --role abogado", InputError),
        ("reset nadie", NotFound),
        ("disable ..", InputError),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_sentence(run, line, error):
    if line != "add ana --role abogado":
        run("add rosa --role admin")
    before = run("list --json").out
    with pytest.raises(error) as caught:
        run(line)
    assert isinstance(caught.value, ArticuladoError)
    assert run("list --json").out == before


@pytest.mark.parametrize("line", ["add ana", "add ana --role jefe", "roles ana", ""])
def test_a_role_that_does_not_exist_is_wrong_usage(line):
    with pytest.raises(SystemExit) as caught:
        cli._parser().parse_args(["users", *line.split()])
    assert caught.value.code == 2


def test_accounts_are_made_in_the_personal_mode_too(make_program):
    program = make_program()
    program.accounts.add(None, "rosa", "Rosa", [Role.ADMIN])
    assert program.accounts.mode == "personal"
    assert [one.username for one in program.accounts.accounts(None)] == ["rosa"]
