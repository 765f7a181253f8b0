"""An answer under way: stages, draft and a button to stop; polled, so that one poll is one update."""

from __future__ import annotations

from html import escape

import streamlit as st

from pages._render import answer_html
from pages._ui import errors_as_sentences, errors_as_toasts
from pages._words import duration, stage_name
from rag.runs import Run, StageProgress
from service.members import Member

POLL_SECONDS = 0.4


def show_live(app: Member, run: Run) -> None:
    """Follow `run` until it ends, then redraw the page, where history shows the stored answer."""
    st.fragment(_poll, run_every=POLL_SECONDS)(app, run)


@errors_as_sentences()
def _poll(app: Member, run: Run) -> None:
    if app.runs.active(run.conversation_id) is None or not run.alive:
        st.rerun()
    st.html(stages_html(run.stages) + draft_html(run.text))
    st.button(
        "Detener",
        key=f"stop-{run.message_id}",
        icon=":material/stop_circle:",
        on_click=_stop,
        args=(app, run.message_id),
    )


def _stop(app: Member, message_id: int) -> None:
    with errors_as_toasts():
        app.runs.stop(message_id)


def stages_html(stages: list[StageProgress]) -> str:
    """The stages so far: done with their seconds, the current one marked."""
    lines = [_stage(stage) for stage in list(stages)]
    if not lines:
        lines = ['<li class="art-now"><span>Preparando la consulta…</span></li>']
    return f'<ol class="art-stages" aria-live="polite" aria-label="Progreso">{"".join(lines)}</ol>'


def _stage(stage: StageProgress) -> str:
    name = escape(stage_name(stage.name))
    if stage.elapsed_ms is None:
        return f'<li class="art-now"><span>{name}…</span></li>'
    note = f"<small>{escape(stage.note)}</small>" if stage.note else ""
    return f'<li class="art-done"><span>{name}</span><time>{duration(stage.elapsed_ms)}</time>{note}</li>'


def draft_html(text: str) -> str:
    if not text.strip():
        return ""
    return (
        f'<div class="art-answer art-draft">{answer_html(text)}</div>'
        '<p class="art-state art-pulse">verificando citas…</p>'
    )
