"""The only file that imports the `openai` SDK: its clients, and its errors in our words.

Endpoints quote keys and prompts in their errors, and the SDK's exceptions keep those bodies. No exception
leaves this file: faults.py makes our words of its status and body, and the log has its type and traceback.
"""

import asyncio
import json
import logging
import threading
from collections.abc import AsyncGenerator, Mapping
from functools import cache
from ssl import SSLContext
from typing import Any

import httpx2
import openai
from openai import AsyncAzureOpenAI, AsyncOpenAI, AsyncStream, AzureOpenAI, OpenAI

from core.clock import asked_wait
from core.errors import ConfigurationError, ModelError, ModelTimeout, ModelUnreachable
from models.endpoint_faults import fault_of_status, fault_within, sentence
from models.retry import Fault
from models.role import RoleSettings

logger = logging.getLogger(__name__)

OPENAI_URL = "https://api.openai.com/v1"
NO_KEY = "not-needed"
WHOLE = ("application/json", "text/html")
"""Types of content that are no stream."""
_NO_JSON = (
    "La respuesta de {who} no se puede leer, porque no es JSON: revise {ROLE}_BASE_URL, que suele acabar en "
    "/v1 y no es la dirección de una página web."
)
_UNKNOWN_FORM = (
    "La respuesta de {who} llegó en una forma que este programa no conoce: "
    "revise {ROLE}_BASE_URL, que suele acabar en /v1, y OPENAI_API."
)


class NotUnderstood(Exception):
    """Stands in the log for an error whose own message may quote the endpoint."""


def log_not_understood(error: Exception, role: RoleSettings) -> None:
    """Log type and traceback of an error that may be our bug; never its message."""
    told = NotUnderstood(type(error).__name__)
    logger.warning(
        "a reply to the role %s was not understood",
        role.role,
        exc_info=(NotUnderstood, told, error.__traceback__),
    )


def fault_of(error: Exception, role: RoleSettings) -> Fault:
    """The fault for an error of the SDK; no text of the endpoint is kept."""
    if isinstance(error, openai.APITimeoutError):
        text = "{who} no respondió a tiempo: repita la pregunta o revise {ROLE}_BASE_URL."
        return Fault(ModelTimeout, sentence(role, text), retryable=True)
    if isinstance(error, openai.APIConnectionError):
        text = "No hay conexión con {who}: revise {ROLE}_BASE_URL y que su servidor esté en marcha."
        return Fault(ModelUnreachable, sentence(role, text), retryable=True)
    if isinstance(error, openai.APIStatusError):
        wait = asked_wait(error.response.headers.get("retry-after"))
        return fault_of_status(error.status_code, error.body, role, wait)
    if type(error) is openai.APIError:
        return fault_within(error.body, role)
    log_not_understood(error, role)
    no_json = isinstance(error, json.JSONDecodeError)
    return Fault(ModelError, sentence(role, _NO_JSON if no_json else _UNKNOWN_FORM))


@cache
def _authorities() -> SSLContext:
    """The authorities that clients trust: reading them takes nearly all of the time of making one."""
    return httpx2.create_ssl_context()


class Clients:
    """The SDK's clients of one role: one per event loop, since connections belong to theirs."""

    def __init__(self, role: RoleSettings) -> None:
        key = role.api_key.get_secret_value().strip() if role.api_key else NO_KEY
        if not role.enabled:
            text = "Falta la clave de {who}: defina {ROLE}_API_KEY u OPENAI_API_KEY, o {ROLE}_BASE_URL."
            raise ConfigurationError(sentence(role, text))
        if role.api_version and not role.base_url:
            text = "Falta la dirección de {who} en Azure: defina {ROLE}_BASE_URL u OPENAI_BASE_URL."
            raise ConfigurationError(sentence(role, text))
        if not (key.isascii() and key.isprintable()):
            text = "La clave de {who} tiene caracteres que ninguna clave tiene: revise {ROLE}_API_KEY."
            raise ConfigurationError(sentence(role, text))
        self._azure = bool(role.api_version)
        self._options: dict[str, Any] = {"api_key": key, "max_retries": 0}
        if self._azure:
            self._options |= {"azure_endpoint": role.base_url, "api_version": role.api_version}
        else:
            self._options["base_url"] = role.base_url or OPENAI_URL
        self._lock = threading.Lock()
        self._by_loop: dict[asyncio.AbstractEventLoop, AsyncOpenAI] = {}
        self._blocking: OpenAI | None = None

    def get(self) -> AsyncOpenAI:
        loop = asyncio.get_running_loop()
        with self._lock:
            if loop not in self._by_loop:
                self._by_loop = {old: client for old, client in self._by_loop.items() if not old.is_closed()}
                # The SDK's own HTTP client closes itself when collected, on whichever loop runs then.
                http = openai.DefaultAsyncHttpxClient(follow_redirects=False, verify=_authorities())
                make = AsyncAzureOpenAI if self._azure else AsyncOpenAI
                self._by_loop[loop] = make(**self._options, http_client=http)
            return self._by_loop[loop]

    async def replies(self, path: str, request: Mapping[str, Any]) -> AsyncGenerator[tuple[Any, bool], None]:
        """(the JSON of a reply, False); when `request` has `stream`, (its JSON, True) for each event of it.

        Servers without streams send a whole reply then too. It uses the SDK's method for custom
        requests: building the SDK's models for every event would cost too much for three fields.
        """
        client = self.get()
        if "stream" not in request:
            yield _parsed(await client.post(path, cast_to=object, body=request)), False
            return
        kind = AsyncStream[object]
        async with await client.post(
            path, cast_to=object, body=request, stream=True, stream_cls=kind
        ) as chunks:
            if chunks.response.headers.get("content-type", "").startswith(WHOLE):
                yield _parsed((await chunks.response.aread()).decode()), False
                return
            async for chunk in chunks:
                yield chunk, True

    def blocking(self) -> OpenAI:
        with self._lock:
            if self._blocking is None:
                http = openai.DefaultHttpxClient(follow_redirects=False, verify=_authorities())
                self._blocking = (AzureOpenAI if self._azure else OpenAI)(**self._options, http_client=http)
            return self._blocking


def _parsed(whole: Any) -> Any:
    """The JSON of a reply: it is text where the server did not say that it is JSON."""
    return json.loads(whole) if isinstance(whole, str) else whole
