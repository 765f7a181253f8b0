"""The way to an article by its citation. Ctrl+K leads to its box in the side panel (web/static/keys.js)."""

import streamlit as st

from core.errors import InputError, NotFound
from pages.parts.common.html import show, warning
from pages.parts.common.page import errors_as_sentences
from service.members.member import Member

BOX, WANTED, NO_ARTICLE = "lookup", "lookup-wanted", "lookup-none"
NORMATIVA = "pages/normativa.py"


def show_lookup(app: Member) -> None:
    """The box; opens the article that was named in it."""
    wanted = st.session_state.pop(WANTED, "")
    if wanted:
        with errors_as_sentences():
            _open(app, wanted)
    st.text_input(
        "Ir a un artículo",
        key=BOX,
        placeholder="41 ET · DT 11 ET · LISOS 40",
        icon=":material/search:",
        on_change=_take,
        help="Escriba el artículo y la norma, en cualquier orden, y pulse Intro. Con Ctrl+K se llega aquí.",
    )
    if told := st.session_state.pop(NO_ARTICLE, ""):
        show(warning(told))


def _take() -> None:
    """Empty the box, so that it is not opened again on the way back."""
    st.session_state[WANTED] = st.session_state[BOX]
    st.session_state[BOX] = ""


def _open(app: Member, text: str) -> None:
    try:
        norm, block = app.law.named(text)
    except (InputError, NotFound) as error:
        st.session_state[NO_ARTICLE] = str(error)
    else:
        st.switch_page(NORMATIVA, query_params={"doc": norm.id, "block": block.id})
