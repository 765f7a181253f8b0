"""The only file that imports the `openai` SDK: its clients, and its errors in our words.

Endpoints quote keys and prompts in their errors, and the SDK's exceptions keep those bodies. Only the type,
status, waiting time and known error codes of an exception leave this file; the log also has its type and
traceback.
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

from rag.clock import asked_wait
from rag.errors import (
    ConfigurationError,
    ModelBusy,
    ModelContextTooSmall,
    ModelError,
    ModelKeyRejected,
    ModelMissing,
    ModelRejected,
    ModelTimeout,
    ModelUnavailable,
    ModelUnpaid,
    ModelUnreachable,
)
from rag.providers.retry import Fault
from rag.providers.role import RoleSettings

logger = logging.getLogger(__name__)

OPENAI_URL = "https://api.openai.com/v1"
NO_KEY = "not-needed"

_KEY = "{who} no admitió la clave (HTTP {status}): revise {ROLE}_API_KEY u OPENAI_API_KEY."
_REQUEST = "{who} rechazó la petición (HTTP {status}): revise {ROLE}_MODEL y {ROLE}_BASE_URL."
_REJECTED = {
    400: _REQUEST,
    401: _KEY,
    403: _KEY,
    404: "{who} no existe en su servidor (HTTP {status}): revise {ROLE}_MODEL, {ROLE}_BASE_URL y OPENAI_API.",
    422: _REQUEST,
}
_BUSY = (
    "{who} está saturado o ha llegado a su límite de uso (HTTP {status}): repita la pregunta en un momento."
)
_FAILED = "El servidor de {who} falló (HTTP {status}): repita la pregunta en un momento."
_OTHER = "El servidor de {who} respondió de un modo inesperado (HTTP {status}): revise {ROLE}_BASE_URL."
_FILTERED = "El filtro de contenidos de {who} rechazó la petición: reformule la pregunta."
_CODES = {
    "insufficient_quota": "La cuenta de {who} no tiene saldo: revise la facturación de su proveedor.",
    "context_length_exceeded": "La petición no cabe en {who}: reduzca CONTEXT_TOKENS o use otro modelo.",
    **dict.fromkeys(
        ("content_filter", "invalid_prompt", "bio_policy", "misalignment_policy_violation"), _FILTERED
    ),
}
_KINDS: dict[int | str, type[ModelError]] = {
    401: ModelKeyRejected,
    403: ModelKeyRejected,
    404: ModelMissing,
    429: ModelBusy,
    "insufficient_quota": ModelUnpaid,
    "context_length_exceeded": ModelContextTooSmall,
}
# Optional keys of a request, and the words with which endpoints say that they lack them.
_OPTIONAL = {
    "stream_options": ("stream_options", "include_usage"),
    "response_format": ("response_format", "response format", "schema", "grammar"),
    "temperature": ("temperature",),
    "text": ("text.format", "'text'", "schema", "grammar"),
    "include": ("'include'", "encrypted"),
    "tools": ("tools", "function"),
}


def sentence(role: RoleSettings, text: str, status: int = 0) -> str:
    """`text` with {who}, {ROLE} and {status} filled in, and a capital at its start."""
    who = f"el modelo «{role.model}» (papel «{role.role}»)"
    made = text.format(who=who, ROLE=role.role.upper(), status=status)
    return made[0].upper() + made[1:]


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
    if isinstance(error, openai.APIError) and error.code in _CODES:
        return fault_of_code(str(error.code), role)
    if isinstance(error, openai.APITimeoutError):
        text = "{who} no respondió a tiempo: repita la pregunta o revise {ROLE}_BASE_URL."
        return Fault(ModelTimeout, sentence(role, text), retryable=True)
    if isinstance(error, openai.APIConnectionError):
        text = "No hay conexión con {who}: revise {ROLE}_BASE_URL y que su servidor esté en marcha."
        return Fault(ModelUnreachable, sentence(role, text), retryable=True)
    if isinstance(error, openai.APIStatusError):
        return _status_fault(error, role)
    if type(error) is openai.APIError:
        return fault_of_code("", role)
    log_not_understood(error, role)
    text = "La respuesta de {who} no se entiende: revise {ROLE}_BASE_URL, que suele acabar en /v1."
    return Fault(ModelError, sentence(role, text))


def fault_of_code(code: str, role: RoleSettings) -> Fault:
    """The fault for an error that came within a reply; one without a known code may pass."""
    if code in _CODES:
        return Fault(_KINDS.get(code, ModelRejected), sentence(role, _CODES[code]))
    text = "El servidor de {who} falló a mitad de su respuesta: repita la pregunta."
    return Fault(ModelError, sentence(role, text), retryable=True)


def _status_fault(error: openai.APIStatusError, role: RoleSettings) -> Fault:
    status = error.status_code
    if status in _REJECTED:
        said = str(error.body).lower() if status in (400, 422) else ""
        lacking = [key for key, words in _OPTIONAL.items() if any(word in said for word in words)]
        text = sentence(role, _REJECTED[status], status)
        return Fault(_KINDS.get(status, ModelRejected), text, unsupported=tuple(lacking))
    if status in (408, 409, 429) or status >= 500:
        text = sentence(role, _BUSY if status == 429 else _FAILED, status)
        wait = asked_wait(error.response.headers.get("retry-after"))
        return Fault(_KINDS.get(status, ModelUnavailable), text, retryable=True, retry_after=wait)
    return Fault(ModelError, sentence(role, _OTHER, status))


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

    async def replies(self, path: str, request: Mapping[str, Any]) -> AsyncGenerator[Any, None]:
        """The JSON of the reply to a request, or of each event of it when `request` has `stream`.

        It uses the SDK's method for custom requests: building the SDK's models for every event would cost
        too much for three fields.
        """
        client = self.get()
        if "stream" in request:
            kind = AsyncStream[object]
            async with await client.post(
                path, cast_to=object, body=request, stream=True, stream_cls=kind
            ) as chunks:
                async for chunk in chunks:
                    yield chunk
            return
        whole = await client.post(path, cast_to=object, body=request)
        # Text: the server did not say that it is JSON.
        yield json.loads(whole) if isinstance(whole, str) else whole

    def blocking(self) -> OpenAI:
        with self._lock:
            if self._blocking is None:
                http = openai.DefaultHttpxClient(follow_redirects=False, verify=_authorities())
                self._blocking = (AzureOpenAI if self._azure else OpenAI)(**self._options, http_client=http)
            return self._blocking
