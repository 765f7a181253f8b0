"""The package `articulado`: the clients of a running program, and the program as a library."""

import asyncio
import json
import re
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

import articulado
from articulado import ApiProblem, Articulado, AsyncClient, Client, Unreachable
from articulado.clients.client import POINTER, PREFIX
from articulado.library import EMPTY_CORPUS
from core.errors import ConfigurationError, InputError
from rag.evaluation.results import EvaluationState
from service.program import assembly
from service.program.assembly import App
from tests.conftest import ROOT
from tests.homes import lexical_program, new_program, overriding
from web.api import application, local
from web.api.application import api

QUESTION = "¿Cuántos días de vacaciones me corresponden al año?"
CASES = [{"id": "a", "question": QUESTION, "relevant": [{"norm": "X-LTF", "article": "2", "grade": 2}]}]
SHA = "0" * 63 + "1"
GUIDE = (ROOT / "docs" / "python.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)

Ask = Callable[[Any], Any]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    with lexical_program(tmp_path_factory.mktemp("python")) as made:
        yield made


@pytest.fixture
def engine(program: App) -> Articulado:
    """The library over the invented corpus."""
    return Articulado.over(program, "python", pytest.fail)


@pytest.fixture
async def running(program: App) -> AsyncIterator[Path]:
    """The home of a program that answers on its socket."""
    with overriding(program):
        async with local.listening(api(), program.home):
            yield program.home


async def test_the_events_of_an_answer_are_told_and_its_key_gives_it_again(running: Path) -> None:
    heard: list[tuple[str, Any]] = []
    async with AsyncClient.of_home(running) as client:
        first = await client.ask(QUESTION, on_event=lambda *event: heard.append(event), key="uno")
        again = await client.ask(QUESTION, key="uno")
        other = await client.ask(QUESTION)
    assert ("stage", {"name": "understand", "state": "started"}) in heard
    assert again == first
    assert other["trace"] != first["trace"]


async def test_progress_is_told_and_an_evaluation_is_saved_under_the_hash_of_its_file(
    running: Path, program: App
) -> None:
    steps: list[tuple[str, int, int]] = []
    async with AsyncClient.of_home(running) as client:
        await client.evaluate(CASES, tell=lambda *step: steps.append(step))
        saved = await client.evaluate(CASES, name="propias", sha256=SHA, save=True)
    assert steps[-1] == ("evaluar", 1, 1)
    stored = program.database.evaluations.evaluation(saved["saved"])
    assert (stored.dataset, stored.dataset_hash, stored.state) == ("propias", SHA, EvaluationState.DONE)
    assert saved["metrics"]["hit@1"] == 1.0


def test_a_listener_may_ask_something_itself(engine: Articulado) -> None:
    asked: list[Any] = []
    engine.ask(QUESTION, on_event=lambda *_: asked.append(engine.norms(limit=1)))
    assert len(asked) > 3 and asked[0]["norms"]


def test_a_saved_evaluation_that_nobody_waits_for_is_cancelled(engine: Articulado, program: App) -> None:
    def leave(phase: str, *_: object) -> None:
        if phase:
            raise InputError("basta")

    with pytest.raises(InputError, match="basta"):
        engine.evaluate(CASES * 5000, save=True, tell=leave)
    for current in filter(None, [program.evaluations.active]):
        assert current.finished.wait(20)
    latest = program.database.evaluations.evaluations()[0]
    assert (latest.state, latest.total) == (EvaluationState.CANCELLED, 5000)


async def test_a_question_of_the_owner_of_the_home_is_kept_nowhere_where_people_have_accounts_either(
    tmp_path: Path,
) -> None:
    with lexical_program(tmp_path / "home", auth_mode="local") as program, overriding(program):
        async with local.listening(api(), program.home), AsyncClient.of_home(program.home) as client:
            assert (await client.ask(QUESTION))["conversation"] == ""
            assert (await client.ask(QUESTION, conversation="new"))["conversation"]
        assert len(program.database.conversations.conversations(assembly.LOCAL_USER)) == 1


# What goes wrong on the way


def event(name: str, data: Any) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


class Cut(httpx.AsyncByteStream):
    """The beginning of a stream whose connection then breaks."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield event("stage", {"name": "search", "state": "started"}).encode()
        raise httpx.ReadError("cut")


class Endpoint:
    """A server that gives these replies in turn; `keys` are those it was asked with."""

    def __init__(self, *replies: httpx.Response) -> None:
        self.replies = [*replies]
        self.keys: list[str | None] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.keys.append(request.headers.get("idempotency-key"))
        return self.replies.pop(0)

    def client(self) -> Client:
        client = Client("http://127.0.0.1:1", "art_x")
        client._client = self.async_client()
        return client

    def async_client(self) -> AsyncClient:
        client = AsyncClient("http://127.0.0.1:1", "art_x")
        client._http = httpx.AsyncClient(transport=httpx.MockTransport(self), base_url="http://127.0.0.1:1")
        return client


def streamed(text: str = "") -> httpx.Response:
    kind = {"content-type": "text/event-stream"}
    return (
        httpx.Response(200, headers=kind, text=text)
        if text
        else httpx.Response(200, headers=kind, stream=Cut())
    )


async def test_a_question_whose_connection_is_cut_is_asked_for_again_with_its_key() -> None:
    done = event("result", {"answer": "sí"})
    endpoint = Endpoint(streamed(), streamed(done), streamed(), streamed(done))
    assert endpoint.client().ask("¿?") == {"answer": "sí"}
    assert await endpoint.async_client().ask("¿?") == {"answer": "sí"}
    first, second, third, fourth = endpoint.keys
    assert first and third and (first, third) == (second, fourth) and first != third


async def test_a_client_that_does_not_repeat_says_that_the_answer_was_cut() -> None:
    endpoint = Endpoint(streamed(), streamed(event("stage", {})), streamed())
    client = endpoint.client()
    client.repeats = False
    for _ in range(2):
        with pytest.raises(Unreachable, match="ha dejado de responder"):
            client.ask("¿?")
    with pytest.raises(Unreachable, match="ha dejado de responder"):
        await endpoint.async_client().reindex()
    assert endpoint.keys == [None] * 3


def test_an_answer_that_fails_on_its_way_is_a_problem_with_its_status() -> None:
    failed = event("problem", {"status": 502, "detail": "La respuesta se detuvo antes de terminar."})
    with pytest.raises(ApiProblem, match="se detuvo") as problem:
        Endpoint(streamed(failed)).client().ask("¿?")
    assert problem.value.status == 502


@pytest.mark.parametrize(
    "reply",
    [
        httpx.Response(200, text="<html>"),
        httpx.Response(502, text="<html>Bad Gateway"),
        httpx.Response(404, json={"detail": "Not Found"}),
        httpx.Response(303, headers={"location": "/acceso"}),
        httpx.Response(200, json=["x"]),
        httpx.Response(200, headers={"content-type": "text/event-stream"}, text="data: x\n\n"),
    ],
)
@pytest.mark.parametrize("ask", [lambda client: client.norms(), lambda client: client.reindex()])
def test_what_is_no_articulado_is_told_with_its_address(reply: httpx.Response, ask: Ask) -> None:
    with pytest.raises(Unreachable, match=r"127\.0\.0\.1:1 no responde como Articulado"):
        ask(Endpoint(reply).client())


async def test_nobody_at_an_address_or_a_home_is_told(tmp_path: Path) -> None:
    with Client("http://127.0.0.1:1") as client, pytest.raises(Unreachable, match="No se puede conectar"):
        client.health()
    for text in ("", "/nowhere/api", str(tmp_path / ("x" * 200)), "\0"):
        (tmp_path / POINTER).write_text(text)
        with pytest.raises(Unreachable, match="Ningún Articulado en marcha"):
            AsyncClient.of_home(tmp_path)


async def test_a_system_without_sockets_is_told_as_a_home_where_nothing_runs(
    running: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Client.of_home(running).close()
    monkeypatch.delattr(socket, "AF_UNIX")
    with pytest.raises(Unreachable, match="Ningún Articulado en marcha"):
        Client.of_home(running)


@pytest.mark.parametrize(
    ("url", "token", "told"),
    [
        ("articulado.example", "", "no es la dirección"),
        ("ftp://articulado.example", "", "no es la dirección"),
        ("http://[::1", "", "no es la dirección"),
        ("http://127.0.0.1:port", "", "no es la dirección"),
        ("https://ana:clave@articulado.example", "", "no es la dirección"),
        ("http://articulado.example", "art_x", "sin cifrar"),
        ("https://articulado.example", "art x", "token"),
        ("https://articulado.example", "ñ", "token"),
    ],
)
def test_an_address_or_a_token_that_cannot_be_used_is_refused_before_anything_is_sent(
    url: str, token: str, told: str
) -> None:
    with pytest.raises(ConfigurationError, match=told):
        Client(url, token)


def test_a_client_sends_its_token_to_the_address_of_the_api() -> None:
    for url in ("https://articulado.example", "https://articulado.example/api/v1/"):
        with Client(url, "art_x") as client:
            assert client._client._http.base_url == f"https://articulado.example{application.PREFIX}/"
            assert client._client._http.headers["authorization"] == "Bearer art_x"
    assert (PREFIX, POINTER) == (application.PREFIX, local.POINTER)


# The library, and the whole


def test_the_library_records_who_asks_and_tells_that_an_empty_home_gets_the_demo_corpus(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with Articulado(tmp_path / "home", embeddings_provider="none", _env_file=None) as own:
        assert own.search("vacaciones", limit=1)["hits"]
        assert own.program.audit.log.entries()[0].detail == {"door": "python"}
    assert EMPTY_CORPUS in caplog.text


def test_a_setting_that_does_not_exist_or_fit_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="EMBEDDINGS_PROVIDER"):
        Articulado(tmp_path / "home", embeddings_provider="magia")


async def test_the_examples_of_the_guide_run(
    running: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EMBEDDINGS_PROVIDER", "none")
    library, client = EXAMPLES
    await asyncio.to_thread(exec, compile(library, "docs/python.md", "exec"), {})
    assert "C1" in capsys.readouterr().out
    # The other one asks a program that runs: with the demo corpus, in the folder of the first.
    with closing(new_program(tmp_path / "casa")) as program:
        assembly.override(program)
        async with local.listening(api(), program.home):
            await asyncio.to_thread(exec, compile(client, "docs/python.md", "exec"), {})
    told = capsys.readouterr().out
    assert "404 BOE-A-1900-1 no está en el corpus" in told and "Artículo 38" in told


def test_a_client_takes_neither_the_program_nor_its_libraries_along() -> None:
    code = "import sys; from articulado import ApiProblem, AsyncClient, Client; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    names = set(done.stdout.split())
    assert {name for name in names if name.startswith(("core.", "law.", "rag."))} == {
        "core.errors",
        "core.hosts",
        "core.progress",
    }
    assert names.isdisjoint(
        {"streamlit", "pydantic", "sqlalchemy", "service.program.assembly", "service.config", "fastapi"}
    )


def test_the_package_names_what_it_has() -> None:
    assert all(getattr(articulado, name).__name__ == name for name in articulado.__all__)
    with pytest.raises(AttributeError):
        articulado.nothing  # noqa: B018
