"""The side panel: conversations, the date of the law, the mode, and the debug switch."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime

import streamlit as st

from pages.parts.chat.leaving import offer
from pages.parts.chat.lookup import show_lookup
from pages.parts.common.html import html, note, notes, show, warning
from pages.parts.common.page import (
    delete_conversation,
    errors_as_sentences,
    errors_as_toasts,
    go_to,
    open_conversation,
)
from pages.parts.common.render import label_text
from pages.parts.common.session import SIGN_OUT, anchor
from pages.parts.common.widgets import button, choose_day, confirm, show_more
from pages.parts.common.words import OLDEST, ROLES, YEARS_AHEAD, ago, day, today
from rag.errors import NotFound
from rag.types import Conversation
from service.members.member import Member

FIRST, MORE = 12, 30
SHOWN = "shown-conversations"


@dataclass(frozen=True)
class Choices:
    """Choices of the reader in the side panel.

    Attributes:
        as_of: None while the day is today.
        debug: True to show the trace under each answer.
        agent: True for the mode in which the model itself searches; False without a model.
    """

    as_of: date | None
    debug: bool
    agent: bool = False


def sidebar(app: Member) -> Choices:
    """Draw the side panel and return the choices made in it."""
    with st.sidebar:
        show(html('<p class="art-brand"><span aria-hidden="true">§</span>Articulado</p>'))
        button("Nueva consulta", "new", "edit_square", go_to, None, type="primary", width="stretch")
        show_lookup(app)
        as_of = _date_of_law()
        offer(app)
        agent = app.mode == "model" and st.toggle(
            "Modo investigación",
            key="agent",
            help="El modelo busca por su cuenta, en varias rondas. Tarda más y gasta más.",
        )
        _conversations(app)
        debug = st.checkbox(
            "Mostrar depuración",
            key="debug",
            help="Bajo cada respuesta: qué se buscó, qué se leyó y cómo se comprobó.",
        )
        _mode(app)
        _person(app)
    return Choices(as_of, debug, agent)


def _date_of_law() -> date | None:
    now = today()
    label, before = "Normativa vigente a fecha de", st.session_state.get("as_of") or now
    limits = {"min_value": OLDEST, "max_value": now + YEARS_AHEAD}
    as_of = choose_day(None, label, before, f"as-of-{now}", **limits) or now
    # Only a chosen day is kept past midnight; «today» stays today.
    st.session_state["as_of"] = None if as_of == now else as_of
    if as_of == now:
        return None
    show(warning(f"Consulta a fecha de {day(as_of)}, no de hoy."))
    return as_of


def _conversations(app: Member) -> None:
    shown = st.session_state.get(SHOWN, FIRST)
    conversations = app.conversations.conversations(shown + 1)
    more = len(conversations) > shown
    show(html('<h2 class="art-side">Consultas anteriores</h2>'))
    if not conversations:
        show(note("Aquí aparecerán sus consultas."))
    current, now = open_conversation(), datetime.now(UTC)
    listed = _with_open(app, conversations[:shown], current)
    with st.container(key="conversations", gap=None):
        for conversation in listed:
            if conversation.id == current:
                _current(app, conversation, now)
            else:
                _entry(conversation, now)
    if more:
        label, key = "Ver más consultas", "more-conversations"
        show_more(label, key, SHOWN, shown + MORE, "history", type="tertiary")


def _with_open(app: Member, listed: list[Conversation], current: str | None) -> list[Conversation]:
    """The list, headed by an older open conversation: it can be renamed and deleted too."""
    if current is None or any(conversation.id == current for conversation in listed):
        return listed
    with suppress(NotFound):
        return [app.conversations.conversation(current), *listed]
    return listed


def _entry(conversation: Conversation, now: datetime, *, current: bool = False) -> None:
    title = label_text(conversation.title) or "Sin título"
    label = f"{title} :small[{ago(conversation.updated_at, now)}]"
    key = f"{'current' if current else 'open'}-{conversation.id}"
    button(label, key, "", go_to, conversation.id, type="tertiary", width="stretch")


def _current(app: Member, conversation: Conversation, now: datetime) -> None:
    with st.container(horizontal=True, gap=None, key="current-row", vertical_alignment="center"):
        _entry(conversation, now, current=True)
        with st.popover(
            "Opciones de la consulta", icon=":material/more_horiz:", type="tertiary", key="current-menu"
        ):
            with st.form("rename", border=False):
                title = st.text_input("Título", value=conversation.title, max_chars=80)
                if st.form_submit_button("Guardar título", icon=":material/edit:"):
                    _rename(app, conversation, title)
            if st.button("Eliminar la consulta…", icon=":material/delete:", key="delete"):
                _confirm_delete(app, conversation)


def _rename(app: Member, conversation: Conversation, title: str) -> None:
    with errors_as_sentences():
        app.conversations.rename(conversation.id, title)
        st.rerun()


@st.dialog("Eliminar la consulta", icon=":material/delete:")
@errors_as_sentences()
def _confirm_delete(app: Member, conversation: Conversation) -> None:
    st.text(f"Se eliminará «{conversation.title}» con todas sus respuestas. No se puede deshacer.")
    confirm("Eliminar", "delete", _delete, app, conversation)


def _delete(app: Member, conversation: Conversation) -> None:
    with errors_as_toasts():
        delete_conversation(app, conversation.id)
        go_to(None)


def _mode(app: Member) -> None:
    """The models in use and, once the welcome with them is gone, the notices."""
    if app.mode == "model":
        show(notes(f"{ROLES.get(role, role).capitalize()}: {name}" for role, name in app.models().items()))
    if open_conversation() is not None:
        for notice in app.notices:
            show(note(notice))


def _person(app: Member) -> None:
    """The name of the signed-in person, and the way out."""
    if app.shared:
        leave = anchor("Cerrar sesión", SIGN_OUT)
        show(html('<div class="art-person">{}{}</div>', note(app.identity.name), leave))
