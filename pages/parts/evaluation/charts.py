"""Plots of the evaluation pages, drawn in the browser from data that travel with the page."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import altair as alt
import streamlit as st

from pages.parts.evaluation.words import DECIMAL, category_name, metric_name
from rag.evaluation.comparison import Change
from rag.evaluation.reliability import Bin, Point
from rag.evaluation.results import CaseResult, Summary

ONE, OTHER = "#2f7d99", "#b8703f"
INK = {"light": "#555d63", "dark": "#b0b6b9"}
PLACES = (("1.º", 1, 1), ("2.º", 2, 2), ("3.º", 3, 3), ("4–10", 4, 10), ("11–30", 11, 30))
NOT_FOUND = "no está"
COMMA = "replace(format(datum.value, '.1f'), '.', ',')"
THOUSANDS = "replace(format(datum.value, ',d'), ',', '.')"
ROW = 26
HEIGHT = 260
TALL = 400
"""Of the chart whose two axes have the same scale, legend included."""
Chart = alt.Chart | alt.LayerChart | alt.FacetChart


def draw(chart: Chart, description: str) -> None:
    """Draw a chart with texts dark enough for the background; Streamlit's own greys are too pale."""
    ink = INK.get(st.context.theme.type or "light", INK["light"])
    texts: dict[str, Any] = dict(labelColor=ink, titleColor=ink, labelFontSize=13, titleFontSize=13)
    st.altair_chart(chart.configure_axis(**texts).configure_legend(**texts), alt=description)


def categories_chart(summary: Summary, metric: str) -> Chart:
    """One point per category, with its interval."""
    rows = []
    for name, metrics in summary.by_category.items():
        if metric in metrics:
            low, high = summary.category_intervals[name].get(metric, (metrics[metric], metrics[metric]))
            title = f"{category_name(name)} ({int(metrics['questions'])})"
            rows.append({"Categoría": title, "Valor": metrics[metric], "Desde": low, "Hasta": high})
    axis = alt.Axis(labelExpr=COMMA) if metric in DECIMAL else alt.Axis(format=".0%")
    x = alt.X("Valor:Q", scale=alt.Scale(domain=[0, 1]), title=metric_name(metric), axis=axis)
    return alt.layer(*_whiskers(rows, "Categoría", x)).properties(height=alt.Step(ROW))


def changes_chart(changes: Sequence[Change]) -> Chart:
    """One point per measure: its change, with the interval of the difference."""
    rows = [
        {
            "Medida": metric_name(change.name),
            "Valor": change.difference,
            "Desde": change.interval[0],
            "Hasta": change.interval[1],
        }
        for change in changes
    ]
    zero = _chart([{"cero": 0}]).mark_rule(color=OTHER, strokeDash=[4, 3])
    zero = zero.encode(x=alt.X("cero:Q", title="Diferencia"))
    x = alt.X("Valor:Q", scale=alt.Scale(), title="Diferencia", axis=alt.Axis(format="+.0%"))
    return alt.layer(zero, *_whiskers(rows, "Medida", x)).properties(height=alt.Step(ROW))


def ranks_chart(results: Sequence[CaseResult]) -> Chart:
    """The number of questions whose first right article stands at each place."""
    counts = Counter(_place(result.rank) for result in results if result.scores)
    names = [name for name, *_ in PLACES] + [NOT_FOUND]
    axis = alt.Axis(labelAngle=0, labelOverlap=False)
    return _bars(
        [{"Lugar": name, "Preguntas": counts[name]} for name in names],
        alt.X("Lugar:N", sort=names, axis=axis, title=None),
        alt.Y("Preguntas:Q", axis=alt.Axis(tickMinStep=1)),
        tooltip=["Lugar:N", "Preguntas:Q"],
    )


def confidence_chart(results: Sequence[CaseResult]) -> Chart:
    """The number of questions by confidence, in two colours: to be answered and to be refused."""
    rows = [
        {"Confianza": result.confidence, "Debía": "responderse" if result.answerable else "rechazarse"}
        for result in results
    ]
    colour = alt.Color(
        "Debía:N",
        scale=alt.Scale(domain=["responderse", "rechazarse"], range=[ONE, OTHER]),
        legend=alt.Legend(orient="top", title="Debía"),
    )
    axis = alt.Axis(values=[0, 0.2, 0.4, 0.6, 0.8, 1], labelExpr=COMMA)
    x = alt.X("Confianza:Q", bin=alt.Bin(step=0.05, extent=[0, 1]), axis=axis, title="Confianza")
    return _bars(rows, x, _count(), color=colour)


