"""Checks of the answer once its schema holds: grounding and refusal policy (S4.9), and confidence (X.7)."""

import re

from rag.answers.citations import (
    REPEATED,
    bare_paragraphs,
    keep_markers,
    markers,
    normalise_markers,
    verify,
)
from rag.answers.contract import ABSTENTION, ANSWER_MAX
from rag.answers.quoted import without_false_marks
from rag.lexicon.overtaken import overtaken
from rag.lexicon.transitional import ties
from rag.state import Services, State
from rag.text.figures import unsupported_figures
from rag.trace import CitationCheck, VerifyRecord
from rag.types import Answer, Chunk, Citation, Verdict

CAP = {Verdict.SUFFICIENT: 1.0, Verdict.PARTIAL: 0.7, Verdict.INSUFFICIENT: 0.3}
SHOWN = 120
CUT_NOTE = "La respuesta superaba los 2000 caracteres y se ha recortado."
DEGRADED = "El modelo no dio una respuesta válida: se citan frases literales de las normas, sin redacción."
UNQUOTED = "La respuesta no traía ninguna cita que se pudiera comprobar en los fragmentos."


async def verify_answer(state: State, services: Services) -> VerifyRecord:
    """Fill `state.answer` from `state.draft`; only verified citations stay."""
    draft = state.draft
    if draft.refusal or draft.answer.startswith(ABSTENTION):
        return _refuse(state, services)
    citations, checks = verify(draft.citations, state.context)
    text = normalise_markers(draft.answer)
    if not citations:
        return _refuse(state, services, tuple(checks), (UNQUOTED,))
    text, citations, notes = _settle(text, citations, checks, state)
    told = [check for check in checks if check.reason != REPEATED]
    ratio = sum(check.verified for check in told) / len(told)
    components = (
        ("modelo" if _mode(state, services) == "model" else "reglas", draft.confidence),
        ("citas comprobadas", ratio),
        ("veredicto", CAP[state.verdict]),
        ("fecha", state.ceiling),
    )
    confidence = min(value for _, value in components)
    if state.missing:
        text += f"\n\nNo se ha encontrado en el corpus: {'; '.join(state.missing)}."
    said = [*state.remarks, draft.notes, DEGRADED if state.degraded else None]
    remarks = [note for note in said if note]
    state.answer = Answer(
        answer=text,
        citations=tuple(citations),
        confidence=round(confidence, 4),
        notes="\n".join([*remarks, *notes]) or None,
        mode=_mode(state, services),
        as_of=state.as_of,
        other_days=state.other_days,
    )
    return VerifyRecord(checks=tuple(checks), issues=tuple(notes), confidence=components)


def _settle(
    text: str, citations: list[Citation], checks: list[CitationCheck], state: State
) -> tuple[str, list[Citation], list[str]]:
    """(text, citations, notes) after the checks of length, markers, figures and bare paragraphs."""
    notes: list[str] = []
    if len(text) > ANSWER_MAX:
        text = shorten(text)
        notes.append(CUT_NOTE)
    known = {citation.marker for citation in citations}
    orphans = [marker for marker in markers(text) if marker not in known]
    if orphans:
        text = keep_markers(text, known)
        notes.append(f"Se han quitado marcas sin cita comprobada: {', '.join(orphans)}.")
    dropped = [check for check in checks if not check.verified and check.reason != REPEATED]
    if dropped:
        reasons = "; ".join(dict.fromkeys(check.reason for check in dropped))
        one = len(dropped) == 1
        count = "Se ha descartado una cita" if one else f"Se han descartado {len(dropped)} citas"
        notes.append(f"{count}: {reasons}.")
    cited = [hit.chunk for i, hit in enumerate(state.context.hits) if state.context.marker(i) in known]
    text, unquoted = without_false_marks(text, [chunk.text for chunk in cited])
    if unquoted:
        which = "; ".join(words if len(words) <= SHOWN else f"{words[:SHOWN]}…" for words in unquoted)
        notes.append(
            f"Se han quitado las comillas de palabras que no constan en los fragmentos citados: {which}."
        )
    figures = unsupported_figures(text, cited)
    if figures:
        notes.append(
            f"Compruebe estas cifras, que no figuran en los fragmentos citados: {', '.join(figures)}."
        )
    bare = bare_paragraphs(text)
    if bare:
        which = "Un párrafo no lleva" if len(bare) == 1 else f"{len(bare)} párrafos no llevan"
        notes.append(f"{which} cita comprobada.")
    return text, citations, [*_displaced(cited, state), *_governing(cited, state), *notes]


def _displaced(cited: list[Chunk], state: State) -> list[str]:
    """A note for each cited provision that another norm had displaced by the day of the answer."""
    found = {chunk.name: overtaken(chunk.norm_id, chunk.block_id, state.as_of) for chunk in cited}
    return [f"{name}: {entry.note} ({entry.by})." for name, entry in found.items() if entry]


def _governing(cited: list[Chunk], state: State) -> list[str]:
    """A note for each transitional provision that governs open cases of a cited article and is not cited."""
    articles = {chunk.article: chunk.name for chunk in cited}
    found = {
        (tie.norm, tie.block, tie.apartado): f"{name}: vea la {tie}"
        for article, name in articles.items()
        for tie in ties(article, state.as_of)
        if (tie.norm, tie.block) not in articles
    }
    return list(found.values())


def _refuse(
    state: State,
    services: Services,
    checks: tuple[CitationCheck, ...] = (),
    issues: tuple[str, ...] = (),
) -> VerifyRecord:
    """Refuse: the fixed sentence first (S2.31), then the missing items; an unverified answer is left out."""
    draft = state.draft
    said = keep_markers(normalise_markers(draft.answer), ()) if draft.refusal or not issues else ""
    text = said if said.startswith(ABSTENTION) else " ".join(filter(None, [f"{ABSTENTION}.", said]))
    missing = [item for item in state.missing if item not in text]
    if missing:
        text += f" No se ha encontrado en el corpus: {'; '.join(missing)}."
    remarks = [*state.remarks, draft.notes, DEGRADED if state.degraded else None]
    state.answer = Answer(
        answer=text,
        refusal=True,
        notes="\n".join(filter(None, [*remarks, *issues])) or None,
        mode=_mode(state, services),
        as_of=state.as_of,
        other_days=state.other_days,
    )
    return VerifyRecord(checks=checks, issues=issues, refused=True)


def _mode(state: State, services: Services) -> str:
    """Writer of this answer, 'model' or 'offline'; offline also when the model failed."""
    return "offline" if state.degraded else services.mode


def shorten(text: str) -> str:
    """The text up to its last paragraph end within ANSWER_MAX; else its last sentence end; else cut."""
    head = text[:ANSWER_MAX]
    for pattern in (r"\n\s*\n", r"(?<=[.!?\]])\s"):
        ends = [match.start() for match in re.finditer(pattern, head)]
        if ends and ends[-1] > ANSWER_MAX // 3:
            return head[: ends[-1]].rstrip()
    return head.rstrip()
