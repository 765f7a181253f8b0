"""Stage 1: decomposition of the question into one to four self-contained searches (S0.10-S0.16)."""

import re

from models.chat import ChatMessage, ChatModel
from rag.question.consultation import read_turn
from rag.shared.answer_contract import extract_array, strings
from rag.shared.asking import as_messages, ask, day_told
from rag.shared.hits import SubQuery
from rag.shared.state import Services, State
from rag.shared.trace import DecomposeRecord
from text.language import is_foreign
from text.textnorm import stems

MAX_QUERIES = 4
MAX_QUERY = 1000

_FENCE = re.compile(r"^```[a-zA-Z]*\s*|\s*```$")


async def decompose(state: State, services: Services) -> DecomposeRecord:
    """Fill `state.queries`; without a model, or when it fails, by rules."""
    profile = services.profile
    turns = tuple(turn.model_copy(update={"text": read_turn(turn).gist}) for turn in state.history)
    history = as_messages(turns, profile.history_decompose_messages, profile.history_decompose_chars)
    record = DecomposeRecord(history=tuple((m.role, m.content) for m in history))
    if services.reader is None:
        texts = by_rules(state)
    else:
        texts, record = await _by_model(services.reader, state, services, history, record)
    record = record.model_copy(update={"queries": tuple(texts)})
    state.queries = [SubQuery(text=text, raw=text == state.asked) for text in texts]
    return record


async def _by_model(
    model: ChatModel, state: State, services: Services, history: list[ChatMessage], record: DecomposeRecord
) -> tuple[list[str], DecomposeRecord]:
    messages = [
        ChatMessage(
            role="system", content=services.prompts.render("decompose", day=day_told(state, services))
        ),
        *history,
        ChatMessage(role="user", content=state.question),
    ]
    done, call = await ask(model, messages, state.seconds_left(services.profile.decompose_seconds))
    if done is None:
        texts = by_rules(state)
        fallback = f"Reglas: el modelo no respondió ({call.error})."
        return texts, record.model_copy(update={"calls": (call,), "fallback": fallback})
    said = " ".join([*(turn.text for turn in state.history), state.question])
    texts, fallback = parse_queries(done.output, said)
    return texts or by_rules(state), record.model_copy(
        update={"strategy": "model", "calls": (call,), "fallback": fallback}
    )


def parse_queries(output: str, said: str) -> tuple[list[str], str]:
    """(the queries of a model's output, the Spanish note when they are not an array's).

    A text that is no array is one query (S0.16) if it shares a word with what was `said` and is in Spanish;
    an apology is none.
    """
    values = extract_array(output, strings)
    queries = [v.strip()[:MAX_QUERY] for v in strings(values) if v.strip()]
    if queries:
        return list(dict.fromkeys(queries))[:MAX_QUERIES], ""
    text = _FENCE.sub("", output.strip()).strip()
    if {*stems(text)} & {*stems(said)} and not is_foreign(text):
        return [text[:MAX_QUERY]], "La salida no era un array JSON: se busca su texto tal cual."
    return [], "El modelo no dio ninguna búsqueda: se hacen las de las reglas."


def by_rules(state: State) -> list[str]:
    """The searches derived by query understanding; the question itself if it was not understood."""
    return list(state.understanding.queries) or [state.asked]
