"""The people to whom an expediente is open."""

import streamlit as st

from domain.matters import Matter
from pages.parts.common.html import note, show, titled
from pages.parts.common.layout import section
from pages.parts.common.page import attempt
from pages.parts.common.widgets import button
from pages.parts.common.words import owner_name
from service.members.member import Member


def show_people(app: Member, matter: Matter) -> None:
    """Its members; its owner may add and remove them."""
    section(
        "Personas", "Ven los documentos, las tablas y las notas. Las consultas las ve solo quien las hace."
    )
    names, own = app.names(), matter.owner == app.identity.id
    members = app.matters.members(matter.id)
    for account_id in members:
        with st.container(horizontal=True, vertical_alignment="center", key=f"person-{account_id}"):
            show(
                titled(owner_name(account_id, names)),
                note("Creó el expediente" if account_id == matter.owner else ""),
            )
            if own and account_id != matter.owner:
                told, act = "Persona quitada.", app.matters.remove_member
                button(
                    "Quitar",
                    f"out-{account_id}",
                    "person_remove",
                    attempt,
                    told,
                    act,
                    matter.id,
                    account_id,
                    type="tertiary",
                )
    others = {key: name for key, name in names.items() if key not in members}
    if own and others:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            chosen = st.selectbox(
                "Añadir a una persona", list(others), format_func=others.__getitem__, key="person"
            )
            button(
                "Añadir",
                "add-person",
                "person_add",
                attempt,
                "Persona añadida.",
                app.matters.add_member,
                matter.id,
                chosen,
            )
