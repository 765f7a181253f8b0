"""Dialogs for an account: add, edit, switch off, reset the password, sign out, remove."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from core.errors import InputError
from domain.accounts import Account, Role
from pages.parts.accounts.words import ROLES, device, session_line, token_line
from pages.parts.common.confirm import close, confirm, dialog, done, open_dialog, opened, show_open
from pages.parts.common.html import html, listed, note, show, warning
from pages.parts.common.page import attempt
from pages.parts.common.words import plural
from service.members.member import Member

MAX_NAME = 80
ONCE = (
    "Dele esta contraseña por un medio seguro. Se muestra una sola vez: al cerrar esta ventana no queda en "
    "ninguna parte. Al entrar tendrá que cambiarla por otra suya. Si no entra a tiempo, caduca: la fecha "
    "figura junto a su cuenta."
)
RESET: Final = (
    "<p>La contraseña de <b>{}</b> deja de valer, se cierran sus sesiones y se anulan sus claves de acceso. "
    "Se crea otra de un solo uso.</p>"
)
REMOVED: Final = (
    "<p>Se eliminan la cuenta de <b>{}</b>, sus sesiones y claves de acceso, sus consultas con todas las "
    "respuestas y sus votos. No se puede deshacer.</p>"
)
KEPT = (
    "Los textos que cargó y los veredictos que dio se conservan, a nombre de «cuenta eliminada». Para "
    "que deje de entrar sin borrar nada, desactive la cuenta."
)


def show_dialogs(app: Member, accounts: Sequence[Account]) -> None:
    """The open dialog, if any."""
    show_open({"add": partial(_add, app)})
    account = next((one for one in accounts if one.id == opened().about), None)
    if account is not None:
        dialogs = {"edit": _edit, "reset": _reset, "remove": _remove}
        show_open({name: partial(draw, app, account) for name, draw in dialogs.items()}, account.id)


@dialog("Añadir una cuenta", "person_add", on_dismiss=close)
def _add(app: Member) -> None:
    if _shown_secret():
        return
    with st.form("add-form", border=False):
        name = st.text_input("Nombre y apellidos", max_chars=MAX_NAME, key="add-name")
        username = st.text_input("Usuario", max_chars=MAX_NAME, key="add-username", help="Con lo que entra.")
        roles = _roles("add", (Role.LAWYER,))
        sent = st.form_submit_button("Añadir", type="primary", icon=":material/person_add:")
    if sent:
        _check(name, roles)
        account, password = app.accounts.add(username.strip(), name.strip(), roles)
        if not password:
            done("Cuenta añadida: la persona entra con el acceso de su organización.")
        _keep_secret(account, password)


@dialog("Gestionar la cuenta", "manage_accounts", on_dismiss=close)
def _edit(app: Member, account: Account) -> None:
    with st.form("edit-form", border=False):
        show(note(f"Usuario: {account.username}"))
        name = st.text_input("Nombre y apellidos", account.name, max_chars=MAX_NAME, key=f"name-{account.id}")
        roles = _roles(account.id, account.roles)
        saved = st.form_submit_button("Guardar", type="primary", icon=":material/save:")
    if saved:
        _check(name, roles)
        app.accounts.change(account.id, name=name.strip(), roles=roles)
        done("Cuenta guardada.")
    _sessions(app, account)
    with st.container(horizontal=True, gap="small", key="account-actions"):
        label, icon = ("Desactivar", "block") if account.active else ("Reactivar", "check_circle")
        told = (
            "Deja de poder entrar, se cierran sus sesiones y se anulan sus claves; lo demás se conserva."
            if account.active
            else None
        )
        if st.button(label, key="toggle", icon=f":material/{icon}:", help=told):
            app.accounts.change(account.id, active=not account.active)
            done("Cuenta desactivada." if account.active else "Cuenta reactivada.")
        if not account.subject and st.button("Nueva contraseña…", key="to-reset", icon=":material/key:"):
            _switch("reset", account)
        if st.button("Eliminar…", key="to-remove", icon=":material/delete:"):
            _switch("remove", account)


def _sessions(app: Member, account: Account) -> None:
    sessions, tokens = app.accounts.sessions(account), app.accounts.tokens(account)
    if not sessions:
        show(note("Sin sesiones abiertas."))
    lines = [f"{device(one.agent)}: {session_line(one)}" for one in sessions]
    show(listed(plural(len(sessions), "sesión abierta", "sesiones abiertas"), lines))
    lines = [f"{one.name}: {token_line(one)}" for one in tokens]
    show(listed(plural(len(tokens), "clave de acceso", "claves de acceso"), lines))
    label = "Cerrar sus sesiones y anular sus claves" if tokens else "Cerrar sus sesiones"
    if (sessions or tokens) and st.button(label, key="revoke", icon=":material/logout:"):
        app.accounts.revoke_all(account.id)
        done("Sesiones cerradas y claves anuladas." if tokens else "Sesiones cerradas.")


@dialog("Nueva contraseña", "key", on_dismiss=close)
def _reset(app: Member, account: Account) -> None:
    if _shown_secret():
        return
    show(html(RESET, account.name))
    with st.container(horizontal=True):
        if st.button("Crear contraseña", type="primary", key="reset-yes"):
            _keep_secret(account, app.accounts.reset_password(account.id))
        if st.button("Cancelar", key="cancel"):
            done()


def _remove(app: Member, account: Account) -> None:
    said, gone = html(REMOVED, account.name) + note(KEPT), (attempt, "Cuenta eliminada.", app.accounts.remove)
    confirm("Eliminar la cuenta", said, "Eliminar definitivamente", "remove", *gone, account.id)


def _roles(key: str, held: Sequence[Role]) -> list[Role]:
    """One box per role with its meaning; the ticked ones."""
    show(note("Roles. Si da el de revisor, se avisa a todas las personas con cuenta."))
    return [
        role
        for role, (name, meaning) in ROLES.items()
        if st.checkbox(f"**{name}**: {meaning}", role in held, key=f"role-{key}-{role}")
    ]


def _check(name: str, roles: Sequence[Role]) -> None:
    if not name.strip():
        raise InputError("Escriba el nombre de la persona.")
    if not roles:
        raise InputError("Marque al menos un rol.")


def _keep_secret(account: Account, password: str) -> None:
    open_dialog(opened().name, opened().about, (account.name, account.username, password))
    st.rerun()


def _shown_secret() -> bool:
    """Show the password just made, until the dialog is closed; False without one."""
    if opened().kept is None:
        return False
    name, username, password = opened().kept
    show(html("<p><b>{}</b> entra con el usuario «{}» y esta contraseña:</p>", name, username))
    with st.container(key="secret"):
        st.code(password, language=None)
    show(warning(ONCE))
    if st.button("Hecho", type="primary", key="secret-seen"):
        done()
    return True


def _switch(view: str, account: Account) -> None:
    open_dialog(view, account.id)
    st.rerun()
