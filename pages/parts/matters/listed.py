"""The expedientes of a person, and the form for a new one."""

from datetime import UTC, datetime

import streamlit as st

from domain.matters import Matter
from pages.parts.common.html import note, show, status
from pages.parts.common.layout import MATTERS, go, heading, link, tell
from pages.parts.common.listing import pager, part_of, search_box
from pages.parts.common.page import errors_as_toasts
from pages.parts.common.words import ago, dotted, plural
from service.members.member import Member
from storage.casework.matters import NAME, PAGE_SIZE, REFERENCE

FEW = 8
UNDER = (
    "Una carpeta por caso, con sus documentos. Las preguntas que haga dentro usan la normativa y esos "
    "documentos, que solo ven usted y las personas que añada."
)


def show_list(app: Member) -> None:
    """The list, the latest used first, and the form."""
    heading("Expedientes", UNDER)
    _new(app)
    every = app.matters.count()
    words = search_box(None, "Buscar", "Nombre o referencia", "matters-search") if every > FEW else ""
    if not every:
        show(note("Aquí aparecerán sus expedientes."))
        return
    found = app.matters.count(words) if words else every
    show(status(plural(found, "expediente", "expedientes")))
    now, places = datetime.now(UTC), part_of(range(found), PAGE_SIZE, "matters-page")
    with st.container(key="matters", gap="small"):
        for one in app.matters.matters(words, offset=places[0]) if places else ():
            _row(app, one, now)
    pager(found, PAGE_SIZE, "matters-page")


def _row(app: Member, one: Matter, now: datetime) -> None:
    shared = "" if one.owner == app.identity.id else "compartido con usted"
    with st.container(key=f"matter-{one.id}", gap=None):
        link(one.name, page=MATTERS, e=one.id)
        show(note(dotted(one.reference, ago(one.updated_at, now), shared)))


def _new(app: Member) -> None:
    box = st.expander("Nuevo expediente", icon=":material/create_new_folder:", key="new-matter")
    with box, st.form("new-matter-form", border=False, clear_on_submit=True):
        st.text_input("Nombre", max_chars=NAME, key="new-name", placeholder="Despido de la cliente")
        st.text_input(
            "Referencia (opcional)", max_chars=REFERENCE, key="new-reference", placeholder="EXP-2026-014"
        )
        icon = ":material/create_new_folder:"
        st.form_submit_button("Crear el expediente", type="primary", icon=icon, on_click=_create, args=(app,))


def _create(app: Member) -> None:
    with errors_as_toasts():
        made = app.matters.create(st.session_state["new-name"], st.session_state["new-reference"])
        tell(f"Expediente «{made.name}» creado.")
        go(e=made.id)
