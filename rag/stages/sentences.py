"""Each sentence of a model's answer: certain findings, and a reader's judgement against what it cites.

A disagreement is told beside the sentence. Sentences without a source of their own are held against those of
their line, paragraph or answer. Quotations have been checked letter by letter; what a sentence makes of them
has not.
"""

import re
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from law.chunks import Chunk
from models.chat import ChatModel, ModelCall
from rag.answers import calculations_used
from rag.answers.doubts import TOLD, sentence_doubts
from rag.answers.judged_sentences import Judged, judge_sentences
from rag.shared.asking import as_messages
from rag.shared.cited_answer import Citation
from rag.shared.state import Event, Services, State
from text.markers import MARKER, keep_markers, markers
from text.segmentation import sentences
from text.sums import sums

STAGE = "sentences"
NOT_READ = "El segundo lector no ha juzgado las frases ({reason})."
UNREAD = "Respuesta sin comprobar frase a frase: compare lo que afirma con las citas."
PARTLY_READ = "Frases de la respuesta sin comprobar una a una: {count}. Compárelas con las citas."
MOST_OF_A_TURN = 2000
"""Characters of an earlier question that the reader sees."""
MIN_LETTERS, HEADING = 6, 5
"""Letters of a sentence that a reader judges, and words of a heading, which is none."""

_PARAGRAPHS = re.compile(r"(?<=\n)(?=[ \t]*\n)")
_UNDER_HEADER = re.compile(r"\s*\|[\s:|-]+$")
"""The line under the header of a table, which says nothing."""
_FOLLOWING = re.compile(rf"(?:\s?{MARKER})+[.,;:]?")


@dataclass(frozen=True)
class Sentence:
    """A sentence of the answer: where it ends, with the markers after it, and the chunks that it cites.

    Attributes:
        quotes: passages that the answer quotes of those chunks.
    """

    text: str
    end: int
    cited: tuple[Chunk, ...]
    quotes: tuple[str, ...] = ()


@dataclass
class Held:
    """The answer with the doubts told beside its sentences.

    Attributes:
        reasons: (sentence, Spanish reasons) of those in doubt.
        share: part of its sentences that are.
        unread: the Spanish note on its sentences that no reader has judged; empty if there are none.
        fallback: why the reader did not judge, in Spanish; empty if it did or was not asked.
    """

    text: str
    reasons: list[tuple[str, str]] = field(default_factory=list)
    share: float = 0.0
    unread: str = ""
    calls: tuple[ModelCall, ...] = ()
    fallback: str = ""


async def hold(
    answer: str, state: State, services: Services, citations: Sequence[Citation], nowhere: Collection[str]
) -> Held:
    """Hold the sentences of an answer, with its checked quotations, whose context the state has.

    Args:
        nowhere: its figures and days that stand in nothing read.
    """
    found = list(_sentences(answer, state, citations))
    reasons = [sentence_doubts(one.text, nowhere, one.quotes) for one in found]
    read = [number for number, one in enumerate(found) if _is_judged(one)]
    held = Held(answer, unread=UNREAD if read else "")
    if read and services.profile.verify_claims and services.reader is not None:
        asked = [found[number] for number in read]
        judged = await _judged(services.reader, asked, answer, state, services)
        held.calls = judged.calls
        if judged.reasons:
            left = len(read) - len(judged.reasons)
            held.unread = PARTLY_READ.format(count=left) if left else ""
        held.fallback = NOT_READ.format(reason=judged.failure) if judged.failure else ""
        for place, said in judged.reasons.items():
            reasons[read[place]] += said
    for one, said in reversed(list(zip(found, reasons, strict=True))):
        if said:
            told = "; ".join(dict.fromkeys(said))
            held.reasons.insert(0, (one.text, told))
            held.text = held.text[: one.end] + TOLD.format(reasons=told) + held.text[one.end :]
    held.share = sum(bool(reasons[number]) for number in read) / max(1, len(read))
    return held


def _sentences(answer: str, state: State, citations: Sequence[Citation]) -> Iterator[Sentence]:
    """The sentences of an answer, with the chunks that they, their line, paragraph or the answer cite."""
    marked = state.context.marked
    everywhere = markers(answer)
    position = 0
    for paragraph in _PARAGRAPHS.split(answer):
        around = markers(paragraph)
        lines = paragraph.splitlines(keepends=True)
        for line, following in zip(lines, [*lines[1:], ""], strict=True):
            inherited, end = markers(line) or around, 0
            for span in sentences(line):
                # Markers after the full stop belong to the sentence before it.
                start = max(span.start, end)
                after = _FOLLOWING.match(line, span.end)
                end = max(end, after.end() if after else span.end)
                own = markers(line[start:end]) or inherited
                said = keep_markers(line[start:end], ()).strip()
                if any(map(str.isalnum, said)) and not _UNDER_HEADER.match(following):
                    cited = tuple(marked[marker].chunk for marker in own or everywhere if marker in marked)
                    inside = end - line[:end].endswith("|")
                    quotes = tuple(one.quote for one in citations if one.marker in own)
                    yield Sentence(said, position + inside, cited, quotes)
            position += len(line)


def _is_judged(one: Sentence) -> bool:
    """True for all but headings and scraps."""
    heading = one.text.startswith(("**", "#")) and len(one.text.split()) <= HEADING
    return bool(one.cited) and not heading and sum(map(str.isalpha, one.text)) >= MIN_LETTERS


async def _judged(
    reader: ChatModel, found: Sequence[Sentence], answer: str, state: State, services: Services
) -> Judged:
    """The reader's judgement, shown as a step of the run: the answer is on the page already."""
    started = time.perf_counter()
    state.on_event(Event("stage_started", STAGE))
    chunks = list({chunk.id: chunk for one in found for chunk in one.cited}.values())
    places = {chunk.id: place for place, chunk in enumerate(chunks)}
    judged = await judge_sentences(
        reader,
        services.prompts,
        _case(answer, state, services),
        [(_headed(one), one.text) for one in chunks],
        [(one.text, [places[chunk.id] for chunk in one.cited]) for one in found],
        seconds=state.seconds_left(services.profile.verify_seconds),
    )
    elapsed = (time.perf_counter() - started) * 1000
    state.on_event(Event("stage_finished", STAGE, elapsed, judged.failure))
    return judged


def _headed(chunk: Chunk) -> str:
    since = f"vigente {chunk.in_force}" if chunk.in_force else ""
    return " · ".join(filter(None, [chunk.name, chunk.chapter, since]))


def _case(answer: str, state: State, services: Services) -> str:
    """The question with its text, the days, and the calculations of the answer that are right."""
    last = as_messages(state.history, services.profile.history_answer_messages, MOST_OF_A_TURN)
    asked = [one.content for one in last if one.role == "user"]
    right = "; ".join(dict.fromkeys(one.shown for one in sums(answer) if one.right))
    days = f"Hoy es {state.today:%d/%m/%Y}; se aplica la normativa de {state.as_of:%d/%m/%Y}."
    done = f"Cuentas comprobadas: {right}." if right else ""
    known = [calculations_used.block(state), days, done]
    question = f"PREGUNTA QUE SE CONTESTA: {state.question}"
    return "\n".join(filter(None, [*asked, state.background, question, *known]))
