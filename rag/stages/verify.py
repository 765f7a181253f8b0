"""Checks of the answer once its schema holds: grounding and refusal policy (S4.9), and confidence (X.7)."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any

from core.errors import ArticuladoError
from law.chunks import Chunk
from law.norms import DOCUMENT, Block, sha256_of
from rag.answers.confidence import LEAST_HIGH
from rag.answers.figure_check import check_figures
from rag.answers.quotation_check import normalise_markers, source_of, verify
from rag.answers.quoted_words import without_false_marks, without_seals
from rag.answers.recheck import wording
from rag.answers.refusal import refused, told_missing
from rag.answers.verbatim import place_of
from rag.shared.answer_contract import ABSTENTION
from rag.shared.cited_answer import Answer, Citation, Source
from rag.shared.notices import Kind, Notice, because, caps
from rag.shared.state import Event, Services, State
from rag.shared.trace import AnswerRecord, CitationCheck, VerifyRecord
from rag.stages.answer import without_the_model
from rag.stages.checked_answer import Checked, settled
from rag.stages.notice_rules import notices_of, unmarked
from rag.stages.sentences import hold
from text.legible import legible
from text.links import without_links
from text.markers import keep_markers, markers

NOTE = "\n\n\x1f"
"""Between an answer and the model's own note, which is held with it."""
UNQUOTED = "La respuesta no traía ninguna cita que se pudiera comprobar en los textos leídos."
INSTEAD = (
    "Ninguna cita de la respuesta del modelo se ha podido comprobar en los textos leídos y no se muestra: "
    "se citan en su lugar frases literales de las normas, sin redacción."
)


async def verify_answer(state: State, services: Services) -> VerifyRecord:
    """Fill `state.answer` from `state.draft`; only verified citations stay.

    A model's answer without any is replaced by the extractive one, or by its refusal.
    """
    draft = state.draft
    draft.notes = without_seals(without_links(legible(draft.notes or "").text)) or None
    if draft.refusal or draft.answer.startswith(ABSTENTION):
        return _refuse(state, services)
    block = cache(services.store.block)
    by_model = _mode(state, services) == "model"
    citations, checks = await asyncio.to_thread(
        verify, draft.citations, state.context, lambda chunk: _wording_of(chunk, block), chosen=not by_model
    )
    if not citations and by_model:
        return await _instead(state, services, checks)
    if not citations:
        return _refuse(state, services, checks, [Notice(Kind.TEXT, UNQUOTED)])
    citations = await asyncio.to_thread(_sealed, citations, block)
    checked = settled(citations, checks, state, services)
    text = checked.text
    if by_model:
        checked = await _held(checked, citations, services)
        text, _, note = checked.held.text.partition(NOTE)
        draft.notes = keep_markers(note, ()).strip() or None
    found = notices_of(checked)
    least = caps([*state.notices, *found])
    text = told_missing(text, "\n\n", state.missing)
    confidence = round(min(draft.confidence, *least.values()), 4)
    state.answer = Answer(
        answer=text,
        citations=tuple(citations),
        sources=_sources(text, citations, state),
        confidence=confidence,
        because=because(state.doubt, draft.confidence, least) if confidence < LEAST_HIGH else "",
        **_common(state, services, found),
    )
    return VerifyRecord(
        checks=tuple(checks),
        issues=_lines(found),
        doubts=tuple(checked.held.reasons),
        confidence=(("modelo" if by_model else "reglas", draft.confidence), *least.items()),
        calls=checked.held.calls,
        fallback=checked.held.fallback,
    )


async def _held(checked: Checked, citations: Sequence[Citation], services: Services) -> Checked:
    """The answer of a model with its figures checked and its sentences and its own note held."""
    state, note = checked.state, checked.state.draft.notes
    state.on_event(Event("delta", "answer", text=checked.text))
    shown = f"{checked.text}\n\n{note or ''}"
    figures = await asyncio.to_thread(check_figures, shown, state, services)
    named = "".join(f"[{marker}]" for marker in dict.fromkeys(one.marker for one in citations))
    said = f"{checked.text}{NOTE}{note} {named}" if note else checked.text
    held = await hold(said, state, services, citations, figures.nowhere)
    return replace(checked, by_model=True, figures=figures, held=held)


def _common(state: State, services: Services, found: Sequence[Notice], text: str = "") -> dict[str, Any]:
    """Notes, writer and days of an answer; of the run's notes those that its text does not tell itself."""
    own = dict.fromkeys(filter(None, [*map(str, state.notices), state.draft.notes]))
    return {
        "notes": "\n".join([*(one for one in own if one not in text), *_lines(found)]) or None,
        "mode": _mode(state, services),
        "as_of": state.as_of,
        "other_days": state.other_days,
    }


def _lines(notices: Sequence[Notice]) -> tuple[str, ...]:
    return tuple(filter(None, map(str, notices)))


async def _instead(state: State, services: Services, checks: list[CitationCheck]) -> VerifyRecord:
    """The record of the extractive answer that takes the place of one without any checked quotation."""
    made = await without_the_model(state, services, AnswerRecord(), why=INSTEAD)
    record = await verify_answer(state, services)
    update = {"checks": (*checks, *record.checks), "issues": (UNQUOTED, *record.issues)}
    return record.model_copy(update=update | {"calls": made.calls, "fallback": INSTEAD})


def _wording_of(chunk: Chunk, block: Callable[[str, str], Block | None]) -> str:
    """The whole wording that a chunk is a part of; empty if it cannot be read."""
    with suppress(ArticuladoError):
        version = wording(block(chunk.norm_id, chunk.block_id), chunk)
        return version.text if version else ""
    return ""


def _sealed(citations: list[Citation], block: Callable[[str, str], Block | None]) -> list[Citation]:
    """The citations with the fingerprint of their wordings and their places in them; neither if not read.

    Those of documents, which have no wordings, as they are.
    """
    sealed = []
    try:
        for one in citations:
            if one.collection == DOCUMENT:
                sealed.append(one)
                continue
            version = wording(block(one.norm_id, one.block_id), one)
            held = version is not None and place_of(one.quote, version.text, one.start)
            start = held[0] if held else None
            sha256 = sha256_of(version) if version else ""
            sealed.append(one.model_copy(update={"wording_sha256": sha256, "start": start}))
    except ArticuladoError:
        return [one.model_copy(update={"start": None}) for one in citations]
    return sealed


def _sources(text: str, citations: list[Citation], state: State) -> tuple[Source, ...]:
    """The fragments that the text names without a checked quotation."""
    named = set(markers(text)) - {citation.marker for citation in citations}
    marked = state.context.marked.items()
    return tuple(source_of(marker, hit) for marker, hit in marked if marker in named)


def _refuse(
    state: State, services: Services, checks: Sequence[CitationCheck] = (), found: Sequence[Notice] = ()
) -> VerifyRecord:
    """Refuse, in the words of `refused`; an unverified answer is left out."""
    own = "" if found else without_seals(without_links(legible(state.draft.answer).text))
    said, unquoted = without_false_marks(keep_markers(normalise_markers(own), ()), {}, [state.question])
    found = [*found, *unmarked(unquoted)]
    text = refused(said, state)
    state.answer = Answer(answer=text, refusal=True, **_common(state, services, found, text))
    return VerifyRecord(checks=tuple(checks), issues=_lines(found), refused=True)


def _mode(state: State, services: Services) -> str:
    """Writer of this answer, 'model' or 'offline'; offline also when the model failed."""
    degraded = any(one.kind is Kind.WITHOUT_MODEL for one in state.notices)
    return "offline" if degraded else services.mode
