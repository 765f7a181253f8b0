"""Stage 6: the draft of the answer, by the principal model or extracted (S0.60-S0.65, S4).

The draft is shown while it grows, marked as not yet verified; the verify stage decides what stays.
An empty or insufficient context never reaches a model.
"""

import asyncio
from collections.abc import Callable, Iterable

from core.errors import ArticuladoError, ModelContextTooSmall
from law.holdings import Holdings
from law.norms import DOCUMENT
from law.tables import goes_on, left_open
from models.chat import ChatMessage, ChatModel, ModelCall
from rag.answers import calculations_used
from rag.answers.confidence import UNSURE
from rag.answers.context_block import build_context, defuse, render_context
from rag.answers.drafting import longest, written
from rag.answers.extractive import Extract, extract
from rag.answers.paper_passages import with_documents
from rag.answers.refusal import refusal
from rag.answers.sufficiency import judge_context
from rag.shared.answer_contract import ABSTENTION, Draft
from rag.shared.asking import as_messages, day_told
from rag.shared.cited_answer import Verdict
from rag.shared.notices import Kind, Notice
from rag.shared.state import Event, Services, State
from rag.shared.trace import AnswerRecord
from rag.stages.own_papers import found_papers

SECTION, QUESTION = "\n\n===\n\n", "PREGUNTA:\n\n"
"""Between the parts of the message that asks, and before the question."""
WITHOUT_EFFECT = " (lo deja sin efecto un criterio posterior)"
MOST_OF_A_TURN = 8000
"""Characters of one message of the history."""
CALCULATED = "«Calcular» hace esta cuenta con sus datos, paso a paso: {title}."
HALVINGS = 2
"""Times that a context which the model has no room for is built again, at half its length."""
SMALLER = "Los textos no cabían en el modelo y se han reducido a {tokens} tokens: baje CONTEXT_TOKENS."
UNREAD = (
    "El modelo solo leyó una parte de los textos que se le enviaron: compruebe la respuesta en sus fuentes. "
    "Para que los lea todos, suba el contexto de su servidor (`num_ctx` en Ollama) o baje CONTEXT_TOKENS."
)
COUNTED = "El servidor contó {read} tokens de {sent} enviados como mínimo: cortó lo que leía el modelo."
OWN = "el propio modelo no la da por segura"
DEGRADED = "{told}: se citan frases literales de las normas, sin redacción."

Fit = Callable[[int], AnswerRecord]
"""Builds the context of a run within some tokens; the record tells what it holds."""


async def answer(state: State, services: Services) -> AnswerRecord:
    """Fill `state.context` and `state.draft`.

    Documents of the reader's own answer too, where the law does not.
    """
    if state.understanding.courtesy:
        state.draft = Draft(answer=state.understanding.courtesy, refusal=True)
        return AnswerRecord(strategy="courtesy", draft=state.draft.answer)
    own = await found_papers(state, services)
    titles = _titles({hit.chunk.norm_id for hit in state.hits}, services.holdings())
    over = await asyncio.to_thread(over_tables, state, services)

    def fit(budget: int) -> AnswerRecord:
        state.context, trimmed, used = build_context(
            state.hits, budget, state.as_of, titles, own, over=over, hired=state.understanding.hired
        )
        return AnswerRecord(length=state.length, context_tokens=used, trimmed=tuple(trimmed))

    record = fit(services.profile.context_tokens)
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
        record = await _by_model(services.principal, state, services, record, fit)
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


