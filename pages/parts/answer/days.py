"""One click to ask again with the law of another day: today's, or a day that the question names."""

from collections.abc import Callable
from datetime import date

import streamlit as st

from core.clock import spanish_day
from pages.parts.common.words import day, today
from rag.shared.messages import Message

MOST = 4


def other_days(message: Message) -> list[tuple[date, str]]:
    """The days whose law the question may be asked about again, with their labels; four at most."""
    answer = message.answer
    if answer is None or answer.as_of is None:
        return []
    asked_on = spanish_day(message.created_at)
    found = {
        asked: f"Preguntar a fecha de {day(asked)}" for asked in answer.other_days if asked != answer.as_of
    }
    if answer.as_of != asked_on:
        found = {today(): "Preguntar con la normativa de hoy"} | found
    return list(found.items())[:MOST]


def show_other_days(message: Message, ask: Callable[[date], None]) -> None:
    """A button for each other day; `ask` asks the question again with the law of a day."""
    if not (days := other_days(message)):
        return
    with st.container(horizontal=True, key=f"days-{message.id}", gap="small"):
        for asked, label in days:
            if st.button(label, key=f"day-{message.id}-{asked}", icon=":material/event:", type="tertiary"):
                ask(asked)
