"""Watches of a person, with buttons to pause, resume and remove each."""

from functools import partial

from domain.alerts import Watch, WatchKind
from pages.parts.common.html import note, show, titled
from pages.parts.common.layout import MATTERS, link
from pages.parts.common.listing import paged, row
from pages.parts.common.page import attempt
from pages.parts.common.widgets import button
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
    paged(watches, PAGE_SIZE, "watches", partial(_row, app))


def _row(app: Member, watch: Watch) -> None:
    with row(f"watch-{watch.id}", titled(watch.name), note(watch_line(watch))):
        _open(watch)
        again = ("Reanudar", "play_arrow") if watch.paused else ("Pausar", "pause")
        pause = (attempt, "", app.watches.pause, watch.id, not watch.paused)
        button(again[0], f"pause-{watch.id}", again[1], *pause, type="tertiary")
        remove = (attempt, "Ya no se vigila.", app.watches.unwatch, watch.id)
        button("Quitar", f"remove-{watch.id}", "delete", *remove, type="tertiary")


def _open(watch: Watch) -> None:
    label, icon = "Abrir", ":material/open_in_full:"
    if watch.kind is WatchKind.MATTER:
        link(label, icon=icon, page=MATTERS, e=watch.matter_id or "")
    else:
        link(label, icon=icon, doc=watch.norm_id)
