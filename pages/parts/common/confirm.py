"""A dialog, and the one that asks before something is lost.

A page asks with `confirm` from the press of a button: `if st.button("Eliminar…"): confirm(…)`. A dialog of
its own is a function under `dialog`, called from the press. One with boxes to fill outlives a drawing of the
whole page: its button calls `open_dialog`, the page draws it with `show_open`, and it ends with `done`.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, NoReturn, ParamSpec

import streamlit as st

from pages.parts.common.html import Html, show
from pages.parts.common.layout import tell
from pages.parts.common.page import errors_as_sentences

P = ParamSpec("P")
OPEN = "open-dialog"


class Open(NamedTuple):
    """The open dialog, the id of what it is about, and what it keeps until it is closed."""

    name: str = ""
    about: str = ""
    kept: Any = None


def dialog(title: str, icon: str, **look: Any) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Decorator of a function that draws a dialog; `look`: other parameters of `st.dialog`."""

    def made(draw: Callable[P, None]) -> Callable[P, None]:
        opened: Callable[P, None] = st.dialog(title, icon=f":material/{icon}:", **look)(
            errors_as_sentences()(draw)
        )
        return opened

    return made


def confirm(
    title: str,
    said: str,
    yes: str,
    key: str,
    action: Callable[..., Any],
    *args: Any,
    icon: str = "delete",
    width: Literal["small", "medium"] = "small",
) -> None:
    """A dialog that asks before something is lost; `action` is called before the page is drawn again.

    Args:
        said: what will happen, as text or `Html`.
        yes: the button that has it done.
    """

    @dialog(title, icon, width=width, on_dismiss=close)
    def ask() -> None:
        if isinstance(said, Html):
            show(said)
        else:
            st.text(said)
        with st.container(horizontal=True):
            pressed = st.button(yes, type="primary", key=f"{key}-yes", on_click=action, args=args)
            if st.button("Cancelar", key=f"{key}-no") or pressed:
                done()

    ask()


def open_dialog(name: str, about: str = "", kept: Any = None) -> None:
    """Keep it in the session rather than in the press of a button, which the next drawing forgets."""
    st.session_state[OPEN] = Open(name, about, kept)


def opened() -> Open:
    """The dialog that is open; one without a name if there is none."""
    found: Open = st.session_state.get(OPEN, Open())
    return found


def close() -> None:
    """Close it and forget what it kept: `on_dismiss` of a dialog that outlives a drawing."""
    st.session_state.pop(OPEN, None)


def show_open(dialogs: Mapping[str, Callable[[], None]], about: str = "") -> None:
    """Draw the dialog that is open about this, if it is one of these."""
    found = opened()
    if found.about == about and found.name in dialogs:
        dialogs[found.name]()


def done(told: str = "") -> NoReturn:
    """Close the dialog and draw the page again, with a notice."""
    if told:
        tell(told)
    close()
    st.rerun()
