"""«Deshacer esta carga»: what it would remove and bring back, and the confirmation."""

import streamlit as st

from core.errors import ArticuladoError
from loading.records.jobs import FROM_BOE, Job
from pages.parts.common.html import EMPTY, listed, note, show, warning
from pages.parts.common.layout import tell
from pages.parts.common.widgets import button
from pages.parts.common.words import plural
from service.members.member import Member

ASKED = "undo-asked"
GOES = "Se elimina, porque no estaba antes:"
RETURNS = "Vuelve a como estaba antes:"
COMES_BACK = "La próxima actualización desde el BOE volverá a traer el texto que ahora se retira."


def undo_button(job: Job) -> None:
    """The button that asks for the confirmation."""
    button("Deshacer esta carga", f"undo-{job.id}", "undo", _ask, job.id, width="stretch")


def show_undo(app: Member, job: Job) -> None:
    """Changes of the load, by name, with the two buttons; nothing until they are asked for."""
    if st.session_state.get(ASKED) != job.id:
        return
    changes = app.jobs.changes(job.id)
    norms = [(change.document, app.corpus.norm(change.norm_id)) for change in changes]
    show(
        warning("Va a deshacer esta carga. Las respuestas que citan lo que se elimina dejan de comprobarse."),
        listed(GOES, [norm.title for before, norm in norms if before is None and norm is not None]),
        listed(RETURNS, [before.norm.title for before, _ in norms if before is not None]),
        note(COMES_BACK) if job.kind in FROM_BOE else EMPTY,
    )
    with st.container(horizontal=True):
        sure = st.button("Deshacer", f"undo-yes-{job.id}", type="primary", icon=":material/undo:")
        button("Cancelar", f"undo-no-{job.id}", "", _ask, "")
    if sure:
        with st.spinner("Deshaciendo la carga…"):
            _undo(app, job.id)
        st.rerun()


def _ask(job_id: str) -> None:
    st.session_state[ASKED] = job_id


def _undo(app: Member, job_id: str) -> None:
    _ask("")
    try:
        count = app.corrections.undo(job_id)
    except ArticuladoError as error:
        tell(str(error), "error")
    else:
        tell(f"Carga deshecha: {plural(count, 'documento', 'documentos')}.")
