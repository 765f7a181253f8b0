"""«Cuentas»: the accounts and their roles."""

import streamlit as st

from domain.accounts import Account, Permission, Role
from pages.parts.accounts.dialogs import opener, show_dialog
from pages.parts.accounts.words import PERSONAL, ROLES, STATES, account_line, account_tags, matches
from pages.parts.common.html import facts, show, status, titled
from pages.parts.common.layout import heading, notice
from pages.parts.common.page import errors_as_sentences
from pages.parts.common.session import member
from pages.parts.common.widgets import choose, pager, part_of, search_box
from pages.parts.common.words import plural
from pages.parts.news.telling import show_problem
from service.members.member import Member

FEW = 8  # accounts; up to this number the page has no filters
PAGE_SIZE = 50


def _show(app: Member) -> None:
    heading("Cuentas", "Quién puede entrar y qué puede hacer.", wide=True)
    accounts = app.accounts.accounts()
    opener("add", "Añadir una cuenta", "person_add", primary=True)
    chosen = _filtered(accounts) if len(accounts) > FEW else accounts
    show(status(_count(len(chosen), len(accounts))))
    with st.container(key="users", gap=None):
        for account in part_of(chosen, PAGE_SIZE, "users-page"):
            _row(app, account)
    pager(len(chosen), PAGE_SIZE, "users-page")
    show_dialog(app, accounts)


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
    with st.container(key=f"user-{account.id}"):
        text, action = st.columns((0.76, 0.24), vertical_alignment="center")
        show(titled(account.name), facts(tags, account_line(account)), at=text)
        with action:
            opener("edit", "Gestionar", "manage_accounts", account.id)


with errors_as_sentences():
    app = member(Permission.ACCOUNTS)
    notice()
    show_problem(app)
    if app.shared:
        _show(app)
    else:
        heading("Cuentas", PERSONAL)
