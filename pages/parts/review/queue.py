"""The queue of answers to review: filters, order, pages."""

import streamlit as st

from domain.reviews import QueueEntry, QueueFilter, QueueSort
from pages.parts.common.html import EMPTY, facts, note, show, status
from pages.parts.common.layout import link
from pages.parts.common.listing import page_number, pager, period, search_box
from pages.parts.common.widgets import choose, named
from pages.parts.common.words import Names, counted, moment, norms_by_label, owner_name, shortened
from pages.parts.review import words
from pages.parts.review.many import mark_of, show_tools
from pages.parts.review.words import entry_tags, matter_name, queue_filter
from service.members.member import Member

PAGE = "pages/review.py"
PAGE_SIZE = 50
LENGTH = 180
EVERY, UNASSIGNED = "", "-"
ASKED = "queue-asked"
"""Filters and order of the queue in the session: an answer is stepped from as the queue was."""


def show_queue(app: Member) -> None:
    """The answers that pass the filters, a page at a time."""
    where, sort = _filters(app)
    if st.session_state.get(ASKED) != (where, sort):
        st.session_state[ASKED] = (where, sort)
        st.session_state["queue-page"] = 1
    number = page_number("queue-page")
    found = app.reviews.queue(where, sort, (number - 1) * PAGE_SIZE, PAGE_SIZE)
    show(status(_count(found.total, number, where)), note(words.counts_line(found.counts)))
    many = show_tools(app, found.entries, where, sort)
    with st.container(key="queue", gap=None):
        names = app.names()
        for entry in found.entries:
            _entry(entry, names, many=many)
    pager(found.total, PAGE_SIZE, "queue-page")


def _filters(app: Member) -> tuple[QueueFilter, QueueSort]:
    with st.container(key="queue-filters"):
        search = search_box(None, "Buscar", "Palabras de la pregunta o de la respuesta", "queue-search")
        first, second, third = st.columns(3), st.columns(3), st.columns(3)
    vote = choose(first[0], "Voto", named(words.VOTE_FILTERS), "queue-vote")
    answer = choose(first[1], "Respuesta", named(words.ANSWER_FILTERS), "queue-answer")
    review = choose(first[2], "Revisión", named(words.REVIEW_FILTERS), "queue-review")
    matters: dict[str, dict[str, str]] = {words.ALL: {}} | {
        matter_name(label): {"matter": label} for label in app.reviews.matters()
    }
    matter = choose(second[0], "Materia", named(matters), "queue-matter")
    names, norms = app.names(), norms_by_label(app.corpus.norms())
    people = {EVERY: "Todas"} | {one: owner_name(one, names) for one in app.reviews.people()}
    owner = choose(second[1], "Persona", people, "queue-owner")
    cited = {EVERY: "Todas"} | {
        one: norms[one].name if one in norms else one for one in app.reviews.cited_norms()
    }
    norm = choose(second[2], "Norma citada", cited, "queue-norm")
    since, before = period(third[0], "queue-days")
    sort = choose(third[1], "Orden", words.SORTS, "queue-sort")
    assigned = choose(third[2], "Asignada a", _holders(app), "queue-assigned") if app.shared else EVERY
    asked = queue_filter(
        words.VOTE_FILTERS[vote],
        words.ANSWER_FILTERS[answer],
        words.REVIEW_FILTERS[review],
        matters[matter],
        {"since": since, "before": before, "search": search},
        {"owner": owner or None, "norm": norm or None},
        {} if assigned == EVERY else {"assigned": assigned if assigned != UNASSIGNED else ""},
    )
    return asked, sort


def _holders(app: Member) -> dict[str, str]:
    """Choices of the filter by assignment: everything, one's own, nobody's, and those of each reviewer."""
    own, names = app.identity.id, app.names()
    others = {one: owner_name(one, names) for one in app.reviews.reviewers() if one != own}
    return {EVERY: "Todas", own: "Las mías", UNASSIGNED: "Sin asignar"} | others


def _count(total: int, number: int, where: QueueFilter) -> str:
    if not total:
        if where == QueueFilter():
            return "Todavía no hay respuestas: aparecerán aquí cuando alguien haga una consulta."
        return "Ninguna respuesta coincide: cambie los filtros."
    return counted(total, number, PAGE_SIZE, "respuesta", "respuestas", between="de la {} a la {}")


def _entry(entry: QueueEntry, names: Names, *, many: bool) -> None:
    question = shortened(entry.question, LENGTH)
    asked = f"{moment(entry.asked_at)} · {owner_name(entry.owner, names)}"
    comment = entry.feedback.comment if entry.feedback else ""
    with st.container(key=f"entry-{entry.message_id}", gap=None):
        with st.container(horizontal=True, vertical_alignment="center"):
            if many:
                st.checkbox(f"Marcar: {question}", key=mark_of(entry), label_visibility="collapsed")
            link(question, page=PAGE, answer=str(entry.message_id))
        show(facts(entry_tags(entry, names), asked), note(f"«{comment}»") if comment else EMPTY)
