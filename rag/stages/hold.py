"""Each sentence of a model's answer held against what it cites, by rules and, if switched on, by a reader.

A disagreement is told beside the sentence. Sentences without a source of their own are held against those of
their paragraph; what stands between quotation marks has been checked letter by letter and is left out.
"""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from rag.answers.citations import keep_markers, markers
from rag.answers.claims import TOLD, doubts
from rag.answers.contract import extract_array
from rag.errors import ArticuladoError
from rag.law import references
from rag.ports import ChatMessage, ChatModel
from rag.running.fallback import ask, cut
from rag.state import Services, State
from rag.text.segmentation import sentences
from rag.trace import ModelCall
from rag.types import Chunk

ARTICLE = "lo que se cita es {there}, y la frase nombra {said}"
READ = "según un segundo lector, {reason}"
NOT_READ = "El segundo lector no ha juzgado las frases ({reason})."
MAX_REASON = 200
MIN_LETTERS = 20
JUDGEMENTS = {"en parte": "solo consta en parte", "no": "no consta en lo que se cita"}

_QUOTED = re.compile(r"«[^«»]*»|“[^“”]*”|\"[^\"\n]*\"")
_FOLLOWING = re.compile(r"(?:\s?\[C\d+\])+[.,;:]?")


@dataclass(frozen=True)
class Sentence:
    """A sentence of the answer: where it ends, with the markers after it, and the chunks that it cites."""

    text: str
    end: int
    cited: tuple[Chunk, ...]


@dataclass
class Held:
    """The answer with what is told beside its sentences.

    Attributes:
        reasons: (sentence, Spanish reasons) of those in doubt.
        fallback: why the reader did not judge, in Spanish; empty if it did or was not asked.
    """

    text: str
    reasons: list[tuple[str, str]] = field(default_factory=list)
    calls: tuple[ModelCall, ...] = ()
    fallback: str = ""


async def hold(answer: str, state: State, services: Services) -> Held:
    """Hold the sentences of an answer whose context the state has."""
    found = list(_sentences(answer, state))
    reasons = await asyncio.to_thread(lambda: [_by_rules(one, state, services) for one in found])
    held = Held(answer)
    if services.profile.verify_claims and services.reader is not None and found:
        judged, held.calls, held.fallback = await _by_reader(services.reader, found, state, services)
        reasons = [[*one, *judged.get(number, ())] for number, one in enumerate(reasons)]
    for one, said in reversed(list(zip(found, reasons, strict=True))):
        if said:
            told = "; ".join(dict.fromkeys(said))
            held.reasons.insert(0, (one.text, told))
            held.text = held.text[: one.end] + TOLD.format(reasons=told) + held.text[one.end :]
    return held


def _sentences(answer: str, state: State) -> Iterator[Sentence]:
    chunks = {state.context.marker(i): hit.chunk for i, hit in enumerate(state.context.hits)}
    position = 0
    for paragraph in answer.splitlines(keepends=True):
        inherited = markers(paragraph)
        end = 0
        for span in sentences(paragraph):
            # Markers after the full stop belong to the sentence before it.
            start = max(span.start, end)
            after = _FOLLOWING.match(paragraph, span.end)
            end = max(end, after.end() if after else span.end)
            own = markers(paragraph[start:end]) or inherited
            said = keep_markers(_QUOTED.sub(" ", paragraph[start:end]), ()).strip()
            cited = tuple(chunks[marker] for marker in own if marker in chunks)
            if cited and sum(map(str.isalpha, said)) >= MIN_LETTERS:
                yield Sentence(said, position + end, cited)
        position += len(paragraph)


def _by_rules(one: Sentence, state: State, services: Services) -> list[str]:
    articles = {chunk.article for chunk in one.cited}
    texts = [hit.chunk.text for hit in state.context.hits if hit.chunk.article in articles]
    given = [state.question, state.background, *(turn.text for turn in state.history if turn.role == "user")]
    return [*doubts(one.text, texts, given), *_misnamed(one, texts, services)]


def _misnamed(one: Sentence, texts: Sequence[str], services: Services) -> Iterator[str]:
    """An article that the sentence names and that is neither cited nor named by what is."""
    try:
        catalogue = services.catalogue()
    except ArticuladoError:
        return
    named = references.resolve(references.find(one.text), catalogue)
    there = {(chunk.norm_id, chunk.label) for chunk in one.cited}
    norms = {chunk.norm_id for chunk in one.cited}
    mentioned = {label for text in texts for label in _labels(text)}
    said = [ref for ref in named if ref.label and (ref.norm_id in norms or ref.norm_id is None)]
    wrong = [
        ref for ref in said if all(ref.label != label for _, label in there) and ref.label not in mentioned
    ]
    if wrong and len(wrong) == len(said):
        shown = " y ".join(chunk.name for chunk in {chunk.article: chunk for chunk in one.cited}.values())
        yield ARTICLE.format(there=shown, said=", ".join(dict.fromkeys(f"«{ref.text}»" for ref in wrong)))


@lru_cache(maxsize=256)
def _labels(text: str) -> frozenset[str]:
    """Labels of the articles that a text of the law names."""
    return frozenset(item.label for mention in references.find(text) for item in mention.items)


async def _by_reader(
    model: ChatModel, found: Sequence[Sentence], state: State, services: Services
) -> tuple[dict[int, list[str]], tuple[ModelCall, ...], str]:
    """(reasons by number of the sentence, the call, why there is no judgement or '')."""
    chunks = list({chunk.id: chunk for one in found for chunk in one.cited}.values())
    places = {chunk.id: number for number, chunk in enumerate(chunks, start=1)}
    listed = [f"[F{number}] {chunk.name}\n{chunk.text}" for number, chunk in enumerate(chunks, start=1)]
    asked = [
        f"[{number}] ({', '.join(f'F{places[chunk.id]}' for chunk in one.cited)}) {one.text}"
        for number, one in enumerate(found, start=1)
    ]
    content = "FRAGMENTOS\n" + "\n\n".join(listed) + "\n\nFRASES\n" + "\n".join(asked)
    messages = [
        ChatMessage(role="system", content=services.prompts.render("verify_claims")),
        ChatMessage(role="user", content=content),
    ]
    done, call = await ask(model, messages, state.seconds_left(services.profile.verify_seconds))
    if done is None:
        return {}, (call,), NOT_READ.format(reason=call.error)
    judged = parse_judgements(done.output, len(found))
    if judged is None:
        return {}, (call,), NOT_READ.format(reason="su respuesta no seguía el formato")
    return judged, (call,), ""


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
