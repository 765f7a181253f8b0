"""Heads, sections, notices and links shared by the views of all pages."""

import streamlit as st

from core.errors import NotFound
from pages.parts.common.html import EMPTY, html, note, show
from pages.parts.common.render import label_text
from text.links import official_url

CHAT, MATTERS = "pages/chat.py", "pages/matters.py"
NORMATIVA, TEMPLATES = "pages/normativa.py", "pages/templates.py"
NOTICE = "notice"
LONGEST_NUMBER = 15


def go(**address: str) -> None:
    """Name another view in the address, so that a refresh or a copied link reopens it."""
    st.query_params.clear()
    st.query_params.update(address)


def not_there(error: NotFound) -> None:
    """Say that the address names something that does not exist, and name the home view instead."""
    go()
    st.toast(label_text(str(error)), icon=":material/error:")


def message_number(text: str) -> int:
    """The id of an answer that an address names. Raises NotFound."""
    if not text.isdecimal() or len(text) > LONGEST_NUMBER:
        raise NotFound("No existe esa respuesta.")
    return int(text)


def back(label: str, key: str, **address: str) -> None:
    """A button that leads to another view of the page."""
    icon = ":material/arrow_back:"
    st.button(label_text(label), key=key, icon=icon, type="tertiary", on_click=go, kwargs=dict(address))


def heading(title: str, under: str = "", *, wide: bool = False) -> None:
    """The title of a view and one line under it; `wide`: the view has tables, which use the whole width."""
    kind = "art-title art-wide" if wide else "art-title"
    show(html('<div class="{}"><h1>{}</h1>{}</div>', kind, title, note(under) if under else ""))


def section(title: str, under: str = "") -> None:
    """The title of a part of a view and one line under it."""
    show(html('<h2 class="art-section">{}</h2>', title), note(under) if under else EMPTY)


def tell(text: str, icon: str = "check_circle") -> None:
    """Show `text` as a notice on the next drawing of the page."""
    st.session_state[NOTICE] = (text, f":material/{icon}:")


def notice() -> None:
    """Show the notice that `tell` left, if any."""
    text, icon = st.session_state.pop(NOTICE, ("", ""))
    if text:
        st.toast(label_text(text), icon=icon, duration="long")


def official_label(address: str) -> str:
    """Words of a link to an official source."""
    return "Ver en el BOE" if "boe.es/" in address else "Ver la fuente oficial"


def official_link(url: str) -> bool:
    """A link to a page of an official source; False, and nothing drawn, for any other address."""
    official = official_url(url)
    if official is not None:
        st.link_button(official_label(official), official, icon=":material/open_in_new:", type="tertiary")
    return official is not None


def link(label: str, *, icon: str | None = None, page: str = NORMATIVA, **address: str) -> None:
    """A link to a view of a page, the corpus unless another is named; it can be opened in a new tab."""
    st.page_link(page, label=label_text(label), icon=icon, query_params=address)
