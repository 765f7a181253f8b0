"""A list: what narrows it, its pages or its «ver más», and its rows with their buttons.

A page narrows its items with `search_box`, `period` and the choices of `widgets`, says how many are left
(`words.counted`), and draws them with one of:

- `paged`: all items are at hand, a page of them at a time;
- `growing`: all items are at hand, the first of them and a button for more;
- `page_number` and `pager`, `count_shown` and `show_rest`: the store gives a page, or the first of them.

Each item is a `row`: what it says, and its buttons drawn within the `with`.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, time, timedelta
from typing import Any, Literal, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.clock import SPAIN
from pages.parts.common.html import Html, show
from pages.parts.common.widgets import Place, button
from pages.parts.common.words import today

T = TypeVar("T")
Gap = Literal["small", "xsmall"] | None


def search_box(at: Place, label: str, placeholder: str, key: str, **look: Any) -> str:
    """A box for words to search for, which applies while it is written; `look`: as in `st.text_input`."""
    icon = ":material/search:"
    return str((at or st).text_input(label, placeholder=placeholder, icon=icon, key=key, live=True, **look))


def period(at: DeltaGenerator, key: str, *, keep: bool = True) -> tuple[datetime | None, datetime | None]:
    """Two days in Spain: the moment the first begins, and the moment after the second ends.

    Each is None while its day is not chosen.
    """
    days = at.date_input(
        "Fechas",
        [],
        max_value=today(),
        format="DD/MM/YYYY",
        key=key,
        persist_state="session" if keep else None,
    )
    since = datetime.combine(days[0], time(), SPAIN) if days else None
    until = datetime.combine(days[1] + timedelta(days=1), time(), SPAIN) if len(days) == 2 else None
    return since, until


@contextmanager
def row(key: str, *told: Html, beside: float = 0, border: bool = False) -> Iterator[None]:
    """An item: what it says and, beside it, the buttons that are drawn within.

    Args:
        beside: part of the width that is kept for the buttons; 0: they take what they need.
    """
    if beside:
        with st.container(key=key, border=border):
            text, buttons = st.columns((1 - beside, beside), vertical_alignment="center")
            show(*told, at=text)
            with buttons:
                yield
        return
    with st.container(horizontal=True, vertical_alignment="center", key=key):
        with st.container(gap=None):
            show(*told)
        yield


def paged(
    items: Sequence[T], size: int, key: str, draw: Callable[[T], object], *, gap: Gap = "small"
) -> None:
    """The items of the page that is chosen under them; `key`: of the list, as the style sheet names it."""
    with st.container(key=key, gap=gap):
        for one in part_of(items, size, f"{key}-page"):
            draw(one)
    pager(len(items), size, f"{key}-page")


def page_number(key: str) -> int:
    """The page that is chosen, from 1."""
    chosen: int = st.session_state.get(key, 1)
    return chosen


def part_of(items: Sequence[T], size: int, key: str) -> Sequence[T]:
    """The items of the page stored at `key`; of the last page if that one is past the end."""
    pages = max(1, -(-len(items) // size))
    first = (min(page_number(key), pages) - 1) * size
    return items[first : first + size]


def pager(total: int, size: int, key: str) -> None:
    """The numbers of the pages, from 1, if there are several; the chosen one is stored at `key`."""
    if total > size:
        st.pagination(-(-total // size), key=key)


def growing(
    items: Sequence[T],
    first: int,
    key: str,
    draw: Callable[[T], object],
    *,
    more: str = "Ver más",
    gap: Gap = "small",
) -> None:
    """The first items and, while there are others, a button that shows as many more."""
    shown = count_shown(key, first)
    with st.container(key=key, gap=gap):
        for one in items[:shown]:
            draw(one)
    if len(items) > shown:
        show_more(more, key, shown + first)


def count_shown(key: str, first: int) -> int:
    """How many items of the list are drawn: `first` until more are asked for."""
    count: int = st.session_state.get(f"{key}-shown", first)
    return count


def show_more(label: str, key: str, count: int, icon: str = "", **look: Any) -> None:
    """A button that has `count` items of the list drawn."""
    button(label, f"more-{key}", icon, st.session_state.__setitem__, f"{key}-shown", count, **look)


def show_rest(what: str, key: str, shown: int, more: int, total: int) -> None:
    """Under a list of the first `shown` of `total`: how many there are, on a button that shows `more`."""
    if total > shown:
        show_more(f"Ver más {what} ({shown} de {total})", key, shown + more, "history", type="tertiary")
