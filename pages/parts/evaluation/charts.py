"""The plots of the evaluation pages. They are drawn in the browser, from data that travel with the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import altair as alt
import streamlit as st

from pages.parts.evaluation.words import DECIMAL, category_name, metric_name
from rag.evaluation.compare import Change
from rag.evaluation.types import CaseResult, Summary

ONE, OTHER = "#2f7d99", "#b8703f"
INK = {"light": "#555d63", "dark": "#b0b6b9"}
PLACES = (("1.º", 1, 1), ("2.º", 2, 2), ("3.º", 3, 3), ("4–10", 4, 10), ("11–30", 11, 30))
NOT_FOUND = "no está"
COMMA = "replace(format(datum.value, '.1f'), '.', ',')"
ROW = 26
HEIGHT = 260


def show(chart: alt.Chart | alt.LayerChart, description: str) -> None:
    """Draw it with texts that can be read on the background (Streamlit's own greys are too pale)."""
    ink = INK.get(st.context.theme.type or "light", INK["light"])
    texts = {"labelColor": ink, "titleColor": ink, "labelFontSize": 13, "titleFontSize": 13}
    st.altair_chart(chart.configure_axis(**texts).configure_legend(**texts), alt=description)


def categories_chart(summary: Summary, metric: str) -> alt.LayerChart:
    """One point a category, with its interval."""
    rows = []
    for name, metrics in summary.by_category.items():
        if metric in metrics:
            low, high = summary.category_intervals[name].get(metric, (metrics[metric], metrics[metric]))
            title = f"{category_name(name)} ({int(metrics['questions'])})"
            rows.append({"Categoría": title, "Valor": metrics[metric], "Desde": low, "Hasta": high})
    scale = alt.Scale(domain=[0, 1])
    return _whiskers(rows, "Categoría", metric_name(metric), scale, _format(metric))


def changes_chart(changes: Sequence[Change]) -> alt.LayerChart:
    """One point a measure: how much it changed, with the interval of the difference."""
    rows = [
        {
            "Medida": metric_name(change.name),
            "Valor": change.difference,
            "Desde": change.interval[0],
            "Hasta": change.interval[1],
        }
        for change in changes
    ]
    chart = _whiskers(rows, "Medida", "Diferencia", alt.Scale(), "+.0%")
    zero = alt.Chart(alt.Data(values=[{"cero": 0}])).mark_rule(color=OTHER, strokeDash=[4, 3])
    zero = zero.encode(x=alt.X("cero:Q", title="Diferencia"))
    return zero + chart


def ranks_chart(results: Sequence[CaseResult]) -> alt.Chart:
    """How many questions found their article at each place."""
    counts = Counter(_place(result.rank) for result in results if result.scores)
    names = [name for name, *_ in PLACES] + [NOT_FOUND]
    rows = [{"Lugar": name, "Preguntas": counts[name]} for name in names]
    x = alt.X("Lugar:N", sort=names, axis=alt.Axis(labelAngle=0, labelOverlap=False), title=None)
    return _bars(rows, x)


def confidence_chart(results: Sequence[CaseResult]) -> alt.Chart:
    """How many questions had each confidence, apart those to be answered and those to be refused."""
    rows = [
        {
            "Confianza": result.confidence,
            "Debía": "responderse" if result.answerable else "rechazarse",
        }
        for result in results
    ]
    colour = alt.Color(
        "Debía:N",
        scale=alt.Scale(domain=["responderse", "rechazarse"], range=[ONE, OTHER]),
        legend=alt.Legend(orient="top", title="Debía"),
    )
    axis = alt.Axis(values=[0, 0.2, 0.4, 0.6, 0.8, 1], labelExpr=COMMA)
    x = alt.X("Confianza:Q", bin=alt.Bin(step=0.05, extent=[0, 1]), axis=axis, title="Confianza")
    chart = alt.Chart(alt.Data(values=rows)).mark_bar()
    return chart.encode(x=x, y=_count(), color=colour).properties(height=HEIGHT)


def times_chart(results: Sequence[CaseResult]) -> alt.Chart:
    """How many questions took how long."""
    rows = [{"Milisegundos": result.elapsed_ms} for result in results]
    x = alt.X("Milisegundos:Q", bin=alt.Bin(maxbins=30), title="Milisegundos")
    return (
        alt.Chart(alt.Data(values=rows)).mark_bar(color=ONE).encode(x=x, y=_count()).properties(height=HEIGHT)
    )


def _place(rank: int | None) -> str:
    return next((name for name, low, high in PLACES if rank is not None and low <= rank <= high), NOT_FOUND)


def _bars(rows: list[dict[str, Any]], x: alt.X) -> alt.Chart:
    y = alt.Y("Preguntas:Q", axis=alt.Axis(tickMinStep=1))
    chart = alt.Chart(alt.Data(values=rows)).mark_bar(color=ONE)
    return chart.encode(x=x, y=y, tooltip=["Lugar:N", "Preguntas:Q"]).properties(height=HEIGHT)


def _count() -> alt.Y:
    return alt.Y("count():Q", title="Preguntas", axis=alt.Axis(tickMinStep=1))


def _whiskers(rows: list[dict[str, Any]], by: str, title: str, scale: alt.Scale, form: str) -> alt.LayerChart:
    y = alt.Y(f"{by}:N", sort=None, title=None, axis=alt.Axis(labelLimit=260, labelOverlap=False))
    x = alt.X("Valor:Q", scale=scale, title=title, axis=_axis(form))
    tip = [f"{by}:N", *(alt.Tooltip(f"{name}:Q", format=".3f") for name in ("Valor", "Desde", "Hasta"))]
    base = alt.Chart(alt.Data(values=rows))
    line = base.mark_rule(color=ONE, strokeWidth=2).encode(y=y, x=alt.X("Desde:Q"), x2="Hasta:Q")
    point = base.mark_point(color=ONE, filled=True, size=70, opacity=1).encode(y=y, x=x, tooltip=tip)
    return (line + point).properties(height=alt.Step(ROW))


def _format(metric: str) -> str:
    return ".1f" if metric in DECIMAL else ".0%"


def _axis(form: str) -> alt.Axis:
    return alt.Axis(labelExpr=COMMA) if form == ".1f" else alt.Axis(format=form)
