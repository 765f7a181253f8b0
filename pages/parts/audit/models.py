"""The trial of the models: its button, and what each endpoint can do."""

from concurrent.futures import Future

import streamlit as st

from models.probe_results import MARKS, Probed, RoleProbe, announced, rows
from pages.parts.common.detail import followed
from pages.parts.common.html import note, notes, show, status, table, warning
from pages.parts.common.layout import section
from service.members.member import Member

POLL_SECONDS = 1.0
RUNNING = "model-probe"
INTRO = (
    "Comprueba, con peticiones cortas y una larga, qué sabe hacer el servidor de cada modelo y si los ajustes"
    " le convienen. También: «python cli.py model»."
)
TRYING = "Probando… Puede tardar unos minutos si el servidor tiene que cargar el modelo."


def show_models(app: Member) -> None:
    """The button, the trial under way, or the result of the last one."""
    show(note(INTRO), note(announced(app.model_probe.sends())))
    running: Future[Probed] | None = st.session_state.get(RUNNING)
    waits = running is not None and not running.done()
    if st.button("Probar el modelo", type="primary", icon=":material/network_check:", disabled=waits):
        st.session_state[RUNNING] = app.model_probe.start()
        st.rerun()
    if running is None:
        return
    if waits:
        followed(lambda: not running.done(), POLL_SECONDS, lambda: show(status(TRYING)))
        return
    if running.exception() is not None:
        del st.session_state[RUNNING]
    found = running.result()
    show(status(found.verdict))
    for probe in found.roles:
        _show(probe)


def _show(probe: RoleProbe) -> None:
    section(probe.title)
    lines = [(f"{MARKS[good]} {what}", told) for good, what, told in rows(probe)]
    show(table(("Prueba", "Resultado"), lines))
    show(notes([f"Uso en el programa: {probe.uses}."] if probe.uses else []))
    show(notes(probe.advice) if probe.works else warning(*probe.advice))
