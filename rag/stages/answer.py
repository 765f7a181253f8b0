"""Stage 6: the draft of the answer, by the principal model or extracted (S0.60-S0.65, S4).

The draft is shown while it grows, marked as not yet verified; the verify stage decides what stays.
An empty or insufficient context never reaches a model.
"""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

from rag.answers.citations import markers, normalise_markers, read_length
from rag.answers.context import build_context, render_context
from rag.answers.contract import (
    ABSTENTION,
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
from rag.answers.documents import with_documents
from rag.answers.extractive import Extract, extract
from rag.answers.quotable import goes_on, left_open
from rag.answers.sufficiency import judge
from rag.answers.types import AnswerLength
from rag.errors import ArticuladoError, ModelError
from rag.law.holdings import Holdings
from rag.lexicon.calculators import calculator
from rag.ports import ChatMessage, ChatModel
from rag.running.fallback import as_messages, ask, day_told
from rag.stages.governing import hired
from rag.stages.papers import found_papers
from rag.state import Event, Services, State
from rag.trace import AnswerRecord, ModelCall
from rag.types import DOCUMENT, Verdict

WITHOUT_EFFECT = " (lo deja sin efecto un criterio posterior)"
MOST_OF_A_TURN = 8000
"""Characters of one message of the history."""
CALCULATED = "«Calcular» hace esta cuenta con sus datos, paso a paso: {title}."
DEGRADED = "{told}: se citan frases literales de las normas, sin redacción."


async def answer(state: State, services: Services) -> AnswerRecord:
    """Fill `state.context` and `state.draft`.

    Documents of the reader's own answer too, where the law does not.
    """
    own = await found_papers(state, services)
    titles = _titles({hit.chunk.norm_id for hit in state.hits}, services.holdings())
    over = await asyncio.to_thread(over_tables, state, services)
    budget = services.profile.context_tokens
    state.context, trimmed, tokens = build_context(
        state.hits, budget, state.as_of, titles, own, over=over, hired=hired(state)
    )
    record = AnswerRecord(length=state.length, context_tokens=tokens, trimmed=tuple(trimmed))
    lacking = not state.hits or state.verdict is Verdict.INSUFFICIENT
    if not state.context.hits or (lacking and not own):
        state.draft = refusal(state)
        return record.model_copy(update={"strategy": "refusal", "draft": state.draft.answer})
    if lacking and services.principal is not None:
        # The model judged the law alone; what the documents add, it has not seen.
        state.verdict = Verdict.PARTIAL
    if services.principal is None:
        record = await _extracted(state, services, record)
    else:
        record = await _by_model(services.principal, state, services, record)
    state.on_event(Event("delta", "answer", text=state.draft.answer))
    return record.model_copy(update={"draft": state.draft.model_dump_json()})


def _titles(wanted: Iterable[str], held: Holdings) -> dict[str, str]:
    """Titles of norms by id; that of a criterion left without effect says so."""
    titles = {norm_id: held.by_id[norm_id].title for norm_id in wanted if norm_id in held.by_id}
    later = held.decisions.replaced
    return {i: f"{title}{WITHOUT_EFFECT * (i in later)}" for i, title in titles.items()}


def over_tables(state: State, services: Services) -> dict[str, tuple[str, ...]]:
    """Captions and header of the table that each hit goes on with, by chunk; none without the database."""
    going_on = [hit.chunk for hit in state.hits if goes_on(hit.chunk)]
    ids = [f"{one.id.rpartition('#')[0]}#{part}" for one in going_on for part in range(1, one.part)]
    try:
        parts = {one.id: one for one in services.store.chunks(ids)} if ids else {}
    except ArticuladoError:
        return {}
    return {one.id: over for one in going_on if (over := left_open(one, parts))}


def refusal(state: State) -> Draft:
    """The draft of a refusal: the fixed sentence, the reasons and the missing items."""
    reasons = [*state.reasons, *(f"No se ha encontrado: {item}." for item in state.missing)]
    text = " ".join([f"{ABSTENTION}.", *reasons])
    return Draft(answer=text, confidence=0.0, refusal=True, notes=None)


async def _by_model(model: ChatModel, state: State, services: Services, record: AnswerRecord) -> AnswerRecord:
    messages = prompt(state, services)
    limit = longest(state, services)
    done, call = await _write(model, messages, answer_schema(), state, services)
    calls = [call]
    problem, draft = _read(done)
    repaired = False
    if done is not None and draft is None:
        messages = [
            *messages,
            ChatMessage(role="assistant", content=done.output or "(vacío)"),
            ChatMessage(
                role="user", content=services.prompts.render("repair", problem=problem, limit=str(limit))
            ),
        ]
        done, call = await _write(model, messages, answer_schema(), state, services)
        calls.append(call)
        problem, draft = _read(done)
        repaired = draft is not None
    if draft is not None and read_length(draft.answer) > limit:
        short, call = await _shorter(model, draft, state, services)
        calls.append(call)
        repaired, draft = repaired or short is not draft, short
    record = record.model_copy(update={"strategy": "model", "calls": tuple(calls), "repaired": repaired})
    if draft is not None:
        state.draft = draft
        return record
    reason = call.error if done is None else f"su salida {problem.rstrip('.')}"
    fallback = f"Respuesta extractiva: el modelo no dio una respuesta válida ({reason})."
    record = record.model_copy(update={"fallback": fallback})
    told = call.told if done is None else ModelError.told
    return await without_the_model(state, services, record, why=DEGRADED.format(told=told))


async def _shorter(
    model: ChatModel, draft: Draft, state: State, services: Services
) -> tuple[Draft, ModelCall]:
    """(the draft with a text within the limit, the call); the same draft if the model did not shorten it.

    Only the text travels, not the context; a marker that it did not have is none of its own.
    """
    limit = longest(state, services)
    messages = [
        ChatMessage(role="system", content=services.prompts.render("shorten", limit=str(limit))),
        ChatMessage(role="user", content=draft.answer),
    ]
    done, call = await _write(model, messages, text_schema(), state, services)
    try:
        text = extract_object(done.output).get("answer") if done else None
    except DraftError:
        text = None
    if not isinstance(text, str) or not ANSWER_MIN <= read_length(text) <= limit:
        return draft, call
    known = set(markers(normalise_markers(draft.answer)))
    kept = set(markers(normalise_markers(text)))
    if not kept <= known or bool(kept) != bool(known):
        return draft, call
    return draft.model_copy(update={"answer": text}), call


async def without_the_model(
    state: State, services: Services, record: AnswerRecord, *, why: str
) -> AnswerRecord:
    """The answer of offline mode, with its own verdict on the context, after the model failed.

    Args:
        why: Spanish sentence for the notes.
    """
    state.degraded = why
    judged = await asyncio.to_thread(judge, state, services)
    state.rule_confidence = judged.confidence
    if judged.verdict is Verdict.INSUFFICIENT:
        state.reasons, state.verdict = list(judged.reasons), judged.verdict
    return await _extracted(state, services, record)


async def _extracted(state: State, services: Services, record: AnswerRecord) -> AnswerRecord:
    lacking = state.verdict is Verdict.INSUFFICIENT or not any(
        hit.origin != DOCUMENT for hit in state.context.hits
    )
    law = Extract(refusal(state), [], "", {}) if lacking else await extract(state, services)
    if title := calculator(state.question):
        state.remarks.append(CALCULATED.format(title=title))
    state.draft, more = await with_documents(law.draft, state, services)
    update = {
        "strategy": "refusal" if state.draft.refusal else "extractive",
        "calls": (*record.calls, *law.calls, *more),
        "fallback": " ".join(filter(None, [record.fallback, law.fallback])),
        "signals": tuple(law.signals.items()),
    }
    return record.model_copy(update=update)


def _read(done: ModelCall | None) -> tuple[str, Draft | None]:
    """(the problem to tell the repair call or '', the draft or None if it is unusable)."""
    if done is None:
        return "", None
    try:
        return "", parse_draft(done.output)
    except DraftError as error:
        return str(error), None


def longest(state: State, services: Services) -> int:
    """Characters of the answer beyond which a model is asked to be shorter."""
    most = services.profile.answer_chars
    return min(most, BRIEF_MAX) if state.length is AnswerLength.BRIEF else most


def prompt(state: State, services: Services) -> list[ChatMessage]:
    """System prompt, context, the last messages, the text behind the question, the question (S0.63)."""
    render = services.prompts.render
    grounded = services.profile.rag_grounded_prompting
    grounding = render("grounding", abstention=ABSTENTION) if grounded else ""
    system = render(
        "answer",
        abstention=ABSTENTION,
        grounding=grounding,
        day=day_told(state, services),
        length=render(f"length_{state.length}"),
        limit=str(longest(state, services)),
    )
    own = [marker for marker, hit in state.context.marked.items() if hit.origin == DOCUMENT]
    documents = (
        [ChatMessage(role="system", content=render("documents", markers=", ".join(own)))] if own else []
    )
    said = state.background
    background = (
        [ChatMessage(role="user", content=render("background", text=said.replace("</texto", "< /texto")))]
        if said
        else []
    )
    return [
        ChatMessage(role="system", content=system),
        ChatMessage(role="system", content=render_context(state.context)),
        *documents,
        *as_messages(state.history, services.profile.history_answer_messages, MOST_OF_A_TURN),
        *background,
        ChatMessage(role="user", content=state.question),
    ]


async def _write(
    model: ChatModel,
    messages: list[ChatMessage],
    schema: Mapping[str, Any],
    state: State,
    services: Services,
) -> tuple[ModelCall | None, ModelCall]:
    written: list[str] = []

    def on_delta(text: str) -> None:
        written.append(text)
        state.on_event(Event("delta", "answer", text=partial_answer("".join(written))))

    seconds = state.seconds_left(services.profile.answer_seconds)
    return await ask(model, messages, seconds, schema=schema, on_delta=on_delta)
