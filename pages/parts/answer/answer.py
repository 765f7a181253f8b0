"""A finished answer with its citations, confidence, sources and export, or the reason for its absence."""

from collections.abc import Callable, Collection, Mapping
from datetime import date
from functools import partial

import streamlit as st

from casework.matters.paper_fragments import document_of
from core.clock import spanish_day
from domain.accounts import Permission
from pages.parts.answer.changes import show_changes
from pages.parts.answer.debug import trace_panel
from pages.parts.answer.documents import addresses, is_document
from pages.parts.answer.feedback import show_comment, show_feedback, show_outcome
from pages.parts.answer.pane import page_of, text_of
from pages.parts.answer.products import show_products
from pages.parts.answer.sources import short_name, show_sources
from pages.parts.common.html import EMPTY, Html, each, html, note, show
from pages.parts.common.layout import link
from pages.parts.common.page import View
from pages.parts.common.render import Mark, answer_html
from pages.parts.common.words import band, day, number
from rag.answers.article_numbers import CitedArticle, articles_of, numbered
from rag.answers.aside import is_shown, without_aside
from rag.answers.joined_answers import answers_of
from rag.answers.provenance import Writer, provenance_told, writer_of
from rag.shared.answer_contract import is_courtesy
from rag.shared.cited_answer import Answer
from rag.shared.messages import Message, MessageState
from service.members.member import Member

UNFINISHED = {
    MessageState.STOPPED: "Respuesta detenida a petición suya. Lo escrito hasta entonces no está verificado.",
    MessageState.INTERRUPTED: "Respuesta interrumpida: el programa se cerró antes de terminarla. "
    "Lo escrito hasta entonces no está verificado.",
    MessageState.FAILED: "No se pudo completar la respuesta.",
    MessageState.PENDING: "Respuesta sin terminar: la prepara otro proceso, o se interrumpió.",
    MessageState.RUNNING: "Respuesta sin terminar: la prepara otro proceso, o se interrumpió.",
}
OTHER_VERSION = (
    "Los datos de esta respuesta los guardó otra versión de Articulado: se muestra solo su texto, sin "
    "verificar."
)
AGAIN = "Volver a responder"
MODES = {"model": "Con modelo de lenguaje", "offline": "Sin modelo"}


def date_of(message: Message) -> date:
    """The day whose law an answer states."""
    answered = message.answer.as_of if message.answer else None
    return answered or message.as_of or spanish_day(message.created_at)


def show_answer(
    view: View,
    message: Message,
    tools: Html,
    again: Callable[[], None] | None,
) -> None:
    """A complete answer with everything under it.

    Args:
        tools: what copies it.
        again: has the question answered again; None while that cannot be.
    """
    show_content(view, message)
    if message.answer is None or is_courtesy(message.answer):
        return
    with st.container(horizontal=True, vertical_alignment="center", key=f"after-{message.id}"):
        given = show_feedback(view, message.id)
        show(tools)
        if again and st.button(AGAIN, key=f"again-{message.id}", icon=":material/replay:", type="tertiary"):
            again()
        show_products(view, message.id)
        inspector_link(view.app, message.id)
    if given is not None:
        show_comment(view.app, message.id, given)
    show_outcome(message.id)
    if view.debug:
        name, read = str(message.id), partial(view.app.conversations.trace, message.id)
        trace_panel(view.app, "Detalle técnico", f"debug-{message.id}", name, read)


def inspector_link(app: Member, message_id: int) -> None:
    """The way to an answer in the inspector; nothing for those who may not open that."""
    if app.may(Permission.INSPECT):
        icon = ":material/troubleshoot:"
        link("Ver en Inspector", icon=icon, page="pages/inspector.py", answer=str(message_id))


def show_content(view: View, message: Message) -> None:
    """The answer itself: text, confidence, notes, and the articles that it cites."""
    answer, as_of = message.answer, date_of(message)
    if answer is None:
        show(html('<div class="art-answer">{}</div>', answer_html(message.text)), note(OTHER_VERSION))
        return
    if answer.parts:
        show(_notes(answer))
    numbers = numbered(answer)
    for place, one in enumerate(answers_of(answer)):
        key = str(message.id)
        if answer.parts:
            key = f"{message.id}-{place}"
            show(html('<h3 class="art-asked">{}. {}</h3>', place + 1, answer.parts[place].question))
        _show_one(view, key, one, numbers, one.as_of or as_of)


