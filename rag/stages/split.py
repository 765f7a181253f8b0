"""The questions of a long text: the reader model finds them, and rules when there is none or it fails."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from models.chat import ChatMessage, ChatModel
from rag.question.consultation import LONG, Asked, questions
from rag.shared.answer_contract import extract_array
from rag.shared.asking import ask, cut
from rag.shared.state import Services
from rag.shared.trace import SplitRecord
from text.textnorm import fold_for_search

SEVERAL = 3
"""Questions of a short text that are answered one by one."""
OF_A_LETTER, LINES = 2, 3
"""Questions of a letter that are, and its fewest lines."""
MOST = 10
"""Questions answered at once; the rest are told."""
MAX_QUESTION = 1000
SHOWN = 200


class Question(NamedTuple):
    """A question of a long text: as it is shown, as it is asked, and the text that tells its case."""

    shown: str
    asked: str
    background: str


def reads_as_several(text: str) -> bool:
    """True for a text whose questions are answered one by one."""
    several = OF_A_LETTER if sum(map(bool, map(str.strip, text.splitlines()))) >= LINES else SEVERAL
    return len(text) > LONG or (text.count("?") >= several and len(questions(text)) >= several)


async def split_consultation(text: str, services: Services) -> tuple[list[Question], SplitRecord]:
    """The questions of a text, in its order, and the record; none when it seems to ask nothing."""
    by_rules = questions(text)
    record, left_out = SplitRecord(), [one.text for one in by_rules[MOST:]]
    found = [Question(one.text, one.whole, one.around) for one in by_rules[:MOST]]
    if services.reader is not None:
        record, written = await _by_model(services.reader, text, services)
        if written:
            found = [Question(question, question, text) for question in list(written)[:MOST]]
            left_out = [*list(written)[MOST:], *_forgotten(by_rules, written.values())]
    shown = {
        "questions": tuple(one.shown for one in found),
        "left_out": tuple(cut(one, SHOWN) for one in left_out),
    }
    return found, record.model_copy(update=shown)


async def _by_model(model: ChatModel, text: str, services: Services) -> tuple[SplitRecord, dict[str, str]]:
    """(the record, each question with the words of the text that ask it); no questions if it failed."""
    messages = [
        ChatMessage(role="system", content=services.prompts.render("split", most=str(MOST))),
        ChatMessage(role="user", content=text),
    ]
    done, call = await ask(model, messages, services.profile.decompose_seconds)
    if done is None:
        return SplitRecord(calls=(call,), fallback=f"Reglas: el modelo no respondió ({call.error})."), {}
    found, invented = parse_questions(done.output, text)
    fallback = "" if found else "Reglas: el modelo no encontró ninguna pregunta en el texto."
    if invented:
        fallback = f"{fallback} Preguntas del modelo que no están en el texto: {invented}.".strip()
    strategy = "model" if found else "rules"
    return SplitRecord(strategy=strategy, calls=(call,), fallback=fallback), found


def parse_questions(output: str, text: str) -> tuple[dict[str, str], int]:
    """(question to the words of the text that ask it, number of those whose words do not stand there)."""
    said = _plain(text)
    found: dict[str, str] = {}
    invented = 0
    for item in extract_array(output) or []:
        fields = item if isinstance(item, dict) else {}
        question, words = fields.get("pregunta"), fields.get("cita")
        if not isinstance(question, str) or not isinstance(words, str) or not question.strip():
            continue
        if _plain(words) and _plain(words) in said:
            found.setdefault(" ".join(question.split())[:MAX_QUESTION], words)
        else:
            invented += 1
    return found, invented


def _forgotten(by_rules: list[Asked], taken: Iterable[str]) -> list[str]:
    """The questions that the text marks as such, by rules, of which the model took no words."""
    words = [_plain(one) for one in taken]
    marked = [one.text for one in by_rules if "?" in one.text]
    return [one for one in marked if not any(w in _plain(one) or _plain(one) in w for w in words)]


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", fold_for_search(text)).strip()
