"""The chat: ask, follow the answer, read it with its sources."""

from datetime import date
from functools import partial
from typing import Any

import streamlit as st

from core.clock import spanish_day
from core.errors import ArticuladoError, NotFound
from core.processor import PROCESSOR
from domain.accounts import Permission
from pages.parts.answer.answer import date_of, show_answer, show_unfinished
from pages.parts.answer.copying import tools_html
from pages.parts.answer.days import show_other_days
from pages.parts.chat.following import show_following
from pages.parts.chat.law_day import keep_for_day, show_kept
from pages.parts.chat.leaving import keep_back, show_held
from pages.parts.chat.live import UNDER_WAY, show_elsewhere, show_live
from pages.parts.chat.matter import show_open_matter, show_own_papers
from pages.parts.chat.question import show_question
from pages.parts.chat.sidebar import Choices, sidebar, standing
from pages.parts.chat.tour import end_tour, show_tour
from pages.parts.chat.welcome import welcome
from pages.parts.common.announced import show_announced
from pages.parts.common.detail import opened
from pages.parts.common.layout import notice, tell
from pages.parts.common.listing import count_shown, show_more
from pages.parts.common.page import View, errors_as_sentences, errors_as_toasts, go_to, open_conversation
from pages.parts.common.widgets import Place
from rag.run.runs import Run, askable
from rag.shared.messages import Message, MessageState
from service.members.member import Member

# Messages that a long conversation opens with, its last ones, and those that each «Ver anteriores» adds. An
# exchange takes a browser 50 ms of processor. More are read: a question among them is not suggested again,
# and a conversation that has no more is shown whole.
LAST, EARLIER, READ = 4, 20, 10
# An answer without a model takes a tenth of a second: the page is then drawn once, with it on it.
AT_ONCE_SECONDS = 1.0
ASKER, ANSWERER = ":material/person:", ":material/balance:"


def _load(app: Member, conversation_id: str | None) -> tuple[Run | None, list[Message]]:
    """The answer under way, and the last messages: at least one more than are shown, if it exists."""
    if conversation_id is None:
        return None, []
    # Read before the messages: an answer is stored before it stops being under way.
    run = app.runs.active(conversation_id)
    shown = count_shown(conversation_id, LAST)
    try:
        messages = app.conversations.messages(conversation_id, max(shown, READ) + 1)
    except NotFound as error:
        tell(str(error), "error")
        go_to(None)
        return None, []
    if run is not None and not any(m.id == run.message_id and m.state in UNDER_WAY for m in messages):
        run = None
    return run, messages


def _history(app: Member, read: list[Message], run: Run | None, choices: Choices) -> Place:
    """Draw the last messages; returns the empty place of the answer under way, if there is one."""
    live: Place = None
    key = str(open_conversation())
    shown = st.session_state.setdefault(f"{key}-shown", LAST if len(read) > READ else READ)
    messages = read[-shown:]
    if len(read) > shown:
        show_more("Ver anteriores", key, shown + EARLIER, "history", type="tertiary")
    view = View(app, choices.debug, can_ask=run is None, agent=choices.agent, as_of=choices.as_of)
    view.read_ahead(messages)
    asked, last = None, messages[-1]
    for message in messages:
        if message.role == "user":
            asked = message
            with st.chat_message("user", avatar=ASKER):
                show_question(view, message, partial(_replace, view))
            continue
        with st.chat_message("assistant", avatar=ANSWERER):
            if run is not None and message.id == run.message_id:
                live = st.container(key="live")
            elif message.state in UNDER_WAY:
                show_elsewhere(app, message)
            else:
                st.fragment(_answer)(view, message, asked, last=message is last)
    if run is None and last.state is MessageState.COMPLETE:
        questions = [one.text for one in read if one.role == "user"]
        show_following(view, last, questions, partial(_follow, app, choices, last))
    return live


