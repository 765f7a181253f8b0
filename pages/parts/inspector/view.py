"""Settings of a run, shared by the views of the inspector."""

from __future__ import annotations

from datetime import date

import streamlit as st

from pages.parts.common.widgets import choose
from pages.parts.common.words import STRATEGIES, today
from rag.inspection.rankings import Options
from rag.profile import RerankStrategy, SearchStrategy

SEARCHES: dict[SearchStrategy, str] = {
    "auto": "Según la pregunta",
    "flat": "Por fragmentos",
    "hierarchical": "Por documentos (jerárquica)",
}
RERANKERS: dict[RerankStrategy, str] = {
    "heuristic": STRATEGIES["heuristic"].capitalize(),
    "none": STRATEGIES["none"].capitalize(),
}
OLDEST = date(1900, 1, 1)


def settings(key: str, as_of: date | None = None) -> tuple[date | None, Options]:
    """The day and the options of a run, from three boxes in a row; None for the day of the question."""
    columns = st.columns(3)
    day = columns[0].date_input(
        "Normativa vigente el",
        as_of,
        min_value=OLDEST,
        max_value=today(),
        format="DD/MM/YYYY",
        key=f"{key}-day",
        persist_state="session",
        help="Sin fecha, la que diga la pregunta o, si no dice ninguna, la de hoy.",
    )
    search = choose(columns[1], "Búsqueda", SEARCHES, f"{key}-search")
    rerank = choose(columns[2], "Orden", RERANKERS, f"{key}-rerank")
    return day, Options(search=search, rerank=rerank)
