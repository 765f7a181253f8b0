"""The opinion of the person who asked: a thumb and, once given, a comment."""

import streamlit as st

from core.errors import ArticuladoError, NotFound
from domain.reviews import MAX_COMMENT, Feedback, Vote
from pages.parts.common.html import show, status
from pages.parts.common.page import View
from service.members.member import Member

THUMBS = (Vote.DOWN, Vote.UP)
ASK = {Vote.UP: "¿Qué le ha servido? (opcional)", Vote.DOWN: "¿Qué falta o está mal? (opcional)"}


def show_feedback(view: View, message_id: int) -> Feedback | None:
    """Show the thumbs and return the stored vote, if any; a second press on the same thumb withdraws it."""
    try:
        given = view.vote(message_id)
    except NotFound:  # the conversation was deleted in another tab
        return None
    st.feedback(
        "thumbs",
        key=f"vote-{message_id}",
        default=THUMBS.index(given.vote) if given else None,
        on_change=_vote,
        args=(view.app, message_id, given),
    )
    return given


def show_comment(app: Member, message_id: int, given: Feedback) -> None:
    """The comment of a vote, stored when the field loses focus."""
    st.text_input(
        ASK[given.vote],
        given.comment,
        max_chars=MAX_COMMENT,
        key=f"comment-{message_id}",
        placeholder="Lo leerá quien revisa las respuestas.",
        on_change=_comment,
        args=(app, message_id, given.vote),
    )


def show_outcome(message_id: int) -> None:
    """The result of the last change: a callback within a fragment cannot draw it itself."""
    said = st.session_state.pop(f"said-{message_id}", "")
    if said:
        show(status(said))


def _vote(app: Member, message_id: int, before: Feedback | None) -> None:
    chosen = st.session_state[f"vote-{message_id}"]
    try:
        if chosen is None:
            app.feedback.withdraw(message_id)
        else:
            app.feedback.vote(message_id, THUMBS[chosen], before.comment if before else "")
    except ArticuladoError as error:
        st.session_state[f"said-{message_id}"] = str(error)


def _comment(app: Member, message_id: int, vote: Vote) -> None:
    said = "Comentario guardado."
    try:
        app.feedback.vote(message_id, vote, st.session_state[f"comment-{message_id}"])
    except ArticuladoError as error:
        said = str(error)
    st.session_state[f"said-{message_id}"] = said
