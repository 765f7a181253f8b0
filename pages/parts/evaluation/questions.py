"""The questions of an evaluation: which ones to look at, and the way to each."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.parts.common.html import note, show
from pages.parts.common.layout import go
from pages.parts.common.render import label_text
from pages.parts.common.words import plural
from pages.parts.evaluation.words import category_name, verdict
from rag.evaluation.types import CaseResult

PAGE = 25
LENGTH = 140
ALL = "Todas"

SHOW: dict[str, Callable[[CaseResult], bool]] = {
    "Con fallos": lambda r: r.held and not r.right,
    "Artículo fuera de los 3 primeros": lambda r: r.held and r.checks.get("retrieval") is False,
    "Rechazadas por error": lambda r: r.held and r.answerable and r.refused,
    "Respondidas por error": lambda r: r.held and not r.answerable and not r.refused,
    "Territorio, fecha o redacción": lambda r: (
        r.held and any(r.checks.get(name) is False for name in ("territory", "as_of", "must_contain"))
    ),
    "Contadas aparte": lambda r: not r.held,
    ALL: lambda r: True,
}


def show_questions(evaluation_id: str, results: list[CaseResult]) -> None:
    """A filtered list; each question leads to its view."""
    counts = {name: sum(map(kept, results)) for name, kept in SHOW.items()}
    offered = [name for name in SHOW if counts[name]]
    left, right = st.columns(2)
    wanted = left.selectbox(
        "Mostrar",
        offered,
        format_func=lambda name: f"{name} ({counts[name]})",
        key="show",
        persist_state="session",
    )
    categories = [ALL, *dict.fromkeys(result.category for result in results)]
    category = right.selectbox(
        "Categoría",
        categories,
        format_func=lambda name: name if name == ALL else category_name(name),
        key="category",
        persist_state="session",
    )
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
        st.button("Ver más", key="more-questions", on_click=_more)


def _entry(evaluation_id: str, position: int, result: CaseResult) -> None:
    text = result.question if len(result.question) <= LENGTH else result.question[: LENGTH - 1] + "…"
    mark = ":material/check_circle:" if result.right else ":material/cancel:"
    under = f"{category_name(result.category)} · {verdict(result)}"
    st.button(
        f"{label_text(text)} :small[{label_text(under)}]",
        key=f"case-{position}",
        icon=mark if result.held else ":material/remove_circle:",
        type="tertiary",
        width="stretch",
        wrap=True,
        on_click=go,
        kwargs={"run": evaluation_id, "case": str(position)},
    )


def _more() -> None:
    st.session_state["questions-shown"] = st.session_state.get("questions-shown", PAGE) + PAGE
