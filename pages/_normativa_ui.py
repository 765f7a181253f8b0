"""What the views of the corpus pages share: notices, links between documents, titles in labels."""

from __future__ import annotations

import streamlit as st

from pages._render import label_text
from rag.errors import NotFound
from rag.ingestion.loaders.source import SUFFIXES
from rag.types import Norm
from service.members import Member

PAGE = "pages/normativa.py"
NOTICE = "normativa-notice"
TAB, NEXT = "tab", "next-tab"
CATALOGUE, UPLOAD, BOE, JOBS = TABS = ("Catálogo", "Cargar", "BOE", "Trabajos")

ACCEPTED = sorted({"xml", *(suffix.removeprefix(".") for suffix in SUFFIXES)})
"""Endings that a file may have; what it is, is decided by what it holds."""


def tell(text: str) -> None:
    """Say `text` when the page is drawn next."""
    st.session_state[NOTICE] = text


def notice() -> None:
    text = st.session_state.pop(NOTICE, "")
    if text:
        st.toast(label_text(text), icon=":material/check_circle:", duration="long")


def open_tab(name: str) -> None:
    """Show that tab of the home view when it is drawn next."""
    st.session_state[NEXT] = name


def link(label: str, *, icon: str | None = None, **address: str) -> None:
    """A link to another view of the corpus; it can be copied or opened in a tab of its own."""
    st.page_link(PAGE, label=label_text(label), icon=icon, query_params=address)


def stored(app: Member, norm_id: str) -> Norm:
    """Raises NotFound."""
    norm = app.corpus.norm(norm_id)
    if norm is None:
        raise NotFound("Ese documento no está en el corpus: puede que se haya eliminado.")
    return norm
