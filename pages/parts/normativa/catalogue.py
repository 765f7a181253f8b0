"""The list of documents: search, filters, order, pages."""

import streamlit as st

from core.errors import InputError, NotFound
from domain.accounts import Permission
from law.document_records import DocumentSummary
from pages.parts.common.html import Tag, facts, show, status
from pages.parts.common.layout import link
from pages.parts.common.listing import page_number, pager, search_box
from pages.parts.common.widgets import choose, named
from pages.parts.common.words import Names, counted, today
from pages.parts.normativa.bulk import show_chosen, tick
from pages.parts.normativa.words import (
    SORTS,
    STATUSES,
    block_name,
    collection_name,
    norm_line,
    norm_tags,
    summary_line,
)
from service.members.member import Member

PAGE_SIZE = 50
REVIEW, UNDATED = "review", "undated"
ALL = ""


def show_catalogue(app: Member) -> None:
    """The documents that pass the search and the filters, a page at a time."""
    what = "Título, siglas, número, nombre de archivo, o un artículo: 41 ET"
    search = search_box(None, "Buscar", what, "catalogue-search", persist_state="session")
    named = _show_article(app, search)
    collection, state, sort = _filters(app)
    asked = (search, collection, state, sort)
    # A new search starts at its first page.
    key = f"catalogue-page-{'|'.join(asked)}"
    number = page_number(key)
    page = app.documents.page(
        search,
        collection=collection,
        state=state,
        sort=sort,
        offset=(number - 1) * PAGE_SIZE,
        limit=PAGE_SIZE,
    )
    if page.total or not named:
        show(status(_count(page.total, number, any(asked[:3]))))
    may_load = app.may(Permission.LOAD)
    if may_load and page.rows:
        show_chosen(app, [row.norm for row in page.rows])
    with st.container(key="documents", gap=None):
        names = app.names()
        for row in page.rows:
            if may_load:
                with st.container(horizontal=True, wrap=False, gap="small"):
                    tick(row.norm)
                    _row(row, names)
            else:
                _row(row, names)
    pager(page.total, PAGE_SIZE, key)


def _show_article(app: Member, search: str) -> bool:
    """The article that the search names, ahead of the documents; False if it names none."""
    try:
        norm, block = app.law.named(search)
    except (InputError, NotFound):
        return False
    with st.container(key="named-article"):
        name = f"{block.title or block_name(block)} · {norm.name}"
        link(name, doc=norm.id, block=block.id)
    return True


def _filters(app: Member) -> tuple[str, str, str]:
    left, middle, right = st.columns(3)
    collections = {ALL: "Todas"} | {name: collection_name(name) for name in app.profile.collection_weights}
    collection = choose(left, "Colección", collections, "catalogue-collection")
    states = {ALL: "Todos", **named(STATUSES), REVIEW: "Por revisar", UNDATED: "Sin fecha"}
    state = choose(middle, "Estado", states, "catalogue-state")
    sort = choose(right, "Ordenar por", SORTS, "catalogue-sort")
    return collection, state, sort


def _count(total: int, number: int, filtered: bool) -> str:
    if not total:
        return (
            "Ningún documento coincide: cambie la búsqueda o los filtros."
            if filtered
            else "Todavía no hay nada cargado: cargue documentos o añada normas del BOE."
        )
    return counted(total, number, PAGE_SIZE, "documento", "documentos")


def _row(row: DocumentSummary, names: Names) -> None:
    norm = row.norm
    name = f"{norm.alias} · {norm.title}" if norm.alias and norm.alias not in norm.title else norm.title
    with st.container(key=f"document-{norm.id}", gap=None):
        link(name, doc=norm.id)
        show(facts(_tags(row), f"{norm_line(norm)} · {summary_line(row, names)}"))


def _tags(row: DocumentSummary) -> list[Tag]:
    tags = norm_tags(row.norm, today())
    if row.record and row.record.review:
        tags.append(("Por revisar", "art-mid"))
    if not row.fragments:
        tags.append(("Sin pasajes", "art-low"))
    return tags
