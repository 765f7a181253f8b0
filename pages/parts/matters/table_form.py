"""The form of a review table: which documents, and which questions."""

import streamlit as st

from domain.document_tables import DocumentTable
from domain.matters import DocumentState, MatterDocument
from lexicon.paper_fields import ready_lists
from pages.parts.common.layout import back, go, heading, tell
from pages.parts.common.page import errors_as_toasts
from pages.parts.common.widgets import button
from service.members.member import Member
from storage.casework.document_tables import QUESTION, QUESTIONS
from storage.casework.matters import NAME

QUESTIONS_KEY, DOCUMENTS_KEY, NAME_KEY, LIST_KEY = (
    "table-questions",
    "table-documents",
    "table-name",
    "table-list",
)
HELP = f"Una por línea, hasta {QUESTIONS}, de {QUESTION} caracteres como mucho."


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
