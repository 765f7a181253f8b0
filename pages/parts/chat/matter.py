"""The expediente of the open conversation, named above it."""

from contextlib import suppress

import streamlit as st

from core.errors import NotFound
from pages.parts.common.page import open_conversation
from pages.parts.common.render import label_text
from service.members.member import Member

PAGE = "pages/matters.py"


def show_open_matter(app: Member) -> None:
    """A link to it; nothing for a conversation outside every expediente."""
    conversation_id = open_conversation()
    if conversation_id is None:
        return
    with suppress(NotFound):
        matter_id = app.conversations.conversation(conversation_id).matter_id
        if matter_id is not None:
            matter = app.matters.matter(matter_id)
            label = f"Expediente: {label_text(matter.name)}"
            st.page_link(PAGE, label=label, icon=":material/folder_open:", query_params={"e": matter.id})
