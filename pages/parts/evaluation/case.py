"""One question of an evaluation: expected and found articles, checks, and the trace."""

from datetime import date
from functools import partial

import streamlit as st

from core.errors import NotFound
from pages.parts.answer.debug import show_trace
from pages.parts.common.html import badges, listed, note, notes, show, table
from pages.parts.common.layout import back, go, section
from pages.parts.common.render import answer_html, question_html
from pages.parts.common.widgets import button
from pages.parts.common.words import SPEAKERS, article, day, duration, norms_by_label, number, plural
from pages.parts.evaluation.view import facts_line, title_of
from pages.parts.evaluation.words import (
    CHECKS,
    MISSES,
    category_name,
    decision_wanted,
    place,
    verdict,
)
from rag.evaluation.results import AnswerTold, CaseResult
from rag.shared.trace import Trace, UnderstandRecord
from service.members.member import Member

GRADES = {1: "ayuda", 2: "responde", 3: "responde"}


def show_case(app: Member, evaluation_id: str, chosen: str) -> None:
    """The view of the case at place `chosen` (from 0). Raises NotFound."""
    evaluation = app.evaluations.evaluation(evaluation_id)
    results = app.evaluations.results(evaluation_id)
    if not chosen.isdecimal() or int(chosen) >= len(results):
        raise NotFound("No existe esa pregunta en la evaluación.")
    position = int(chosen)
    result = results[position]
    back("Preguntas de la evaluación", "back", run=evaluation_id, tab="Preguntas")
    show(note(f"{title_of(evaluation)} · {facts_line(app, evaluation)}"))
    _head(result)
    trace = app.evaluations.case_trace(evaluation_id, position)
    _checks(result, trace)
    _told(result)
    _expected_and_found(app, result)
    stages = "" if result.told else ", hasta comprobar si el contexto basta: no se redacta respuesta"
    section("Traza", f"Lo que hizo cada etapa{stages}.")
    if trace is None:
        show(note("La traza de esta pregunta la guardó otra versión de Articulado."))
    else:
        show_trace(app, trace, f"{evaluation_id[:8]}-{position}")
    _neighbours(evaluation_id, results, position)


def _head(result: CaseResult) -> None:
    kind = "" if not result.held else "art-high" if result.right else "art-low"
    tags = [
        (verdict(result), kind),
        (category_name(result.category), ""),
        (f"debía {decision_wanted(result)}", ""),
        ("se rechazó" if result.refused else "se respondió", ""),
        (f"confianza {number(result.confidence, 2)}", ""),
        (duration(result.elapsed_ms), ""),
        (f"caso {result.id}", ""),
    ]
    before = notes(f"{SPEAKERS[turn.role]}: {turn.text}" for turn in result.history)
    show(before, question_html(result.question), badges(tags))


def _checks(result: CaseResult, trace: Trace | None) -> None:
    section("Comprobaciones")
    rows = [
        (CHECKS.get(name, name), "bien" if passed else "mal", *_wanted_and_got(name, result, trace))
        for name, passed in result.checks.items()
    ]
    show(table(("Comprobación", "Resultado", "Se esperaba", "Se obtuvo"), rows))
    show(listed("Alternativas usadas", result.fallbacks))


def _wanted_and_got(name: str, result: CaseResult, trace: Trace | None) -> tuple[str, str]:
    if name == "refusal":
        got = "rechazar" if result.refused else "responder con aviso" if result.warned else "responder"
        return decision_wanted(result), got
    if name == "retrieval":
        return "lugar 1 a 3", f"lugar {result.rank}" if result.rank else "no encontrado"
    wanted = result.expected.get(name, "")
    if name == "as_of":
        return day(date.fromisoformat(wanted)), day(result.as_of)
    if name == "territory":
        return wanted, _territory(trace)
    if result.told is not None and name != "must_contain":
        return _wanted_and_told(name, wanted, result.told, result.checks[name])
    return f"«{wanted}»", "está en lo que se leería" if result.checks[name] else "no está"


def _wanted_and_told(name: str, wanted: str, told: AnswerTold, passed: bool) -> tuple[str, str]:
    if name == "facts":
        count = len(told.facts)
        return plural(count, "hecho", "hechos"), f"{sum(fact.told for fact in told.facts)} de {count}"
    if name == "yes_no":
        return wanted, told.yes_no or "no lo dice"
    if name == "quoted":
        return f"«{wanted}»", f"falta «{' · '.join(told.lacking)}»" if told.lacking else "está en una cita"
    if name == "not_quoted":
        return f"sin «{wanted}»", " · ".join(told.astray) or "ninguna cita lo trae"
    if name in ("surplus", "cited"):
        return wanted, "como debe" if passed else "la cita" if name == "surplus" else "no la cita"
    return f"sin «{wanted}»", " · ".join(told.forbidden) or "no lo dice"


def _territory(trace: Trace | None) -> str:
    record = trace.stage("understand") if trace else None
    found = record.understanding.territory if isinstance(record, UnderstandRecord) else None
    return " · ".join(found.names) if found else "ninguno"


def _told(result: CaseResult) -> None:
    """The facts of the answer, each told or put down to the stage that lost it, and the answer."""
    told = result.told
    if told is None:
        return
    if told.facts:
        section("Hechos que la respuesta debe decir")
        rows = [
            (fact.fact, "dicho" if fact.miss is None else "falta", MISSES[fact.miss] if fact.miss else "")
            for fact in told.facts
        ]
        show(table(("Hecho", "Resultado", "Dónde se perdió"), rows))
        lines = []
        if told.quotes:
            lines.append(f"Citas que dicen alguno de los hechos: {told.carrying} de {told.quotes}.")
        if told.opens is not None:
            lines.append(
                f"La respuesta {'' if told.opens else 'no '}empieza por el hecho que decide entre sí y no."
            )
        show(notes(lines))
    section("Respuesta")
    show(answer_html(told.text))


def _expected_and_found(app: Member, result: CaseResult) -> None:
    names = norms_by_label(app.corpus.norms())
    if result.labels:
        section("Artículos esperados")
        rows = [
            (article(label.norm, label.article, names), GRADES[label.grade], place(label))
            for label in sorted(result.labels, key=lambda label: -label.grade)
        ]
        show(table(("Artículo", "Papel", "Lugar"), rows))
    section("Artículos encontrados")
    wanted = {(label.norm, label.article): GRADES[label.grade] for label in result.labels}
    found = [
        (f"{one.rank}.º", one.name, number(one.score, 3), wanted.get((one.norm, one.article), ""))
        for one in result.found
    ]
    columns = ("Lugar", "Artículo", "Puntuación", "Esperado")[: None if wanted else 3]
    lines = [row[: len(columns)] for row in found]
    show(table(columns, lines, numeric=(2,)) if found else note("Ninguno."))


def _neighbours(evaluation_id: str, results: list[CaseResult], position: int) -> None:
    """Buttons to the failures before and after this question."""
    wrong = [i for i, result in enumerate(results) if result.held and not result.right]
    before = max((i for i in wrong if i < position), default=None)
    after = min((i for i in wrong if i > position), default=None)
    with st.container(horizontal=True):
        for label, icon, target in (
            ("Fallo anterior", "chevron_left", before),
            ("Fallo siguiente", "chevron_right", after),
        ):
            to = partial(go, run=evaluation_id, case=str(target))
            button(label, icon, icon, to, disabled=target is None)
