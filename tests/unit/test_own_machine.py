"""The door of the personal mode: whose the other end of a connection is, and the key of a start."""

import os
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from articulado.clients.client import KEY_FILE, key_of_home
from web import own_machine
from web.own_machine import OwnMachine, is_own, owner

NOBODY = 65534
LINUX = pytest.mark.skipif(not own_machine.tells(), reason="only Linux tells whose a connection is")
CONNECT = """
import encodings.idna, os, socket, sys
os.setuid({uid})
made = socket.create_connection(("{host}", {port}))
sys.stdin.read()
"""


@pytest.fixture(params=["127.0.0.1", "::1"])
def server(request: pytest.FixtureRequest) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in request.param else socket.AF_INET
    with socket.socket(family) as made:
        try:
            made.bind((request.param, 0))
        except OSError:
            pytest.skip("this machine has no IPv6")
        made.listen()
        made.settimeout(20)
        yield made


@LINUX
def test_a_connection_of_ones_own_is_known_while_it_is_open(server: socket.socket) -> None:
    with socket.create_connection(server.getsockname()[:2]) as mine:
        client = mine.getsockname()[:2]
        accepted, _ = server.accept()
        assert is_own(client, server.getsockname()[:2])
        assert owner(server.getsockname()[:2], ("127.0.0.1", 1)) is None
    with accepted:
        assert owner(client, server.getsockname()[:2]) is None, "the kernel gives a closed one to root"


@LINUX
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_connection_of_somebody_else_is_not_ones_own(
    server: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, port = server.getsockname()[:2]
    command = [sys.executable, "-c", CONNECT.format(uid=NOBODY, host=host, port=port)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as other:
        accepted, client = server.accept()
        with accepted:
            assert owner(client[:2], (host, port)) == NOBODY
            assert not is_own(client[:2], (host, port))
            monkeypatch.setattr(os, "geteuid", lambda: NOBODY)
            assert is_own(client[:2], (host, port))
        other.communicate()


def scope(path: str = "/", query: str = "", **headers: str) -> dict[str, Any]:
    named = [(name.encode(), value.encode()) for name, value in headers.items()]
    client, here = ("127.0.0.1", 9), ("127.0.0.1", 8501)
    return {
        "type": "http",
        "path": path,
        "query_string": query.encode(),
        "headers": named,
        "client": client,
        "server": here,
    }


@pytest.mark.parametrize(
    ("headers", "let_in"),
    [
        ({"authorization": "Bearer {key}"}, True),
        ({"cookie": "articulado={key}"}, True),
        ({}, False),
        ({"authorization": "Bearer "}, False),
        ({"cookie": "articulado="}, False),
        ({"cookie": "articulado=ñ"}, False),
        ({"authorization": "Bearer {key}x"}, False),
    ],
)
def test_who_is_not_known_shows_the_key_of_this_start(
    headers: dict[str, str], let_in: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_machine, "is_own", lambda *_: False)
    machine = OwnMachine()
    given = {name: value.format(key=machine.key) for name, value in headers.items()}
    assert machine.lets_in(scope(**given)) is let_in
    assert not OwnMachine().lets_in(scope(**given))


def test_the_printed_address_opens_the_first_page_alone_and_carries_the_key_only_where_it_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    machine = OwnMachine()
    monkeypatch.setattr(own_machine, "tells", lambda: False)
    monkeypatch.setattr(own_machine, "alone", lambda: False)
    address, _, query = machine.address("http://127.0.0.1:8501").partition("?")
    assert address == "http://127.0.0.1:8501/"
    assert machine.opens(scope(query=query))
    assert not machine.opens(scope("/users", query)) and not machine.opens(scope(query="clave=x"))
    monkeypatch.setattr(own_machine, "tells", lambda: True)
    assert machine.address("http://127.0.0.1:8501") == "http://127.0.0.1:8501"


def test_commands_find_the_key_in_the_home_while_the_program_runs(tmp_path: Path) -> None:
    machine = OwnMachine()
    with machine.written(tmp_path):
        assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600
        assert key_of_home("http://127.0.0.1:8501", tmp_path) == machine.key
        assert key_of_home("https://articulado.example", tmp_path) == ""
    assert key_of_home("http://127.0.0.1:8501", tmp_path) == ""
