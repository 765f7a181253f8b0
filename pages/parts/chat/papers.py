"""Documents of the open conversation alone."""

import streamlit as st

from pages.parts.common.html import note, show
from pages.parts.common.page import errors_as_sentences, open_conversation
from pages.parts.common.papers import show_papers
from service.members.member import Member


def show_own_papers(app: Member) -> None:
    """A switch that shows them; nothing before the first question, whose conversation they belong to."""
    place = open_conversation()
    if place is None or not st.toggle("Documentos de esta consulta", key=f"papers-{place}"):
        return
    with errors_as_sentences():
        show(note("Solo se usan en esta consulta, junto a los de su expediente si lo tiene."))
        show_papers(app, place, app.papers.of_conversation, app.papers.upload_to_conversation)
