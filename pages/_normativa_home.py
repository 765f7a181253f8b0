"""The home of the corpus pages: catalogue, upload, BOE, jobs; only the open tab is drawn."""

from __future__ import annotations

from html import escape

import streamlit as st

from pages._evaluation_ui import heading
from pages._normativa_boe import show_boe
from pages._normativa_catalogue import show_catalogue
from pages._normativa_jobs import show_jobs
from pages._normativa_ui import BOE, CATALOGUE, JOBS, NEXT, TAB, TABS, UPLOAD
from pages._normativa_upload import show_upload
from pages._words import number
from rag.accounts_types import Permission
from service.members import Member

VIEWS = {CATALOGUE: show_catalogue, UPLOAD: show_upload, BOE: show_boe, JOBS: show_jobs}


def show_home(app: Member) -> None:
    heading(
        "Normativa", "El corpus sobre el que se responde: qué contiene, de dónde viene y desde cuándo rige."
    )
    _show_background(app)
    if not app.may(Permission.LOAD):
        show_catalogue(app)
        return
    if NEXT in st.session_state:
        st.session_state[TAB] = st.query_params[TAB] = st.session_state.pop(NEXT)
    elif TAB not in st.session_state:
        named = st.query_params.get(TAB)
        st.session_state[TAB] = named if named in TABS else CATALOGUE
    tabs = st.tabs(TABS, on_change=_keep_in_address, key=TAB)
    for tab, show in zip(tabs, VIEWS.values(), strict=True):
        if tab.open:
            with tab:
                show(app)


def _keep_in_address() -> None:
    st.query_params[TAB] = st.session_state[TAB]


def _show_background(app: Member) -> None:
    """What keeps the corpus from being searched whole at this moment."""
    status = app.background
    problems = [text for text in (status.worker, status.index) if text]
    if problems:
        st.html('<div class="art-bad">' + "".join(f"<p>{escape(text)}</p>" for text in problems) + "</div>")
    if status.to_embed:
        st.html(
            f'<p class="art-note">Búsqueda por significado en preparación: faltan {number(status.to_embed)} '
            "fragmentos, que mientras tanto se encuentran por sus palabras.</p>"
        )
