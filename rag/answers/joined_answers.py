"""The answer to several questions: that of each under its question, its markers numbered through."""

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

from rag.shared.asking import cut
from rag.shared.cited_answer import Answer, Part, Source
from text.markers import MARKER, keep_markers, markers

UNANSWERED = "Sin respuesta verificada: {which}."
LEFT_OUT = "No se ha contestado a esto del texto: {which}. Si es una consulta, pregúntela aparte."

HEADING = 160
"""Characters of a question over its answer: a model writes it again with all of its facts."""

S = TypeVar("S", bound=Source)


def joined(questions: Sequence[str], answers: Sequence[Answer], left_out: Sequence[str] = ()) -> Answer:
    """One answer with a part for each question; its confidence is the least of the parts that answer.

    Args:
        left_out: questions that nobody has tried to answer.
    """
    parts: list[Part] = []
    marked: list[Answer] = []
    for question, answer in zip(questions, answers, strict=True):
        taken = sum(len(part.markers) for part in parts)
        one = _renumbered(answer, taken)
        own = tuple(dict.fromkeys(source.marker for source in (*one.citations, *one.sources)))
        marked.append(one)
        parts.append(Part(question=question, markers=own, **one.model_dump(include=_SHARED)))
    given = [part for part in parts if not part.refusal]
    least = min(given, key=lambda part: part.confidence, default=None)
    days = list(dict.fromkeys(part.as_of for part in parts if part.as_of))
    notes = [LEFT_OUT.format(which="; ".join(f"«{one}»" for one in left_out))] if left_out else []
    if len(given) < len(parts) and given:
        without = [f"pregunta {n}" for n, part in enumerate(parts, start=1) if part.refusal]
        notes.insert(0, UNANSWERED.format(which=", ".join(without)))
    return Answer(
        answer="\n\n".join(headed(n, part.question, part.answer) for n, part in enumerate(parts)),
        citations=tuple(one for answer in marked for one in answer.citations),
        sources=tuple(one for answer in marked for one in answer.sources),
        confidence=least.confidence if least else 0.0,
        because=least.because if least else "",
        refusal=not given,
        notes="\n".join(notes) or None,
        mode="offline" if any(answer.mode == "offline" for answer in answers) else "model",
        as_of=days[0] if days else None,
        other_days=tuple(dict.fromkeys([*days[1:], *(day for part in parts for day in part.other_days)])),
        parts=tuple(parts),
    )


def headed(number: int, question: str, text: str) -> str:
    """The text under its question, which is numbered from `number` + 1, cut short, and holds no marker."""
    return f"**{number + 1}. {cut(_plain(question), HEADING)}**\n\n{text}"


def answers_of(answer: Answer) -> list[Answer]:
    """The answer to each question, with the markers that it has in the whole; itself if it has no parts."""
    return [
        answer.model_copy(
            update=part.model_dump(include=_SHARED)
            | {
                "citations": tuple(one for one in answer.citations if one.marker in part.markers),
                "sources": tuple(one for one in answer.sources if one.marker in part.markers),
                "parts": (),
            }
        )
        for part in answer.parts
    ] or [answer]


_SHARED = {"answer", "confidence", "because", "refusal", "notes", "mode", "as_of", "other_days"}


def _renumbered(answer: Answer, taken: int) -> Answer:
    """The answer with its markers numbered from `taken` + 1, in the order of its text."""
    known = {source.marker for source in (*answer.citations, *answer.sources)}
    order = dict.fromkeys([m for m in markers(answer.answer) if m in known])
    order |= dict.fromkeys(source.marker for source in (*answer.citations, *answer.sources))
    names = {marker: f"C{taken + place}" for place, marker in enumerate(order, start=1)}
    return answer.model_copy(
        update={
            "answer": re.sub(MARKER, lambda m: f"[{names.get(m[1], m[1])}]", answer.answer),
            "citations": tuple(_named(one, names) for one in answer.citations),
            "sources": tuple(_named(one, names) for one in answer.sources),
        }
    )


def _named(source: S, names: Mapping[str, str]) -> S:
    return source.model_copy(update={"marker": names[source.marker]})


def _plain(question: str) -> str:
    """A question on one line, without what an answer would read as a mark."""
    return " ".join(keep_markers(question, ()).replace("*", " ").split())