def _show_one(view: View, key: str, answer: Answer, numbers: Mapping[str, int], as_of: date) -> None:
    """The answer to one question, with its sources by their numbers in the whole answer."""
    articles = articles_of(answer, numbers)
    in_sight, _ = without_aside(answer.answer)
    by_number = {article.number: _mark(view, article, in_sight) for article in articles}
    marks = {marker: by_number[number] for marker, number in numbers.items() if number in by_number}
    # A fragment without a checked quotation of its own stays told apart from others of its article.
    unchecked = marks.keys() - {one.marker for one in answer.citations if one.verified}
    unchecked |= {one.marker for one in answer.citations if not one.verified}
    body = _body(answer, marks, unchecked)
    if is_courtesy(answer):
        show(body)
        return
    show(_meta(answer, as_of), body, note(provenance_told(answer)), _notes(answer))
    if articles:
        show_changes(view.app, key, (*answer.citations, *answer.sources), as_of)
        show_sources(view, key, articles, as_of)


def show_unfinished(message: Message) -> None:
    """The text of an answer that did not finish, and a line that says why."""
    failed = message.state is MessageState.FAILED
    written = "" if failed or not message.text.strip() else message.text
    reason = UNFINISHED[message.state]
    if failed and message.text.strip():
        reason = f"{reason} {message.text}"
    elif not written:
        reason = reason.split(" Lo escrito")[0]
    show(draft_html(written), html('<p class="art-state" role="status">{}</p>', reason))


def draft_html(text: str) -> Html:
    """The text of an answer under way, in grey; empty without a text."""
    draft = '<div class="art-answer art-draft">{}</div>'
    return html(draft, answer_html(text)) if text.strip() else EMPTY


def _mark(view: View, article: CitedArticle, in_sight: str) -> Mark:
    """The mark of an article: its number, with its quotations in sight; a document is named instead."""
    number, first, every = article
    quotes = [one for one in every if is_shown(one.quote, in_sight)] or every
    name, words = short_name(first, view.norm(first.norm_id)), [one.quote for one in quotes]
    if is_document(first):
        page, text = addresses(*document_of(first.chunk_id), words)
        return Mark(number, name, page=page, text=text, shown=name)
    if not first.block_id:
        return Mark(number, name, " (…) ".join(words))
    return Mark(number, name, page=page_of(first), text=text_of(first, words, [one.start for one in quotes]))


def _body(answer: Answer, marks: dict[str, Mark], unchecked: Collection[str]) -> Html:
    kind = "art-answer art-extract" if writer_of(answer) is Writer.EXTRACT else "art-answer"
    text = html('<div class="{}">{}</div>', kind, answer_html(answer.answer, marks, unchecked))
    if not answer.refusal or is_courtesy(answer):
        return text
    return html(
        '<section class="art-refusal" aria-label="Sin respuesta verificada">'
        '<p class="art-refusal-title">Sin respuesta verificada</p>{}</section>',
        text,
    )


def _meta(answer: Answer, as_of: date) -> Html:
    """Confidence, day of the law and mode: class, tooltip and text of each."""
    tags = [("", "", f"Se aplica la normativa vigente a {day(as_of)}")]
    if not answer.refusal:
        word, style = band(answer.confidence)
        tip = (
            f"Confianza {number(answer.confidence, 2)} de 1: la menor entre la del redactor, la proporción "
            "de citas comprobadas y el límite que impone el contexto encontrado."
        )
        why = f": {answer.because}" if answer.because else ""
        tags.insert(0, (style, tip, f"Confianza {word}{why}"))
    tags.append(("", "", MODES.get(answer.mode, answer.mode)))
    return html('<div class="art-tags">{}</div>', each('<span class="art-tag {}" title="{}">{}</span>', tags))


def _notes(answer: Answer) -> Html:
    lines = [line.strip(" -•") for line in (answer.notes or "").splitlines() if line.strip()]
    if not lines:
        return EMPTY
    title = "Qué falta y dónde puede estar" if answer.refusal else "Observaciones"
    items = each("<li>{}</li>", lines)
    return html('<div class="art-notes"><p>{}</p><ul>{}</ul></div>', title, items)
