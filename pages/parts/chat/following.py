"""Under the last answer: questions that its articles answer as well, and articles that they refer to."""

from collections.abc import Callable, Sequence

import streamlit as st

from pages.parts.answer.answer import date_of
from pages.parts.answer.pane import page_of, text_of
from pages.parts.common.html import each, html, show
from pages.parts.common.page import View
from pages.parts.common.render import label_text
from pages.parts.common.widgets import button
from rag.answers.next_steps import related, suggestions
from rag.shared.messages import Message


def show_following(view: View, message: Message, asked: Sequence[str], ask: Callable[[str], object]) -> None:
    """Nothing where the data ties nothing to the answer.

    Args:
        asked: questions of the conversation, which are not suggested.
        ask: asks a suggestion.
    """
    if message.answer is None:
        return
    place = (date_of(message), view.app.corpus)
    if articles := related(message.answer, *place):
        links = each(
            '<a class="art-related" href="{}" data-text="{}">{}</a>',
            ((page_of(one), text_of(one), one.name) for one in articles),
        )
        show(html('<div class="art-relations"><span>Artículos relacionados</span>{}</div>', links))
    if questions := suggestions(message.answer, asked, *place):
        with st.container(key="follow-ups", gap="small"):
            show(html('<p class="art-side">También puede preguntar</p>'))
            for number, question in enumerate(questions):
                # By answer: a button kept for the next answer's suggestion would keep the focus too.
                key = f"follow-up-{message.id}-{number}"
                button(label_text(question), key, "", ask, question, wrap=True)
