"""The draft of a model: asked, repaired once, put into Spanish and shortened (S0.60-S0.65, S4)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.errors import ModelError
from models.chat import ChatMessage, ChatModel, ModelCall
from rag.answers.quotation_check import normalise_markers, read_length
from rag.shared.answer_contract import (
    ANSWER_MIN,
    BRIEF_MAX,
    Draft,
    DraftError,
    answer_schema,
    extract_object,
    parse_draft,
    partial_answer,
    text_schema,
)
from rag.shared.asking import ask
from rag.shared.cited_answer import AnswerLength
from rag.shared.notices import Kind, Notice
from rag.shared.state import Event, Services, State
from text.language import is_foreign
from text.markers import markers

NOT_SPANISH = "El modelo no contestó en español y su respuesta se muestra como la escribió."
CHARS_A_TOKEN, PLAUSIBLE, LEAST_WINDOW = 5.0, 0.8, 1024
"""The most characters of Spanish that a tokenizer puts in a token; the share of the tokens sent below which a
count means that part of them was not read; the shortest context of a server: a smaller count is of something
else, such as what it had not read before."""


@dataclass
class Written:
    """Outcome of asking a model for an answer.

    Attributes:
        draft: None if it gave none, for a `reason` (Spanish, for the trace); `told` is what readers are told.
        unread: tokens that the endpoint read of a larger number sent, or None.
    """

    draft: Draft | None = None
    calls: list[ModelCall] = field(default_factory=list)
    repaired: bool = False
    reason: str = ""
    told: str = ""
    unread: tuple[int, int] | None = None


async def written(model: ChatModel, messages: list[ChatMessage], state: State, services: Services) -> Written:
    """The model's answer to the messages of the answer prompt."""
    limit = longest(state, services)
    work = _Work(model, state, services)
    made = work.made
    done, problem = await work.write(messages)
    if done is not None and made.draft is None:
        asked = services.prompts.render("repair", problem=problem, limit=str(limit))
        said = ChatMessage(role="assistant", content=done.output or "(vacío)")
        done, problem = await work.write([*messages, said, ChatMessage(role="user", content=asked)])
        made.repaired = made.draft is not None
    if made.draft is None:
        made.reason = made.calls[-1].error if done is None else f"su salida {problem.rstrip('.')}"
        made.told = made.calls[-1].told if done is None else ModelError.told
        return made
    if is_foreign(made.draft.answer):
        system = services.prompts.render("spanish")
        whole = set(markers(normalise_markers(made.draft.answer))), read_length(made.draft.answer) // 2

        def is_whole(text: str) -> bool:
            same = set(markers(normalise_markers(text))) == whole[0] and read_length(text) >= whole[1]
            return same and not is_foreign(text)

        made.draft = await work.rewritten(made.draft, system, is_whole)
        state.notices += [Notice(Kind.TEXT, NOT_SPANISH)] if is_foreign(made.draft.answer) else []
    if read_length(made.draft.answer) > limit:
        system = services.prompts.render("shorten", limit=str(limit))
        made.draft = await work.rewritten(made.draft, system, lambda text: read_length(text) <= limit)
    return made


@dataclass
class _Work:
    """The calls to one model for one answer."""

    model: ChatModel
    state: State
    services: Services
    made: Written = field(default_factory=Written)

    async def write(self, messages: list[ChatMessage]) -> tuple[ModelCall | None, str]:
        """(the call if it succeeded, the problem of its output)."""
        done = await self._ask(messages, answer_schema())
        if done is None:
            return None, ""
        self.made.unread = self.made.unread or unread(done)
        try:
            self.made.draft = parse_draft(done.output)
        except DraftError as error:
            return done, str(error)
        return done, ""

    async def rewritten(self, draft: Draft, system: str, fits: Callable[[str], bool]) -> Draft:
        """The draft with another text, if the model writes one that `fits`; its quotations stay.

        Only the text travels, not the context; a marker that it did not have is none of its own.
        """
        messages = [
            ChatMessage(role="system", content=system),
            ChatMessage(role="user", content=draft.answer),
        ]
        done = await self._ask(messages, text_schema())
        try:
            text = extract_object(done.output, _has_text)["answer"] if done else ""
        except (DraftError, KeyError):
            return draft
        if not isinstance(text, str) or read_length(text) < ANSWER_MIN or not fits(text):
            return draft
        known = set(markers(normalise_markers(draft.answer)))
        kept = set(markers(normalise_markers(text)))
        if not kept <= known or bool(kept) != bool(known):
            return draft
        self.made.repaired = True
        return draft.model_copy(update={"answer": text})

    async def _ask(self, messages: list[ChatMessage], schema: Mapping[str, Any]) -> ModelCall | None:
        heard: list[str] = []

        def on_delta(text: str) -> None:
            heard.append(text)
            self.state.on_event(Event("delta", "answer", text=partial_answer("".join(heard))))

        seconds = self.state.seconds_left(self.services.profile.answer_seconds)
        done, call = await ask(self.model, messages, seconds, schema=schema, on_delta=on_delta)
        self.made.calls.append(call)
        return done


def _has_text(value: Mapping[str, Any]) -> bool:
    return isinstance(value.get("answer"), str)


def longest(state: State, services: Services) -> int:
    """Characters of the answer beyond which a model is asked to be shorter."""
    most = services.profile.answer_chars
    return min(most, BRIEF_MAX) if state.length is AnswerLength.BRIEF else most


def unread(call: ModelCall) -> tuple[int, int] | None:
    """(tokens read, fewest tokens sent) if an endpoint counted far fewer than were sent: it cut them."""
    read = call.prompt_tokens + call.cached_tokens
    sent = int(sum(len(text) for _, text in call.messages) / CHARS_A_TOKEN)
    return (read, sent) if LEAST_WINDOW <= read < PLAUSIBLE * sent else None
