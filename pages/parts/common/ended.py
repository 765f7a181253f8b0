"""Answers that have ended while their person was at another page or conversation."""

from contextlib import suppress
from functools import partial

import streamlit as st

from core.errors import ArticuladoError, NotFound
from domain.accounts import Permission
from domain.preferences import Notice
from pages.parts.common.detail import followed
from pages.parts.common.layout import CHAT, link
from pages.parts.common.page import open_conversation
from service.members.member import Member

LOOK_SECONDS = 2.0
WATCHED, ENDED = "answers-under-way", "answers-ended"
"""Ids of conversations: with an answer under way when last looked, and with one that has ended elsewhere."""


def show_ended(app: Member) -> None:
    """A link to each; looked for again and again while an answer is under way elsewhere."""
    if not app.may(Permission.ASK):
        return
    here = open_conversation()
    # The page that is drawn next says what is wrong.
    with suppress(ArticuladoError):
        followed(partial(_elsewhere, app, here), LOOK_SECONDS, partial(_look, app, here))


def _elsewhere(app: Member, here: str | None) -> bool:
    return any(run.conversation_id != here for run in app.runs.of())


def _look(app: Member, here: str | None) -> None:
    under_way = {run.conversation_id for run in app.runs.of()}
    before: set[str] = st.session_state.get(WATCHED, set())
    ended: list[str] = st.session_state.setdefault(ENDED, [])
    new = sorted(before - under_way - {here, *ended})
    st.session_state[WATCHED] = under_way - {here}
    ended[:] = [one for one in (*ended, *new) if one != here and one not in under_way]
    if not ended:
        return
    if app.preferences.read().notice is Notice.NONE:
        ended.clear()
        return
    with st.container(key="answers-ended", gap=None):
        for one in list(ended):
            _show(app, one, ended)
    if not set(new).isdisjoint(ended):
        st.toast("Ha terminado una respuesta que tenía en marcha.", icon=":material/check_circle:")


def _show(app: Member, conversation_id: str, ended: list[str]) -> None:
    try:
        title = app.conversations.conversation(conversation_id).title
    except NotFound:
        ended.remove(conversation_id)
        return
    link(f"Respuesta terminada: {title}", icon=":material/check_circle:", page=CHAT, c=conversation_id)
