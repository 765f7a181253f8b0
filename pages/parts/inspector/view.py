"""Settings of a run, shared by the views of the inspector."""

from datetime import date
from typing import Any

import streamlit as st

from core.profile import RerankStrategy, SearchStrategy
from pages.parts.common.widgets import Place, choose, choose_day
from pages.parts.common.words import STRATEGIES, today
from rag.evaluation.rankings import Options

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


def day_of_law(at: Place, value: date | None, key: str, **look: Any) -> date | None:
    """A box for the day whose law is searched, up to today."""
    label = "Normativa vigente el"
    return choose_day(at, label, value, key, min_value=OLDEST, max_value=today(), **look)


def settings(key: str, as_of: date | None = None) -> tuple[date | None, Options]:
    """The day and the options of a run, from three boxes in a row; None for the day of the question."""
    columns = st.columns(3)
    told = "Sin fecha, la que diga la pregunta o, si no dice ninguna, la de hoy."
    day = day_of_law(columns[0], as_of, f"{key}-day", persist_state="session", help=told)
    search = choose(columns[1], "Búsqueda", SEARCHES, f"{key}-search")
    rerank = choose(columns[2], "Orden", RERANKERS, f"{key}-rerank")
    return day, Options(search=search, rerank=rerank)