@errors_as_sentences()
def _answer(view: View, message: Message, asked: Message | None, *, last: bool) -> None:
    """One stored answer, as its own fragment: opening a source redraws this answer only."""
    again = partial(_answer_again, view, asked) if asked is not None and view.can_ask else None
    if message.state is MessageState.COMPLETE:
        # Earlier ones are answered again from the editor: a button for each would slow a long page down.
        show_answer(view, message, tools_html(message.id), again if last else None)
        if asked is not None and view.can_ask:
            show_other_days(message, partial(_ask_again, view, asked.text))
        return
    show_unfinished(message)
    if again and st.button("Volver a preguntar", key=f"again-{message.id}", icon=":material/replay:"):
        again()


def _replace(view: View, text: str, asked: Message) -> bool:
    """Ask the text as another version of a question; False if it was refused."""
    return _ask(view.app, text, view.as_of or asked.as_of, view.agent, asked.id)


def _answer_again(view: View, asked: Message) -> None:
    _replace(view, asked.text, asked)
    st.rerun()


def _ask_again(view: View, question: str, as_of: date | None) -> None:
    _ask(view.app, question, as_of, view.agent)
    st.rerun()


@errors_as_toasts()
def _submit(app: Member, choices: Choices) -> None:
    """Runs before the page is drawn, so that it is drawn once, with the question on it."""
    text, now = st.session_state["question"], standing(choices)
    if text and not _ask(app, text, now.as_of, now.agent):
        # The box is emptied on sending: a text that was refused goes back into it.
        st.session_state["question"] = text


def _ask_example(app: Member, choices: Choices, question: str) -> None:
    now = standing(choices)
    _ask(app, question, now.as_of, now.agent)


def _follow(app: Member, choices: Choices, answered: Message, question: str) -> None:
    """Ask a suggestion about the day of the answer that it follows, unless another is chosen."""
    day = date_of(answered)
    as_of = None if day == spanish_day(answered.created_at) else day
    now = standing(choices)
    _ask(app, question, now.as_of or as_of, now.agent)


def _ask(app: Member, question: str, as_of: date | None, agent: bool, replaces: int | None = None) -> bool:
    """Start it, or first ask for its day or show what of it would leave this machine; False if refused."""

    def ask(day: date | None) -> bool:
        start = partial(_start, app, question, day, agent=agent, replaces=replaces)
        return keep_back(app, question, start) or start()

    try:
        question = askable(question)
        return keep_for_day(app, question, as_of, ask) or ask(as_of)
    except ArticuladoError as error:
        tell(str(error), "error")
        return False


def _start(app: Member, question: str, as_of: date | None, **how: Any) -> bool:
    """Store the question, in a new conversation when none is open, and start its answer; False if refused.

    `how`: as in `RunRegistry.start`.
    """
    conversation_id = open_conversation()
    try:
        with PROCESSOR.turn(app.identity.id):
            if conversation_id is None:
                conversation_id = app.conversations.create(question).id
                go_to(conversation_id)
            preferences = app.preferences.read()
            run = app.runs.start(conversation_id, question, as_of, length=preferences.length, **how)
        if app.mode != "model":
            run.done.wait(AT_ONCE_SECONDS)
    except ArticuladoError as error:
        tell(str(error), "error")
        return False
    with errors_as_toasts():
        end_tour(app, preferences, conversation_id)
    # What is on the page stays there while the next questions come.
    key = f"{conversation_id}-shown"
    if st.session_state.get(key, EARLIER) < EARLIER:
        st.session_state[key] += 2
    return True


with opened(Permission.ASK) as app:
    with PROCESSOR.turn(app.identity.id):
        preferences = app.preferences.read()
        choices = sidebar(app, preferences)
        show_announced(app)
        show_open_matter(app)
        conversation_id = open_conversation()
        run, messages = _load(app, conversation_id)
        live: Place = None
        if messages:
            live = _history(app, messages, run, choices)
            # Last, since a conversation begins at its end.
            show_tour(app, preferences)
        else:
            show_tour(app, preferences)
            welcome(app, partial(_ask_example, app, choices))
        show_own_papers(app)
        show_kept()
        show_held(app)
        notice()
        st.chat_input(
            "Espere a que termine la respuesta" if run else "Escriba su consulta",
            disabled=run is not None,
            key="question",
            on_submit=_submit,
            args=(app, choices),
        )
    if live is not None and run is not None:
        # Last and out of turn: it waits for its first stage.
        with live:
            show_live(app, run)
