"""The list of conversations in the side panel: search, pinned ones, archived ones, and a menu a row."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime

import streamlit as st

from core.errors import NotFound
from domain.conversations import Conversation
from pages.parts.common.confirm import confirm, dialog
from pages.parts.common.html import EMPTY, Html, html, join, note, show, status
from pages.parts.common.listing import count_shown, show_more, show_rest
from pages.parts.common.page import (
    attempt,
    delete_conversation,
    errors_as_sentences,
    errors_as_toasts,
    go_to,
    open_conversation,
)
from pages.parts.common.render import label_text
from pages.parts.common.widgets import button
from pages.parts.common.words import ago, dotted, plural
from service.members.member import Member
from text.stretches import Stretch

FIRST, MORE, FOUND = 12, 30, 20
SHOWN, SEARCH, ARCHIVED = "conversations", "conversation-search", "conversations-archived"
PIN, UNPIN, RENAME, ARCHIVE, UNARCHIVE, DELETE = (
    "Fijar arriba",
    "Dejar de fijar",
    "Cambiar el título…",
    "Archivar",
    "Sacar del archivo",
    "Eliminar la consulta…",
)


def show_conversations(app: Member) -> None:
    """The box, and what was found with it; else the list, or the archived ones."""
    show(_heading("Consultas anteriores"))
    words = st.text_input(
        "Buscar en las consultas",
        key=SEARCH,
        placeholder="Palabras del título o del texto",
        icon=":material/search:",
        help="Busca en títulos, preguntas y respuestas, también archivadas. Pulse Intro.",
    ).strip()
    if words:
        with errors_as_sentences():
            _show_found(app, words)
        return
    archived = bool(app.conversations.listed(1, archived=True)) and st.toggle("Archivadas", key=ARCHIVED)
    _show_list(app, archived=archived)


def _show_found(app: Member, words: str) -> None:
    key = f"found-{words}"
    shown = count_shown(key, FOUND)
    found = app.conversations.search(words, shown + 1)
    more, found = len(found) > shown, found[:shown]
    count = plural(len(found), "consulta", "consultas")
    told = f"Las {shown} más recientes: añada palabras." if more else f"Encontradas: {count}."
    show(status(told if found else "Ninguna consulta tiene todas esas palabras."))
    _rows(app, "found-rows", ((one.conversation, _marked(one.stretch), one.elsewhere) for one in found))
    if more:
        show_more("Ver más", key, shown + MORE, "history", type="tertiary")


def _show_list(app: Member, *, archived: bool) -> None:
    shown = count_shown(SHOWN, FIRST)
    conversations = app.conversations.listed(shown, archived=archived)
    if not conversations:
        show(note("Aquí aparecerán sus consultas."))
    listed = conversations if archived else _with_open(app, conversations)
    pinned = [one for one in listed if one.pinned]
    others = [one for one in listed if not one.pinned]
    if pinned:
        show(_heading("Fijadas", 3))
        _rows(app, "pinned-rows", ((one, EMPTY, None) for one in pinned))
    if pinned and others:
        show(_heading("Las demás", 3))
    _rows(app, "rows", ((one, EMPTY, None) for one in others))
    show_rest("consultas", SHOWN, shown, MORE, app.conversations.count(archived=archived))


def _with_open(app: Member, listed: list[Conversation]) -> list[Conversation]:
    """The list, headed by an older open conversation: its menu is at hand too."""
    current = open_conversation()
    if current is None or any(conversation.id == current for conversation in listed):
        return listed
    with suppress(NotFound):
        return [app.conversations.conversation(current), *listed]
    return listed


def _heading(text: str, level: int = 2) -> Html:
    return html('<h{} class="art-side">{}</h{}>', level, text, level)


def _rows(app: Member, key: str, rows: Iterable[tuple[Conversation, Html, int | None]]) -> None:
    """A row each: what stands under it, and a question of another branch that opening it shows."""
    current, now = open_conversation(), datetime.now(UTC)
    with st.container(key=key, gap=None):
        for conversation, under, elsewhere in rows:
            kind = "current" if conversation.id == current else "open"
            row = f"row-{kind}-{conversation.id}"
            with st.container(horizontal=True, gap=None, key=row, vertical_alignment="center"):
                _row(app, conversation, f"{kind}-{conversation.id}", now, elsewhere)
            show(under)


def _row(app: Member, one: Conversation, key: str, now: datetime, elsewhere: int | None) -> None:
    title = label_text(one.title) or "Sin título"
    told = dotted(ago(one.updated_at, now), "archivada" if one.archived else "")
    opens = (app, one.id, elsewhere)
    button(f"{title} :small[{told}]", key, "", _open, *opens, type="tertiary", width="stretch")
    chosen = st.menu_button(
        f"Opciones de «{title}»",
        _options(one),
        key=f"menu-{one.id}",
        icon=":material/more_horiz:",
        type="tertiary",
        on_click=_act,
        args=(app, one),
    )
    if chosen == RENAME:
        _rename(app, one)
    elif chosen == DELETE:
        said = f"Se eliminará «{one.title}» con todas sus respuestas. No se puede deshacer."
        confirm("Eliminar la consulta", said, "Eliminar", "delete", _delete, app, one)


def _open(app: Member, conversation_id: str, elsewhere: int | None) -> None:
    if elsewhere is not None:
        attempt("", app.conversations.choose, conversation_id, elsewhere)
    go_to(conversation_id)


def _options(one: Conversation) -> list[str]:
    pin = [] if one.archived else [UNPIN if one.pinned else PIN]
    return [*pin, RENAME, UNARCHIVE if one.archived else ARCHIVE, DELETE]


def _act(app: Member, one: Conversation) -> None:
    """Do actions without a dialog before the list is drawn again."""
    chosen, store = st.session_state[f"menu-{one.id}"], app.conversations
    if chosen in (PIN, UNPIN):
        said = "Consulta fijada." if chosen == PIN else "La consulta ya no está fijada."
        attempt(said, store.pin, one.id, chosen == PIN)
    elif chosen in (ARCHIVE, UNARCHIVE):
        said = "Consulta archivada." if chosen == ARCHIVE else "Consulta sacada del archivo."
        attempt(said, store.archive, one.id, chosen == ARCHIVE)


def _marked(stretch: Stretch | None) -> Html:
    """The stretch as text, with its words marked."""
    if stretch is None:
        return EMPTY
    parts: list[str] = []
    end = 0
    for start, stop in stretch.marks:
        parts += [stretch.text[end:start], html("<mark>{}</mark>", stretch.text[start:stop])]
        end = stop
    return html('<p class="art-stretch">{}</p>', join([*parts, stretch.text[end:]]))


@dialog("Cambiar el título", "edit")
def _rename(app: Member, one: Conversation) -> None:
    with st.form("rename", border=False):
        key = f"title-{one.id}"
        st.text_input("Título", value=one.title, max_chars=80, key=key)
        if st.form_submit_button(
            "Guardar título", icon=":material/edit:", on_click=_save_title, args=(app, one.id, key)
        ):
            st.rerun()


def _save_title(app: Member, conversation_id: str, key: str) -> None:
    attempt("Título cambiado.", app.conversations.rename, conversation_id, st.session_state[key])


def _delete(app: Member, one: Conversation) -> None:
    with errors_as_toasts():
        delete_conversation(app, one.id)
        if open_conversation() == one.id:
            go_to(None)
