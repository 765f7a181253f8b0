"""Sentences judged by a reader against the passages that they cite: one call for all of them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rag.answers.contract import extract_array
from rag.ports import ChatMessage, ChatModel
from rag.prompts import Prompts
from rag.running.fallback import ask, cut
from rag.trace import ModelCall

READ = "según un segundo lector, {reason}"
NO_FORM = "su respuesta no seguía el formato"
MAX_REASON = 200
JUDGEMENTS = {"en parte": "solo consta en parte", "no": "no consta en lo que se cita"}


class Judged(NamedTuple):
    """Verdict of a reader.

    Attributes:
        reasons: Spanish reasons by the number of the sentence, from 0, of those not wholly supported.
        failure: why there is no verdict, in Spanish; '' with one.
    """

    reasons: Mapping[int, list[str]]
    calls: tuple[ModelCall, ...]
    failure: str = ""


async def judge(
    model: ChatModel,
    prompts: Prompts,
    case: str,
    fragments: Sequence[tuple[str, str]],
    sentences: Sequence[tuple[str, Sequence[int]]],
    *,
    seconds: float,
) -> Judged:
    """Ask whether each sentence follows from its fragments and the case.

    Args:
        case: the question, with the facts and the checked calculations that a sentence may rest on.
        fragments: (name, text) of each.
        sentences: (text, places in `fragments` of those that it cites).
    """
    listed = [f"[F{number}] {name}\n{text}" for number, (name, text) in enumerate(fragments, start=1)]
    asked = [
        f"[{number}] ({', '.join(f'F{place + 1}' for place in cited)}) {text}"
        for number, (text, cited) in enumerate(sentences, start=1)
    ]
    parts = (("CASO", [case]), ("FRAGMENTOS", listed), ("FRASES", ["\n".join(asked)]))
    content = "\n\n".join(f"{name}\n" + "\n\n".join(texts) for name, texts in parts)
    messages = [
        ChatMessage(role="system", content=prompts.render("verify_claims")),
        ChatMessage(role="user", content=content),
    ]
    done, call = await ask(model, messages, seconds)
    if done is None:
        return Judged({}, (call,), call.error)
    reasons = parse_judgements(done.output, len(sentences))
    return Judged(reasons or {}, (call,), NO_FORM if reasons is None else "")


def parse_judgements(output: str, count: int) -> dict[int, list[str]] | None:
    """Reasons by number, from 0, of the sentences not wholly supported; None without any judgement."""
    items = [item for item in extract_array(output) or [] if isinstance(item, dict)]
    read = [item for item in items if isinstance(item.get("frase"), int) and 1 <= item["frase"] <= count]
    if not read:
        return None
    found: dict[int, list[str]] = {}
    for item in read:
        if verdict := JUDGEMENTS.get(str(item.get("juicio", "")).strip().lower()):
            reason = cut(str(item.get("motivo") or verdict), MAX_REASON).rstrip(".")
            found.setdefault(item["frase"] - 1, []).append(READ.format(reason=reason))
    return found
