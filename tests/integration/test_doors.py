"""Each operation of the table by each of its doors: one document, one refusal, one record in the log."""

import asyncio
import inspect
import io
import json
import re
import threading
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
from mcp import Client as Assistant
from pydantic import BaseModel

import cli
from articulado import ApiProblem, Articulado, AsyncClient, Client
from articulado.clients.operations import OPERATIONS, Operations
from domain.accounts import SCOPES, Permission, Role, Scope
from service import config
from service.opinions.keys import signing_key
from service.program.assembly import App
from tests.api_app import Api, api_over
from tests.conftest import ROOT
from tests.door_cases import ASKED, BRIEF, CASES, QUESTION, REFUSED, Asked, Record
from tests.homes import lexical_program
from tests.mcp_app import inside, refusal
from tests.unit.test_certificate import made
from tests.word_files import p, word_xml
from web.api import local
from web.api.acts import Act
from web.api.application import api
from web.mcp.home import HomeEngines
from web.mcp.server import server

JSON = {"Accept": "application/json"}
FILE = ("content", "sha256", "file")
"""Beginnings of the fields of a Word file, which has the moment in it."""
NOWHERE: dict[Any, Any] = {"{answer}": {"answer": "x"}, "{kept}": "x", "{matter}": "x", "{certificate}": "x"}
NEEDS = {
    "leer": Permission.READ,
    "preguntar": Permission.ASK,
    "cargar": Permission.LOAD,
    "administrar": Permission.EVALUATE,
}
"""Permission of each scope that the document names; `any` needs none."""


class Doors:
    """The ways in to one program that answers on the socket of its home."""

    def __init__(self, program: App, http: Api, folder: Path) -> None:
        self.program, self._http = program, http
        engine = Articulado.over(program, "python", None)
        kept = engine.ask(QUESTION, conversation="new")["conversation"]
        certificate = made(signing_key(program.home)).decode()
        answer = engine.ask(QUESTION)
        self.there: dict[str, Any] = {
            "{answer}": answer,
            "{kept}": kept,
            "{certificate}": certificate,
            "{matter}": program.database.matters.create("local", "Despido").id,
            "{size}": str(len(certificate.encode())),
            "{word}": b64encode(word := word_xml(p(BRIEF))).decode(),
            "{word_size}": str(len(word)),
        }
        lines = "\n".join(map(json.dumps, CASES))
        for name, text in (("answer", json.dumps(answer)), ("brief", BRIEF), ("cases", lines)):
            path = folder / f"{name}.txt"
            path.write_text(text, "utf-8")
            self.there[f"{{{name}_file}}"] = str(path)
        self.engine = engine

    def found(self, value: Any) -> Any:
        """The value with what stands for texts like '{answer}'."""
        if isinstance(value, dict):
            found = {name: self.found(one) for name, one in value.items()}
            return found.get("spread", found)
        return self.there.get(value, value) if isinstance(value, str) else value

    def recorded(self, action: str, target: str, detail: dict[str, str]) -> Record:
        return action, self.found(target), self.found(detail)

    def library(self, name: str, asked: Asked) -> Any:
        return getattr(self.engine, name)(**self.found(asked.given))

    def client(self, name: str, asked: Asked) -> Any:
        with Client.of_home(self.program.home) as client:
            return getattr(client, name)(**self.found(asked.given))

    def awaited(self, name: str, asked: Asked) -> Any:
        async def ask() -> Any:
            async with AsyncClient.of_home(self.program.home) as client:
                return await getattr(client, name)(**self.found(asked.given))

        return asyncio.run(ask())

    def assistant(self, name: str, asked: Asked) -> Any:
        return self._called(lambda: inside(self.program), name, asked)

    def beside(self, name: str, asked: Asked) -> Any:
        @asynccontextmanager
        async def started() -> AsyncIterator[Assistant]:
            engines = HomeEngines(config.settings())
            async with Assistant(server(engines.engine)) as client:
                yield client
            assert not engines.opened

        return self._called(started, name, asked)

    def _called(self, connected: Callable[[], Any], name: str, asked: Asked) -> Any:
        row, arguments = OPERATIONS[name].tool, self.found(asked.given if asked.tool is None else asked.tool)
        assert row is not None

        async def call() -> Any:
            async with connected() as client:
                return await client.call_tool(row.name or name, arguments)

        result = asyncio.run(call())
        if result.is_error:
            raise ApiProblem(422, refusal(result))
        return result.structured_content

    def http(self, name: str, asked: Asked) -> Any:
        call = OPERATIONS[name].call(self.found(asked.given), repeats=False).request
        reply = self._http.client.request(**call | {"headers": call["headers"] | JSON})
        if reply.status_code != 200:
            raise ApiProblem(reply.status_code, reply.json()["detail"])
        return reply.json()

    def command(self, _: str, asked: Asked) -> Any:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = cli.main([self.there.get(one, one) for one in (*asked.command, "--json")])
        if code and not out.getvalue():
            raise ApiProblem(422, err.getvalue().rstrip("\n"))
        return json.loads(out.getvalue())


DOORS = {
    "library": "python",
    "client": "cli",
    "awaited": "cli",
    "http": "api",
    "assistant": "mcp",
    "beside": "mcp",
    "command": "cli",
}
"""Ways in, and how the audit log names each; `beside` is an assistant of the home that a program has open."""
OF_TOOLS = {"assistant", "beside"}


