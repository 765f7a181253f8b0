"""An answer under way: stages, draft and a button to stop, drawn again when there is news.

To look costs microseconds, to draw a thousand times as much: forty who wait would take it from the answers.
An answer of another process is read from the database until it ends there or is marked as interrupted.
"""

import time
from dataclasses import dataclass
from typing import Final

import streamlit as st

from core.processor import PROCESSOR
from pages.parts.answer.answer import draft_html, show_unfinished
from pages.parts.common.html import EMPTY, Html, html, join, show
from pages.parts.common.page import attempt, errors_as_sentences
from pages.parts.common.widgets import button
from pages.parts.common.words import duration, plain_note, plural
from rag.run.runs import Run, StageProgress
from rag.shared.messages import Message, MessageState
from service.contract.stages import SENTENCES, stage_name
from service.members.member import Member

POLL_SECONDS, LOOK_SECONDS = 0.5, 2.0
GLANCE_SECONDS, QUEUED_SECONDS, LONGEST_SECONDS = 0.1, 0.5, 10.0
"""Between looks that draw nothing, the same in the queue, and after which the page is drawn without news."""
NEAR = 3
"""Places in the queue whose change is news: with each answer that ends everybody moves up."""
FIRST_SECONDS = 0.2
"""Longest wait for the first stage, which would come with the next poll otherwise."""
CURRENT: Final = '<li class="art-now"><span>{}…</span></li>'
STATE: Final = '<p class="art-state art-pulse">{}</p>'
QUEUED = "En cola: {} antes que la suya"
VERIFYING = "verificando citas…"
READING = "comprobando frase a frase lo que cita; la confianza se dirá al terminar…"
UNDER_WAY = (MessageState.PENDING, MessageState.RUNNING)


def show_live(app: Member, run: Run) -> None:
    """Follow `run` until it ends, then redraw the page with the stored answer. Call it out of turn."""
    run.begun.wait(FIRST_SECONDS)
    st.fragment(_poll, run_every=POLL_SECONDS)(app, run, _Drawn())
    # Outside the polled fragment: each poll would redraw it.
    button("Detener", f"stop-{run.message_id}", "stop_circle", attempt, "", app.runs.stop, run.message_id)


@dataclass
class _Drawn:
    """The news of a run that is on the page, and since when in seconds of `time.monotonic`."""

    what: object = None
    since: float = 0.0


def _news(run: Run) -> object:
    stages = tuple((one.name, one.elapsed_ms, one.note) for one in list(run.stages))
    return stages, run.text, min(run.ahead, NEAR)


def _wait_for_news(run: Run, drawn: _Drawn) -> None:
    """Wait until there is something else to draw; whatever the person does on the page ends it."""
    run.done.wait(drawn.since + POLL_SECONDS - time.monotonic())
    until = time.monotonic() + LONGEST_SECONDS
    while _news(run) == drawn.what and time.monotonic() < until and not run.done.wait(_glance(run)):
        # Where Streamlit ends this run for the next one that the page asks for.
        _ = "question" in st.session_state


def _glance(run: Run) -> float:
    return GLANCE_SECONDS if run.stages else QUEUED_SECONDS


@errors_as_sentences()
def _poll(app: Member, run: Run, drawn: _Drawn) -> None:
    _wait_for_news(run, drawn)
    drawn.what, drawn.since = _news(run), time.monotonic()
    with PROCESSOR.turn(app.identity.id):
        _draw(app, run)


def _draw(app: Member, run: Run) -> None:
    if app.runs.active(run.conversation_id) is None or not run.alive:
        st.rerun()
    draft = draft_html(run.text)
    reading = any(one.name == SENTENCES and one.elapsed_ms is None for one in run.stages)
    state = html(STATE, READING if reading else VERIFYING)
    show(stages_html(run.stages, run.ahead), draft, state if draft else EMPTY)


def show_elsewhere(app: Member, message: Message) -> None:
    """Follow an answer of another process until it ends, then redraw the page."""
    st.fragment(_look, run_every=LOOK_SECONDS)(app, message)


@errors_as_sentences()
def _look(app: Member, message: Message) -> None:
    found = app.conversations.messages(message.conversation_id, 1, before=message.id + 1)
    # Another branch may be shown by now, in another window.
    if not found or found[-1].id != message.id or found[-1].state not in UNDER_WAY:
        st.rerun()
    show_unfinished(found[-1])


def stages_html(stages: list[StageProgress], ahead: int = 0) -> Html:
    """The stages so far: finished ones with their time, the current one marked.

    Args:
        ahead: answers that begin before this one.
    """
    queue = QUEUED.format(plural(ahead, "consulta", "consultas")) if ahead else "Preparando la consulta"
    lines = join(map(_stage, list(stages))) or html(CURRENT, queue)
    return html('<ol class="art-stages" aria-live="polite" aria-label="Progreso">{}</ol>', lines)


def _stage(stage: StageProgress) -> Html:
    name = stage_name(stage.name)
    if stage.elapsed_ms is None:
        return html(CURRENT, name)
    note = html("<small>{}</small>", plain_note(stage.note)) if stage.note else ""
    done = '<li class="art-done"><span>{}</span><time>{}</time>{}</li>'
    return html(done, name, duration(stage.elapsed_ms), note)
