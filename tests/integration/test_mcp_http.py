"""The MCP server over HTTP on this machine, as the library's own client reaches it, and who may do what."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from domain.accounts import Role, Scope
from domain.audit import AuditAction
from service.members.member import FORBIDDEN
from service.program.assembly import App
from tests.api_app import person, token
from tests.homes import lexical_program
from tests.mcp_app import MODES, VACATIONS, Endless, over_http, refusal, serving
from web.mcp.manager import MOST_BYTES

QUOTE = "treinta y un días naturales"
JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of the personal mode."""
    with lexical_program(tmp_path_factory.mktemp("mcp")) as program, serving(program) as address:
        yield address


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[App]:
    """A program of people with accounts."""
    with lexical_program(tmp_path / "home", auth_mode="local") as program:
        yield program


@pytest.mark.parametrize("mode", MODES)
async def test_an_assistant_asks_and_is_told_the_stages(alone: str, mode: str) -> None:
    told: list[str | None] = []

    async def progress(_: float, __: float | None, message: str | None) -> None:
        told.append(message)

    async with over_http(alone, mode=mode) as client:
        assert "ask" in {one.name for one in (await client.list_tools()).tools}
        result = await client.call_tool("ask", {"question": VACATIONS}, progress_callback=progress)
        (article,) = (await client.read_resource("articulado://norms/X-LTF/articles/2")).contents
    assert QUOTE in result.structured_content["answer"]
    assert told[-1] == "Verificación de citas"
    assert QUOTE in article.text  # type: ignore[union-attr]


@pytest.mark.parametrize("mode", MODES)
async def test_an_answer_is_stopped_when_its_connection_ends(
    alone: str, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await Endless.put(monkeypatch).left(over_http(alone, mode=mode))


async def test_a_token_does_what_its_scope_and_the_roles_of_its_owner_allow(shared: App) -> None:
    person(shared, "jefa", Role.ADMIN)
    lawyer = person(shared, "ana", Role.LAWYER)
    with serving(shared) as address:
        async with over_http(address, token(shared, lawyer, Scope.READ)) as client:
            found = await client.call_tool("search", {"query": "vacaciones"})
            assert found.structured_content["hits"]
            assert refusal(await client.call_tool("ask", {"question": VACATIONS})) == FORBIDDEN
        async with over_http(address, token(shared, lawyer, Scope.ASK)) as client:
            answer = (await client.call_tool("ask", {"question": VACATIONS})).structured_content
    kept = shared.database.conversations.messages(lawyer.id, answer["conversation"])
    assert kept[0].text == VACATIONS
    entries = {(entry.action, entry.actor): entry for entry in shared.audit.log.entries(limit=50)}
    for action in (AuditAction.SEARCHED, AuditAction.ASKED, AuditAction.REFUSED):
        assert entries[action, lawyer.id].detail["door"] == "mcp"


async def test_two_people_at_once_each_come_with_their_own_token(shared: App) -> None:
    first, second = person(shared, "ana", Role.ADMIN, Role.LAWYER), person(shared, "eva", Role.LAWYER)
    with serving(shared) as address:
        async with (
            over_http(address, token(shared, first, Scope.ASK)) as one,
            over_http(address, token(shared, second, Scope.ASK)) as other,
        ):
            asked = {"question": VACATIONS}
            own = (await one.call_tool("ask", asked)).structured_content["conversation"]
            foreign = await other.call_tool("ask", asked | {"conversation": own})
    assert "conversación" in refusal(foreign)


def test_a_body_that_is_too_large_or_no_json_is_refused(alone: str) -> None:
    reply = httpx.post(alone, content=b"[" * (MOST_BYTES + 1), headers=JSON)
    assert reply.status_code == 413
    for body in (b"{", b"[" * 100_000, b"\xff\xfe", b"[]", b"null", b'{"jsonrpc":"2.0","id":{},"method":1}'):
        reply = httpx.post(alone, content=body, headers=JSON)
        assert reply.status_code == 400, body[:20]
        assert "Traceback" not in reply.text


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_there_is_nothing_to_listen_to_and_no_session_to_end(alone: str, method: str) -> None:
    reply = httpx.request(method, alone, headers=JSON)
    assert (reply.status_code, reply.headers["allow"]) == (405, "POST")
    assert "mcp-session-id" not in reply.headers
