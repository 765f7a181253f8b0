"""The empty state: purpose, corpus and example questions."""

from collections.abc import Callable

import streamlit as st

from pages.parts.common.detail import followed
from pages.parts.common.html import html, show, warning
from pages.parts.common.words import plural
from service.members.member import Member

PURPOSE = (
    "Consulte la normativa laboral y de Seguridad Social: cada cita se comprueba, letra por letra, contra el "
    "texto en vigor."
)
NOTICE = (
    "Le responde un sistema automático, no una persona, y puede equivocarse: compruebe cada respuesta en sus "
    "fuentes antes de usarla."
)
EMPTY = "Todavía no hay ninguna norma cargada. Puede hacerlo, en «Normativa», quien administra Articulado."
LOOK_SECONDS = 1.0
EXAMPLES = (
    "¿Cuántos días de vacaciones anuales corresponden al trabajador?",
    "¿Qué plazo hay para impugnar un despido y desde cuándo se cuenta?",
    "¿Cuánto dura la suspensión del contrato por nacimiento de hijo?",
    "¿Qué requisitos exige la jubilación ordinaria?",
)


def welcome(app: Member, ask: Callable[[str], None]) -> None:
    """Name, purpose, who answers, examples and corpus; `ask` receives the chosen example."""
    show(
        html(
            '<div class="art-welcome"><h1>Articulado</h1><p>{}</p><p role="note">{}</p></div>',
            PURPOSE,
            NOTICE,
        )
    )
    with st.container(key="examples"):
        left, right = st.columns(2)
        for index, example in enumerate(EXAMPLES):
            (left, right)[index % 2].button(
                example, key=f"example-{index}", width="stretch", wrap=True, on_click=ask, args=(example,)
            )
    _corpus(app)


def _corpus(app: Member) -> None:
    if app.preparing:
        followed(lambda: app.preparing, LOOK_SECONDS, lambda: show(warning(*app.notices)))
        return
    counts = app.corpus.counts()
    if not counts.norms:
        show(html('<p class="art-corpus">{}</p>', EMPTY))
        return
    facts = f"{plural(counts.norms, 'texto cargado', 'textos cargados')}: normas, sentencias y criterios"
    show(html('<p class="art-corpus">{}</p>', facts), warning(*app.notices))
