"""«Copiar»: an answer with its sources as plain text, which `web/static/copy.js` puts into the clipboard."""

from contextlib import suppress

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from core.clock import spanish_day
from core.errors import ConfigurationError, NotFound
from pages.parts.answer.answer import date_of
from pages.parts.answer.export import answer_text
from pages.parts.answer.pane import answering
from pages.parts.common.html import Html, html
from rag.shared.messages import MessageState
from service.members.member import Member
from web.base.access import ANSWER

FILE = "archivo"
LONGEST = 18
"""Digits of the id of a message."""


def tools_html(message_id: int) -> Html:
    """Controls that copy an answer (a link to its text, where the script does not run) and save it."""
    address = f"{ANSWER}?m={message_id}"
    copy = '<a class="art-tool art-copy" href="{}" role="button" target="_self">Copiar</a>'
    save = '<a class="art-tool" href="{}&{}=1" download="articulado-{}.txt" target="_self">Descargar</a>'
    return html(
        '<div class="art-tools">{}{}</div>', html(copy, address), html(save, address, FILE, message_id)
    )


def routes() -> list[Route]:
    """The route of the text; the guard has checked the session."""
    return [Route(ANSWER, answering(_answer))]


def _answer(app: Member, request: Request) -> Response:
    asked = request.query_params.get("m", "")
    text = _text(app, asked)
    if FILE not in request.query_params:
        return PlainTextResponse(text)
    named = {"Content-Disposition": f'attachment; filename="articulado-{asked}.txt"'}
    return PlainTextResponse(text, headers=named)


def _text(app: Member, asked: str) -> str:
    """Raises Forbidden; NotFound when it is no complete answer of this person."""
    if not (asked.isascii() and asked.isdigit() and len(asked) <= LONGEST):
        raise NotFound("No existe esa respuesta.")
    question, message = app.conversations.exchange(int(asked))
    if message.answer is None or message.state is not MessageState.COMPLETE:
        raise NotFound("No hay respuesta que copiar.")
    app.exported("answer", message.id)
    days = date_of(message), spanish_day(message.created_at)
    # A key that cannot be used is told where a certificate is asked for: a copy goes without.
    seal = ""
    with suppress(ConfigurationError):
        seal = app.opinions.sealed(message.id)
    return answer_text(question.text, message.answer, *days, app.corpus.norm, seal=seal)
