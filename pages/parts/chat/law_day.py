"""The day whose law the next question is about: the person's usual one, or another that they choose."""

from collections.abc import Callable
from datetime import date
from typing import NamedTuple

import streamlit as st

from domain.preferences import DefaultDay, Preferences
from pages.parts.common.html import html, note, show, warning
from pages.parts.common.page import (
    CHOSEN_DAY,
    DAY_ROUND,
    back_to_box,
    errors_as_toasts,
    forget_day,
    go_to,
    open_conversation,
)
from pages.parts.common.widgets import button, choose_day
from pages.parts.common.words import OLDEST, YEARS_AHEAD, day, shortened, today
from service.members.member import Member

LABEL = "Normativa vigente a fecha de"
HELD, ASKED = "day-held", "day-asked"
SHOWN = 300


class Held(NamedTuple):
    """A question that waits for its day, and what asks it about one."""

    question: str
    ask: Callable[[date | None], object]


def begin_again() -> None:
    """Open a new conversation, about the usual day."""
    go_to(None)
    forget_day()


def day_of_law(preferences: Preferences) -> date | None:
    """The box with the day; None while it is today's."""
    now = today()
    usual = preferences.fixed_day if preferences.day is DefaultDay.FIXED else None
    before = st.session_state.get(CHOSEN_DAY, usual) or now
    as_of = _box(before, _key(now)) or now
    # Only a chosen day is kept past midnight; «today» stays today.
    st.session_state[CHOSEN_DAY] = None if as_of == now else as_of
    if as_of == now:
        return None
    why = " Es su fecha de «Ajustes»." if as_of == usual else ""
    show(warning(f"Consulta a fecha de {day(as_of)}, no de hoy.{why}"))
    return as_of


def standing_day(drawn: date | None) -> date | None:
    """The day in the box as it stands, or the one drawn if the box is gone; None while it is today's."""
    now = today()
    if _key(now) not in st.session_state:
        return drawn
    chosen: date | None = st.session_state[_key(now)]
    return None if chosen == now else chosen


def _key(now: date) -> str:
    return f"as-of-{now}-{st.session_state.get(DAY_ROUND, 0)}"


def keep_for_day(
    app: Member, question: str, as_of: date | None, ask: Callable[[date | None], object]
) -> bool:
    """Keep the first question of a conversation until its day is told, if the person wants to be asked for it
    and has chosen none; True if it is kept."""
    if as_of is not None or open_conversation() is not None:
        return False
    if app.preferences.read().day is not DefaultDay.ASK:
        return False
    st.session_state[HELD] = Held(question, ask)
    return True


def show_kept() -> None:
    """The question that is kept, with a box for its day; nothing if none is."""
    held: Held | None = st.session_state.get(HELD)
    if held is None or open_conversation() is not None:
        return
    with st.container(border=True, key="day-of-question"):
        show(
            html('<h2 class="art-side">¿A qué fecha es su consulta?</h2>'),
            note(shortened(held.question, SHOWN)),
        )
        _box(today(), ASKED)
        with st.container(horizontal=True):
            button("Preguntar a esa fecha", "day-ask", "send", _ask, type="primary")
            button("Cancelar", "day-cancel", "close", back_to_box, HELD)


def _box(value: date, key: str) -> date | None:
    return choose_day(None, LABEL, value, key, min_value=OLDEST, max_value=today() + YEARS_AHEAD)


@errors_as_toasts()
def _ask() -> None:
    chosen = st.session_state[ASKED] or today()
    held: Held = st.session_state.pop(HELD)
    as_of = None if chosen == today() else chosen
    forget_day()
    st.session_state[CHOSEN_DAY] = as_of
    held.ask(as_of)
