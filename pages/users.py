"""«Cuentas»: the accounts and their roles."""

from functools import partial

import streamlit as st

from domain.accounts import Account, Permission, Role
from pages.parts.accounts.dialogs import show_dialogs
from pages.parts.accounts.words import PERSONAL, ROLES, STATES, account_line, account_tags, matches
from pages.parts.common.confirm import open_dialog
from pages.parts.common.detail import opened
from pages.parts.common.html import facts, show, status, titled
from pages.parts.common.layout import heading
from pages.parts.common.listing import paged, row, search_box
from pages.parts.common.widgets import button, choose
from pages.parts.common.words import plural
from pages.parts.news.telling import show_problem
from service.members.member import Member

FEW = 8  # accounts; up to this number the page has no filters
PAGE_SIZE = 50


def _show(app: Member) -> None:
    heading("Cuentas", "Quién puede entrar y qué puede hacer.", wide=True)
    accounts = app.accounts.accounts()
    button("Añadir una cuenta", "add", "person_add", open_dialog, "add", type="primary")
    chosen = _filtered(accounts) if len(accounts) > FEW else accounts
    show(status(_count(len(chosen), len(accounts))))
    paged(chosen, PAGE_SIZE, "users", partial(_row, app), gap=None)
    show_dialogs(app, accounts)


def _filtered(accounts: list[Account]) -> list[Account]:
    left, middle, right = st.columns((2, 1, 1))
    words = search_box(left, "Buscar", "Nombre o usuario", "users-search")
    roles: dict[Role | None, str] = {None: "Todos"} | {role: name for role, (name, _) in ROLES.items()}
    role = choose(middle, "Rol", roles, "users-role", keep=False)
    state = right.selectbox("Estado", STATES, key="users-state")
    return [one for one in accounts if matches(one, words, role, state)]


def _count(shown: int, total: int) -> str:
    if not shown:
        return "Ninguna cuenta coincide: cambie la búsqueda o los filtros."
    text = plural(total, "cuenta", "cuentas")
    return text if shown == total else f"{shown} de {text}"


def _row(app: Member, account: Account) -> None:
    tags = account_tags(account)
    if account.id == app.identity.id:
        tags.append(("usted", ""))
    told = titled(account.name), facts(tags, account_line(account))
    with row(f"user-{account.id}", *told, beside=0.24):
        edit = (open_dialog, "edit", account.id)
        button("Gestionar", f"edit-{account.id}", "manage_accounts", *edit, width="stretch")


with opened(Permission.ACCOUNTS) as app:
    show_problem(app)
    if app.shared:
        _show(app)
    else:
        heading("Cuentas", PERSONAL)