async def _by_model(
    model: ChatModel, state: State, services: Services, record: AnswerRecord, fit: Fit
) -> AnswerRecord:
    """The answer of the model, or without it; it is asked again with less context where that does not fit."""
    whole, calls = record, list[ModelCall]()
    made = await written(model, prompt(state, services), state, services)
    for _ in range(HALVINGS):
        if made.told != ModelContextTooSmall.told:
            break
        calls, record = made.calls, fit(record.context_tokens // 2)
        if not state.context.hits:
            break
        made = await written(model, prompt(state, services), state, services)
        made.calls[:0] = calls
    record = record.model_copy(
        update={"strategy": "model", "calls": tuple(made.calls), "repaired": made.repaired}
    )
    if made.draft is not None:
        state.draft, state.doubt = made.draft, OWN
        smaller = record.context_tokens < whole.context_tokens
        told = [SMALLER.format(tokens=record.context_tokens)] if smaller else []
        if made.unread:
            state.notices.append(Notice(Kind.READ, UNREAD, cap=UNSURE))
            told.append(COUNTED.format(read=made.unread[0], sent=made.unread[1]))
        return record.model_copy(update={"fallback": " ".join(told)})
    if record.trimmed != whole.trimmed:
        fit(services.profile.context_tokens)
    fallback = f"Respuesta extractiva: el modelo no dio una respuesta válida ({made.reason})."
    record = record.model_copy(
        update={"fallback": fallback, "trimmed": whole.trimmed, "context_tokens": whole.context_tokens}
    )
    return await without_the_model(state, services, record, why=DEGRADED.format(told=made.told))


async def without_the_model(
    state: State, services: Services, record: AnswerRecord, *, why: str
) -> AnswerRecord:
    """The answer of offline mode, with its own verdict on the context, after the model failed.

    Args:
        why: Spanish sentence for the notes.
    """
    judged = await asyncio.to_thread(judge_context, state, services)
    state.rule_confidence = judged.confidence
    if judged.verdict is Verdict.INSUFFICIENT:
        state.reasons, state.verdict = list(judged.reasons), judged.verdict
    record = await _extracted(state, services, record)
    state.notices.append(Notice(Kind.WITHOUT_MODEL, why))
    return record


async def _extracted(state: State, services: Services, record: AnswerRecord) -> AnswerRecord:
    lacking = state.verdict is Verdict.INSUFFICIENT or not any(
        hit.origin != DOCUMENT for hit in state.context.hits
    )
    law = Extract(refusal(state), [], "", {}) if lacking else await extract(state, services)
    if title := state.understanding.calculator:
        state.notices.append(Notice(Kind.CALCULATIONS, CALCULATED.format(title=title)))
    state.draft, more = await with_documents(law.draft, state, services)
    update = {
        "strategy": "refusal" if state.draft.refusal else "extractive",
        "calls": (*record.calls, *law.calls, *more),
        "fallback": " ".join(filter(None, [record.fallback, law.fallback])),
        "signals": tuple(law.signals.items()),
    }
    return record.model_copy(update=update)


def prompt(state: State, services: Services) -> list[ChatMessage]:
    """System prompt, the last messages, then one of the person: context, text behind, question (S0.63).

    One system message and alternating roles, as many servers want it; law and papers are data, and stand
    where a model takes no orders from.
    """
    render = services.prompts.render
    grounded = services.profile.rag_grounded_prompting
    grounding = render("grounding") if grounded else ""
    system = render(
        "answer",
        abstention=ABSTENTION,
        grounding=grounding,
        day=day_told(state, services),
        length=render(f"length_{state.length}"),
        limit=str(longest(state, services)),
    )
    own = [marker for marker, hit in state.context.marked.items() if hit.origin == DOCUMENT]
    system += f"\n\n{render('documents', markers=', '.join(own))}" if own else ""
    said = defuse(state.background).replace("</texto", "< /texto")
    asked = [
        render_context(state.context),
        *([render("background", text=said)] if said else []),
        *filter(None, [calculations_used.block(state)]),
        f"{QUESTION}{state.question}",
    ]
    return [
        ChatMessage(role="system", content=system),
        *as_messages(state.history, services.profile.history_answer_messages, MOST_OF_A_TURN),
        ChatMessage(role="user", content=SECTION.join(asked)),
    ]
