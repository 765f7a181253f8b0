"""Two evaluations side by side: measures with their intervals, questions, and settings."""

from functools import partial

import streamlit as st

from pages.parts.common.html import each, html, note, show, table, tiles, titled, warning
from pages.parts.common.layout import back, go, heading, section
from pages.parts.common.listing import growing
from pages.parts.common.widgets import button, segments
from pages.parts.common.words import plural
from pages.parts.evaluation import words
from pages.parts.evaluation.charts import changes_chart, draw
from pages.parts.evaluation.view import facts_line, size, title_of
from pages.parts.evaluation.words import category_name, metric_name, signed, signed_spread, value, verdict
from rag.evaluation.comparison import Change, Comparison, Outcome, Pair, compare, differing
from rag.evaluation.results import CaseResult, Evaluation
from service.members.member import Member

OUTCOMES: dict[Outcome, str] = {"won": "Mejor", "lost": "Peor", "equal": "Igual"}
BY_CATEGORY = ("right", "hit@3", "refusal_accuracy")
HEADERS = ("Medida", "Antes", "Después", "Diferencia", "Intervalo 95 %", "Lectura")
READING = (
    "Diferencia pregunta a pregunta, con su intervalo por remuestreo de las mismas preguntas. Si el "
    "intervalo contiene el 0, el azar de las preguntas puede explicar la diferencia."
)
PAGE, TOLD = 25, 3


def show_comparison(app: Member, before_id: str, after_id: str) -> None:
    """The view of two stored evaluations. Raises NotFound."""
    store = app.evaluations
    before, after = (store.evaluation(one) for one in (before_id, after_id))
    compared = compare(store.results(before_id), store.results(after_id))
    back("Todas las evaluaciones", "back")
    heading("Comparación", f"{plural(len(compared.pairs), 'pregunta', 'preguntas')} en común", wide=True)
    _sides(app, before, after)
    if not compared.pairs:
        show(warning("No tienen ninguna pregunta en común: no se pueden comparar."))
        return
    if compared.alone:
        told = (
            "Las dos evaluaciones no tienen las mismas preguntas, o el corpus de una no puede responder "
            f"algunas: quedan fuera {compared.alone}."
        )
        show(warning(told))
    counts: dict[Outcome, int] = {
        name: sum(pair.outcome == name for pair in compared.pairs) for name in OUTCOMES
    }
    show(tiles((label, counts[name], "") for name, label in OUTCOMES.items()))
    measures, questions, settings = st.tabs(("Medidas", "Preguntas", "Configuración"))
    with measures:
        _show_changes(compared)
    with questions:
        _show_pairs(compared, before, after, counts)
    with settings:
        _show_settings(before, after)


def _sides(app: Member, before: Evaluation, after: Evaluation) -> None:
    sides = (
        titled(label, f" · {title_of(one)}") + note(f"{size(one)} · {facts_line(app, one)}")
        for label, one in (("Antes", before), ("Después", after))
    )
    changed = [f"{name} ({was} → {now})" for name, was, now in _settings(before, after)]
    told = ", ".join(changed[:TOLD]) + (f" y {len(changed) - TOLD} más" if len(changed) > TOLD else "")
    same = "Mismos ajustes, modelos, índice y corpus."
    show(
        html('<div class="art-sides">{}</div>', each("<div>{}</div>", sides)),
        note(f"Cambia: {told}." if changed else same),
    )
    swapped = partial(go, **{"run": after.id, "with": before.id})
    button("Intercambiar", "swap", "swap_horiz", swapped, type="tertiary")


def _show_changes(compared: Comparison) -> None:
    by_name = {change.name: change for change in compared.changes}
    changes = [by_name[name] for name in words.METRICS if name in by_name]
    show(table(HEADERS, map(_row, changes), numeric=(1, 2, 3, 4)))
    show(note(READING))
    section("Diferencias con su intervalo")
    draw(changes_chart(changes), "Diferencia de cada medida con su intervalo")
    section("Por categoría", "Diferencia, y entre paréntesis el número de preguntas.")
    headers = ("Categoría", *map(metric_name, BY_CATEGORY))
    rows = [
        (category_name(name), *(_difference(group, metric) for metric in BY_CATEGORY))
        for name, group in compared.by_category.items()
    ]
    show(table(headers, rows, numeric=range(1, len(headers))))


def _row(change: Change) -> tuple[str, ...]:
    reading = "sin diferencia clara"
    if change.clear:
        reading = "mejora" if change.difference > 0 else "empeora"
    return (
        metric_name(change.name),
        value(change.name, change.before),
        value(change.name, change.after),
        signed(change.name, change.difference),
        signed_spread(change.name, change.interval),
        reading,
    )


def _difference(changes: tuple[Change, ...], metric: str) -> str:
    change = next((one for one in changes if one.name == metric), None)
    return "—" if change is None else f"{signed(metric, change.difference)} ({change.questions})"


def _show_pairs(
    compared: Comparison, before: Evaluation, after: Evaluation, counts: dict[Outcome, int]
) -> None:
    offered = {name: f"{label} ({counts[name]})" for name, label in OUTCOMES.items() if counts[name]}
    outcome = segments(None, "Mostrar", offered, "outcome")
    chosen = [pair for pair in compared.pairs if pair.outcome == outcome]
    growing(chosen, PAGE, "pairs", partial(_show_pair, before, after))


def _show_pair(before: Evaluation, after: Evaluation, pair: Pair) -> None:
    with st.container(border=True):
        states = f"antes: {_state(pair.before)} · después: {_state(pair.after)}"
        show(titled(pair.after.question), note(f"{category_name(pair.after.category)} · {states}"))
        with st.container(horizontal=True):
            for label, one, position in (
                ("Traza de antes", before, pair.before_position),
                ("Traza de después", after, pair.after_position),
            ):
                to = partial(go, run=one.id, case=str(position))
                button(label, f"{label}-{one.id}-{position}", "bug_report", to, type="tertiary")


def _state(result: CaseResult) -> str:
    where = f" (lugar {result.rank})" if result.right and result.rank else ""
    return verdict(result) + where


def _settings(before: Evaluation, after: Evaluation) -> list[tuple[str, str, str]]:
    """Settings that differ between the two: name, before, after."""
    one, other = ({"dataset": e.dataset_hash[:12], **e.facts} for e in (before, after))
    found = sorted(differing(one, other), key=lambda fact: words.first_made(fact[0]))
    return [
        (words.FACTS.get(name, name), words.fact_value(name, was), words.fact_value(name, now))
        for name, was, now in found
    ]


def _show_settings(before: Evaluation, after: Evaluation) -> None:
    rows = _settings(before, after)
    same = note("Los ajustes, los modelos, el índice y el corpus son los mismos.")
    show(table(("Ajuste", "Antes", "Después"), rows) if rows else same)
