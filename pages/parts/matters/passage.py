"""A passage of a document, as a page: where the mark of a citation leads without the reading pane."""

from collections.abc import Sequence

from pages.parts.answer.documents import KIND
from pages.parts.answer.passage import passage_asked, passage_html
from pages.parts.common.html import show
from pages.parts.common.layout import CHAT, back, heading, link
from service.members.member import Member


def show_passage(app: Member, document_id: str, number: str, quotes: Sequence[str]) -> None:
    """The page of the passage and its text. Raises NotFound: the document is not open to the person."""
    named = passage_asked(document_id, number, quotes)
    document = app.papers.document(document_id)
    drawn = passage_html(app, *named)
    if document.conversation_id is not None:
        link("Volver a la consulta", icon=":material/chat:", page=CHAT, c=document.conversation_id)
    elif document.matter_id is not None:
        back("Volver al expediente", "to-matter", e=document.matter_id)
    heading(f"{document.title} · {document.name}", KIND)
    show(drawn)
