"""The queue of answers to review: filters, order, pages."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from domain.reviews import QueueEntry, QueueFilter, QueueSort
from pages.parts.common.html import EMPTY, facts, note, show, status
from pages.parts.common.render import label_text
from pages.parts.common.words import Names, moment, owner_name, plural, today
from pages.parts.review.words import (
    ALL,
    ANSWER_FILTERS,
    REVIEW_FILTERS,
    SORTS,
    VOTE_FILTERS,
    entry_tags,
    matter_name,
    queue_filter,
)
from rag.clock import SPAIN
from service.members.member import Member

PAGE = "pages/review.py"
PAGE_SIZE = 50
LENGTH = 180


def show_queue(app: Member) -> None:
    where, sort = _filters(app)
    if st.session_state.get("queue-asked") != (where, sort):
        st.session_state["queue-asked"] = (where, sort)
        st.session_state["queue-page"] = 1
    number = st.session_state.get("queue-page", 1)
    found = app.reviews.queue(where, sort, (number - 1) * PAGE_SIZE, PAGE_SIZE)
    show(status(_count(found.total, number, where)))
    with st.container(key="queue", gap=None):
        names = app.names()
        for entry in found.entries:
            _entry(entry, names)
    if found.total > PAGE_SIZE:
        st.pagination(-(-found.total // PAGE_SIZE), key="queue-page")


def _filters(app: Member) -> tuple[QueueFilter, QueueSort]:
    with st.container(key="queue-filters"):
        first, second = st.columns(3), st.columns((1, 1.2, 0.9))
    vote = _choice(first[0], "Voto", list(VOTE_FILTERS), "queue-vote")
    answer = _choice(first[1], "Respuesta", list(ANSWER_FILTERS), "queue-answer")
    review = _choice(first[2], "Revisión", list(REVIEW_FILTERS), "queue-review")
    matters = {matter_name(label): {"matter": label} for label in app.reviews.matters()}
    matter = _choice(second[0], "Materia", [ALL, *matters], "queue-matter")
    days = second[1].date_input(
        "Fechas", [], max_value=today(), format="DD/MM/YYYY", key="queue-days", persist_state="session"
    )
    sort = second[2].selectbox(
        "Orden", list(SORTS), format_func=SORTS.__getitem__, key="queue-sort", persist_state="session"
    )
    asked = queue_filter(
        VOTE_FILTERS[vote],
        ANSWER_FILTERS[answer],
        REVIEW_FILTERS[review],
        matters.get(matter, {}),
        _between(days),
    )
    return asked, sort


def _choice(place: DeltaGenerator, label: str, options: list[str], key: str) -> str:
    chosen: str = place.selectbox(label, options, key=key, persist_state="session")
    return chosen


def _between(days: tuple[date, ...]) -> dict[str, object]:
    """From the first day, in Spain, to the end of the second, when it is chosen."""
    bounds: dict[str, object] = {}
    if days:
        bounds["since"] = datetime.combine(days[0], time(), SPAIN)
    if len(days) == 2:
        bounds["before"] = datetime.combine(days[1] + timedelta(days=1), time(), SPAIN)
    return bounds


def _count(total: int, number: int, where: QueueFilter) -> str:
    if not total:
        if where == QueueFilter():
            return "Todavía no hay respuestas: aparecerán aquí cuando alguien haga una consulta."
        return "Ninguna respuesta coincide: cambie los filtros."
    text = plural(total, "respuesta", "respuestas")
    if total <= PAGE_SIZE:
        return text
    first = (number - 1) * PAGE_SIZE + 1
    return f"{text}, de la {first} a la {min(total, first + PAGE_SIZE - 1)}"


def _entry(entry: QueueEntry, names: Names) -> None:
    line = " ".join(entry.question.split())
    question = line if len(line) <= LENGTH else line[: LENGTH - 1] + "…"
    asked = f"{moment(entry.asked_at)} · {owner_name(entry.owner, names)}"
    comment = entry.feedback.comment if entry.feedback else ""
    with st.container(key=f"entry-{entry.message_id}", gap=None):
        st.page_link(PAGE, label=label_text(question), query_params={"answer": str(entry.message_id)})
        show(facts(entry_tags(entry), asked), note(f"«{comment}»") if comment else EMPTY)
