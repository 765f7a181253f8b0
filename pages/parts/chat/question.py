"""A question of the conversation: its versions, and the editor that asks another one in its place."""

from collections.abc import Callable
from datetime import date

import streamlit as st

from pages.parts.common.html import html, note, show
from pages.parts.common.page import View, attempt, errors_as_toasts
from pages.parts.common.render import question_html
from pages.parts.common.widgets import button
from pages.parts.common.words import day
from rag.shared.messages import Message

EDITED = "edited-question"
"""Id of the question that is in the editor."""
HEIGHT = 140

Ask = Callable[[str, Message], bool]
"""Asks a text in the place of a question; False if it was refused."""


def show_question(view: View, message: Message, ask: Ask) -> None:
    """The question with its versions, or the editor while it is put right."""
    if view.can_ask and st.session_state.get(EDITED) == message.id:
        _show_editor(message, view.as_of or message.as_of, ask)
        return
    show(question_html(message.text))
    if message.versions:
        with st.container(horizontal=True, key=f"versions-{message.id}", vertical_alignment="center"):
            _show_versions(view, message)
            _show_edit(view, message)
    else:
        _show_edit(view, message)


def _show_versions(view: View, message: Message) -> None:
    place, count = message.versions.index(message.id), len(message.versions)
    for by, label, icon in (
        (-1, "Versión anterior", "chevron_left"),
        (1, "Versión siguiente", "chevron_right"),
    ):
        near = place + by
        other = message.versions[near] if 0 <= near < count else 0
        choose = (attempt, "", view.app.conversations.choose, message.conversation_id, other)
        shut = not (other and view.can_ask)
        button(label, f"version-{by}-{message.id}", icon, *choose, type="tertiary", disabled=shut)
        if by < 0:
            show(html('<p class="art-version">Versión {} de {}</p>', place + 1, count))


def _show_edit(view: View, message: Message) -> None:
    if view.can_ask:
        edit = (st.session_state.__setitem__, EDITED, message.id)
        button("Corregir la pregunta", f"edit-{message.id}", "edit", *edit, type="tertiary")


def _show_editor(message: Message, as_of: date | None, ask: Ask) -> None:
    key = f"edited-text-{message.id}"
    st.text_area("Corrija la pregunta", message.text, height=HEIGHT, key=key)
    kept = "La pregunta de ahora y lo que vino después se conservan como otra versión."
    law = f" Se aplicará la normativa vigente a {day(as_of)}." if as_of else ""
    show(note(kept + law))
    with st.container(horizontal=True, key=f"editor-{message.id}"):
        button("Preguntar de nuevo", f"edited-{message.id}", "send", _ask, message, key, ask, type="primary")
        button("Cancelar", f"unedited-{message.id}", "", st.session_state.pop, EDITED, None)


@errors_as_toasts()
def _ask(message: Message, key: str, ask: Ask) -> None:
    """A text that was refused stays in the editor."""
    if ask(st.session_state[key], message):
        st.session_state.pop(EDITED, None)
