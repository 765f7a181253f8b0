"""The first steps, three: beside the page, never over it, until they are closed or questions are asked."""

from functools import partial

import streamlit as st

from domain.preferences import Preferences
from pages.parts.common.html import html, show
from pages.parts.common.page import attempt
from pages.parts.common.widgets import button
from service.members.member import Member

STEP = "tour-step"
FEW = 3
"""Questions in one conversation, or conversations, after which the first steps are over."""
STEPS = (
    (
        "Pregunte",
        "Escriba su consulta en la caja de abajo, con sus palabras. Si la fecha importa, dígala en la "
        "pregunta o elíjala en el panel lateral: se aplica la normativa vigente ese día.",
    ),
    (
        "Lea la fuente",
        "Los números de la respuesta, como 1, abren el artículo al lado, con las palabras citadas marcadas. "
        "Léalas ahí antes de usarlas: una cita comprobada está en la norma letra por letra, pero no dice si "
        "es la que su caso necesita.",
    ),
    (
        "Sus asuntos y las normas",
        "En «Expedientes» guarda los documentos de un asunto y pregunta sobre ellos. En «Normativa» lee cada "
        "norma, también como estaba otro día.",
    ),
)
PLACES = (("pages/matters.py", "Abrir «Expedientes»"), ("pages/normativa.py", "Abrir «Normativa»"))


def show_tour(app: Member, preferences: Preferences) -> None:
    """The step that the person is at; nothing once they have closed the first steps."""
    if preferences.toured:
        return
    step = min(st.session_state.get(STEP, 0), len(STEPS) - 1)
    title, text = STEPS[step]
    with st.container(border=True, key="tour"):
        show(
            html(
                '<section class="art-tour" aria-label="Primeros pasos" data-step="{}" aria-live="polite">'
                '<p class="art-note">Primeros pasos · {} de {}</p><h2>{}</h2><p>{}</p></section>',
                step + 1,
                step + 1,
                len(STEPS),
                title,
                text,
            )
        )
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            last = step == len(STEPS) - 1
            if last:
                for file, label in PLACES:
                    st.page_link(file, label=label)
            if step:
                button("Paso anterior", "tour-back", "arrow_back", _go, step - 1, type="tertiary")
            if not last:
                button("Paso siguiente", "tour-next", "arrow_forward", _go, step + 1)
            button("Entendido" if last else "Cerrar", "tour-close", "close", _close, app, type="tertiary")


def end_tour(app: Member, preferences: Preferences, conversation_id: str) -> None:
    """Close the first steps of a person who has asked a few questions, in this conversation or in others."""
    if preferences.toured:
        return
    here, all_ = app.conversations.messages(conversation_id, 2 * FEW), app.conversations.listed(FEW)
    if len(here) == 2 * FEW or len(all_) == FEW:
        app.preferences.change(toured=True)


def _go(step: int) -> None:
    st.session_state[STEP] = step


def _close(app: Member) -> None:
    st.session_state.pop(STEP, None)
    told = "Puede volver a verlos en «Ajustes»."
    attempt(told, partial(app.preferences.change, toured=True))
