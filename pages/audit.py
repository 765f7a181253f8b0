"""«Registro»: who did what, and what the models were used for."""

from __future__ import annotations

import streamlit as st

from pages._audit_entries import show_entries
from pages._audit_usage import show_usage
from pages._evaluation_ui import heading
from pages._session import member
from pages._ui import errors_as_sentences
from rag.accounts_types import Permission

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
