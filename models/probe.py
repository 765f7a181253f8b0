"""Questions to an endpoint that show what it can do, through the client that answers use.

Each endpoint gets some short requests and, unless told otherwise, one of about 12,000 tokens: a number stands
at the beginning of a text and is asked for at its end, since some servers drop what does not fit without a
word. All texts are our own.
"""

import asyncio
import json
import re
import secrets
import time
from contextlib import aclosing
from typing import Any
from urllib.parse import urlsplit

from core.errors import (
    EmbedderUnavailable,
    ModelError,
    ModelKeyRejected,
    ModelRejected,
    ModelTimeout,
    ModelUnavailable,
)
from core.profile import Profile
from models.chat import ChatMessage, ModelCall
from models.metering import MeteredChat
from models.openai_chat import OpenAIChat
from models.openai_client import OPENAI_URL, fault_of
from models.openai_embeddings import OpenAIEmbedder
from models.probe_results import INSTRUCTIONS, RoleProbe, Structured, Thinking, Window
from models.role import RoleSettings

SECONDS = 120.0
"""Longest wait for one reply: a local server may have to load the model first."""
LONGEST = 12_000
"""Tokens of the long text."""
SHORT_TOKENS = 200
"""Tokens of the short requests together."""
CHARACTERS = 4
"""Characters of a token of Spanish, about."""
SPAN = 0.05
"""Seconds below which the pieces of a reply are taken to have come together."""

SYSTEM = ChatMessage(role="system", content="Contesta en español y solo lo que se pide.")
COUNT = "Escribe en palabras los números del uno al cincuenta, separados por comas."
WEEK = "¿Cuántos días tiene una semana?"
SCHEMA = {"title": "prueba", "type": "object", "properties": {"dias": {"type": "integer"}}}
FACT = "El número de la casa de la colina es el {number}.\n\n"
ASKED = "\n\n¿Cuál es el número de la casa de la colina? Contesta solo con el número."
FORMATS = {"response_format", "text"}
"""Key of a request that holds the schema, in either API."""

_ANSWERED = re.compile(r'"(?:choices|output)": \[')
_INSIDE = re.compile(r"</?(?:think|thinking|reasoning)>|<\|channel\|>")
_APART = re.compile(r'"reasoning(?:_content)?": "[^"]|"type": "(?:thinking|reasoning)"')
_WORDS = tuple(
    tuple(words.split(", "))
    for words in (
        "La bibliotecaria, El jardinero, La vecina, El panadero, Una pintora, El cartero, La maestra",
        "encuentra, dibuja, recuerda, describe, limpia, busca, guarda, colecciona, admira",
        "un puente de piedra, la torre del reloj, un barco de vela, el camino del molino, una taza azul",
        "por la mañana, antes de la cena, cuando llueve, en verano, con mucha calma, los jueves,"
        " cerca del río, después del mercado, al volver a casa, en silencio",
    )
)


class _Probe(OpenAIChat):
    """The client of a role, which also tells what its endpoint has refused and how it writes a reply."""

    @property
    def refused(self) -> frozenset[str]:
        """Optional keys of a request that the endpoint does not take."""
        return frozenset(self._lacking)

    async def say(self, text: str, **options: Any) -> ModelCall | ModelError:
        """The reply to a text, or why there is none."""
        messages = [SYSTEM, ChatMessage(role="user", content=text)]
        try:
            return await MeteredChat(self).complete(messages, timeout=SECONDS, **options)
        except ModelError as error:
            return error

    async def raw(self, systems: int) -> str | None:
        """JSON of the reply to a prompt with so many messages of the system, as the endpoint writes it."""
        messages = [*[SYSTEM] * systems, ChatMessage(role="user", content=WEEK)]
        request = self._api.request(self._settings, messages, None, (), stream=False)
        request = {key: value for key, value in request.items() if key not in self.refused}
        try:
            async with (
                asyncio.timeout(SECONDS),
                aclosing(self._clients.replies(self._api.path, request)) as replies,
            ):
                written = json.dumps([reply async for reply in replies])
        except TimeoutError:
            return None
        except Exception as error:
            fault_of(error, self._settings)  # it logs what may be our bug
            return None
        return written if _ANSWERED.search(written) else None


class _Watch:
    """Times of the pieces of a reply."""

    def __init__(self) -> None:
        self.started = time.perf_counter()
        self.first = self.last = 0.0

    def __call__(self, _piece: str) -> None:
        self.last = time.perf_counter() - self.started
        self.first = self.first or self.last


def sends(profile: Profile, *, fast: bool) -> int:
    """Estimated tokens that `probe` sends to one endpoint."""
    return SHORT_TOKENS + (0 if fast else _length(profile))


def host_of(role: RoleSettings) -> str:
    """Name and port of an endpoint; the rest of its address may hold secrets."""
    return urlsplit(role.base_url or OPENAI_URL).netloc.rpartition("@")[2]


