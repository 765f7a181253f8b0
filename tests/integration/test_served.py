"""A real server process with accounts: what only uvicorn, real sockets and the log can show."""

import asyncio
import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from lab.visitor import Visitor
from service.config import ROOT
from storage.migrate import OTHER_VERSION
from storage.stores import open_database
from tests.e2e.conftest import served

pytestmark = pytest.mark.slow

PASSWORD = "frase larga de paso 7"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    folder = tmp_path_factory.mktemp("served")
    with served(folder, AUTH_MODE="local", LOG_FORMAT="json") as address:
        yield address, folder


@pytest.fixture(scope="module")
def admin(server: tuple[str, Path]) -> httpx.Client:
    """The browser in which the first account was made, with the code of the log."""
    address, folder = server
    code = re.search(r"/inicio con este código, que vale una vez: (\S+)", "\n".join(told(folder)))
    assert code, "the log says nothing of the first account"
    browser = httpx.Client(base_url=address, headers={"accept": "text/html", "origin": address})
    assert browser.get("/").headers["location"] == "/inicio"
    fields = {"username": "jefa", "name": "Jefa Ruiz", "new": PASSWORD, "again": PASSWORD}
    wrong = submit(browser, "/inicio", code="otro", **fields)
    assert (wrong.status_code, browser.cookies.get("articulado")) == (401, None)
    assert submit(browser, "/inicio", code=code[1], **fields).status_code == 303
    assert submit_again(browser, code[1], fields).headers["location"] == "/acceso"
    return browser


def told(folder: Path) -> list[str]:
    """The messages of the log, each line of which is an object of JSON, whoever wrote it."""
    return [json.loads(line)["message"] for line in (folder / "server.log").read_text().splitlines()]


def submit(browser: httpx.Client, path: str, **fields: str) -> httpx.Response:
    found = re.search(r'name="csrf" value="([0-9a-f]+)"', browser.get(path).text)
    assert found
    return browser.post(path, data={"csrf": found[1], **fields})


def submit_again(browser: httpx.Client, code: str, fields: dict[str, str]) -> httpx.Response:
    return browser.post("/inicio", data={"csrf": "x", "code": code, **fields})


def stream(browser: httpx.Client, **headers: str) -> ClientConnection:
    address = str(browser.base_url).replace("http", "ws", 1).rstrip("/") + "/_stcore/stream"
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in browser.cookies.jar)
    return connect(
        address,
        additional_headers={"cookie": cookies, **headers},
        origin=browser.headers["origin"],  # type: ignore[arg-type]
        subprotocols=["streamlit"],  # type: ignore[list-item]
        max_size=None,
    )


def closing_code(socket: ClientConnection) -> int:
    with pytest.raises(ConnectionClosed) as closed:
        while True:
            socket.recv(timeout=20)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


def test_the_first_person_makes_their_account_and_is_in(admin: httpx.Client) -> None:
    assert admin.get("/").status_code == 200
    assert admin.get("/users").status_code == 200
    assert admin.get("/review").status_code == 403


def test_an_address_that_is_only_claimed_is_not_recorded(
    server: tuple[str, Path], admin: httpx.Client
) -> None:
    """Streamlit's uvicorn would believe X-Forwarded-For from this machine."""
    address, folder = server
    browser = httpx.Client(base_url=address, headers={"origin": address, "accept": "text/html"})
    browser.headers["x-forwarded-for"] = "203.0.113.77"
    browser.headers["x-forwarded-proto"] = "https"
    assert submit(browser, "/acceso", username="jefa", password=PASSWORD).status_code == 303
    database = open_database(f"sqlite:///{folder / 'home' / 'articulado.db'}")
    try:
        (account,) = database.accounts.accounts()
        sessions = database.login_sessions.sessions(account.id, datetime.now(UTC), timedelta(hours=1))
        assert {session.address for session in sessions} == {"127.0.0.1"}
    finally:
        database.close()


def test_signing_out_closes_the_open_pages_with_a_code_that_the_browser_sees(admin: httpx.Client) -> None:
    other = httpx.Client(base_url=admin.base_url, headers=dict(admin.headers))
    assert submit(other, "/acceso", username="jefa", password=PASSWORD).status_code == 303
    with stream(other) as tab:
        assert tab.subprotocol == "streamlit"
        assert submit(other, "/salir").status_code == 303
        assert closing_code(tab) == 4401
    assert admin.get("/").status_code == 200


def test_the_log_holds_no_password_and_no_session(server: tuple[str, Path], admin: httpx.Client) -> None:
    _, folder = server
    log = (folder / "server.log").read_text()
    assert PASSWORD not in log
    assert admin.cookies["articulado"] not in log
    assert admin.cookies["articulado_equipo"] not in log
    assert "Traceback" not in log
    assert "ready" in told(folder), "each line is JSON, those of Streamlit and uvicorn too"


def test_the_log_says_whose_answer_began_and_how_it_ended_without_a_word_of_it(
    server: tuple[str, Path], admin: httpx.Client
) -> None:
    address, folder = server

    async def ask() -> None:
        async with Visitor(address, {"articulado": admin.cookies["articulado"]}) as page:
            await page.ask("¿Cuántos días de vacaciones corresponden al año?", 60)

    asyncio.run(ask())
    log = (folder / "server.log").read_text()
    lines = [json.loads(line) for line in log.splitlines()]
    begun, ended = (line for line in lines if line["logger"] == "rag.run.runs")
    assert begun["answer"] == ended["answer"]
    assert (ended["state"], ended["mode"]) == ("complete", "offline")
    assert ended["seconds"] > 0
    opened = [line["request"] for line in lines if line["message"] == "page opened"]
    assert begun["request"] == ended["request"] == opened[-1]
    assert len(begun["account"]) == len(ended["account"]) == 32
    assert "vacaciones" not in log


def test_pages_stop_looking_for_answers_of_other_pages_when_all_have_ended(
    server: tuple[str, Path], admin: httpx.Client
) -> None:
    """A page that went on would keep its session alive for ever; `ask` waits until nothing runs by itself."""
    address, _ = server

    async def ask() -> None:
        async with AsyncExitStack() as stack:
            cookies = {"articulado": admin.cookies["articulado"]}
            pages = [await stack.enter_async_context(Visitor(address, cookies)) for _ in range(8)]
            asked = (
                page.ask(f"¿Cuántos días de permiso hay por el motivo {i}?", 30)
                for i, page in enumerate(pages)
            )
            await asyncio.gather(*asked)

    asyncio.run(ask())


def test_the_server_does_not_start_open_to_a_network(tmp_path: Path) -> None:
    """The script as Streamlit would import it for an address of every interface; nothing listens."""
    program = "from streamlit import config; config.set_option('server.address', '0.0.0.0'); import app"
    environment = {"AUTH_MODE": "local", "ARTICULADO_HOME": str(tmp_path), "PUBLIC_URL": "", "PATH": ""}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "necesita PUBLIC_URL con https" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_home_that_cannot_be_opened_is_told_in_one_sentence(tmp_path: Path) -> None:
    """As the server would import the script; it has not begun, so that no framework tells it its own way."""
    with closing(sqlite3.connect(tmp_path / "articulado.db")) as database, database:
        database.execute("CREATE TABLE alembic_version (version_num TEXT)")
        database.execute("INSERT INTO alembic_version VALUES ('v9999')")
    done = subprocess.run(
        [sys.executable, "-c", "import app"],
        cwd=ROOT,
        env={"ARTICULADO_HOME": str(tmp_path), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.strip()) == (1, OTHER_VERSION)
