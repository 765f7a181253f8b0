"""The queue of jobs: progress and results, refreshed automatically."""

from collections.abc import Callable, Iterable
from functools import partial

import streamlit as st

from core.errors import ArticuladoError
from loading.records.jobs import LOADS, Job, JobKind, JobState
from pages.parts.common.detail import followed
from pages.parts.common.html import Tag, badges, note, problem, show, titled, warning
from pages.parts.common.layout import notice, tell
from pages.parts.common.listing import count_shown, show_rest
from pages.parts.common.page import errors_as_sentences
from pages.parts.common.render import label_text
from pages.parts.common.widgets import button, panel
from pages.parts.common.words import dotted, plural
from pages.parts.normativa.outcomes import show_outcomes, show_trial, show_undo, undo_button
from pages.parts.normativa.words import JOB_STATES, job_line, summed
from service.members.member import Member

POLL_SECONDS = 1.0
SHOWN, COUNT = 30, "jobs"
GOES_ON = (
    "Puede cerrar esta página, hacer consultas o reiniciar el programa: los trabajos siguen donde estaban."
)


def show_jobs(app: Member) -> None:
    """The jobs, with their progress while one is under way."""
    followed(partial(_under_way, app), POLL_SECONDS, partial(_list, app))


def _under_way(app: Member) -> bool:
    return any(not job.state.ended for job in app.jobs.jobs())


def _list(app: Member) -> None:
    # A button of the fragment draws nothing else again.
    notice()
    shown = count_shown(COUNT, SHOWN)
    jobs = app.jobs.jobs(shown)
    if not jobs:
        show(note("Aquí aparecen las cargas y las actualizaciones, con su progreso."))
        return
    show(note(GOES_ON))
    undoable = app.jobs.undoable()
    vectors = [job for job in jobs if job.kind is JobKind.EMBED and job.state is JobState.DONE]
    for job in jobs:
        if job not in vectors:
            _box(app, job, undoable=job.id in undoable)
    if vectors:
        label = plural(len(vectors), "trabajo de vectores terminado", "trabajos de vectores terminados")
        panel(label, "jobs-vectors", partial(_boxes, app, vectors))
    show_rest("trabajos", COUNT, shown, SHOWN, app.jobs.count())


def _boxes(app: Member, jobs: Iterable[Job]) -> None:
    for job in jobs:
        _box(app, job, undoable=False)


def _box(app: Member, job: Job, *, undoable: bool) -> None:
    with st.container(border=True, key=f"job-{job.id}"):
        _show(app, job, undoable=undoable)


def _show(app: Member, job: Job, *, undoable: bool) -> None:
    word, style = JOB_STATES[job.state]
    if job.cancel_requested and not job.state.ended:
        word = "cancelándose"
    text, actions = st.columns((0.74, 0.26), vertical_alignment="center")
    line = note(job_line(job, app.names()))
    show(titled(job.title), line, badges(_tags(job, (word, style))), at=text)
    with actions:
        _actions(app, job)
        if undoable and job.state.ended:
            undo_button(job)
    if undoable:
        with errors_as_sentences():
            show_undo(app, job)
    if not job.state.ended:
        _progress(job)
    if job.message:
        show((problem if job.state is JobState.FAILED else warning)(job.message))
    show_outcomes(app, job)
    if job.state.ended and job.state is not JobState.UNDONE and job.kind in LOADS and job.norm_ids:
        panel("Pruebe una pregunta", f"trial-panel-{job.id}", partial(show_trial, app, job))


def _tags(job: Job, state: Tag) -> list[Tag]:
    told = summed(job.outcomes) if job.kind in LOADS else ""
    return [state, (told, "art-low" if job.failures else "")] if told else [state]


def _progress(job: Job) -> None:
    """The current file and stage."""
    if job.state is JobState.QUEUED:
        show(note("Espera su turno."))
        return
    share = min(1.0, job.done / job.total) if job.total else 0.0
    count = f"{job.done} de {job.total}" if job.total else ""
    st.progress(share, text=label_text(dotted(count, job.current, job.stage) or "Empezando…"))


def _actions(app: Member, job: Job) -> None:
    if not job.state.ended:
        call = (_try, app.jobs.cancel, job.id)
        asked = job.cancel_requested
        button("Cancelar", f"cancel-{job.id}", "stop_circle", *call, width="stretch", disabled=asked)
        return
    if job.state is not JobState.UNDONE and (job.state is not JobState.DONE or job.failures):
        button("Reintentar", f"retry-{job.id}", "replay", _try, app.jobs.retry, job.id, width="stretch")
    taken_off = (_try, app.corrections.discard_job, job.id)
    button("Quitar de la lista", f"remove-{job.id}", "close", *taken_off, type="tertiary", width="stretch")


def _try(action: Callable[[str], object], job_id: str) -> None:
    """Run the action of a button; its failure (another page may have been faster) is told next."""
    try:
        action(job_id)
    except ArticuladoError as error:
        tell(str(error), "error")
