"""Stage 6: the draft of the answer, by the principal model or extracted (S0.60-S0.65, S4).

The draft is shown while it grows, marked as not yet verified; the verify stage decides what stays.
An empty or insufficient context never reaches a model.
"""

from rag.answers.context import build_context, render_context
from rag.answers.contract import (
    ABSTENTION,
    ANSWER_MAX,
    Draft,
    DraftError,
    answer_schema,
    parse_draft,
    partial_answer,
)
from rag.answers.extractive import extract
from rag.answers.sufficiency import judge
from rag.ports import ChatMessage, ChatModel
from rag.running.fallback import as_messages, ask
from rag.state import Event, Services, State
from rag.trace import AnswerRecord, ModelCall
from rag.types import Verdict


async def answer(state: State, services: Services) -> AnswerRecord:
    """Fill `state.context` and `state.draft`."""
    state.context, trimmed, tokens = build_context(state.hits, services.profile.context_tokens, state.as_of)
    record = AnswerRecord(context_tokens=tokens, trimmed=tuple(trimmed))
    if not state.context.hits or state.verdict is Verdict.INSUFFICIENT:
        state.draft = refusal(state)
        return record.model_copy(update={"strategy": "refusal", "draft": state.draft.answer})
    if services.principal is None:
        record = await _extracted(state, services, record)
    else:
        record = await _by_model(services.principal, state, services, record)
    state.on_event(Event("delta", "answer", text=state.draft.answer))
    return record.model_copy(update={"draft": state.draft.model_dump_json()})


def refusal(state: State) -> Draft:
    """The draft of a refusal: the fixed sentence, the reasons and the missing items."""
    reasons = [*state.reasons, *(f"No se ha encontrado: {item}." for item in state.missing)]
    text = " ".join([f"{ABSTENTION}.", *reasons])
    return Draft(answer=text, confidence=0.0, refusal=True, notes=None)


async def _by_model(model: ChatModel, state: State, services: Services, record: AnswerRecord) -> AnswerRecord:
    messages = prompt(state, services)
    done, call = await _write(model, messages, state, services)
    calls = [call]
    problem, draft = _read(done)
    repaired = False
    if done is not None and problem:
        messages = [
            *messages,
            ChatMessage(role="assistant", content=done.output or "(vacío)"),
            ChatMessage(role="user", content=services.prompts.render("repair", problem=problem)),
        ]
        done, call = await _write(model, messages, state, services)
        calls.append(call)
        second_problem, second = _read(done)
        repaired = second is not None
        draft = second or draft
        problem = second_problem if draft is None else ""
    record = record.model_copy(update={"strategy": "model", "calls": tuple(calls), "repaired": repaired})
    if draft is not None:
        state.draft = draft
        return record
    reason = call.error if done is None else f"su salida {problem.rstrip('.')}"
    fallback = f"Respuesta extractiva: el modelo no dio una respuesta válida ({reason})."
    return await _without_the_model(state, services, record.model_copy(update={"fallback": fallback}))


async def _without_the_model(state: State, services: Services, record: AnswerRecord) -> AnswerRecord:
    """The answer of offline mode, with its own verdict on the context, after the model failed."""
    state.degraded = True
    judged = judge(state, services)
    state.rule_confidence = judged.confidence
    if judged.verdict is Verdict.INSUFFICIENT:
        state.reasons = list(judged.reasons)
        state.draft = refusal(state)
        return record.model_copy(update={"strategy": "refusal"})
    return await _extracted(state, services, record)


async def _extracted(state: State, services: Services, record: AnswerRecord) -> AnswerRecord:
    state.draft, calls, without = await extract(state, services)
    fallback = " ".join(filter(None, [record.fallback, without]))
    update = {"strategy": "extractive", "calls": (*record.calls, *calls), "fallback": fallback}
    return record.model_copy(update=update)


def _read(done: ModelCall | None) -> tuple[str, Draft | None]:
    """(the problem to tell the repair call or '', the draft or None if it is unusable)."""
    if done is None:
        return "", None
    try:
        draft = parse_draft(done.output)
    except DraftError as error:
        return str(error), None
    if len(draft.answer) > ANSWER_MAX:
        return f"answer tiene {len(draft.answer)} caracteres y el máximo es {ANSWER_MAX}.", draft
    return "", draft


def prompt(state: State, services: Services) -> list[ChatMessage]:
    """System prompt, context, the last messages whole, the question (S0.63)."""
    render = services.prompts.render
    grounded = services.profile.rag_grounded_prompting
    grounding = render("grounding", abstention=ABSTENTION) if grounded else ""
    return [
        ChatMessage(role="system", content=render("answer", abstention=ABSTENTION, grounding=grounding)),
        ChatMessage(role="system", content=render_context(state.context)),
        *as_messages(state.history, services.profile.history_answer_messages),
        ChatMessage(role="user", content=state.question),
    ]


async def _write(
    model: ChatModel, messages: list[ChatMessage], state: State, services: Services
) -> tuple[ModelCall | None, ModelCall]:
    written: list[str] = []

    def on_delta(text: str) -> None:
        written.append(text)
        state.on_event(Event("delta", "answer", text=partial_answer("".join(written))))

    seconds = state.seconds_left(services.profile.answer_seconds)
    return await ask(model, messages, seconds, schema=answer_schema(), on_delta=on_delta)
