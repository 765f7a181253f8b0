"""The MCP server that an assistant on this machine starts, and the running program that it finds or not."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from articulado.clients.client import CUT
from core.errors import IndexHeld, StorageError
from domain.audit import AuditAction
from service.config import ROOT, Settings
from service.program import assembly
from service.program.assembly import App
from tests.factories import settings_of
from tests.homes import lexical_program, new_program, overriding
from tests.mcp_app import VACATIONS, Endless, refusal
from web.api import local
from web.api.application import api
from web.mcp.home import HomeEngines
from web.mcp.server import server

QUOTE = "treinta y un días naturales"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with the invented corpus, which nobody has open."""
    with lexical_program(tmp_path / "home") as program:
        return program.home


@pytest.fixture
def page(home: Path) -> Iterator[App]:
    """A program that has the home and its index open."""
    program = new_program(home)
    assert program.services
    with overriding(program):
        yield program
    program.close()


def settings(home: Path) -> Settings:
    return settings_of(articulado_home=home, embeddings_provider="none")


@asynccontextmanager
async def started(home: Path, idle: float = 600) -> AsyncIterator[tuple[Client, HomeEngines]]:
    """A client of the server of a home."""
    engines = HomeEngines(settings(home), idle)
    try:
        async with Client(server(engines.engine)) as client:
            yield client, engines
    finally:
        await engines.close()


async def test_an_assistant_starts_the_real_process_and_asks_it(home: Path) -> None:
    asked = StdioServerParameters(
        command=sys.executable,
        args=[str(ROOT / "cli.py"), "mcp"],
        cwd=ROOT,
        env={"ARTICULADO_HOME": str(home), "EMBEDDINGS_PROVIDER": "none"},
    )
    told: list[str | None] = []

    async def progress(_: float, __: float | None, message: str | None) -> None:
        told.append(message)

    with Path(os.devnull).open("w") as nowhere:
        async with Client(stdio_client(asked, errlog=nowhere)) as client:
            assert "ask" in {one.name for one in (await client.list_tools()).tools}
            answer = await client.call_tool("ask", {"question": VACATIONS}, progress_callback=progress)
            wrong = await client.call_tool("article", {"reference": "art. 99 LTF"})
    assert QUOTE in answer.structured_content["answer"]
    assert told[-1] == "Verificación de citas"
    assert "no tiene «99»" in refusal(wrong)


async def test_a_home_that_nobody_has_open_is_opened_for_a_call_and_closed_when_idle(home: Path) -> None:
    async with started(home, idle=0) as (client, engines):
        assert not engines.opened
        found = await client.call_tool("search", {"query": "vacaciones"})
        assert found.structured_content["hits"]
        await asyncio.gather(*engines._rests)
        assert not engines.opened
        other = new_program(home)
        assert other.services  # the page can have the index
        with pytest.raises(IndexHeld):
            assert new_program(home).services
        other.close()
        assert (await client.call_tool("search", {"query": "vacaciones"})).structured_content["hits"]


async def test_two_calls_at_once_open_the_home_once(home: Path) -> None:
    async with started(home) as (client, engines):
        calls = [client.call_tool("search", {"query": word}) for word in ("vacaciones", "descanso")]
        assert all(found.structured_content for found in await asyncio.gather(*calls))
        assert engines.opened
    assert not engines.opened


async def test_a_home_that_cannot_be_opened_is_told_and_tried_again(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Settings) -> App:
        raise StorageError("La base de datos no se puede abrir: compruebe el disco.")

    async with started(home) as (client, _):
        with monkeypatch.context() as patched:
            patched.setattr(assembly, "build", broken)
            told = refusal(await client.call_tool("search", {"query": "vacaciones"}))
        assert told == "La base de datos no se puede abrir: compruebe el disco."
        assert (await client.call_tool("search", {"query": "vacaciones"})).structured_content["hits"]


async def test_an_empty_home_has_the_corpus_of_the_demonstration(tmp_path: Path) -> None:
    async with started(tmp_path / "new") as (client, _):
        found = await client.call_tool("article", {"reference": "art. 38 ET"})
    assert "vacaciones" in found.structured_content["text"]


async def test_a_home_that_another_process_holds_without_a_socket_is_told(home: Path, page: App) -> None:
    async with started(home) as (client, _):
        told = refusal(await client.call_tool("search", {"query": "vacaciones"}))
        assert "otro proceso" in told or "abierto" in told
        article = await client.call_tool("article", {"reference": "art. 2 LTF"})
    assert QUOTE in article.structured_content["text"]


@pytest.mark.skipif(not local.HAS_SOCKETS, reason="no sockets of this kind here")
class TestBesideTheRunningProgram:
    async def test_its_log_names_the_door(self, home: Path, page: App) -> None:
        async with local.listening(api(), home), started(home) as (client, _):
            await client.call_tool("ask", {"question": VACATIONS})
        (entry, *_) = page.audit.log.entries(limit=1)
        assert (entry.action, entry.detail["door"]) == (AuditAction.ASKED, "mcp")

    async def test_an_answer_is_stopped_when_its_call_is_cancelled(
        self, home: Path, page: App, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        endless = Endless.put(monkeypatch)

        @asynccontextmanager
        async def connected() -> AsyncIterator[Client]:
            async with started(home) as (client, _):
                yield client

        async with local.listening(api(), home):
            assert await endless.cancelled(connected())

    async def test_one_that_was_killed_leaves_a_pointer_that_leads_nowhere(self, home: Path) -> None:
        (home / local.POINTER).write_text(str(home / "gone"), "utf-8")
        async with started(home) as (client, engines):
            found = await client.call_tool("search", {"query": "vacaciones"})
            assert found.structured_content["hits"]
            assert engines.opened

    async def test_one_that_breaks_off_in_mid_answer_is_told_in_one_sentence(self, home: Path) -> None:
        async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.close()

        path = home / "s"
        (home / local.POINTER).write_text(str(path), "utf-8")
        async with await asyncio.start_unix_server(hang_up, path), started(home) as (client, _):
            assert refusal(await client.call_tool("search", {"query": "vacaciones"})) == CUT
            assert refusal(await client.call_tool("ask", {"question": VACATIONS})) == CUT
