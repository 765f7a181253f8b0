"""The news of a person, by day and norm: what changed, and what of theirs it touches."""

from collections.abc import Sequence
from functools import partial
from itertools import groupby

import streamlit as st

from domain.alerts import NewsItem, TouchedAnswer
from law.changes import Fate
from law.events import event_told
from pages.parts.common.html import facts, note, show, titled, warning
from pages.parts.common.layout import CHAT, MATTERS, link, section
from pages.parts.common.listing import count_shown, pager, part_of, show_rest
from pages.parts.common.page import attempt
from pages.parts.common.widgets import button, panel, segments
from pages.parts.common.words import day, dotted, plural, today
from pages.parts.news.words import reasons, summary
from service.members.member import Member

UNREAD, ALL = "unread", "all"
SHOWN, PAGE_SIZE, FEW = 400, 40, 3
COUNT = "news"
EMPTY = (
    "No hay cambios que le afecten. Aquí se le dirá cuándo cambia un artículo que citan sus respuestas, "
    "aunque no vigile nada, y lo que cambie en las normas, artículos y expedientes que decida vigilar con el "
    "botón «Vigilar»."
)
ALL_READ = "No tiene novedades sin leer."


def show_news(app: Member) -> None:
    """The unread ones, or all."""
    which = segments(
        None, "Novedades", {UNREAD: "Sin leer", ALL: "Todas"}, "news-which", label_visibility="collapsed"
    )
    shown = count_shown(COUNT, SHOWN)
    page = app.news.news(shown, unread=which == UNREAD)
    if not page.items:
        show(note(ALL_READ if which == UNREAD and app.news.news(1).items else EMPTY))
        return
    if summed := summary(page.answers, page.items):
        show(warning(summed))
    if page.unread:
        button("Marcar todas como leídas", "read-all", "done_all", attempt, "", app.news.read)
    for when, of_day in groupby(part_of(page.items, PAGE_SIZE, "news-page"), lambda one: one.event.day):
        section("Hoy" if when == today() else day(when))
        for (norm_id, law), of_norm in groupby(of_day, lambda one: (one.event.norm_id, one.event.law)):
            _show_norm(app, norm_id, law, list(of_norm))
    pager(len(page.items), PAGE_SIZE, "news-page")
    show_rest("novedades", COUNT, shown, SHOWN, page.total)


def _show_norm(app: Member, norm_id: str, law: str, items: Sequence[NewsItem]) -> None:
    unread = [one.id for one in items if not one.read]
    key = f"{norm_id}-{items[0].id}"
    with st.container(border=True, key=f"news-{key}"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            show(titled(law))
            if unread:
                done = (attempt, "", app.news.read, unread)
                button("Marcar como leídas", f"read-{key}", "done", *done, type="tertiary")
        for item in items:
            _show_item(item)


def _show_item(item: NewsItem) -> None:
    event = item.event
    name = event.title if event.block_id else "Toda la norma"
    tags = [] if item.read else [("Sin leer", "art-mid")]
    show(titled(name), facts(tags, dotted(event_told(event), reasons(item))))
    with st.container(gap="xsmall"):
        _show_change(item)
        _conversations(item.answers[:FEW])
        if len(item.answers) > FEW:
            rest = item.answers[FEW:]
            count = f"Ver {plural(len(rest), 'respuesta', 'respuestas')} más"
            panel(count, f"answers-{item.id}", partial(_conversations, rest))
        for document in item.documents:
            label = f"{document.matter}: lo nombra «{document.name}»"
            link(label, icon=":material/folder_open:", page=MATTERS, e=document.matter_id)


def _conversations(answers: Sequence[TouchedAnswer]) -> None:
    for answer in answers:
        link(answer.question, icon=":material/chat:", page=CHAT, c=answer.conversation_id)


def _show_change(item: NewsItem) -> None:
    """The two wordings side by side, or the article, where there is one."""
    event = item.event
    if event.fate is Fate.REMOVED and (not event.block_id or event.before is None):
        return
    address = {"doc": event.norm_id} | ({"block": event.block_id} if event.block_id else {})
    if event.before and event.after and event.before != event.after:
        days = {"from": event.before.isoformat(), "to": event.after.isoformat()}
        link("Qué cambió", icon=":material/difference:", **address, **days)
        return
    on = event.after or event.before
    if event.block_id and on:
        address["on"] = on.isoformat()
    link("Ver el artículo" if event.block_id else "Ver la norma", icon=":material/article:", **address)
