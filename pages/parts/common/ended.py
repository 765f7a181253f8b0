"""Answers that have ended while their person was at another page or conversation."""

from collections.abc import Iterable
from contextlib import suppress
from functools import partial

import streamlit as st

from core.errors import ArticuladoError, NotFound
from domain.accounts import Permission
from domain.preferences import Notice
from pages.parts.common.detail import followed
from pages.parts.common.layout import CHAT, link
from pages.parts.common.page import open_conversation
from pages.parts.common.words import plural
from service.members.member import Member

LOOK_SECONDS = 2.0
SHOWN = 3
WATCHED, ENDED = "answers-under-way", "answers-ended"
"""Ids of conversations with an answer under way when last looked; titles by id of those where it ended."""


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
    ended: dict[str, str] = st.session_state.setdefault(ENDED, {})
    st.session_state[WATCHED] = under_way - {here}
    for one in (here, *under_way):
        ended.pop(str(one), None)
    new = _titles(app, before - under_way - {here} - ended.keys())
    ended |= new
    if not ended:
        return
    with st.container(key="answers-ended", gap=None):
        for one, title in list(ended.items())[-SHOWN:]:
            link(f"Respuesta terminada: {title}", icon=":material/check_circle:", page=CHAT, c=one)
        if (more := len(ended) - SHOWN) > 0:
            st.caption(f"Y {plural(more, 'terminada', 'terminadas')} más, en «Consultas anteriores».")
    if new:
        st.toast("Ha terminado una respuesta que tenía en marcha.", icon=":material/check_circle:")


def _titles(app: Member, new: Iterable[str]) -> dict[str, str]:
    """Titles by id of those whose end is to be told: forty pages that read those of all took every core."""
    told = {}
    for one in sorted(new):
        with suppress(NotFound):
            told[one] = app.conversations.conversation(one).title
    return told if told and app.preferences.read().notice is not Notice.NONE else {}
