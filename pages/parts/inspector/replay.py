"""A past answer of the reader: its stored trace, and its retrieval run again under other settings."""

import asyncio

import streamlit as st

from core.errors import NotFound
from pages.parts.answer.debug import show_trace, trace_panel
from pages.parts.common.html import note, show, table
from pages.parts.common.layout import message_number, not_there, section
from pages.parts.common.widgets import choose
from pages.parts.common.words import STRATEGIES, VERDICTS, day, plural, today
from pages.parts.inspector.past import CONVERSATIONS, Past, asked_for, history_of, recent, title_of, trace_of
from pages.parts.inspector.view import settings
from rag.evaluation.rankings import Change, changes, retrace
from rag.shared.trace import AssessRecord, RerankRecord, Trace
from service.members.member import Member

KEPT, CHOSEN, NAMED = "replay-run", "replay-answer", "replay-named"


def show_replay(app: Member) -> None:
    """A box with past answers; the chosen one with its trace and a form to run it again.

    The answer that the address names is among them, also of somebody else for who may review it.
    """
    past = {one.answer.id: one for one in recent(app)}
    if asked := st.query_params.get("answer", ""):
        try:
            named = asked_for(app, message_number(asked))
            past = {named.answer.id: named} | past
            if st.session_state.get(NAMED) != asked:
                st.session_state.update({NAMED: asked, CHOSEN: named.answer.id})
        except NotFound as error:
            not_there(error)
    if not past:
        show(note("Todavía no hay respuestas: aparecerán aquí cuando haga una consulta."))
        return
    titles = {number: title_of(one) for number, one in past.items()}
    label = f"Respuesta (de sus últimas {CONVERSATIONS} consultas)"
    chosen = past[choose(None, label, titles, CHOSEN, keep=False)]
    trace = trace_of(app, chosen)
    if trace is None:
        show(note("Esta respuesta no tiene traza que esta versión de Articulado pueda leer."))
        return
    _again(app, chosen, trace)
    section("Traza guardada", "Lo que hizo cada etapa cuando se respondió.")
    show_trace(app, trace, f"replay-{chosen.answer.id}")


def _again(app: Member, past: Past, trace: Trace) -> None:
    section(
        "Volver a ejecutar con otros ajustes",
        "Se busca de nuevo, por reglas, y se compara con lo conservado entonces. La respuesta no cambia.",
    )
    number = past.answer.id
    with st.form(f"replay-{number}", border=False):
        as_of, options = settings(f"replay-{number}", trace.as_of)
        asked = st.form_submit_button("Volver a ejecutar", type="primary", icon=":material/replay:")
    if asked:
        history = history_of(app, past)
        with st.spinner("Buscando…"):
            work = retrace(trace.question, app.services, options, as_of=as_of, today=today(), history=history)
            st.session_state[KEPT] = (number, asyncio.run(work)[1])
    owner, done = st.session_state.get(KEPT, (None, None))
    if owner == number and done is not None:
        _show_difference(trace, done)
        name = f"replay-again-{number}"
        trace_panel(app, "Traza de la nueva ejecución", "replay-trace", name, lambda: done)


def _show_difference(before: Trace, after: Trace) -> None:
    rows = [
        ("Normativa vigente el", day(before.as_of), day(after.as_of)),
        ("Orden", _order(before), _order(after)),
        ("Contexto", _verdict(before), _verdict(after)),
    ]
    show(table(("", "Entonces", "Ahora"), rows))
    found = changes(before, after)
    moved = sum(one.before != one.after for one in found)
    same = "Se conservan los mismos fragmentos."
    show(note(plural(moved, "diferencia", "diferencias") if moved else same))
    lines = [(one.name, _place(one.before), _place(one.after), what(one)) for one in found]
    if lines:
        show(table(("Fragmento", "Entonces", "Ahora", "Cambio"), lines, numeric=(1, 2)))


def what(change: Change) -> str:
    """Change of place: 'entra' | 'sale' | 'igual' | 'sube 2' | 'baja 1'."""
    if change.before is None:
        return "entra"
    if change.after is None:
        return "sale"
    gained = change.before - change.after
    return "igual" if not gained else f"{'sube' if gained > 0 else 'baja'} {abs(gained)}"


def _place(place: int | None) -> str:
    return f"{place}.º" if place else "—"


def _order(trace: Trace) -> str:
    record = trace.stage("rerank")
    return STRATEGIES.get(record.strategy, record.strategy) if isinstance(record, RerankRecord) else "—"


def _verdict(trace: Trace) -> str:
    record = trace.stage("assess")
    return VERDICTS.get(record.verdict, record.verdict) if isinstance(record, AssessRecord) else "—"
