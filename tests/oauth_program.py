"""A program that asks to be let in, over the whole application in this process, and a person's answer."""

import base64
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from domain.tokens import ApiToken
from tests.web_app import HTML, Browser, WebApp
from web.base import access

BACK = "https://asistente.example/vuelta"
HERE = "http://127.0.0.1/vuelta"
VERIFIER = "v" * 64
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
SENT = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
REFRESH = re.compile(r"0; url=(.+)")


def changed(fields: Mapping[str, str], **changes: str | None) -> dict[str, str]:
    """The fields with others in their place; None takes one away."""
    return {name: value for name, value in {**fields, **changes}.items() if value is not None}


def form_of(page: str) -> dict[str, str]:
    """The hidden fields of the first form of a page."""
    return {name: unescape(value) for name, value in HIDDEN.findall(page.partition("</form>")[0])}


def sent_back(headers: Mapping[str, str]) -> dict[str, str]:
    """The answer that the page after it takes to the program."""
    found = REFRESH.fullmatch(headers.get("refresh", ""))
    assert found, headers
    return {name: value for name, (value,) in parse_qs(urlsplit(found[1]).query).items()}


@dataclass
class Program:
    """A registered program, and the browser of the person whom it asks.

    Attributes:
        origin: the name of the server by which it comes.
    """

    web: WebApp
    browser: Browser
    name: str = "Asistente"
    origin: str = ""
    id: str = field(init=False)

    def __post_init__(self) -> None:
        self.origin = self.origin or self.web.origin
        self.id = self.register().json()["client_id"]

    def post(self, path: str, **options: Any) -> Any:
        self.web.client.cookies.clear()
        return self.web.client.post(self.origin + path, **options)

    def register(self, **changes: Any) -> Any:
        return self.post(
            access.REGISTER, json={"client_name": self.name, "redirect_uris": [BACK, HERE]} | changes
        )

    def asked(self, **changes: str | None) -> dict[str, str]:
        fields = {
            "client_id": self.id,
            "redirect_uri": BACK,
            "response_type": "code",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "resource": f"{self.web.origin}/mcp",
            "scope": "leer preguntar",
            "state": "estado",
        }
        return changed(fields, **changes)

    def page(self, **changes: str | None) -> Any:
        return self.browser.get(f"{access.CONSENT}?{urlencode(self.asked(**changes))}")

    def consented(self, answer: str = "yes", **changes: str | None) -> dict[str, str]:
        fields = form_of(self.page(**changes).text) | {"answer": answer}
        return sent_back(self.browser.post(access.CONSENT, fields, **HTML).headers)

    def redeem(self, code: str, **changes: str | None) -> Any:
        fields = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": BACK,
            "client_id": self.id,
            "code_verifier": VERIFIER,
        }
        return self.post(access.TOKEN, data=changed(fields, **changes))

    def refresh(self, token: str, **changes: str | None) -> Any:
        fields = {"grant_type": "refresh_token", "refresh_token": token, "client_id": self.id}
        return self.post(access.TOKEN, data=changed(fields, **changes))

    def let_in(self, **changes: str | None) -> dict[str, str]:
        """Tokens for a consent."""
        reply = self.redeem(self.consented(**changes)["code"])
        assert reply.status_code == 200, reply.text
        tokens: dict[str, str] = reply.json()
        return tokens

    def granted(self) -> list[ApiToken]:
        """The programs that the person has let in."""
        return self.web.accounts.tokens.of(self.web.accounts.named(None, "ana").id)

    def calls(self, secret: str, path: str = access.MCP) -> int:
        """The status of a call with that secret."""
        status: int = self.post(
            path, json=LIST, headers=SENT | {"authorization": f"Bearer {secret}"}
        ).status_code
        return status
