"""One evaluation: measures, categories, distributions, questions and settings."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.parts.common.confirm import confirm
from pages.parts.common.html import EMPTY, Html, note, notes, show, table, warning
from pages.parts.common.layout import back, go, heading, section
from pages.parts.common.listing import growing
from pages.parts.common.page import errors_as_toasts
from pages.parts.common.render import label_text
from pages.parts.common.widgets import button, choose
from pages.parts.common.words import duration, plural, shortened
from pages.parts.evaluation.charts import (
    categories_chart,
    confidence_chart,
    draw,
    ranks_chart,
    reliability_chart,
    risk_chart,
    times_chart,
)
from pages.parts.evaluation.view import facts_line, headline_tiles, size, title_of
from pages.parts.evaluation.words import (
    FACTS,
    METRICS,
    MISSES,
    category_name,
    fact_value,
    metric_name,
    spread,
    value,
    verdict,
)
from rag.evaluation.reliability import bins, risk_coverage
from rag.evaluation.report import misses
from rag.evaluation.results import CaseResult, Evaluation, EvaluationState, Summary
from service.members.member import Member

TABS = ("Medidas", "Gráficos", "Preguntas", "Configuración")
BY_CATEGORY = ("right", "facts_told", "hit@3", "mrr@10", "refusal_accuracy")
UNFINISHED = {
    EvaluationState.CANCELLED: "Cancelada: las medidas son de las preguntas hechas hasta entonces.",
    EvaluationState.INTERRUPTED: "Interrumpida: el programa se cerró antes de terminarla.",
    EvaluationState.RUNNING: "La hace otro proceso en este momento.",
}
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


def show_run(app: Member, evaluation_id: str) -> None:
    """The view of a stored evaluation. Raises NotFound."""
    evaluation = app.evaluations.evaluation(evaluation_id)
    back("Todas las evaluaciones", "back")
    heading(title_of(evaluation), f"{size(evaluation)} · {facts_line(app, evaluation)}", wide=True)
    if evaluation.state is EvaluationState.FAILED:
        st.error(label_text(f"No se completó: {evaluation.error}"), icon=":material/error:")
    elif evaluation.state in UNFINISHED:
        show(warning(UNFINISHED[evaluation.state]))
    results = app.evaluations.results(evaluation_id)
    if evaluation.summary is None:
        show(note("No hay medidas."))
    else:
        show(headline_tiles(evaluation.summary), _checked(evaluation.summary))
        _show_tabs(evaluation, evaluation.summary, results)
    if st.button("Eliminar la evaluación…", key="remove", icon=":material/delete:", type="tertiary"):
        said = f"Se eliminará «{title_of(evaluation)}» con sus preguntas y trazas. No se puede deshacer."
        confirm("Eliminar la evaluación", said, "Eliminar", "remove", _remove, app, evaluation.id)


def _checked(summary: Summary) -> Html:
    """How many questions check the words of the answer, unless all do."""
    asked, told = summary.counts.get("right", 0), summary.counts.get("facts_told", 0)
    if told == asked:
        return EMPTY
    return note(
        f"Lo que dice la respuesta se comprueba en {told} de {plural(asked, 'pregunta', 'preguntas')}; en "
        "las demás, solo si se decide bien responder y se encuentra el artículo."
    )


def _show_tabs(evaluation: Evaluation, summary: Summary, results: list[CaseResult]) -> None:
    wanted = st.query_params.get("tab")
    measures, charts, questions, settings = st.tabs(TABS, default=wanted if wanted in TABS else None)
    with measures:
        _show_measures(summary)
        _show_misses(results)
        _show_categories(summary)
        _show_notes(summary, results)
    with charts:
        _show_charts(summary, results)
    with questions:
        show_questions(evaluation.id, results)
    with settings:
        _show_settings(evaluation)


def _show_measures(summary: Summary) -> None:
    rows = [
        (
            title,
            value(name, summary.metrics[name]),
            spread(name, summary.intervals.get(name)),
            str(summary.counts.get(name, "")),
            meaning,
        )
        for name, (title, meaning) in METRICS.items()
        if name in summary.metrics
    ]
    show(table(("Medida", "Valor", "Intervalo 95 %", "Preguntas", "Qué mide"), rows, numeric=(1, 2, 3)))


def _show_categories(summary: Summary) -> None:
    section("Por categoría")
    shown = [name for name in BY_CATEGORY if name in summary.metrics]
    rows = [
        (
            category_name(name),
            str(int(metrics["questions"])),
            *(value(m, metrics[m]) if m in metrics else "—" for m in shown),
        )
        for name, metrics in summary.by_category.items()
    ]
    headers = ("Categoría", "Preguntas", *map(metric_name, shown))
    show(table(headers, rows, numeric=range(1, len(headers))))


def _show_misses(results: list[CaseResult]) -> None:
    """The number of facts lost by each stage, if the answers were measured."""
    lost = misses(results)
    if not lost:
        return
    section("Hechos que faltan, por la etapa que los perdió")
    facts = sum(len(result.told.facts) for result in results if result.held and result.told)
    rows = [
        (meaning.capitalize(), str(lost[miss]), value("facts_told", lost[miss] / facts))
        for miss, meaning in MISSES.items()
    ]
    show(table(("Etapa", "Hechos", "Parte de todos"), rows, numeric=(1, 2)))


def _show_notes(summary: Summary, results: list[CaseResult]) -> None:
    lines = [
        "Intervalos del 95 % por remuestreo de las preguntas: con pocas preguntas son muy anchos, y si todas "
        "aciertan o todas fallan no dicen nada.",
        f"Tiempo por pregunta: {duration(summary.elapsed_ms['p50'])} de mediana, "
        f"{duration(summary.elapsed_ms['p95'])} en el percentil 95.",
    ]
    if apart := int(summary.metrics.get("not_loaded", 0)):
        lines.append(
            f"{plural(apart, 'pregunta', 'preguntas')} aparte, sin contar en las medidas: el corpus no tiene "
            "ninguno de los artículos que responden."
        )
    if changed := sum(bool(result.fallbacks) for result in results):
        lines.append(
            f"En {plural(changed, 'pregunta', 'preguntas')} alguna etapa usó su alternativa (véase su traza)."
        )
    show(notes(lines))


def _show_charts(summary: Summary, results: list[CaseResult]) -> None:
    section("Por categoría, con intervalo")
    shown = [name for name in METRICS if any(name in m for m in summary.by_category.values())]
    names = {name: metric_name(name) for name in shown}
    metric = choose(None, "Medida", names, "chart-metric", keep=False, width=360)
    draw(categories_chart(summary, metric), f"{metric_name(metric)} por categoría")
    counted = [result for result in results if result.held]
    if any(result.scores for result in counted):
        section("Lugar del primer artículo que responde")
        draw(ranks_chart(counted), "Número de preguntas según el lugar del artículo")
    section("Confianza y decisión", "Lo que debía responderse y lo que debía rechazarse, por confianza.")
    draw(confidence_chart(counted), "Número de preguntas según su confianza")
    if points := risk_coverage(results):
        section("Confianza y acierto", "Acierto: la respuesta dice todos los hechos y nada que no deba.")
        draw(reliability_chart(bins(results)), "Acierto de las respuestas según su confianza")
        section("Riesgo y cobertura", "Fallos si solo se dieran las respuestas de más confianza.")
        draw(risk_chart(points), "Respuestas con fallos según la parte de preguntas que se responde")
    section("Tiempo por pregunta")
    draw(times_chart(results), "Número de preguntas según su tiempo")


def _show_settings(evaluation: Evaluation) -> None:
    facts = {"dataset": evaluation.dataset_hash[:12], **evaluation.facts}
    rows = [(FACTS.get(name, name), fact_value(name, fact)) for name, fact in facts.items()]
    show(table(("Ajuste", "Valor"), rows))


def _remove(app: Member, evaluation_id: str) -> None:
    with errors_as_toasts():
        app.evaluations.remove(evaluation_id)
        go()


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
    show(note(plural(len(chosen), "pregunta", "preguntas")))
    growing(chosen, PAGE, "questions", partial(_entry, evaluation_id), gap=None)


def _entry(evaluation_id: str, placed: tuple[int, CaseResult]) -> None:
    position, result = placed
    mark = ("check_circle" if result.right else "cancel") if result.held else "remove_circle"
    under = f"{category_name(result.category)} · {verdict(result)}"
    label = f"{label_text(shortened(result.question, LENGTH))} :small[{label_text(under)}]"
    to = partial(go, run=evaluation_id, case=str(position))
    button(label, f"case-{position}", mark, to, type="tertiary", width="stretch", wrap=True)
