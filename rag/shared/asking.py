"""Helpers of several stages: model and embedding calls that may fail, text for prompts, rarity of terms."""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.errors import ModelError, ModelTimeout
from law import passages
from law.chunks import Chunk
from masking.masked import as_sent
from models.chat import ChatMessage, ChatModel, FunctionTool, ModelCall, Turn
from models.failed_endpoints import failures
from rag.shared.state import Services, State
from text.textnorm import stems

NAME = 300
EXCERPT = 700
"""Characters of a fragment in the lists that a model chooses from."""
_INDEX = re.compile(r"[\[［【〔⟦](?=[\W_]*\d+[\W_]*[\]］】〕⟧])")
TOO_LATE = "se agotó el tiempo"
UNANSWERED = "(Sin respuesta.)"
WHO = {"user": "Persona", "assistant": "Respuesta"}


async def ask(
    model: ChatModel,
    messages: list[ChatMessage],
    seconds: float,
    *,
    schema: Mapping[str, Any] | None = None,
    tools: Sequence[FunctionTool] = (),
    on_delta: Callable[[str], None] | None = None,
) -> tuple[ModelCall | None, ModelCall]:
    """Make a model call that may fail; none is made where the run has failed before (`asked_once`).

    Returns:
        (the call, or None when it failed; the record of it either way, with its error).
    """
    started = asyncio.get_running_loop().time()
    known = failures()
    error = known.of(model, seconds)
    asked = error is None and seconds > 0
    if asked:
        try:
            async with asyncio.timeout(seconds):
                done = await model.complete(
                    messages, schema=schema, tools=tools, on_delta=on_delta, timeout=seconds
                )
        except TimeoutError:
            error = ModelTimeout(TOO_LATE)
        except ModelError as failure:
            error = failure
        else:
            return done, done
        known.add(model, error, seconds)
    error = error or ModelTimeout(TOO_LATE)
    failed = ModelCall(
        role=model.role,
        model=model.model,
        messages=tuple((one.role, one.content) for one in as_sent(model, messages)) if asked else (),
        attempts=int(asked),
        error=str(error),
        told=error.told,
        elapsed_ms=(asyncio.get_running_loop().time() - started) * 1000,
    )
    return None, failed


def cut(text: str, limit: int) -> str:
    """The text in one line, at most `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def listed(text: str, limit: int) -> str:
    """Like `cut`, for the text of a document in a numbered list: it cannot imitate another entry."""
    return _INDEX.sub("(", cut(text, limit))


def wanted(state: State, services: Services) -> frozenset[str]:
    """Stems of the question, of its sub-queries and of their synonyms."""
    said = " ".join(dict.fromkeys([state.asked, *(query.text for query in state.queries)]))
    return frozenset(stems(" ".join((said, *services.synonyms.expand(said)))))


def excerpt(chunk: Chunk, wanted: frozenset[str], limit: int = EXCERPT, *, opening: int | None = None) -> str:
    """The passage of a chunk nearest to some stems, without its heading, for a numbered list.

    Args:
        opening: characters of the chunk's beginning that stand before it; with any number, also 0, the
            passage has the first words of its apartado.
    """
    _, _, body = chunk.text.partition("\n")
    text = body if chunk.start == 0 and body.strip() else chunk.text
    if opening is None:
        return _INDEX.sub("(", passages.passage(text, wanted, limit))
    return _INDEX.sub("(", passages.excerpt(text, wanted, limit, opening))


def day_told(state: State, services: Services) -> str:
    """The sentence of a prompt that says what day it is, and the day whose law applies."""
    today, as_of = f"{state.today:%d/%m/%Y}", f"{state.as_of:%d/%m/%Y}"
    return services.prompts.render("day", today=today, as_of=as_of)


def as_messages(history: tuple[Turn, ...], last: int, limit: int | None = None) -> list[ChatMessage]:
    """The last messages of the history for a prompt, each cut to `limit` characters if one is given.

    Roles alternate, from a person's message to an answer, as many servers want it: a question that nobody
    answered gets UNANSWERED.
    """
    messages: list[ChatMessage] = []
    for turn in history[-last:] if last else ():
        if turn.role == "assistant" and not (messages and messages[-1].role == "user"):
            continue
        if turn.role == "user" and messages and messages[-1].role == "user":
            messages.append(ChatMessage(role="assistant", content=UNANSWERED))
        messages.append(
            ChatMessage(role=turn.role, content=turn.text if limit is None else turn.text[:limit])
        )
    if messages and messages[-1].role == "user":
        messages.append(ChatMessage(role="assistant", content=UNANSWERED))
    return messages


def question_told(state: State, services: Services) -> str:
    """The question as a prompt that judges fragments tells it: with the conversation that it goes on with."""
    profile = services.profile
    turns = as_messages(state.history, profile.history_decompose_messages, profile.history_decompose_chars)
    if not turns:
        return f"Pregunta: {state.question}"
    said = "\n".join(f"- {WHO[turn.role]}: {' '.join(turn.content.split())}" for turn in turns)
    searched = "; ".join(query.text for query in state.queries if query.text != state.question)
    meant = f"\nLo que se busca con ella: {searched}" if searched else ""
    return f"Conversación anterior:\n{said}\n\nPregunta: {state.question}{meant}"
