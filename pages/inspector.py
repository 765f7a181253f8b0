"""The inspector: why an article came out, the six tools over the corpus, past answers run again."""

from __future__ import annotations

import streamlit as st

from domain.accounts import Permission
from pages.parts.common.layout import heading
from pages.parts.common.page import errors_as_sentences
from pages.parts.common.session import member
from pages.parts.inspector.replay import show_replay
from pages.parts.inspector.tools import show_tools
from pages.parts.inspector.why import show_why

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
