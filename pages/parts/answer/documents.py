"""A document of the expediente as a source: its passage with the quotations marked. It is no norm."""

from collections.abc import Sequence
from urllib.parse import urlencode

from casework.matters.paper_fragments import document_of
from core.errors import NotFound
from law.norms import DOCUMENT
from pages.parts.common.html import EMPTY, Html, badges, each, html, note, show, trail
from pages.parts.common.law import quoted_html
from pages.parts.common.page import View
from rag.answers.article_numbers import CitedArticle
from rag.answers.quotation_check import quoted
from rag.answers.verbatim import place_of
from rag.shared.cited_answer import Source
from web.base.access import PASSAGE

KIND = "Documento del expediente"

GONE = "Este documento ya no está en el expediente, o ya no tiene usted acceso a él."


def is_document(source: Source) -> bool:
    """True for a fragment of a document of the reader's, which has no article, day of effect or address."""
    return source.collection == DOCUMENT


def document_name(source: Source) -> str:
    """'Doc 1, p. 2'."""
    return f"{source.law}, {source.section}"


def addresses(document_id: str, number: int, quotes: Sequence[str]) -> tuple[str, str]:
    """Addresses of the page of a passage, and of the passage alone for the pane, with quotations marked."""
    named = urlencode([("d", document_id), ("n", number), *(("q", quote) for quote in quotes)])
    return f"/matters?{named}", f"{PASSAGE}?{named}"


def page_link(document_id: str, number: int, quotes: Sequence[str], page: int | None) -> Html:
    """The link to the page of a passage; empty in a format without pages."""
    mark = '<p><a class="art-chip" href="{}" data-text="{}">Ver la página {}</a></p>'
    return html(mark, *addresses(document_id, number, quotes), page) if page is not None else EMPTY


def document_text(cited: CitedArticle) -> str:
    """The document as a source of a text to be pasted: '[5] Doc 1, p. 2 (carta.pdf). Documento…'"""
    number, first, quotes = cited
    head = f"[{number}] {document_name(first)} ({first.chapter}). {KIND}, no es norma."
    return "\n    ".join([head, *map(quoted, quotes)])


def show_document(view: View, cited: CitedArticle) -> None:
    """Its name, whether the quotations were checked, and the passage while it is open to the reader."""
    _, first, quotes = cited
    checked = bool(quotes) and all(one.verified for one in quotes)
    told = "✔ Cita comprobada letra por letra" if checked else "Nombrado, sin cita comprobada"
    show(
        trail([first.law, first.chapter, first.section]),
        badges([(told, "art-high" if checked else "art-mid"), (KIND, "")]),
    )
    try:
        fragment = view.app.papers.fragment(*document_of(first.chunk_id))
    except NotFound:
        show(each('<blockquote class="art-quote">{}</blockquote>', [one.quote for one in quotes]), note(GONE))
        return
    # Fragments begin at 1 (`paper_search`); -1, for a place that is not known, has it looked for.
    places = (place_of(one.quote, fragment.text, (one.start or 0) - 1) for one in quotes)
    spans = [span for span in places if span is not None]
    named = document_of(first.chunk_id)
    opens = page_link(*named, [one.quote for one in quotes], fragment.page)
    show(quoted_html(fragment.text, spans), opens)
