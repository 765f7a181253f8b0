"""One answer under review: question, answer, trace, opinion, verdicts and case."""

from functools import partial

import streamlit as st

from core.errors import InputError
from domain.reviews import Judgment, QueueFilter, QueueSort, ReviewItem
from law.norms import Norm
from pages.parts.answer.answer import date_of, inspector_link, show_content
from pages.parts.answer.debug import trace_panel
from pages.parts.common.html import EMPTY, Html, bullets, facts, html, join, note, notes, show, warning
from pages.parts.common.layout import back, section
from pages.parts.common.page import View, attempt
from pages.parts.common.render import plain_html, question_html
from pages.parts.common.widgets import button
from pages.parts.common.words import SPEAKERS, Names, day, moment, norms_by_label, owner_name, plural
from pages.parts.review.cases import drop_case
from pages.parts.review.form import show_form
from pages.parts.review.many import show_assigned
from pages.parts.review.queue import ASKED
from pages.parts.review.words import (
    citation_line,
    expected_line,
    failed_line,
    verdict_line,
    verdict_style,
    vote_tags,
    wanted_lines,
)
from rag.evaluation.labelled_articles import sources
from service.members.member import Member
from service.review_cases import case_of, failed

ONE = "Cuenta uno, el último que se guarda; los anteriores quedan en su historial."
NORM_GONE = "La norma {norm} ya no está cargada: mientras falte, el caso se cuenta aparte."


def show_item(app: Member, message_id: int) -> None:
    """The view of one answer. Raises NotFound."""
    settings = app.profile
    turns = max(settings.history_answer_messages, settings.history_decompose_messages)
    item = app.reviews.item(message_id, turns)
    norms, names = app.corpus.norms(), app.names()
    _show_steps(app, message_id)
    _show_question(item, names)
    with st.container(horizontal=True, vertical_alignment="bottom", key="review-aside"):
        if app.shared:
            show_assigned(app, None, message_id, item.assigned)
        inspector_link(app, message_id)
    section("Respuesta")
    show_content(View(app, debug=False, can_ask=False), item.answer)
    _show_feedback(item)
    label, read = "Traza: lo que hizo cada etapa", partial(app.reviews.answer_trace, message_id)
    trace_panel(app, label, f"trace-of-{message_id}", f"review-{message_id}", read)
    _show_judgments(app, item, norms_by_label(norms), names)
    show_form(app, item, norms)
    _show_case(app, item, norms)
    _show_views(item, names)


def _show_steps(app: Member, message_id: int) -> None:
    """The way back to the queue as it was filtered, and to its answers before and after this one."""
    where, sort = st.session_state.get(ASKED, (QueueFilter(), QueueSort.NEWEST))
    before, after = app.reviews.beside(where, sort, message_id)
    with st.container(horizontal=True, key="review-steps"):
        back("Cola de revisión", "back")
        for label, key, icon, keys, target in (
            ("Anterior", "step-back", "arrow_upward", "Alt+K", before),
            ("Siguiente", "step-on", "arrow_downward", "Alt+J", after),
        ):
            look = {"type": "tertiary", "disabled": target is None, "shortcut": keys}
            button(label, key, icon, _step, target, **look)


def _step(message_id: int) -> None:
    st.query_params["answer"] = str(message_id)


def _show_question(item: ReviewItem, names: Names) -> None:
    asked = moment(item.question.created_at)
    told = f"{asked} · {owner_name(item.owner, names)} · normativa a {day(date_of(item.answer))}"
    before = notes(f"{SPEAKERS[turn.role]}: {turn.text}" for turn in item.history)
    title = f"Conversación anterior que leyó ({len(item.history)} mensajes)"
    folded = _folded(title, before) if before else EMPTY
    show(note(told), folded, question_html(item.question.text))


def _folded(title: str, content: Html) -> Html:
    before = '<div class="art-before"><details><summary>{}</summary>{}</details></div>'
    return html(before, title, content)


def _show_feedback(item: ReviewItem) -> None:
    section("Opinión de quien preguntó")
    given = item.feedback
    if given is None:
        show(note("Sin voto."))
        return
    show(facts(vote_tags(given), moment(given.updated_at)), _quote(given.comment))


def _quote(text: str) -> Html:
    return html('<div class="art-quote">{}</div>', plain_html(text)) if text else EMPTY


def _show_judgments(app: Member, item: ReviewItem, norms: dict[str, Norm], names: Names) -> None:
    section("Veredicto", ONE if item.judgments else "Nadie la ha revisado.")
    standing = item.standing
    if standing is not None:
        _show_judgment(standing, norms, names, verdict_style(standing.verdict))
        call = (attempt, "Veredicto retirado.", app.reviews.withdraw, item.answer.id, standing.id)
        button("Retirar el veredicto", "withdraw-verdict", "undo", *call, type="tertiary")
    if earlier := [one for one in item.judgments if one is not standing]:
        label = plural(len(earlier), "veredicto anterior", "veredictos anteriores")
        with st.expander(label, key="earlier-verdicts", expanded=standing is None):
            for judgment in earlier:
                _show_judgment(judgment, norms, names, "")


def _show_judgment(judgment: Judgment, norms: dict[str, Norm], names: Names, kind: str) -> None:
    cited = [citation_line(one, norms) for one in judgment.citations]
    by = f"{moment(judgment.created_at)} · {owner_name(judgment.reviewer, names)}"
    show(
        facts([(verdict_line(judgment), kind)], by),
        note(f"Artículos: {', '.join(cited)}") if cited else EMPTY,
        join(map(note, wanted_lines(judgment.wanted, norms))),
        _quote(judgment.notes),
    )


def _show_case(app: Member, item: ReviewItem, norms: list[Norm]) -> None:
    section("Caso de evaluación")
    by_label = norms_by_label(norms)
    problem, case, labels = "", None, sources(norms)
    try:
        case = case_of(item, labels)
    except InputError as error:
        problem = str(error)
    if item.case is not None:
        show(note(f"En «Casos de revisión»: {expected_line(item.case, by_label)}"))
    elif case is not None:
        show(note(expected_line(case, by_label)))
    if case is None:
        show(note(problem))
    shown, answer = item.case or case, item.answer.answer
    if shown is not None and answer is not None:
        show(note(failed_line(failed(shown, answer, labels))))
        gone = [one.norm for one in (*shown.relevant, *shown.surplus) if one.norm not in labels.values()]
        show(warning(*(NORM_GONE.format(norm=norm) for norm in dict.fromkeys(gone))))
    with st.container(horizontal=True):
        if item.case is None or (case is not None and case != item.case):
            label = "Convertir en caso de evaluación" if item.case is None else "Poner el caso al día"
            call = (attempt, "Guardado en «Casos de revisión».", app.reviews.save_case, item.answer.id, case)
            button(label, "make-case", "fact_check", *call, disabled=case is None)
        if item.case is not None:
            button("Quitar del conjunto", "drop-case", "", drop_case, app, item.case.id)
            st.page_link("pages/evaluation.py", label="Ir a Evaluación", icon=":material/analytics:")


def _show_views(item: ReviewItem, names: Names) -> None:
    seen = (f"{owner_name(view.reviewer, names)} · {moment(view.viewed_at)}" for view in item.views)
    show(_folded("Quién la ha visto", bullets(seen)))
