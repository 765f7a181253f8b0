"""The first line of every page: who is there, and whether they may be.

Who it is, is asked once for the drawing of a page, and again by everything that comes of it later: what a
button calls, and each drawing of a part of the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NoReturn
from urllib.parse import quote, urlencode, urlsplit

import streamlit as st

import bootstrap
from domain.accounts import Identity, Permission
from pages.parts.common.html import Html, html, show
from service.members.member import FORBIDDEN, MUST_CHANGE, Member
from service.program import logs
from web.cookies import session_token
from web.guard import ACCOUNT_HEADER
from web.operations import REQUEST_ID

ENDED = "Su sesión ha caducado o se ha cerrado. Lo que estuviera escribiendo se conserva."
SIGN_IN, SIGN_OUT, CHANGE_PASSWORD = "/acceso", "/salir", "/cuenta/clave"
_drawn_for: ContextVar[Identity | None] = ContextVar("drawn_for", default=None)


def identity() -> Identity | None:
    """Whoever holds the session of this browser now; nobody when it is not whom the guard let in.

    From then on the log names the page's request and the account, also in the answer that they start.
    """
    if drawn := _drawn_for.get():
        return drawn
    who = bootstrap.app().accounts.sessions.identify(session_token(st.context.cookies))
    let_in = st.context.headers.get(ACCOUNT_HEADER.decode("ascii"))
    if who is None or let_in not in (None, who.id):
        return None
    logs.bind(request=st.context.headers.get(REQUEST_ID.decode("ascii"), ""), account=who.id)
    return who


@contextmanager
def drawing(who: Identity | None) -> Iterator[None]:
    """One page is drawn for `who`; callbacks run before that, and fragments after it: they ask anew."""
    token = _drawn_for.set(who)
    try:
        yield
    finally:
        _drawn_for.reset(token)


def member(permission: Permission) -> Member:
    """The program for the person of this browser; stops the page when they may not be on it."""
    who = identity()
    if who is None:
        _stop(ENDED, "Volver a entrar", f"{SIGN_IN}?next={quote(_address(), safe='')}")
    elif who.must_change:
        _stop(MUST_CHANGE, "Cambiar la contraseña", CHANGE_PASSWORD)
    elif not who.may(permission):
        bootstrap.app().audit.by(who).refused(permission.value)
        st.error(FORBIDDEN, icon=":material/lock:")
        st.stop()
    return Member(bootstrap.app(), who, identity)


def _address() -> str:
    """Where the reader is, to come back to it."""
    query = urlencode(st.query_params.to_dict())
    path = urlsplit(st.context.url or "").path or "/"
    return f"{path}?{query}" if query else path


def _stop(text: str, label: str, address: str) -> NoReturn:
    box = '<div class="art-warn art-ended" role="alert"><p>{}</p>{}</div>'
    show(html(box, text, anchor(label, address)))
    st.stop()


def anchor(label: str, address: str) -> Html:
    """A link to an address of ours outside the pages, opened in the same tab."""
    return html('<p><a class="art-go" href="{}" target="_self">{}</a></p>', address, label)
