"""The questions of an evaluation: filters, and a link to each."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.parts.common.html import note, show
from pages.parts.common.layout import go
from pages.parts.common.render import label_text
from pages.parts.common.widgets import button, choose, show_more
from pages.parts.common.words import plural, shortened
from pages.parts.evaluation.words import category_name, verdict
from rag.evaluation.results import CaseResult

PAGE = 25
LENGTH = 140
ALL = "Todas"
OF_THE_PLACE_OR_DAY = ("territory", "as_of", "must_contain", "quoted", "not_quoted")

SHOW: dict[str, Callable[[CaseResult], bool]] = {
    "Con fallos": lambda r: r.held and not r.right,
    "Faltan hechos": lambda r: r.held and r.checks.get("facts") is False,
    "Artículo fuera de los 3 primeros": lambda r: r.held and r.checks.get("retrieval") is False,
    "Rechazadas por error": lambda r: r.held and r.answerable and r.refused,
    "Respondidas por error": lambda r: r.held and not r.answerable and not r.checks["refusal"],
    "Territorio, fecha o redacción": lambda r: (
        r.held and any(r.checks.get(name) is False for name in OF_THE_PLACE_OR_DAY)
    ),
    "Contadas aparte": lambda r: not r.held,
    ALL: lambda r: True,
}


def show_questions(evaluation_id: str, results: list[CaseResult]) -> None:
    """The questions that pass the filters; each leads to its view."""
    counts = {name: sum(map(kept, results)) for name, kept in SHOW.items()}
    offered = {name: f"{name} ({count})" for name, count in counts.items() if count}
    left, right = st.columns(2)
    wanted = choose(left, "Mostrar", offered, "show")
    categories = {result.category: category_name(result.category) for result in results}
    category = choose(right, "Categoría", {ALL: ALL} | categories, "category")
    chosen = [
        (position, result)
        for position, result in enumerate(results)
        if SHOW[wanted](result) and category in (ALL, result.category)
    ]
    limit = st.session_state.get("questions-shown", PAGE)
    show(note(plural(len(chosen), "pregunta", "preguntas")))
    with st.container(key="questions", gap=None):
        for position, result in chosen[:limit]:
            _entry(evaluation_id, position, result)
    if len(chosen) > limit:
        show_more("Ver más", "more-questions", "questions-shown", limit + PAGE)


def _entry(evaluation_id: str, position: int, result: CaseResult) -> None:
    mark = ("check_circle" if result.right else "cancel") if result.held else "remove_circle"
    under = f"{category_name(result.category)} · {verdict(result)}"
    label = f"{label_text(shortened(result.question, LENGTH))} :small[{label_text(under)}]"
    to = partial(go, run=evaluation_id, case=str(position))
    button(label, f"case-{position}", mark, to, type="tertiary", width="stretch", wrap=True)
