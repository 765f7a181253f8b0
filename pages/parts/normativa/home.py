"""The home of the corpus pages: catalogue, upload, BOE and jobs, a tab each."""

from functools import partial

import streamlit as st

from domain.accounts import Permission
from pages.parts.common.html import bullets, note, problem, show
from pages.parts.common.layout import heading
from pages.parts.common.widgets import panel, tabs
from pages.parts.common.words import number, today
from pages.parts.normativa.boe import show_boe
from pages.parts.normativa.catalogue import show_catalogue
from pages.parts.normativa.jobs import show_jobs
from pages.parts.normativa.upload import show_upload
from pages.parts.normativa.view import BOE, CATALOGUE, JOBS, NEXT, TAB, TABS, UPLOAD
from service.members.member import Member

VIEWS = {CATALOGUE: show_catalogue, UPLOAD: show_upload, BOE: show_boe, JOBS: show_jobs}


def show_home(app: Member) -> None:
    """The open tab; only the catalogue for readers who may not load."""
    heading("Normativa", "Los textos con los que se responde: qué son, de dónde vienen y desde cuándo rigen.")
    _show_background(app)
    if not app.may(Permission.LOAD):
        show_catalogue(app)
        return
    _show_stale(app)
    if NEXT in st.session_state:
        st.session_state[TAB] = st.query_params[TAB] = st.session_state.pop(NEXT)
    elif TAB not in st.session_state:
        named = st.query_params.get(TAB)
        st.session_state[TAB] = named if named in TABS else CATALOGUE
    views = {name: partial(draw, app) for name, draw in VIEWS.items()}
    tabs(views, TAB, lambda: st.query_params.update({TAB: st.session_state[TAB]}))


def _show_stale(app: Member) -> None:
    """The notices that go with provisions and were checked on another wording of them."""
    if stale := app.stale_ties(today()):
        many = "avisos de preceptos se comprobaron" if len(stale) > 1 else "aviso de un precepto se comprobó"
        label = f"{len(stale)} {many} con otra redacción"
        panel(label, "stale-ties", lambda: show(bullets(one.says for one in stale)), icon=":material/rule:")


def _show_background(app: Member) -> None:
    """Problems that keep part of the corpus from being searched now."""
    status = app.background
    show(problem(*(text for text in (status.worker, status.index) if text)))
    if status.to_embed:
        told = (
            f"Búsqueda por significado en preparación: faltan {number(status.to_embed)} pasajes, que "
            "mientras tanto se encuentran por sus palabras."
        )
        show(note(told))
