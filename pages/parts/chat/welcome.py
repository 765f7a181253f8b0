"""The empty state: what Articulado is, what it knows and what it may be asked."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import streamlit as st

from pages.parts.common.words import number, plural
from service.members.member import Member

EXAMPLES = (
    "¿Cuántos días de vacaciones anuales corresponden al trabajador?",
    "¿Qué plazo hay para impugnar un despido y desde cuándo se cuenta?",
    "¿Cuánto dura la suspensión del contrato por nacimiento de hijo?",
    "¿Qué requisitos exige la jubilación ordinaria?",
)


def welcome(app: Member, ask: Callable[[str], None]) -> None:
    """Name, purpose, corpus and example questions; `ask` receives the one that is chosen."""
    st.html(
        '<div class="art-welcome"><h1>Articulado</h1>'
        "<p>Consulte la normativa laboral y de Seguridad Social: cada cita se comprueba, "
        "letra por letra, contra el texto en vigor.</p></div>"
    )
    with st.container(key="examples"):
        left, right = st.columns(2)
        for index, example in enumerate(EXAMPLES):
            (left, right)[index % 2].button(
                example, key=f"example-{index}", width="stretch", wrap=True, on_click=ask, args=(example,)
            )
    _corpus(app)


def _corpus(app: Member) -> None:
    counts = app.corpus.counts()
    if not counts.norms:
        st.html(
            '<p class="art-corpus">El corpus está vacío: cargue normativa con '
            "<code>python cli.py ingest CARPETA</code>.</p>"
        )
        return
    facts = f"{plural(counts.norms, 'norma', 'normas')} · {plural(counts.chunks, 'fragmento', 'fragmentos')}"
    if counts.pending_dense and app.has_embedder:
        facts += f" · {number(counts.pending_dense)} en preparación para la búsqueda semántica"
    st.html(f'<p class="art-corpus">Corpus: {facts}</p>')
    told = "".join(f"<p>{escape(notice)}</p>" for notice in app.notices)
    if told:
        st.html(f'<div class="art-warn">{told}</div>')
