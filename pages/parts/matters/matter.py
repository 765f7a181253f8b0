"""One expediente: asking in it, its documents, notes, people and conversations, and its end."""

from datetime import UTC, datetime

import streamlit as st

from domain.matters import Matter
from pages.parts.common.confirm import confirm
from pages.parts.common.html import note, show, titled
from pages.parts.common.layout import CHAT, TEMPLATES, back, go, heading, link, section, tell
from pages.parts.common.listing import count_shown, row, show_rest
from pages.parts.common.page import CONVERSATION, attempt, errors_as_toasts
from pages.parts.common.papers import show_papers
from pages.parts.common.render import label_text
from pages.parts.common.terms import show_terms
from pages.parts.common.watching import watch_matter
from pages.parts.common.widgets import button, choose
from pages.parts.common.words import ago, owner_name, plural
from pages.parts.matters.facts import show_facts
from pages.parts.matters.tables import show_tables
from service.members.member import Member
from storage.casework.matters import NAME, NOTES, REFERENCE

FIRST = 30
ENDS = (
    "Se elimina «{name}»: {documents}, sus notas, sus tablas y todas las consultas hechas en él, también las "
    "de las demás personas. No se puede deshacer."
)


def show_matter(app: Member, matter_id: str) -> None:
    """The whole of it. Raises NotFound: it is not open to the person."""
    matter = app.matters.matter(matter_id)
    back("Todos los expedientes", "all-matters")
    heading(matter.name, matter.reference)
    if st.button("Preguntar en este expediente", type="primary", icon=":material/forum:", key="ask-here"):
        conversation = app.conversations.create("", matter.id)
        st.switch_page(CHAT, query_params={CONVERSATION: conversation.id})
    watch_matter(app, matter.id)
    link("Preparar un escrito", icon=":material/draft:", page=TEMPLATES, e=matter.id)
    section(
        "Documentos", "Cartas, nóminas, contratos, sentencias, acuerdos: solo se usan en este expediente."
    )
    show_papers(app, matter.id, app.papers.documents, app.papers.upload)
    show_facts(app, matter.id)
    section("Plazos")
    show_terms(app, matter.id)
    show_tables(app, matter)
    _show_conversations(app, matter)
    _show_notes(app, matter)
    if app.shared:
        show_people(app, matter)
    _show_end(app, matter)


def _show_conversations(app: Member, matter: Matter) -> None:
    section("Sus consultas en este expediente")
    key = f"conversations-{matter.id}"
    shown = count_shown(key, FIRST)
    found = app.matters.conversations(matter.id, shown)
    if not found:
        show(note("Aquí aparecerán las preguntas que haga en él. Las de otras personas no se muestran."))
    now = datetime.now(UTC)
    for one in found:
        label = f"{label_text(one.title) or 'Sin título'} :small[{ago(one.updated_at, now)}]"
        st.page_link(CHAT, label=label, icon=":material/chat:", query_params={CONVERSATION: one.id})
    show_rest("consultas", key, shown, FIRST, app.matters.count_conversations(matter.id))


def _show_notes(app: Member, matter: Matter) -> None:
    section("Datos y notas")
    with st.form("matter-form", border=False):
        st.text_input("Nombre", matter.name, max_chars=NAME, key=f"name-{matter.id}")
        st.text_input("Referencia", matter.reference, max_chars=REFERENCE, key=f"reference-{matter.id}")
        st.text_area("Notas", matter.notes, max_chars=NOTES, height=140, key=f"notes-{matter.id}")
        st.form_submit_button("Guardar", icon=":material/save:", on_click=_save, args=(app, matter.id))


def _save(app: Member, matter_id: str) -> None:
    given = {name: st.session_state[f"{name}-{matter_id}"] for name in ("name", "reference", "notes")}
    with errors_as_toasts():
        app.matters.change(matter_id, **given)
        tell("Datos guardados.")


def _show_end(app: Member, matter: Matter) -> None:
    if matter.owner == app.identity.id:
        section("Eliminar")
        if st.button("Eliminar el expediente…", icon=":material/delete:", key="end"):
            documents = plural(len(app.papers.documents(matter.id)), "documento", "documentos")
            said = ENDS.format(name=matter.name, documents=documents)
            confirm("Eliminar el expediente", said, "Eliminar definitivamente", "end", _end, app, matter)
    else:
        section("Dejar el expediente", "Dejará de ver sus documentos y las consultas que hizo en él.")
        button("Dejar el expediente", "leave", "logout", _leave, app, matter)


def _leave(app: Member, matter: Matter) -> None:
    with errors_as_toasts():
        app.matters.remove_member(matter.id, app.identity.id)
        tell("Ha dejado el expediente.")
        go()


def _end(app: Member, matter: Matter) -> None:
    go()
    attempt("Expediente eliminado, con todo lo suyo.", app.matters.delete, matter.id)


def show_people(app: Member, matter: Matter) -> None:
    """Its members; its owner may add and remove them."""
    section(
        "Personas", "Ven los documentos, las tablas y las notas. Las consultas las ve solo quien las hace."
    )
    names, own = app.names(), matter.owner == app.identity.id
    members = app.matters.members(matter.id)
    for account_id in members:
        made = note("Creó el expediente" if account_id == matter.owner else "")
        with row(f"person-{account_id}", titled(owner_name(account_id, names)), made):
            if own and account_id != matter.owner:
                out = (attempt, "Persona quitada.", app.matters.remove_member, matter.id, account_id)
                button("Quitar", f"out-{account_id}", "person_remove", *out, type="tertiary")
    others = {key: name for key, name in names.items() if key not in members}
    if own and others:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            chosen = choose(None, "Añadir a una persona", others, "person", keep=False)
            added = (attempt, "Persona añadida.", app.matters.add_member, matter.id, chosen)
            button("Añadir", "add-person", "person_add", *added)
