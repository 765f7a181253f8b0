"""What the views of the inspector share: settings of a run, links to articles, words."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

import streamlit as st

from pages.parts.common.layout import link
from pages.parts.common.words import STRATEGIES, today
from rag.inspection.rankings import Options
from rag.profile import RerankStrategy, SearchStrategy
from rag.types import Chunk

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
    """The day and the settings of a run, three boxes in a row."""
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
    search = columns[1].selectbox(
        "Búsqueda",
        list(SEARCHES),
        format_func=SEARCHES.__getitem__,
        key=f"{key}-search",
        persist_state="session",
    )
    rerank = columns[2].selectbox(
        "Orden",
        list(RERANKERS),
        format_func=RERANKERS.__getitem__,
        key=f"{key}-rerank",
        persist_state="session",
    )
    return day, Options(search=search, rerank=rerank)


def article_links(chunks: Iterable[Chunk], key: str) -> None:
    """A link to the article of each fragment in the view of its document."""
    blocks = {(chunk.norm_id, chunk.block_id): chunk for chunk in chunks}
    if blocks:
        with st.container(horizontal=True, key=key, gap="small"):
            for (norm_id, block_id), chunk in blocks.items():
                link(chunk.name, icon=":material/article:", doc=norm_id, block=block_id)
