"""The first line of every page: who is there, and whether they may be."""

from __future__ import annotations

import streamlit as st

import bootstrap
from rag.accounts_types import Permission
from service.members import FORBIDDEN, Member
from web.cookies import session_token


def member(permission: Permission) -> Member:
    """The program for the person of this browser; stops the page when they may not be on it.

    Asked anew at every rerun: a session that was revoked ends with the next click.
    """
    program = bootstrap.app()
    identity = program.accounts.identify(session_token(st.context.cookies))
    if identity is None:
        st.error("Su sesión ha caducado o se ha cerrado.", icon=":material/lock:")
        st.link_button("Volver a entrar", "/acceso", icon=":material/login:")
        st.stop()
    if not identity.may(permission):
        st.error(FORBIDDEN, icon=":material/lock:")
        st.stop()
    return Member(program, identity)
