"""The review tables of an expediente: their list, and the form of one."""

from datetime import UTC, datetime
from functools import partial

import streamlit as st

from domain.document_tables import DocumentTable, TableState
from domain.matters import DocumentState, Matter, MatterDocument
from lexicon.paper_fields import ready_lists
from pages.parts.common.html import facts, note, show
from pages.parts.common.layout import MATTERS, back, go, heading, link, section, tell
from pages.parts.common.page import errors_as_toasts
from pages.parts.common.widgets import button
from pages.parts.common.words import ago, dotted, plural
from service.members.member import Member
from storage.casework.document_tables import QUESTION, QUESTIONS
from storage.casework.matters import NAME

NEW = "nueva"
UNDER = (
    "Las mismas preguntas a varios documentos a la vez: cada casilla con la frase que contesta y su página."
)
STATES = {
    TableState.RUNNING: ("Rellenándose…", "art-mid"),
    TableState.STOPPED: ("Detenida", "art-low"),
    TableState.DONE: ("Terminada", "art-high"),
}
QUESTIONS_KEY, DOCUMENTS_KEY, NAME_KEY, LIST_KEY = (
    "table-questions",
    "table-documents",
    "table-name",
    "table-list",
)
HELP = f"Una por línea, hasta {QUESTIONS}, de {QUESTION} caracteres como mucho."


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


def show_new(app: Member, matter_id: str) -> None:
    """The form for another table. Raises NotFound: the expediente is not open to the person."""
    matter = app.matters.matter(matter_id)
    back("Volver al expediente", "to-matter", e=matter_id)
    heading("Nueva tabla de revisión", matter.name)
    st.text_input("Nombre", max_chars=NAME, key=NAME_KEY, placeholder="Cartas de despido")
    documents = app.papers.documents(matter_id)
    readable = [one.id for one in documents if one.state is not DocumentState.FAILED]
    _fields(documents, readable, ())
    button("Crear y rellenar", "make-table", "table_view", _create, app, matter_id, type="primary")


def show_change(app: Member, table: DocumentTable) -> None:
    """The form to change one: what is new is filled, and what is there stays."""
    documents = app.papers.documents(table.matter_id)
    _fields(documents, list(table.documents), table.questions, table)
    button("Guardar y rellenar lo nuevo", "change-table", "save", _change, app, table, type="primary")


def _fields(
    documents: list[MatterDocument],
    chosen: list[str],
    questions: tuple[str, ...],
    table: DocumentTable | None = None,
) -> None:
    names = dict(table.documents) if table else {}
    names |= {one.id: f"{one.title} · {one.name}" for one in documents}
    st.multiselect(
        "Documentos",
        list(names),
        chosen,
        format_func=names.__getitem__,
        key=DOCUMENTS_KEY,
        placeholder="Elija documentos",
    )
    lists = ready_lists()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox("Preguntas preparadas", list(lists), key=LIST_KEY)
        button("Añadir a las preguntas", "add-list", "playlist_add", _add)
    st.session_state.setdefault(QUESTIONS_KEY, "\n".join(questions))
    st.text_area(
        "Preguntas", height=220, key=QUESTIONS_KEY, help=HELP, placeholder="Fecha de efectos\nCausa\nSalario"
    )


def _add() -> None:
    """Add the questions of the ready list that are not there yet."""
    written = st.session_state.get(QUESTIONS_KEY, "").splitlines()
    more = ready_lists()[st.session_state[LIST_KEY]]
    st.session_state[QUESTIONS_KEY] = "\n".join(dict.fromkeys([*filter(str.strip, written), *more]))


def _given() -> tuple[list[str], list[str]]:
    return list(st.session_state[DOCUMENTS_KEY]), st.session_state[QUESTIONS_KEY].splitlines()


def _create(app: Member, matter_id: str) -> None:
    with errors_as_toasts():
        made = app.document_tables.create(matter_id, st.session_state[NAME_KEY], *_given())
        _forget()
        go(e=matter_id, t=made.id)


def _change(app: Member, table: DocumentTable) -> None:
    with errors_as_toasts():
        app.document_tables.change(table.id, *_given())
        _forget()
        tell("Tabla guardada: se rellena lo nuevo.")


def _forget() -> None:
    st.session_state.pop(QUESTIONS_KEY, None)
