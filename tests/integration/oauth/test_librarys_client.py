"""An assistant lets itself in with the library's own OAuth client, at a server process on this machine."""

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.auth import (
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)

from domain.audit import AuditAction
from lab.harness import people
from storage.stores import open_database
from tests.homes import lay_demo, new_program
from tests.oauth_program import form_of, sent_back
from tests.processes import ForkedServer
from tests.web_app import HTML
from web.base import access
from web.cookies import PLAIN
from web.mcp.oauth import PER_MINUTE

SEARCH = {"query": "vacaciones"}


@dataclass
class Office:
    """A server of people with accounts, and the browser of one of them."""

    server: str
    home: Path
    browser: httpx.Client


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    folder = tmp_path_factory.mktemp("oauth")
    lay_demo(folder / "home")
    program = new_program(folder / "home", auth_mode="local")
    (session,) = people(program, 1)
    program.close()
    settings = {"EMBEDDINGS_PROVIDER": "none", "AUTH_MODE": "local"}
    with ForkedServer(folder, settings) as server:
        headers = {**HTML, "origin": server.address}
        with httpx.Client(
            base_url=server.address, cookies={PLAIN: session}, headers=headers, timeout=60
        ) as browser:
            yield Office(server.address, folder / "home", browser)


@dataclass
class Assistant:
    """Keeps what it is given, and asks the person in their browser."""

    office: Office
    answer: str = "yes"
    tokens: OAuthToken | None = None
    registered: OAuthClientInformationFull | None = None
    sent: dict[str, str] = field(default_factory=dict)
    asked: int = 0

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.registered

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.registered = client_info

    async def ask(self, address: str) -> None:
        """The person reads the question and answers."""
        self.asked += 1
        page = self.office.browser.get(address)
        assert "«Claude» quiere entrar" in page.text and "este equipo (127.0.0.1)" in page.text
        reply = self.office.browser.post(access.CONSENT, data=form_of(page.text) | {"answer": self.answer})
        self.sent = sent_back(reply.headers)

    async def told(self) -> AuthorizationCodeResult:
        return AuthorizationCodeResult(code=self.sent["code"], state=self.sent["state"], iss=self.sent["iss"])

    @asynccontextmanager
    async def connected(self, path: str = "/mcp", hours: float = 0) -> AsyncIterator[Client]:
        """A client of the server, so many hours after its tokens were made."""
        address = self.office.server + path
        wanted = OAuthClientMetadata.model_validate(
            {"client_name": "Claude", "redirect_uris": ["http://127.0.0.1:33418/vuelta"]}
        )
        auth = OAuthClientProvider(address, wanted, self, self.ask, self.told)
        auth.context.token_expiry_time = time.time() + (1 - hours) * 3600 if self.tokens else None
        async with (
            create_mcp_http_client(auth=auth) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            yield client


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
async def test_the_librarys_client_finds_the_way_in_and_refreshes_until_it_is_sent_away(
    office: Office, path: str
) -> None:
    assistant = Assistant(office)
    async with assistant.connected(path) as client:
        assert (await client.call_tool("search", SEARCH)).structured_content["hits"]
    first = assistant.tokens
    assert first is not None and first.refresh_token and first.scope == "leer preguntar"

    async with assistant.connected(path, hours=2) as client:
        assert (await client.call_tool("search", SEARCH)).structured_content["hits"]
    assert assistant.asked == 1
    assert assistant.tokens is not None and assistant.tokens != first
    assert assistant.registered is not None and assistant.registered.client_secret is None

    sent = {"token": assistant.tokens.access_token, "client_id": assistant.registered.client_id}
    assert httpx.post(office.server + access.REVOKE, data=sent, timeout=60).status_code == 200
    bearer = {"authorization": f"Bearer {assistant.tokens.access_token}"}
    reply = httpx.post(office.server + path, json={}, headers=bearer, timeout=60)
    assert reply.status_code == 401 and 'error="invalid_token"' in reply.headers["www-authenticate"]
    with closing(open_database(f"sqlite:///{office.home / 'articulado.db'}")) as database:
        (made,) = database.audit.entries(actions=[AuditAction.TOKEN_MADE], limit=1)
        (ended,) = database.audit.entries(actions=[AuditAction.TOKEN_REVOKED], limit=1)
    assert made.detail == {"scopes": "leer, preguntar", "source": "este equipo (127.0.0.1)"}
    assert (ended.target, ended.detail["why"]) == (made.target, "program")


def test_one_address_asks_no_more_often_than_the_limit(office: Office) -> None:
    with httpx.Client(base_url=office.server, timeout=60) as stranger:
        statuses = [stranger.post(access.TOKEN).status_code for _ in range(2 * PER_MINUTE + 1)]
        assert set(statuses) == {401, 429}
