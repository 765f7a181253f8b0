"""Expediente of the open conversation, named above it, and documents of the conversation alone."""

from contextlib import suppress

import streamlit as st

from core.errors import NotFound
from pages.parts.common.html import note, show
from pages.parts.common.layout import MATTERS, link
from pages.parts.common.page import errors_as_sentences, open_conversation
from pages.parts.common.papers import show_papers
from service.members.member import Member


def show_open_matter(app: Member) -> None:
    """A link to it; nothing for a conversation outside every expediente."""
    conversation_id = open_conversation()
    if conversation_id is None:
        return
    with suppress(NotFound):
        matter_id = app.conversations.conversation(conversation_id).matter_id
        if matter_id is not None:
            matter = app.matters.matter(matter_id)
            link(f"Expediente: {matter.name}", icon=":material/folder_open:", page=MATTERS, e=matter.id)


def show_own_papers(app: Member) -> None:
    """A switch that shows them; nothing before the first question, whose conversation they belong to."""
    place = open_conversation()
    if place is None or not st.toggle("Documentos de esta consulta", key=f"papers-{place}"):
        return
    with errors_as_sentences():
        show(note("Solo se usan en esta consulta, junto a los de su expediente si lo tiene."))
        show_papers(app, place, app.papers.of_conversation, app.papers.upload_to_conversation)
