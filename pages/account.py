"""«Mi cuenta»: name, roles, open sessions, API tokens and stored data of the person who is signed in."""

import streamlit as st

from domain.accounts import LoginSession, Permission
from pages.parts.accounts.tokens import show_tokens
from pages.parts.accounts.words import PERSONAL, ROLES, device, session_line
from pages.parts.common.confirm import confirm
from pages.parts.common.detail import opened
from pages.parts.common.html import badges, bullets, html, join, note, show, titled
from pages.parts.common.layout import heading, section, tell
from pages.parts.common.listing import row
from pages.parts.common.page import attempt, delete_conversation, errors_as_toasts
from pages.parts.common.session import CHANGE_PASSWORD, SIGN_OUT, anchor
from pages.parts.common.widgets import button, download
from pages.parts.common.words import plural
from service.members.member import Member

COPY = "account-copy"
BATCH = 100
FORGETTING = html(
    "<p>Se borran todas sus consultas con sus respuestas, sus votos y lo que los revisores anotaron de "
    "ellas. No se puede deshacer.</p>{}",
    note(
        "Los casos de evaluación que salieron de ellas son copias sin su nombre y se conservan. El registro "
        "guarda que se borraron, no lo que decían."
    ),
)


def _show(app: Member) -> None:
    who = app.identity
    heading(who.name, f"Entra como «{who.username}».")
    links = [anchor("Cerrar sesión", SIGN_OUT)]
    if app.account.has_password:
        links.insert(0, anchor("Cambiar la contraseña", CHANGE_PASSWORD))
    show(html('<div class="art-links">{}</div>', join(links)))
    section("Qué puede hacer")
    show(bullets(html("<b>{}</b>: {}", *words) for role, words in ROLES.items() if role in who.roles))
    _show_sessions(app)
    show_tokens(app)
    _show_data(app)


def _show_sessions(app: Member) -> None:
    sessions = app.account.sessions()
    section("Sesiones abiertas", "Si no reconoce alguna, ciérrela y cambie la contraseña.")
    with st.container(key="sessions", gap=None):
        for one in sessions:
            _show_session(app, one)
    if any(one.id != app.identity.session for one in sessions):
        told = "Las demás sesiones están cerradas."
        button("Cerrar todas las demás", "close-others", "logout", attempt, told, app.account.revoke_others)


def _show_session(app: Member, one: LoginSession) -> None:
    this = one.id == app.identity.session
    tags = badges([("esta sesión", "art-high")]) if this else ""
    head = html('<div class="art-facts">{}{}</div>', titled(device(one.agent)), tags)
    with row(f"session-{one.id}", head, note(session_line(one)), beside=0.22):
        if not this:
            call = (attempt, "Sesión cerrada.", app.account.revoke, one.id)
            button("Cerrar", f"close-{one.id}", "", *call, width="stretch")


def _show_data(app: Member) -> None:
    section(
        "Sus datos",
        "Lo que Articulado guarda de usted: sus consultas con sus respuestas, sus votos y cuánto ha usado.",
    )
    with st.container(horizontal=True, gap="small"):
        if st.button("Preparar una copia de mis datos", key="export", icon=":material/folder_zip:"):
            st.session_state[COPY] = app.account.export()
        if COPY in st.session_state:
            name = "articulado-mis-datos.zip"
            data = st.session_state[COPY]
            download("Descargar mis datos (ZIP)", data, name, "application/zip", "download-export")
        if st.button("Borrar mis consultas…", key="forget", icon=":material/delete:"):
            confirm("Borrar mis consultas", FORGETTING, "Borrar todas", "forget", _forget, app)


def _forget(app: Member) -> None:
    with errors_as_toasts():
        count = 0
        while found := app.conversations.conversations(BATCH):
            for one in found:
                delete_conversation(app, one.id)
            count += len(found)
        st.session_state.pop(COPY, None)
        tell(f"Borradas: {plural(count, 'consulta', 'consultas')}.")


with opened(Permission.ASK) as app:
    if app.shared:
        _show(app)
    else:
        heading("Mi cuenta", PERSONAL)