async def probe(role: RoleSettings, profile: Profile, retries: int, *, fast: bool = False) -> RoleProbe:
    """Abilities of the endpoint of a chat model.

    Args:
        fast: leave the long text out.

    Raises:
        ConfigurationError: the role has neither a key nor an address.
    """
    model = _Probe(role.model_copy(update={"structured": True}), retries)
    begun = RoleProbe(role=role.role, model=role.model, host=host_of(role))
    # The first reply may wait for the model to be loaded: it measures nothing.
    first = await model.say(WEEK)
    if isinstance(first, ModelError):
        return _failed(begun, first)
    streaming, speed = await _streamed(model)
    structured, week = await _structured(model)
    two = await model.raw(2)
    written = two or await model.raw(1)
    return begun.model_copy(
        update={
            "reachable": True,
            "key": True,
            "answers": True,
            "streaming": streaming,
            "structured": structured,
            "several_systems": two is not None if written else None,
            "thinking": _thinking(written, first),
            "temperature": None if role.reasoning else "temperature" not in model.refused,
            "reply_seconds": week,
            "window": None if fast else await _window(model, _length(profile), streaming),
            **speed,
        }
    )


async def probe_embeddings(role: RoleSettings, dimensions: int, retries: int) -> RoleProbe:
    """True or false: the endpoint of vectors makes one of the size that the settings say."""
    begun = RoleProbe(role=role.role, model=role.model, host=host_of(role))
    try:
        await OpenAIEmbedder(role, dimensions, retries).embed_queries([WEEK])
    except EmbedderUnavailable as error:
        return begun.model_copy(update={"error": str(error)})
    return begun.model_copy(update={"reachable": True, "key": True, "answers": True})


def _length(profile: Profile) -> int:
    """A window that holds all that the program sends is large enough."""
    return min(LONGEST, profile.context_tokens + INSTRUCTIONS)


def _failed(begun: RoleProbe, error: ModelError) -> RoleProbe:
    key = False if isinstance(error, ModelKeyRejected) else True if isinstance(error, ModelRejected) else None
    reachable = not isinstance(error, ModelTimeout | ModelUnavailable)
    return begun.model_copy(update={"reachable": reachable, "key": key, "error": str(error)})


async def _streamed(model: _Probe) -> tuple[bool, dict[str, float | None]]:
    """True if a reply comes in pieces, and measures of it; of a whole one if none does."""
    watch = _Watch()
    told = await model.say(COUNT, on_delta=watch)
    if isinstance(told, ModelCall):
        return "stream" not in model.refused, _speed(told, watch)
    told = await model.say(COUNT)
    return False, _speed(told, _Watch()) if isinstance(told, ModelCall) else {}


async def _structured(model: _Probe) -> tuple[Structured | None, float | None]:
    """Reaction to a schema that the words of the prompt do not ask for, and the seconds of the reply."""
    told = await model.say(WEEK, schema=SCHEMA)
    if isinstance(told, ModelError):
        return (Structured.REFUSED if isinstance(told, ModelRejected) else None), None
    seconds = told.elapsed_ms / 1000
    if FORMATS & model.refused:
        return Structured.REFUSED, seconds
    try:
        obeyed = "dias" in dict(json.loads(told.output))
    except (ValueError, TypeError):
        obeyed = False
    return (Structured.OBEYED if obeyed else Structured.IGNORED), seconds


def _thinking(written: str | None, told: ModelCall) -> Thinking | None:
    """Place of the reasoning in a reply as the endpoint wrote it, or in one that the client has read."""
    if written is None:
        return None
    if _INSIDE.search(written + told.output):
        return Thinking.INSIDE
    return Thinking.APART if told.reasoning_tokens or _APART.search(written) else Thinking.NONE


def _speed(told: ModelCall, watch: _Watch) -> dict[str, float | None]:
    """Measures of a reply; one that came in one piece is measured whole."""
    whole, span = told.elapsed_ms / 1000, watch.last - watch.first
    span = span if span > SPAN else max(whole, SPAN)
    tokens = told.completion_tokens - told.reasoning_tokens
    return {
        "first_seconds": watch.first or whole,
        "characters_per_second": len(told.output) / span,
        "tokens_per_second": tokens / span if tokens > 0 else None,
    }


async def _window(model: _Probe, tokens: int, streaming: bool) -> Window:
    number = str(secrets.randbelow(900_000) + 100_000)
    text = FACT.format(number=number) + _filler(tokens * CHARACTERS) + ASKED
    watch = _Watch()
    told = await model.say(text, on_delta=watch if streaming else None)
    if isinstance(told, ModelError):
        return Window(sent=tokens, error=str(told))
    return Window(
        sent=tokens,
        counted=told.prompt_tokens,
        found=number in re.sub(r"\D", "", told.output),
        first_seconds=watch.first or told.elapsed_ms / 1000,
    )


def _filler(characters: int) -> str:
    """Sentences without sense, none of them twice, since servers look for text that repeats itself."""
    lines: list[str] = []
    length = 0
    while length < characters:
        line = " ".join(words[len(lines) % len(words)] for words in _WORDS) + "."
        lines.append(line)
        length += len(line) + 1
    return " ".join(lines)
