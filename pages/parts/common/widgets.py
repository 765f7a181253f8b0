"""Boxes of a form, and its buttons; downloads, tables, panels and tabs.

A form is a function that draws these boxes, in `st.form` where they are sent together. Its button calls a
door with `page.attempt`, which tells on the next drawing what was done or why it was refused; or the page
calls the door itself, and the error is shown as a sentence where the form is drawn.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from calculations.calendars import place_key
from pages.parts.common.page import attempt, errors_as_sentences
from service.oversight.cells import plain_cell

T = TypeVar("T")
Place = DeltaGenerator | None
"""A column or container, or None for the place where the page is."""


def button(label: str, key: str, icon: str, action: Callable[..., Any], *args: Any, **look: Any) -> None:
    """A button that calls `action(*args)` before the page is drawn again.

    Args:
        icon: the name of a Material symbol, or '' for none.
        look: other parameters of `st.button`.
    """
    mark = f":material/{icon}:" if icon else None
    st.button(label, key=key, icon=mark, on_click=action, args=args, **look)


def drop_uploads(files: Iterable[UploadedFile]) -> None:
    """Drop files that have been taken in: Streamlit would keep them in memory until the page is closed."""
    drawing = get_script_run_ctx()
    if drawing and isinstance(drawing.uploaded_file_mgr, MemoryUploadedFileManager):
        for file in files:
            drawing.uploaded_file_mgr.remove_file(drawing.session_id, file.file_id)


def download(
    label: str, data: str | bytes, file_name: str, mime: str, key: str, *, record: tuple[object, ...] = ()
) -> None:
    """A button that gives out a file.

    Args:
        record: `Member.exported` with the kind and target for the audit log; () records nothing on the press.
    """
    st.download_button(
        label,
        data,
        file_name=file_name,
        mime=mime,
        icon=":material/download:",
        key=key,
        on_click=attempt if record else "ignore",
        args=("", *record),
    )


def grid(rows: Iterable[Mapping[str, object]], alt: str, **look: Any) -> None:
    """A table that can be sorted and saved as CSV, which Streamlit writes as the cells are.

    Args:
        alt: what it shows, for screen readers.
        look: other parameters of `st.dataframe`.
    """
    plain = [
        {name: plain_cell(cell) if isinstance(cell, str) else cell for name, cell in row.items()}
        for row in rows
    ]
    st.dataframe(plain, hide_index=True, alt=alt, **look)


def choose(
    at: Place,
    label: str,
    words: Mapping[T, str],
    key: str,
    *,
    keep: bool = True,
    start: object = None,
    **look: Any,
) -> T:
    """A box with the keys of `words`, shown by their words.

    Args:
        keep: the choice survives a change of page.
        start: the key that it begins with; the first without it.
        look: other parameters of `st.selectbox`.
    """
    first = list(words).index(start) if start in words else 0  # type: ignore[arg-type]
    look = {"persist_state": "session" if keep else None} | look
    chosen: T = (at or st).selectbox(label, words.keys(), first, words.__getitem__, key, **look)
    return chosen


def segments(at: Place, label: str, words: Mapping[T, str], key: str, **look: Any) -> T:
    """The keys of `words` in a row, shown by their words: one is always chosen, at first the first.

    Args:
        look: other parameters of `st.segmented_control`, such as another `default`.
    """
    look = {"default": next(iter(words))} | look
    chosen: T = (at or st).segmented_control(
        label, list(words), format_func=words.__getitem__, required=True, key=key, **look
    )
    return chosen


def choose_seat(label: str, seats: Mapping[str, str], key: str, start: str = "", **look: Any) -> str | None:
    """A box with the seats of courts, empty at first, which takes other names of them as they are typed."""
    chosen = st.selectbox(
        label,
        list(seats),
        index=list(seats).index(start) if start in seats else None,
        format_func=lambda name: seats.get(name, name),
        key=key,
        placeholder="Escriba o elija la sede",
        accept_new_options=True,
        **look,
    )
    return next((seat for seat in seats if chosen and place_key(seat) == place_key(chosen)), chosen)


def named(names: Iterable[str]) -> dict[str, str]:
    """Choices shown by their own names."""
    return {name: name for name in names}


def choose_day(at: Place, label: str, value: date | None, key: str, **look: Any) -> date | None:
    """A box with a day, or None while it is empty; `look`: other parameters of `st.date_input`.

    Its limits are for what is chosen: a day that is there already, of a norm or an address, may lie beyond.
    """
    for limit, reach in (("min_value", min), ("max_value", max)):
        if value and limit in look:
            look[limit] = reach(look[limit], value)
    chosen = (at or st).date_input(label, value, format="DD/MM/YYYY", key=key, **look)
    return chosen if isinstance(chosen, date) else None


def panel(label: str, key: str, draw: Callable[[], object], **look: Any) -> None:
    """An expander whose content is drawn only while it is open; `look`: other parameters of `st.expander`."""
    opened = st.expander(label, key=key, on_change="rerun", **look)
    if opened.open:
        with opened, errors_as_sentences():
            draw()


def tabs(views: Mapping[str, Callable[[], object]], key: str, on_change: Any = "rerun") -> None:
    """Tabs of which only the open one is drawn; an error stays within its tab."""
    for tab, draw in zip(st.tabs(list(views), on_change=on_change, key=key), views.values(), strict=True):
        if tab.open:
            with tab, errors_as_sentences():
                draw()