def has(door: str, name: str, asked: Asked) -> bool:
    """True if the operation is asked for there."""
    if door in OF_TOOLS:
        return OPERATIONS[name].tool is not None
    return door != "command" or bool(asked.command)


def timeless(document: Any) -> Any:
    """A document without what differs from one run to the next."""
    if isinstance(document, dict):
        changing = ("elapsed", "execution_time", "started", "trace", "made_at", "answered_at", "provenance")
        kept = {key: value for key, value in document.items() if not key.startswith((*changing, *FILE))}
        return {key: timeless(value) for key, value in kept.items()}
    return [timeless(one) for one in document] if isinstance(document, list) else document


def without_added(document: Any, of: Any) -> Any:
    """The parts of a tool's document that its operation gives too."""
    if isinstance(document, dict):
        return {key: without_added(value, of[key]) for key, value in document.items() if key in of}
    if isinstance(document, list):
        return [without_added(one, other) for one, other in zip(document, of, strict=True)]
    return document


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    folder = tmp_path_factory.mktemp("doors")
    config.settings.cache_clear()
    with (
        lexical_program(folder / "home") as program,
        api_over(program) as http,
        answering(program.home),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("ARTICULADO_HOME", str(program.home))
        patch.setenv("EMBEDDINGS_PROVIDER", "none")
        yield Doors(program, http, folder)
    config.settings.cache_clear()


@contextmanager
def answering(home: Path) -> Iterator[None]:
    """The API on the socket of the home, in a loop of another thread."""
    ready, done = threading.Event(), threading.Event()

    async def serve() -> None:
        async with local.listening(api(), home):
            ready.set()
            await asyncio.to_thread(done.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        assert ready.wait(30)
        yield
    finally:
        done.set()
        thread.join()


def test_the_table_here_has_every_operation() -> None:
    assert ASKED.keys() == OPERATIONS.keys()


def fields_of(parameter: inspect.Parameter) -> dict[str, Any]:
    """Names and types of what a parameter of a door takes from a request."""
    kind = parameter.annotation
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return {one.alias or name: one.annotation for name, one in kind.model_fields.items()}
    return {parameter.name: kind}


@pytest.mark.parametrize("name", [name for name, row in OPERATIONS.items() if row.door and not row.whole])
def test_a_row_takes_what_the_contract_takes(name: str) -> None:
    row = OPERATIONS[name]
    taken: dict[str, Any] = {}
    for one in Act(row).parameters:
        taken |= fields_of(one)
    _, *parameters = inspect.signature(getattr(Operations, name), eval_str=True).parameters.values()
    declared = {row.names.get(one.name, one.name): one.annotation for one in parameters}
    assert declared.keys() - {"on_event", "key", "tell"} == taken.keys()
    for one, kind in declared.items():
        if get_origin(kind) is Literal:
            assert get_args(kind) == (get_args(taken[one]) or tuple(taken[one]))


@pytest.mark.parametrize("name", ASKED)
def test_an_operation_gives_one_document_and_leaves_one_record_by_every_door(doors: Doors, name: str) -> None:
    asked = ASKED[name]
    first = doors.library(name, asked)
    record = [] if asked.record is None else [doors.recorded(*asked.record)]
    for door in (one for one in DOORS if has(one, name, asked)):
        doors.program.audit.looks.clear()
        before = doors.program.audit.log.verify().entries
        found, whole = timeless(getattr(doors, door)(name, asked)), timeless(first)
        assert found and (without_added(found, whole) if door in OF_TOOLS else found) == whole, door
        left = doors.program.audit.log.entries()[: doors.program.audit.log.verify().entries - before]
        assert [(one.action, one.target, one.detail) for one in left] == [
            (action, target, {"door": DOORS[door], **detail}) for action, target, detail in record
        ], door


@pytest.mark.parametrize("case", REFUSED)
def test_a_refusal_is_one_sentence_by_every_door(doors: Doors, case: str) -> None:
    name, asked = REFUSED[case]
    told = {}
    for door in (one for one in DOORS if has(one, name, asked)):
        with pytest.raises(ApiProblem) as refused:
            getattr(doors, door)(name, asked)
        told[door] = refused.value.detail
        assert refused.value.status in {404, 422}
    assert set(told.values()) == {told["library"]}, told
    assert len(told["library"].splitlines()) == 1


def test_each_operation_asks_for_the_scope_that_the_document_of_the_api_names(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "api.md").read_text("utf-8")
    scopes = dict(re.findall(r"^\| `(\w+ /[^`]*)` \|.*\| (\w+) \|$", text, re.MULTILINE))
    with lexical_program(tmp_path / "home", auth_mode="local") as program, api_over(program) as http:
        who = http.person("ana", *Role)
        tokens = {scope: http.token(who, scope) for scope in Scope}
        for name, row in OPERATIONS.items():
            given = {key: NOWHERE.get(str(one), one) for key, one in ASKED[name].given.items()}
            call = row.call(given, repeats=False).request
            named = scopes[f"{row.method} {row.path}"]
            needs = NEEDS.get(named)
            allowed = {scope for scope in Scope if needs is None or needs in SCOPES[scope]}
            method, path, headers = call.pop("method"), call.pop("url"), call.pop("headers") | JSON
            replies = {one: http(method, path, tokens[one], headers=headers, **call) for one in Scope}
            assert {one for one, reply in replies.items() if reply.status_code != 403} == allowed, name
