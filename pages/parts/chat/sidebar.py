"""The side panel: conversations, the date of the law, the mode, and the debug switch."""

from dataclasses import dataclass, replace
from datetime import date
from functools import partial

import streamlit as st

from domain.preferences import Preferences
from pages.parts.chat.conversations import show_conversations
from pages.parts.chat.law_day import begin_again, day_of_law, standing_day
from pages.parts.chat.leaving import offer
from pages.parts.chat.lookup import show_lookup
from pages.parts.common.html import html, note, notes, show
from pages.parts.common.page import attempt, open_conversation
from pages.parts.common.session import SIGN_OUT, anchor
from pages.parts.common.widgets import button
from pages.parts.common.words import ROLES, plural
from service.members.member import Member

AGENT, DEBUG = "agent", "debug"


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


def standing(drawn: Choices) -> Choices:
    """The choices as their boxes stand.

    A callback runs before the page is drawn again: a day or a switch changed just before would not count.
    """
    agent = bool(st.session_state.get(AGENT, drawn.agent))
    return replace(drawn, as_of=standing_day(drawn.as_of), agent=agent)


def sidebar(app: Member, preferences: Preferences) -> Choices:
    """Draw the side panel and return the choices made in it."""
    with st.sidebar:
        show(html('<p class="art-brand"><span aria-hidden="true">§</span>Articulado</p>'))
        button("Nueva consulta", "new", "edit_square", begin_again, type="primary", width="stretch")
        show_lookup(app)
        _news(app)
        as_of = day_of_law(preferences)
        offer(app)
        agent = app.mode == "model" and st.toggle(
            "Modo investigación",
            key=AGENT,
            help="El modelo busca por su cuenta, en varias rondas. Tarda más y gasta más.",
        )
        show_conversations(app)
        debug = st.checkbox(
            "Mostrar el detalle técnico",
            preferences.detail,
            key=DEBUG,
            on_change=_keep_detail,
            args=(app,),
            help="Bajo cada respuesta: qué se buscó, qué se leyó y cómo se comprobó.",
        )
        _mode(app)
        _person(app)
    return Choices(as_of, debug, agent)


def _keep_detail(app: Member) -> None:
    attempt("", partial(app.preferences.change, detail=st.session_state[DEBUG]))


def _news(app: Member) -> None:
    """The way to the news that are not read; nothing without any."""
    if unread := app.news.unread():
        label = f"Novedades: {plural(unread, 'cambio', 'cambios')} sin leer"
        st.page_link("pages/news.py", label=label, icon=":material/notifications:")


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
