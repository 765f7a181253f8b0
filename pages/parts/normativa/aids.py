"""Search aids by a model: what they would take, and those of one document."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from law.norms import Norm
from loading.ingestion.load_request import AidsCost, Staged
from pages.parts.common.confirm import done
from pages.parts.common.html import note, show, warning
from pages.parts.common.render import label_text
from pages.parts.common.words import dotted, number, plural
from pages.parts.normativa.view import queued
from service.members.member import Member

WHAT = (
    "Son palabras clave, preguntas y un resumen de cada artículo, para encontrarlo preguntando con otras "
    "palabras. El modelo lee su comienzo. No son texto de la norma, no se citan, y pueden quitarse."
)
NOT_ALL = (
    "El presupuesto de las ayudas de búsqueda no alcanza para todas: se escribirán hasta que se agote, y "
    "podrá seguir después."
)


def cost_line(cost: AidsCost) -> str:
    """'12 consultas a gpt-5-nano · al menos 14.000 tokens · 0,02 EUR'."""
    money = (
        "" if cost.money is None else f"{number(cost.money, 2 if cost.money >= 0.01 else 4)} {cost.currency}"
    )
    about = "al menos" if cost.reasons else "unos"
    return dotted(
        f"{plural(cost.calls, 'consulta', 'consultas')} a {cost.model}",
        f"{about} {number(cost.tokens)} tokens",
        money,
    )


def offer_aids(staged: Staged, at: DeltaGenerator) -> None:
    """A box for the aids that a load would be followed by; `wants_aids` says whether it is ticked."""
    if staged.aids is None:
        return
    label = f"Escribir después las ayudas de búsqueda que faltan: {cost_line(staged.aids)}"
    help_text = f"{WHAT} La carga no las espera."
    at.checkbox(label_text(label), value=True, key=_key(staged), help=help_text)
    if not staged.aids.within:
        show(warning(NOT_ALL), at=at)


def wants_aids(staged: Staged) -> bool:
    """False once the reader has taken the tick off the box of `offer_aids`."""
    return bool(st.session_state.get(_key(staged), True))


def _key(staged: Staged) -> str:
    return f"aids-{staged.key}"


def show_aids(app: Member, norm: Norm) -> None:
    """In a dialog: the aids of one document, and buttons that write those it lacks or take them off."""
    status = app.aids_status(norm.id)
    show(note(WHAT))
    some = plural(status.written, "artículo tiene ayudas escritas", "artículos tienen ayudas escritas")
    show(note(f"{some} por un modelo."))
    if app.mode != "model":
        show(note("Para escribir otras hace falta configurar un modelo."))
    if status.cost:
        show(note(f"Las que faltan: {cost_line(status.cost)}."))
        if not status.cost.within:
            show(warning(NOT_ALL))
        if st.button("Escribir las que faltan", type="primary", icon=":material/edit:", key="aids-write"):
            app.enrich(norm.id)
            queued("En cola: puede seguir consultando mientras se escriben.")
    if status.written and st.button("Quitar las del modelo", icon=":material/delete:", key="aids-remove"):
        removed = app.corrections.remove_aids(norm.id)
        done(f"Ayudas quitadas: {plural(removed, 'artículo', 'artículos')}.")
