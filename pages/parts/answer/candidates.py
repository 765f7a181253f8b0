"""Fragments with their scores, for the debug view and the inspector. Texts are plain text."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from pages.parts.common.html import html, show
from pages.parts.common.widgets import grid
from pages.parts.common.words import COLLECTIONS, FEATURES, ORIGINS
from rag.shared.trace import Candidate

TOTAL = "Total"
SCORES = {
    "Reordenación": "rerank",
    "Fusión": "fused",
    "Puntuación": "score",
    "Coseno": "dense",
    "Parecido como respuesta": "adapted",
    "BM25": "sparse",
    "Palabras afines": "aids",
    "Pregunta afín": "question",
    "Pasaje afín": "passage",
}
"""Scores of a fragment, those that decide its place first: the first that a table has stays in sight."""


def candidates_table(candidates: Sequence[Candidate]) -> None:
    """One row per fragment, in the given order, with the scores that any of them has."""
    if not candidates:
        st.text("Ninguno.")
        return
    known = {
        title: name
        for title, name in SCORES.items()
        if any(getattr(one, name) is not None for one in candidates)
    }
    rows = [
        {
            "Nº": position,
            "Fragmento": candidate.name,
            **{title: _rounded(getattr(candidate, name)) for title, name in known.items()},
            "Colección": COLLECTIONS.get(candidate.collection, candidate.collection),
            "Subconsultas": ", ".join(str(index + 1) for index in candidate.sub_queries),
            "Origen": ORIGINS.get(candidate.origin, candidate.origin),
            "Traído por": candidate.via,
            "Extracto": candidate.excerpt,
            "Id": candidate.chunk_id,
        }
        for position, candidate in enumerate(candidates, 1)
    ]
    _scores_grid(rows, "Fragmentos y sus puntuaciones", known)


def _scores_grid(rows: Sequence[Mapping[str, object]], alt: str, scores: Iterable[str]) -> None:
    """A table whose fragment and first score stay in sight and whose `scores` have the decimal comma."""
    columns: dict[str, Any] = {"Fragmento": st.column_config.TextColumn(pinned=True)}
    for place, score in enumerate(scores):
        columns[score] = st.column_config.NumberColumn(format="localized", pinned=not place or None)
    grid(rows, alt, column_config=columns, placeholder="—")


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def features_table(kept: Sequence[Candidate]) -> None:
    """The contribution of each feature to the score of each fragment, the largest first."""
    names = {name: 0.0 for candidate in kept for name, _ in candidate.features}
    if not names:
        return
    for candidate in kept:
        for name, value in candidate.features:
            names[name] += abs(value)
    order = sorted(names, key=lambda name: -names[name])
    titles = {name: FEATURES.get(name, name) for name in order}
    rows = [
        {"Fragmento": candidate.name, TOTAL: round(sum(value for _, value in candidate.features), 2)}
        | {title: _rounded(dict(candidate.features).get(name)) for name, title in titles.items()}
        for candidate in kept
    ]
    heading("Por qué este orden (aportación de cada rasgo)")
    _scores_grid(rows, "Aportación de cada rasgo al orden", (TOTAL, *titles.values()))


def heading(text: str) -> None:
    """A small heading within a panel."""
    show(html('<h4 class="art-head">{}</h4>', text))
