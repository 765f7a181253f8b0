"""The text of a question that would leave this machine, shown before it does, by conversation."""

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from masking.vault import Masked
from pages.parts.common.html import html, note, show, status, table, warning
from pages.parts.common.page import back_to_box, errors_as_toasts, open_conversation
from pages.parts.common.widgets import button
from pages.parts.common.words import MASKED
from service.members.member import Member

HELD, WANTED = "leaving-held", "leaving-wanted"
LITERAL = "texto que parece una marca"


class Held(NamedTuple):
    """A question that waits for its «Enviar así»: its conversation, and what sends it."""

    conversation: str | None
    question: str
    send: Callable[[], object]


def offer(app: Member) -> None:
    """The switch of the open conversation, where a model is elsewhere; a new one takes the last choice."""
    if not app.sends_out:
        return
    conversation = open_conversation()
    wanted: dict[str | None, bool] = st.session_state.setdefault(WANTED, {})
    wanted[conversation] = st.toggle(
        "Ver lo que sale antes de enviarlo",
        value=_is_wanted(conversation),
        key=_key(conversation),
        help="Antes de enviar cada pregunta de esta consulta verá el texto que recibiría el modelo, con los "
        "datos personales ya sustituidos, y podrá cancelarla.",
    )


def keep_back(app: Member, question: str, send: Callable[[], object]) -> bool:
    """Keep the question until it is sent or cancelled, if its conversation wants that; True if it is kept."""
    conversation = open_conversation()
    if not (app.sends_out and _is_wanted(conversation)):
        return False
    st.session_state[HELD] = Held(conversation, question, send)
    return True


def show_held(app: Member) -> None:
    """The question that is kept, as it would leave, with its two buttons; nothing if none is."""
    held: Held | None = st.session_state.get(HELD)
    if held is None or held.conversation != open_conversation():
        return
    masked = app.leaving(held.question, held.conversation)
    with st.container(border=True, key="leaving"):
        show(html('<h2 class="art-side">Esto es lo que saldría</h2>'), status("Todavía no se ha enviado."))
        st.code(masked.texts[0], language=None, wrap_lines=True)
        _values(masked)
        show(
            note(
                "Salen también, tratados igual, los mensajes anteriores de esta consulta y los "
                "pasajes de las normas. La respuesta le llegará con los datos en su sitio."
            )
        )
        with st.container(horizontal=True):
            button("Enviar así", "leaving-send", "send", _send, type="primary")
            button("Cancelar", "leaving-cancel", "close", back_to_box, HELD)


def _values(masked: Masked) -> None:
    if not masked.values:
        show(
            warning("No se ha sustituido ningún dato: el texto saldría tal como lo ha escrito. Compruébelo.")
        )
        return
    kinds = ((mark, value, mark[1:].split("_", 1)[0]) for mark, value in masked.values.items())
    show(
        table(
            ("Marca que sale", "Dato que se queda", "Qué es"),
            [(mark, value, MASKED.get(kind, LITERAL)) for mark, value, kind in kinds],
        )
    )
    show(
        note("Lo que no figura en la tabla sale tal como lo ha escrito: compruebe que no queda ningún dato.")
    )


def _key(conversation: str | None) -> str:
    return f"leaving-{conversation}"


def _is_wanted(conversation: str | None) -> bool:
    """True if the switch is on as it stands: a question can come in before the page is drawn with it."""
    wanted: dict[str | None, bool] = st.session_state.get(WANTED, {})
    drawn = wanted.get(conversation, wanted.get(None, False))
    return bool(st.session_state.get(_key(conversation), drawn))


@errors_as_toasts()
def _send() -> None:
    held: Held = st.session_state.pop(HELD)
    held.send()
