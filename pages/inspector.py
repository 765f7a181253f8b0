"""The inspector: why an article came out, the six tools over the corpus, past answers run again."""

from __future__ import annotations

import streamlit as st

from pages._evaluation_ui import heading
from pages._inspector_replay import show_replay
from pages._inspector_tools import show_tools
from pages._inspector_why import show_why
from pages._session import member
from pages._ui import errors_as_sentences
from rag.accounts_types import Permission

TABS = ("¿Por qué salió esto?", "Herramientas", "Respuestas anteriores")
INTRO = (
    "El corpus y la búsqueda tal como los ve Articulado. Nada de lo que haga aquí cambia ninguna respuesta."
)


def page() -> None:
    app = member(Permission.INSPECT)
    heading("Inspector", INTRO)
    views = (show_why, show_tools, show_replay)
    for tab, show in zip(st.tabs(TABS, on_change="rerun", key="inspector-tab"), views, strict=True):
        if tab.open:
            with tab, errors_as_sentences():
                show(app)


with errors_as_sentences():
    page()
