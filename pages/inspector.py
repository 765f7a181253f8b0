"""The inspector: the ranking of an article, the six tools over the corpus, past answers run again."""

from functools import partial

import streamlit as st

from domain.accounts import Permission
from pages.parts.common.detail import opened
from pages.parts.common.layout import heading
from pages.parts.common.widgets import tabs
from pages.parts.inspector.replay import show_replay
from pages.parts.inspector.tools import show_tools
from pages.parts.inspector.why import show_why

VIEWS = {
    "¿Por qué salió esto?": show_why,
    "Herramientas": show_tools,
    "Respuestas anteriores": show_replay,
}
TAB, ASKED = "inspector-tab", "inspector-asked"
INTRO = (
    "El corpus y la búsqueda tal como los ve Articulado. Nada de lo que haga aquí cambia ninguna respuesta."
)


with opened(Permission.INSPECT) as app:
    heading("Inspector", INTRO, wide=True)
    asked = st.query_params.get("answer", "")
    if asked and st.session_state.get(ASKED) != asked:
        st.session_state.update({ASKED: asked, TAB: "Respuestas anteriores"})
    tabs({name: partial(draw, app) for name, draw in VIEWS.items()}, TAB)
