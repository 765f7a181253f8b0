"""The review tables of an expediente, listed."""

from datetime import UTC, datetime
from functools import partial

import streamlit as st

from domain.document_tables import DocumentTable, TableState
from domain.matters import Matter
from pages.parts.common.html import facts, note, show
from pages.parts.common.layout import MATTERS, go, link, section
from pages.parts.common.widgets import button
from pages.parts.common.words import ago, dotted, plural
from service.members.member import Member

NEW = "nueva"
UNDER = (
    "Las mismas preguntas a varios documentos a la vez: cada casilla con la frase que contesta y su página."
)
STATES = {
    TableState.RUNNING: ("Rellenándose…", "art-mid"),
    TableState.STOPPED: ("Detenida", "art-low"),
    TableState.DONE: ("Terminada", "art-high"),
}


def show_tables(app: Member, matter: Matter) -> None:
    """The list and the way to a new one."""
    section("Tablas de revisión", UNDER)
    found = app.document_tables.tables(matter.id)
    now = datetime.now(UTC)
    with st.container(key="tables", gap="small"):
        for one in found:
            _row(one, now)
    if app.papers.documents(matter.id):
        button("Nueva tabla", "new-table", "table_view", partial(go, e=matter.id, t=NEW))
    else:
        show(note("Suba antes algún documento."))


def _row(one: DocumentTable, now: datetime) -> None:
    size = plural(len(one.documents), "documento", "documentos")
    asked = plural(len(one.questions), "pregunta", "preguntas")
    with st.container(key=f"table-{one.id}", gap=None):
        link(one.name, page=MATTERS, e=one.matter_id, t=one.id)
        show(facts([STATES[one.state]], dotted(size, asked, ago(one.updated_at, now))))
