"""The review page: the queue and the cases, or the one answer that its address names (`answer`)."""

from __future__ import annotations

import streamlit as st

from pages._evaluation_ui import heading, not_there
from pages._review_cases import show_cases
from pages._review_item import show_item
from pages._review_queue import show_queue
from pages._session import member
from pages._ui import errors_as_sentences
from rag.accounts_types import Permission
from rag.errors import NotFound
from service.members import Member

TABS = ("Respuestas", "Casos de evaluación")
LONGEST_NUMBER = 15
INTRO = (
    "Las respuestas que ha dado Articulado, para juzgarlas. Queda constancia de quién consulta esta página y "
    "qué respuestas abre."
)


def page() -> None:
    app = member(Permission.REVIEW)
    chosen = st.query_params.get("answer", "")
    if not chosen:
        show_home(app)
        return
    try:
        if not chosen.isdecimal() or len(chosen) > LONGEST_NUMBER:
            raise NotFound("No existe esa respuesta.")
        # A link to the page that is open changes what it shows, but not the address of the browser.
        st.query_params["answer"] = chosen
        show_item(app, int(chosen))
    except NotFound as error:
        not_there(error)
        show_home(app)


def show_home(app: Member) -> None:
    heading("Revisión", INTRO)
    queue, made = st.tabs(TABS, on_change="rerun", key="review-tab")
    if queue.open:
        with queue:
            show_queue(app)
    if made.open:
        with made:
            show_cases(app)


with errors_as_sentences():
    page()
