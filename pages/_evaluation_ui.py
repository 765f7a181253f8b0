"""What the views of the evaluation page share: the address, the head of a view, tiles."""

from __future__ import annotations

from html import escape

import streamlit as st

from pages._evaluation_words import (
    HEADLINES,
    MODES,
    STATES,
    dataset_name,
    metric_name,
    moment,
    spread,
    tags_html,
    value,
)
from pages._normativa_words import owner_name
from pages._render import label_text
from pages._words import plural
from rag.errors import NotFound
from rag.evaluation_types import Evaluation, EvaluationState, Summary
from service.members import Member


def go(**address: str) -> None:
    """Name another view in the address, so that a refresh or a copied link reopens it."""
    st.query_params.clear()
    st.query_params.update(address)


def not_there(error: NotFound) -> None:
    """What the address names does not exist: say so, and name the home view of the page instead."""
    go()
    st.toast(label_text(str(error)), icon=":material/error:")


def back(label: str, key: str, **address: str) -> None:
    icon = ":material/arrow_back:"
    st.button(label_text(label), key=key, icon=icon, type="tertiary", on_click=go, kwargs=dict(address))


def heading(title: str, note: str = "") -> None:
    """The title of a view and one line under it."""
    under = f'<p class="art-note">{escape(note)}</p>' if note else ""
    st.html(f'<div class="art-title"><h1>{escape(title)}</h1>{under}</div>')


def section(title: str, note: str = "") -> None:
    under = f'<p class="art-note">{escape(note)}</p>' if note else ""
    st.html(f'<h2 class="art-section">{escape(title)}</h2>{under}')


def facts_line(app: Member, evaluation: Evaluation) -> str:
    """When, by whom, with what."""
    facts = evaluation.facts
    parts = [
        moment(evaluation.created_at),
        owner_name(evaluation.owner, app.names()),
        MODES.get(facts.get("mode", ""), ""),
        f"{facts['norms']} normas" if "norms" in facts else "",
    ]
    return " · ".join(part for part in parts if part)


def tags(evaluation: Evaluation) -> str:
    """State and headline measures as small labels."""
    word, kind = STATES[evaluation.state]
    shown = [(word, kind)] if evaluation.state is not EvaluationState.DONE else []
    summary = evaluation.summary
    if summary is not None:
        shown += [
            (f"{metric_name(name)}: {value(name, summary.metrics[name])}", "")
            for name in HEADLINES
            if name in summary.metrics
        ]
    return tags_html(shown)


def tiles(summary: Summary) -> None:
    """The headline measures, large, each with its interval."""
    cells = "".join(
        f"<div><dt>{escape(metric_name(name))}</dt><dd>{escape(value(name, summary.metrics[name]))}"
        f"<small>{escape(spread(name, summary.intervals.get(name)))}</small></dd></div>"
        for name in HEADLINES
        if name in summary.metrics
    )
    st.html(f'<dl class="art-tiles">{cells}</dl>')


def size(evaluation: Evaluation) -> str:
    """'150 preguntas', or how many of them were measured."""
    if evaluation.done == evaluation.total:
        return plural(evaluation.total, "pregunta", "preguntas")
    return f"{evaluation.done} de {evaluation.total} preguntas"


def stored(app: Member, evaluation_id: str) -> Evaluation:
    """Raises NotFound."""
    return app.evaluations.evaluation(evaluation_id)


def title_of(evaluation: Evaluation) -> str:
    return dataset_name(evaluation.dataset)
