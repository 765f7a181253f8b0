"""The review page: the queue and the cases, or the answer that `answer` in its address names."""

import streamlit as st

from domain.accounts import Permission
from pages.parts.common.announced import show_announced
from pages.parts.common.detail import opened, or_home
from pages.parts.common.layout import heading, message_number
from pages.parts.common.widgets import tabs
from pages.parts.review.cases import show_cases
from pages.parts.review.item import show_item
from pages.parts.review.queue import show_queue
from service.members.member import Member

INTRO = (
    "Las respuestas que ha dado Articulado, para juzgarlas. Queda constancia de quién consulta esta página y "
    "qué respuestas abre."
)


def show_home(app: Member) -> None:
    """The queue and the cases, a tab each."""
    heading("Revisión", INTRO)
    views = {"Respuestas": lambda: show_queue(app), "Casos de evaluación": lambda: show_cases(app)}
    tabs(views, "review-tab")


with opened(Permission.REVIEW) as app:
    show_announced(app)
    with or_home(show_home, app):
        if chosen := st.query_params.get("answer", ""):
            show_item(app, message_number(chosen))
        else:
            show_home(app)
