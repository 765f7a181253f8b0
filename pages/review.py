"""The review page: the queue and the cases, or the answer that `answer` in its address names."""

import streamlit as st

from core.errors import NotFound
from domain.accounts import Permission
from pages.parts.common.announced import show_announced
from pages.parts.common.layout import heading, message_number, not_there, notice
from pages.parts.common.page import errors_as_sentences
from pages.parts.common.session import member
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


with errors_as_sentences():
    app = member(Permission.REVIEW)
    show_announced(app)
    notice()
    chosen = st.query_params.get("answer", "")
    try:
        if not chosen:
            show_home(app)
        else:
            number = message_number(chosen)
            # A link within the page changes the parameters but not the browser's address: writing them does.
            st.query_params["answer"] = chosen
            show_item(app, number)
    except NotFound as error:
        not_there(error)
        show_home(app)
