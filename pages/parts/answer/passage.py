"""A passage of a document of an expediente: its page as a picture with the quotations marked, and its text.

A mark of a citation opens it beside the answer (`web/static/pane.js`), by the route of this module. The
picture is part of the reply: it has no address of its own, and goes to the reader alone.
"""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from casework.matters.paper_fragments import Fragment
from core.errors import InputError, NotFound
from loading.formats.pictured_page import PagePicture, PicturedPassage
from pages.parts.answer.documents import KIND
from pages.parts.answer.pane import LONGEST_QUOTE, MOST_QUOTES, answering
from pages.parts.common.html import EMPTY, Html, each, html, join, note, trail
from pages.parts.common.law import quoted_html
from rag.answers.verbatim import locate
from service.members.member import Member
from storage.casework.matter_documents import NO_DOCUMENT
from web.base.access import PASSAGE

UNMARKED = "La cita no se ha podido situar con exactitud en la imagen: léala en el texto, bajo ella."
SOME_UNMARKED = (
    "No se han podido situar con exactitud en la imagen {lost} de {all} citas: léalas en el texto, bajo ella."
)
READ = "Texto leído de este pasaje"
LONGEST_NUMBER = 6
"""Digits of the number of a fragment."""


def passage_asked(document_id: str, number: str, quotes: Sequence[str]) -> tuple[str, int, list[str]]:
    """The passage that an address names, within bounds. Raises NotFound: it names no fragment."""
    if not (number.isascii() and number.isdigit() and len(number) <= LONGEST_NUMBER):
        raise NotFound(NO_DOCUMENT)
    return document_id, int(number), [quote[:LONGEST_QUOTE] for quote in quotes[:MOST_QUOTES]]


def routes() -> list[Route]:
    """The route of the passage; the guard has checked the session."""
    return [Route(PASSAGE, answering(_drawn))]


def _drawn(app: Member, request: Request) -> Response:
    """Raises Forbidden, NotFound."""
    asked = request.query_params
    named = passage_asked(asked.get("d", ""), asked.get("n", ""), asked.getlist("q"))
    document = app.papers.document(named[0])
    head = html('<h2 class="art-pane-title" tabindex="-1">{}</h2>', document.title)
    return HTMLResponse(head + trail([KIND, document.name]) + passage_html(app, *named))


def passage_html(app: Member, document_id: str, number: int, quotes: Sequence[str]) -> Html:
    """The page with the quotations marked, or why it is not to be had, and the text that was read.

    Raises:
        Forbidden; NotFound: the document is not open to the person.
    """
    fragment = app.papers.fragment(document_id, number)
    try:
        pictured, told = app.papers.pictured(document_id, number, quotes), EMPTY
    except InputError as error:
        pictured, told = PicturedPassage(), note(error)
    sheets = join(_sheet(one) for one in pictured.pages)
    if sheets and pictured.lost:
        some = SOME_UNMARKED.format(lost=pictured.lost, all=len(quotes))
        told = note(UNMARKED if len(quotes) == 1 else some)
    read = html('<h2 class="art-head">{}</h2>', READ) if sheets else EMPTY
    return told + sheets + read + _text(fragment, quotes)


def _sheet(one: PagePicture) -> Html:
    """A page; its marks lie over the picture, which stays as the document has it."""
    box = '<mark style="left:{:.3f}%;top:{:.3f}%;width:{:.3f}%;height:{:.3f}%"></mark>'
    marks = ((100 * mark.left, 100 * mark.top, 100 * mark.width, 100 * mark.height) for mark in one.marks)
    told = f"Imagen de la página {one.number}"
    if one.marks:
        told += ", con lo citado señalado"
    return html(
        '<figure class="art-sheet"><div><img src="data:image/jpeg;base64,{}" alt="{}" width="{}" height="{}">'
        "{}</div><figcaption>Página {}</figcaption></figure>",
        one.data,
        told,
        one.width,
        one.height,
        each(box, marks),
        one.number,
    )


def _text(fragment: Fragment, quotes: Sequence[str]) -> Html:
    found = (locate(quote, fragment.text) for quote in quotes)
    return quoted_html(fragment.text, [span for span in found if span is not None])
