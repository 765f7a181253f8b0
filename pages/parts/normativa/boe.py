"""Norms from the BOE: a list to tick, others by number, and updates."""

import re
from collections.abc import Sequence, Set
from itertools import groupby

import streamlit as st

from loading.boe.boe_norms import Entry, entries
from loading.records.jobs import Job
from pages.parts.common.html import note, show, warning
from pages.parts.common.layout import link, section
from pages.parts.common.render import label_text
from pages.parts.common.words import plural
from pages.parts.normativa.view import queued
from service.members.member import Member

NUMBER = re.compile(r"BOE-[A-Z]-\d{4}-\d{1,6}", re.IGNORECASE)
AIDS = (
    "Después, en segundo plano, un modelo escribe las ayudas de búsqueda de los artículos que no las tengan, "
    "dentro del presupuesto configurado; puede cancelarlo en «Trabajos»."
)
OTHERS = "Otras normas, por su identificador del BOE"


def show_boe(app: Member) -> None:
    """Update the loaded norms, or add others."""
    loaded = {norm.id for norm in app.corpus.norms()}
    _show_update(app, [norm_id for norm_id in loaded if NUMBER.fullmatch(norm_id)])
    section(
        "Añadir normas",
        "Texto consolidado con todas sus redacciones, de la colección de datos abiertos del BOE.",
    )
    chosen = [
        norm_id
        for matter, listed in groupby(entries(), key=lambda entry: entry.matter)
        for norm_id in _ticked(matter, list(listed), loaded)
    ]
    written = st.text_input(OTHERS, placeholder="BOE-A-2015-11430, BOE-A-2015-11724", key="boe-others")
    chosen += [number.upper() for number in NUMBER.findall(written) if number.upper() not in chosen]
    if written.strip() and not NUMBER.findall(written):
        show(warning("Un identificador del BOE se escribe así: BOE-A-2015-11430."))
    if app.writes_aids:
        show(note(AIDS))
    label = f"Añadir {plural(len(chosen), 'norma', 'normas')}" if chosen else "Añadir"
    if st.button(label, type="primary", icon=":material/add:", key="boe-add", disabled=not chosen):
        _queued(app.boe_add(chosen))


def _show_update(app: Member, loaded: Sequence[str]) -> None:
    section("Actualizar", "Pregunta al BOE qué ha cambiado y lo trae, artículo por artículo.")
    if not loaded:
        show(note("Todavía no hay ninguna norma del BOE cargada."))
        return
    label = f"Actualizar {plural(len(loaded), 'norma cargada', 'normas cargadas')}"
    if st.button(label, icon=":material/sync:", key="boe-update"):
        _queued(app.boe_update([]))


def _ticked(matter: str, listed: Sequence[Entry], loaded: Set[str]) -> list[str]:
    """The ticked norms of a matter; those already loaded are shown as links."""
    held = sum(entry.id in loaded for entry in listed)
    marked = [entry.id for entry in listed if st.session_state.get(f"boe-{entry.id}")]
    count = f"{held} de {len(listed)} cargadas" + (f", {len(marked)} por añadir" if marked else "")
    with st.expander(label_text(f"{matter} · {count}"), key=f"matter-{matter}"):
        for entry in listed:
            if entry.id in loaded:
                link(entry.title, doc=entry.id, icon=":material/check:")
            else:
                st.checkbox(label_text(entry.title), key=f"boe-{entry.id}")
    return marked


def _queued(job: Job) -> None:
    for key in [key for key in st.session_state if str(key).startswith("boe-BOE")]:
        del st.session_state[key]
    queued(f"En cola: {job.title}.")
