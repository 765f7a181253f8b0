"""«Registro»: who did what, and what the models were used for."""

from __future__ import annotations

import streamlit as st

from domain.accounts import Permission
from pages.parts.audit.entries import show_entries
from pages.parts.audit.usage import show_usage
from pages.parts.common.layout import heading
from pages.parts.common.page import errors_as_sentences
from pages.parts.common.session import member

TABS = ("Actividad", "Consumo")
INTRO = (
    "Quién hizo qué y cuándo, sin el texto de las preguntas. Cada entrada va encadenada a la anterior: si "
    "alguien cambia o quita una, la verificación lo descubre."
)


def page() -> None:
    app = member(Permission.AUDIT)
    heading("Registro", INTRO)
    activity, usage = st.tabs(TABS, on_change="rerun", key="audit-tab")
    if activity.open:
        with activity:
            show_entries(app)
    if usage.open:
        with usage:
            show_usage(app)


with errors_as_sentences():
    page()
