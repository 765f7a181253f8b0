"""The first line of every page: the identity of the person, and the check of their permission.

The identity is read once per drawing of a page, and again by each later step: every callback of a button, and
every drawing of a fragment.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NoReturn
from urllib.parse import quote, urlencode, urlsplit

import streamlit as st

from domain.accounts import Identity, Permission
from pages.parts.common.html import Html, html, show
from service.members.member import FORBIDDEN, MUST_CHANGE, Member
from service.program import assembly, logs
from web.cookies import session_token
from web.guard import ACCOUNT_HEADER
from web.monitoring import REQUEST_ID

ENDED = "Su sesión ha caducado o se ha cerrado. Lo que estuviera escribiendo se conserva."
SIGN_IN, SIGN_OUT, CHANGE_PASSWORD = "/acceso", "/salir", "/cuenta/clave"
_drawn_for: ContextVar[Identity | None] = ContextVar("drawn_for", default=None)


def identity() -> Identity | None:
    """The holder of this browser's session, or None; also None if the guard admitted somebody else.

    From then on the log names the request and the account, also in the answer that the page starts.
    """
    if drawn := _drawn_for.get():
        return drawn
    who = assembly.app().accounts.sessions.identify(session_token(st.context.cookies))
    let_in = st.context.headers.get(ACCOUNT_HEADER.decode("ascii"))
    if who is None or let_in not in (None, who.id):
        return None
    logs.bind(request=st.context.headers.get(REQUEST_ID.decode("ascii"), ""), account=who.id)
    return who


@contextmanager
def drawing(who: Identity | None) -> Iterator[None]:
    """Keep `who` as the identity while one page is drawn; callbacks and fragments read it again."""
    token = _drawn_for.set(who)
    try:
        yield
    finally:
        _drawn_for.reset(token)


def member(permission: Permission) -> Member:
    """The program for the person at this browser; stops the page if they may not open it."""
    who = identity()
    if who is None:
        _stop(ENDED, "Volver a entrar", f"{SIGN_IN}?next={quote(_address(), safe='')}")
    elif who.must_change:
        _stop(MUST_CHANGE, "Cambiar la contraseña", CHANGE_PASSWORD)
    elif not who.may(permission):
        assembly.app().audit.by(who).refused(permission.value)
        st.error(FORBIDDEN, icon=":material/lock:")
        st.stop()
    return Member(assembly.app(), who, identity)


def _address() -> str:
    """The address of the open page, to return to it."""
    query = urlencode(st.query_params.to_dict())
    path = urlsplit(st.context.url or "").path or "/"
    return f"{path}?{query}" if query else path


def _stop(text: str, label: str, address: str) -> NoReturn:
    box = '<div class="art-warn art-ended" role="alert"><p>{}</p>{}</div>'
    show(html(box, text, anchor(label, address)))
    st.stop()


def anchor(label: str, address: str) -> Html:
    """A link to one of our addresses outside the pages, in the same tab."""
    return html('<p><a class="art-go" href="{}" target="_self">{}</a></p>', address, label)