def times_chart(results: Sequence[CaseResult]) -> Chart:
    """The number of questions by time."""
    rows = [{"Milisegundos": result.elapsed_ms} for result in results]
    axis = alt.Axis(labelExpr=THOUSANDS)
    x = alt.X("Milisegundos:Q", bin=alt.Bin(maxbins=30), axis=axis, title="Milisegundos")
    return _bars(rows, x, _count())


def reliability_chart(found: Sequence[Bin]) -> Chart:
    """One point a bin: the share of right answers over their mean confidence; the diagonal is ideal."""
    rows = [{"Confianza": one.confidence, "Acierto": one.right, "Respuestas": one.answers} for one in found]
    line = _chart([{"x": 0, "y": 0}, {"x": 1, "y": 1}]).mark_line(color=OTHER, strokeDash=[4, 3])
    tip = [*(alt.Tooltip(f"{name}:Q", format=".2f") for name in ("Confianza", "Acierto")), "Respuestas:Q"]
    points = _chart(rows).mark_circle(color=ONE, opacity=1)
    size = alt.Size("Respuestas:Q", legend=alt.Legend(orient="top", title="Respuestas"))
    return alt.layer(
        line.encode(x=_share(alt.X, "x", "Confianza"), y=_share(alt.Y, "y", "Acierto")),
        points.encode(x=_share(alt.X, "Confianza"), y=_share(alt.Y, "Acierto"), size=size, tooltip=tip),
    ).properties(height=TALL)


def risk_chart(points: Sequence[Point]) -> Chart:
    """The share of wrong answers among the most confident, over the share of questions they are."""
    rows = [
        {"Preguntas respondidas": p.coverage, "Respuestas con fallos": p.risk, "Confianza": p.confidence}
        for p in points
    ]
    names = ("Preguntas respondidas", "Respuestas con fallos", "Confianza")
    tip = [alt.Tooltip(f"{name}:Q", format=".2f") for name in names]
    x, y = _share(alt.X, names[0]), _share(alt.Y, names[1])
    chart: Chart = (
        _chart(rows).mark_line(color=ONE, point=alt.OverlayMarkDef(color=ONE)).encode(x=x, y=y, tooltip=tip)
    )
    return chart.properties(height=HEIGHT)


def _share(channel: type[alt.X] | type[alt.Y], name: str, title: str = "") -> Any:
    axis = alt.Axis(format=".0%")
    return channel(f"{name}:Q", scale=alt.Scale(domain=[0, 1]), axis=axis, title=title or name)


def _place(rank: int | None) -> str:
    return next((name for name, low, high in PLACES if rank is not None and low <= rank <= high), NOT_FOUND)


def _chart(rows: list[dict[str, Any]]) -> alt.Chart:
    return alt.Chart(alt.InlineData(values=rows))


def _bars(rows: list[dict[str, Any]], x: alt.X, y: alt.Y, **encodings: Any) -> Chart:
    chart: Chart = _chart(rows).mark_bar(color=ONE).encode(x=x, y=y, **encodings).properties(height=HEIGHT)
    return chart


def _count() -> alt.Y:
    return alt.Y("count():Q", title="Preguntas", axis=alt.Axis(tickMinStep=1))


def _whiskers(rows: list[dict[str, Any]], by: str, x: alt.X) -> tuple[alt.Chart, alt.Chart]:
    """The lines of the intervals and the points of the values, one row for each `by`."""
    y = alt.Y(f"{by}:N", sort=None, title=None, axis=alt.Axis(labelLimit=260, labelOverlap=False))
    tip = [f"{by}:N", *(alt.Tooltip(f"{name}:Q", format=".3f") for name in ("Valor", "Desde", "Hasta"))]
    base = _chart(rows)
    line = base.mark_rule(color=ONE, strokeWidth=2).encode(y=y, x=alt.X("Desde:Q"), x2="Hasta:Q")
    point = base.mark_point(color=ONE, filled=True, size=70, opacity=1)
    return line, point.encode(y=y, x=x, tooltip=tip)
