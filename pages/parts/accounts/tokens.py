"""The person's API tokens on «Mi cuenta»: listed, made and revoked."""

from typing import Final

import streamlit as st

from domain.accounts import offered
from domain.tokens import ApiToken
from pages.parts.accounts.words import SCOPES, token_line
from pages.parts.common.confirm import confirm
from pages.parts.common.html import html, note, show, titled, warning
from pages.parts.common.layout import section
from pages.parts.common.listing import row
from pages.parts.common.page import attempt, errors_as_toasts
from pages.parts.common.widgets import panel
from service.accounts.tokens import LONGEST_NAME, MOST_DAYS
from service.members.member import Member

MADE = "token-made"
NAME, DAYS, SCOPE = "token-name", "token-days", "token-scope-"
USUAL_DAYS = 90
ABOUT = (
    "Con una clave, un programa suyo entra en Articulado en su nombre: guárdela como una contraseña. Aquí "
    "están también los programas a los que usted ha dejado entrar."
)
WITH_PASSWORD = " Al cambiar la contraseña se anulan todas."
ONCE = (
    "Cópiela ahora y guárdela donde solo la lea su programa. Se muestra esta única vez: con lo siguiente que "
    "haga en esta página desaparece, y no queda en ninguna parte."
)


REVOKED: Final = "<p>El programa que use «{}» deja de poder entrar. No se puede deshacer.</p>"


def show_tokens(app: Member) -> None:
    """Draw the section: a token just made, the list, and the form for another one."""
    section("Claves de acceso para programas", ABOUT + (WITH_PASSWORD if app.account.has_password else ""))
    _show_made()
    with st.container(key="tokens", gap=None):
        for one in app.account.tokens():
            _show_token(app, one)
    panel("Crear una clave", "token-panel", lambda: _show_form(app), icon=":material/key:")


def _show_made() -> None:
    """Show the secret of the token just made, once."""
    made = st.session_state.pop(MADE, None)
    if made is not None:
        name, secret = made
        show(html("<p>La clave «{}» es:</p>", name))
        with st.container(key="token-secret"):
            st.code(secret, language=None, wrap_lines=True)
        show(warning(ONCE))


def _show_token(app: Member, one: ApiToken) -> None:
    with row(f"token-{one.id}", titled(one.name), note(token_line(one)), beside=0.22):
        if st.button("Anular…", key=f"revoke-{one.id}", width="stretch"):
            told = html(REVOKED, one.name)
            revoke = (attempt, "Clave anulada.", app.account.revoke_token, one.id)
            confirm("Anular la clave", told, "Anular", "token-revoke", *revoke, icon="key_off")


def _show_form(app: Member) -> None:
    with st.form("token-form", border=False):
        st.text_input("Nombre", key=NAME, max_chars=LONGEST_NAME, placeholder="Programa de nóminas")
        show(note("Qué permite. Marque solo lo que el programa necesite."))
        for scope in offered(app.identity.roles):
            name, meaning = SCOPES[scope]
            st.checkbox(f"**{name}**: {meaning}", key=SCOPE + scope)
        st.number_input("Días que vale", 1, MOST_DAYS, USUAL_DAYS, key=DAYS)
        st.form_submit_button(
            "Crear la clave", type="primary", icon=":material/key:", on_click=_make, args=(app,)
        )


def _make(app: Member) -> None:
    """Make the token of the form, then clear its name and scopes; an error leaves the form as it was."""
    with errors_as_toasts():
        state = st.session_state
        scopes = [scope for scope in SCOPES if state.get(SCOPE + scope)]
        made = app.account.make_token(state[NAME], scopes, state[DAYS])
        state[MADE] = (made.token.name, made.secret)
        state[NAME] = ""
        for scope in scopes:
            state[SCOPE + scope] = False
