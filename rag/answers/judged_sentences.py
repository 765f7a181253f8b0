"""Sentences judged by a reader against the passages that they cite: one call for all of them."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from models.chat import ChatMessage, ChatModel, ModelCall
from rag.answers.context_block import defuse
from rag.answers.quotation_check import normalise_markers
from rag.answers.quoted_words import without_seals
from rag.prompts import Prompts
from rag.shared.answer_contract import extract_array
from rag.shared.asking import ask, cut
from text.json_values import outermost_values
from text.legible import legible
from text.markers import keep_markers
from text.textnorm import fold_for_search

READ = "según un segundo lector, {reason}"
NO_FORM = "su respuesta no seguía el formato"
MAX_REASON = 200
_JUDGEMENTS = (
    (re.compile(r".*\b(?:en parte|parcial|incomplet)"), "solo consta en parte"),
    (re.compile(r"no\b|fals|incorrect|inexact|sin apoyo"), "no consta en lo que se cita"),
    (re.compile(r"si\b|correct|verdader|true"), ""),
)
"""The beginning of a judgement, folded, and the reason of one that gives none; '' if the sentence holds."""
_NUMBER = re.compile(r"\W{0,2}([0-9]{1,4})(?:\.0)?\W{0,2}")
_SECTION = re.compile(r"^[^\S\n]*(CASO|FRAGMENTOS|FRASES)[^\S\n]*$", re.M)


class Judged(NamedTuple):
    """Verdict of a reader.

    Attributes:
        reasons: Spanish reasons by the number of the sentence, from 0; none for those that hold.
        failure: why there is no verdict, in Spanish; '' with one.
    """

    reasons: Mapping[int, list[str]]
    calls: tuple[ModelCall, ...]
    failure: str = ""


async def judge_sentences(
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
    listed = [
        f"[F{number}] {_inert(name)}\n{_inert(text)}"
        for number, (name, text) in enumerate(fragments, start=1)
    ]
    asked = [
        f"[{number}] ({', '.join(f'F{place + 1}' for place in cited)}) {text}"
        for number, (text, cited) in enumerate(sentences, start=1)
    ]
    parts = (("CASO", [_inert(case)]), ("FRAGMENTOS", listed), ("FRASES", ["\n".join(asked)]))
    content = "\n\n".join(f"{name}\n" + "\n\n".join(texts) for name, texts in parts)
    messages = [
        ChatMessage(role="system", content=prompts.render("verify_claims")),
        ChatMessage(role="user", content=content),
    ]
    done, call = await ask(model, messages, seconds)
    if done is None:
        return Judged({}, (call,), call.error)
    reasons = parse_judgements(done.output, len(sentences))
    return Judged(reasons, (call,), "" if reasons else NO_FORM)


def parse_judgements(output: str, count: int) -> dict[int, list[str]]:
    """Reasons by number, from 0, of the sentences judged: none for one that holds. Others are missing."""
    found: dict[int, list[str]] = {}
    for item in extract_array(output) or [one.value for one in outermost_values(output, "{")]:
        fields = item if isinstance(item, dict) else {}
        number = _NUMBER.fullmatch(str(fields.get("frase", ""))[:10])
        said = fold_for_search(str(fields.get("juicio", ""))).strip(" .«»")
        verdict = next((told for form, told in _JUDGEMENTS if form.match(said)), None)
        if verdict is None or number is None or not 1 <= int(number[1]) <= count:
            continue
        reasons = found.setdefault(int(number[1]) - 1, [])
        if verdict:
            reasons.append(READ.format(reason=_shown(str(fields.get("motivo") or verdict))))
    return found


def _shown(reason: str) -> str:
    """A reason as it stands in an answer: no marker, no row of a table, no end of its own bracket."""
    plain = keep_markers(normalise_markers(without_seals(legible(reason).text)), ())
    return cut(re.sub(r"[|⚠]", " ", plain), MAX_REASON).replace(".)", ")").rstrip(". ")


def _inert(text: str) -> str:
    """A text that cannot imitate a fragment or a section of the message."""
    return _SECTION.sub(lambda match: match[1].capitalize(), defuse(text))
