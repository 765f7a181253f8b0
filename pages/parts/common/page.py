"""Helpers of every page: the open conversation in the address, and errors as sentences."""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import streamlit as st

from core.errors import ArticuladoError
from core.progress import OnProgress
from core.turns import QUEUE
from domain.reviews import Feedback
from law.norms import Norm
from pages.parts.common.layout import tell
from pages.parts.common.render import label_text
from pages.parts.common.words import plural
from rag.shared.messages import Message
from service.members.member import Member, SessionEnded

CONVERSATION = "c"
CHOSEN_DAY, DAY_ROUND = "as_of", "as-of-round"
"""The day of the law chosen in this window, None for today's; how often the choice has begun again."""
log = logging.getLogger(__name__)


QUEUED = "En cola: hay {} antes que el suyo."
SHOWN_SECONDS = 0.5


def queue_told() -> OnProgress:
    """A listener of costly work that shows its place in the queue; a page that is left ends the work."""
    place, last = st.empty(), 0.0

    def tell(phase: str, done: int, _total: int) -> None:
        nonlocal last
        if time.monotonic() - last > SHOWN_SECONDS:
            last = time.monotonic()
            # Whatever is drawn raises when the person has gone.
            place.caption(
                QUEUED.format(plural(done, "trabajo", "trabajos")) if phase == QUEUE and done else "\u2002"
            )

    return tell


@dataclass(frozen=True)
class View:
    """Values that the parts of one drawing of the page share.

    Attributes:
        debug: True to show the trace of each answer.
        can_ask: False while an answer is under way.
        agent: True to ask the next question in agent mode.
        as_of: day whose law the next question is about; None while it is today's.
    """

    app: Member
    debug: bool
    can_ask: bool
    agent: bool = False
    as_of: date | None = None
    _norms: dict[str, Norm | None] = field(default_factory=dict)
    _votes: dict[int, Feedback | None] = field(default_factory=dict)

    def norm(self, norm_id: str) -> Norm | None:
        """A norm of the corpus, or None; read once per drawing."""
        if norm_id not in self._norms:
            self._norms[norm_id] = self.app.corpus.norm(norm_id)
        return self._norms[norm_id]

    def read_ahead(self, messages: Sequence[Message]) -> None:
        """Read the votes on the messages of a conversation at once, for this drawing of it.

        Nothing is read until one is answered: a new question is on screen the sooner.
        """
        if all(one.answer is None for one in messages):
            return
        conversation_id = messages[0].conversation_id
        votes = self.app.feedback.votes(conversation_id)
        self._votes.update((one.id, votes.get(one.id)) for one in messages)

    def vote(self, answer_id: int) -> Feedback | None:
        """The person's vote on an answer. Raises NotFound."""
        # What was read ahead counts once: a fragment is drawn again with the view of an earlier drawing.
        if answer_id in self._votes:
            return self._votes.pop(answer_id)
        return self.app.feedback.feedback(answer_id)


def open_conversation() -> str | None:
    """The conversation named in the address, which a refresh or a copied link reopens; or None."""
    return st.query_params.get(CONVERSATION) or None


def go_to(conversation_id: str | None) -> None:
    """Name another conversation, or none, in the address."""
    if conversation_id is None:
        st.query_params.clear()
    else:
        st.query_params[CONVERSATION] = conversation_id


def forget_day() -> None:
    """Let the next conversation be about the person's usual day, not about one chosen for an earlier one."""
    st.session_state.pop(CHOSEN_DAY, None)
    st.session_state[DAY_ROUND] = st.session_state.get(DAY_ROUND, 0) + 1


@contextmanager
def errors_as_sentences() -> Iterator[None]:
    """Show our errors as their sentence; log any other and show it without detail.

    For each part that is drawn by itself: a page, a fragment, a dialog.
    """
    try:
        yield
    except SessionEnded:
        st.rerun()  # the page says so when it is drawn again
    except ArticuladoError as error:
        st.error(label_text(str(error)), icon=":material/error:")
    except Exception as error:
        if type(error).__module__.startswith("streamlit."):
            raise
        log.exception("a page failed")
        st.error("Se ha producido un error interno. Recargue la página; si se repite, revise el registro.")


@contextmanager
def errors_as_toasts() -> Iterator[None]:
    """Within a callback of a widget: show our errors as a notice, and let the page be drawn."""
    try:
        yield
    except ArticuladoError as error:
        st.toast(label_text(str(error)), icon=":material/error:")


def attempt(said: str, action: Callable[..., object], *args: Any) -> None:
    """Within a callback of a widget: run `action`; `said`, or why it failed, is shown on the next drawing."""
    with errors_as_toasts():
        action(*args)
        if said:
            tell(said)


def delete_conversation(app: Member, conversation_id: str) -> None:
    """Delete a conversation; its answer under way is stopped first."""
    active = app.runs.active(conversation_id)
    if active is not None:
        app.runs.stop(active.message_id)
    app.conversations.delete(conversation_id)


def back_to_box(held: str) -> None:
    """The question that is held under this key goes back to the box, where it can be mended."""
    st.session_state["question"] = st.session_state.pop(held).question
