"""One answer under review: what was asked, what was answered and why, what people think of it."""

from __future__ import annotations

from html import escape

import streamlit as st

from domain.reviews import ReviewItem
from pages.parts.answer.answer import date_of, show_content
from pages.parts.answer.debug import show_trace
from pages.parts.common.html import tags_html
from pages.parts.common.layout import back, section
from pages.parts.common.page import View, errors_as_toasts
from pages.parts.common.render import answer_html, plain_html
from pages.parts.common.words import Names, day, moment, norms_by_label, owner_name
from pages.parts.review.cases import drop_case
from pages.parts.review.form import show_form
from pages.parts.review.words import citation_line, expected_line, verdict_line, verdict_style, vote_tags
from rag.errors import InputError
from rag.evaluation.norms import sources
from rag.evaluation.reviewed import ReviewCase
from rag.types import Norm
from service.members.member import Member
from service.review_cases import case_of

SPEAKERS = {"user": "Antes, la persona", "assistant": "Antes, Articulado"}
VIEWS_SHOWN = 20


def show_item(app: Member, message_id: int) -> None:
    """The view of one answer. Raises NotFound."""
    settings = app.profile
    turns = max(settings.history_answer_messages, settings.history_decompose_messages)
    item = app.reviews.item(message_id, turns)
    norms, names = app.corpus.norms(), app.names()
    back("Cola de revisión", "back")
    _show_question(item, names)
    _show_answer(app, item)
    _show_feedback(item)
    _show_trace(app, message_id)
    _show_judgments(item, norms_by_label(norms), names)
    show_form(app, item, norms)
    _show_case(app, item, norms)
    _show_views(item, names)


def _show_question(item: ReviewItem, names: Names) -> None:
    asked = moment(item.question.created_at)
    facts = f"{asked} · {owner_name(item.owner, names)} · normativa a {day(date_of(item.answer))}"
    before = "".join(
        f'<p class="art-note">{SPEAKERS[turn.role]}: {escape(turn.text)}</p>' for turn in item.history
    )
    title = f"Conversación anterior que leyó ({len(item.history)} mensajes)"
    folded = f"<details><summary>{title}</summary>{before}</details>" if before else ""
    st.html(
        f'<p class="art-note">{escape(facts)}</p><div class="art-before">{folded}</div>'
        f'<div class="art-question">{plain_html(item.question.text)}</div>'
    )


def _show_answer(app: Member, item: ReviewItem) -> None:
    section("Respuesta")
    answer = item.answer.answer
    if answer is None:
        st.html(
            f'<div class="art-answer">{answer_html(item.answer.text)}</div>'
            '<p class="art-note">Los datos de esta respuesta los guardó otra versión de Articulado.</p>'
        )
        return
    show_content(View(app, debug=False, can_ask=False), item.answer.id, answer, date_of(item.answer))


def _show_feedback(item: ReviewItem) -> None:
    section("Opinión de quien preguntó")
    given = item.feedback
    if given is None:
        st.html('<p class="art-note">Sin voto.</p>')
        return
    said = f'<div class="art-quote">{plain_html(given.comment)}</div>' if given.comment else ""
    st.html(
        f'<div class="art-facts">{tags_html(vote_tags(given))}'
        f'<p class="art-note">{moment(given.updated_at)}</p></div>{said}'
    )


def _show_trace(app: Member, message_id: int) -> None:
    panel = st.expander(
        "Traza: lo que hizo cada etapa",
        key=f"trace-of-{message_id}",
        icon=":material/bug_report:",
        on_change="rerun",
    )
    if not panel.open:
        return
    with panel:
        trace = app.reviews.answer_trace(message_id)
        if trace is None:
            st.text("Esta respuesta no tiene traza.")
        else:
            show_trace(app, trace, f"review-{message_id}")


def _show_judgments(item: ReviewItem, norms: dict[str, Norm], names: Names) -> None:
    section(
        "Veredictos", "Se guardan todos; cuenta el último." if item.judgments else "Nadie la ha revisado."
    )
    for position, judgment in enumerate(item.judgments):
        kind = verdict_style(judgment.verdict) if position == 0 else ""
        cited = [citation_line(one, norms) for one in judgment.citations]
        lines = [f"Artículos: {', '.join(cited)}"] if cited else []
        by = f"{moment(judgment.created_at)} · {owner_name(judgment.reviewer, names)}"
        notes = f'<div class="art-quote">{plain_html(judgment.notes)}</div>' if judgment.notes else ""
        st.html(
            f'<div class="art-facts">{tags_html([(verdict_line(judgment), kind)])}'
            f'<p class="art-note">{escape(by)}</p></div>'
            + "".join(f'<p class="art-note">{escape(line)}</p>' for line in lines)
            + notes
        )


def _show_case(app: Member, item: ReviewItem, norms: list[Norm]) -> None:
    section("Caso de evaluación")
    by_label = norms_by_label(norms)
    problem, case = "", None
    try:
        case = case_of(item, sources(norms))
    except InputError as error:
        problem = str(error)
    if item.case is not None:
        st.html(
            f'<p class="art-note">En «Casos de revisión»: {escape(expected_line(item.case, by_label))}</p>'
        )
    elif case is not None:
        st.html(f'<p class="art-note">{escape(expected_line(case, by_label))}</p>')
    if case is None:
        st.html(f'<p class="art-note">{escape(problem)}</p>')
    with st.container(horizontal=True):
        if item.case is None or (case is not None and case != item.case):
            st.button(
                "Convertir en caso de evaluación" if item.case is None else "Poner el caso al día",
                key="make-case",
                icon=":material/fact_check:",
                disabled=case is None,
                on_click=_make_case,
                args=(app, item.answer.id, case),
            )
        if item.case is not None:
            st.button("Quitar del conjunto", key="drop-case", on_click=drop_case, args=(app, item.case.id))
            st.page_link("pages/evaluation.py", label="Ir a Evaluación", icon=":material/analytics:")


def _make_case(app: Member, message_id: int, case: ReviewCase) -> None:
    with errors_as_toasts():
        app.reviews.save_case(message_id, case)
        st.toast("Guardado en «Casos de revisión».", icon=":material/check_circle:")


def _show_views(item: ReviewItem, names: Names) -> None:
    rows = "".join(
        f"<li>{escape(owner_name(view.reviewer, names))} · {moment(view.viewed_at)}</li>"
        for view in item.views[:VIEWS_SHOWN]
    )
    st.html(
        '<details class="art-before"><summary>Quién la ha visto</summary>'
        f'<ul class="art-list">{rows}</ul></details>'
    )
