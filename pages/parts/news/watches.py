"""Watches of a person, with buttons to pause, resume and remove each."""

import streamlit as st

from domain.alerts import Watch, WatchKind
from pages.parts.common.html import note, show, titled
from pages.parts.common.layout import link
from pages.parts.common.page import attempt
from pages.parts.common.widgets import button, pager, part_of
from pages.parts.news.listed import MATTERS
from pages.parts.news.words import watch_line
from service.members.member import Member

PAGE_SIZE = 30
NOTHING = (
    "No vigila nada todavía. El botón «Vigilar» está en cada norma y artículo de «Normativa», en las fuentes "
    "de cada respuesta y en cada expediente."
)


def show_watches(app: Member) -> None:
    """The list, by kind, the latest first."""
    watches = app.watches.watches()
    if not watches:
        show(note(NOTHING))
        return
    with st.container(key="watches", gap="small"):
        for watch in part_of(watches, PAGE_SIZE, "watches-page"):
            _row(app, watch)
    pager(len(watches), PAGE_SIZE, "watches-page")


def _row(app: Member, watch: Watch) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"watch-{watch.id}"):
        with st.container(gap=None):
            show(titled(watch.name), note(watch_line(watch)))
        _open(watch)
        again = ("Reanudar", "play_arrow") if watch.paused else ("Pausar", "pause")
        pause = (attempt, "", app.watches.pause, watch.id, not watch.paused)
        button(again[0], f"pause-{watch.id}", again[1], *pause, type="tertiary")
        remove = (attempt, "Ya no se vigila.", app.watches.unwatch, watch.id)
        button("Quitar", f"remove-{watch.id}", "delete", *remove, type="tertiary")


def _open(watch: Watch) -> None:
    label, icon = "Abrir", ":material/open_in_full:"
    if watch.kind is WatchKind.MATTER:
        st.page_link(MATTERS, label=label, icon=icon, query_params={"e": watch.matter_id or ""})
    else:
        link(label, icon=icon, doc=watch.norm_id)
