"""«Depuración» of one answer, from its trace. Texts of models and documents are plain text."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import streamlit as st

from core.values import Value
from models.metering import EMBEDDINGS
from pages.parts.answer.candidates import candidates_table, features_table, heading
from pages.parts.answer.said import readable, said, show_call
from pages.parts.answer.trace_words import PARAMETERS, SETTINGS, SIGNALS, TIMES, TOOL_NAMES, VALUES
from pages.parts.common import words
from pages.parts.common.html import Html, each, html, listed, note, show, show_fields
from pages.parts.common.render import plain_html
from pages.parts.common.widgets import choose, download, grid, panel
from pages.parts.common.words import day, dotted, duration, number, plural
from rag.shared.trace import (
    AgentCall,
    AgentRecord,
    AnswerRecord,
    AssessRecord,
    Candidate,
    DecomposeRecord,
    ExpandRecord,
    RerankRecord,
    SearchRecord,
    SplitRecord,
    StageRecord,
    Trace,
    UnderstandRecord,
    VerifyRecord,
)
from service.contract.stages import STAGES
from service.members.member import Member


def trace_panel(app: Member, label: str, key: str, name: str, read: Callable[[], Trace | None]) -> None:
    """An expander with a trace, which is read only while it is open; `name` as in `show_trace`."""

    def draw() -> None:
        if trace := read():
            show_trace(app, trace, name)
        else:
            st.text("Esta respuesta no tiene traza.")

    panel(label, key, draw, icon=":material/bug_report:")


def show_trace(app: Member, trace: Trace, name: str) -> None:
    """One tab per stage, and the trace as a file; `name` is unique among the traces of the page.

    Of a text with several questions, the stages of the chosen one.
    """
    _show_summary(trace)
    if trace.parts:
        asked = [f"{number}. {part.question}" for number, part in enumerate(trace.parts, start=1)]
        chosen = choose(None, "Pregunta", dict(enumerate(asked)), f"part-{name}", keep=False)
        part = trace.model_copy(update={"stages": (*trace.stages, *trace.parts[chosen].stages)})
        _show_stages(part, name)
        show(note("Las marcas de esta traza son las de la respuesta a la pregunta sola."))
    else:
        _show_stages(trace, name)
    data, file = trace.model_dump_json(indent=2), f"articulado-traza-{name}.json"
    given = (app.exported, "trace", name)
    download("Descargar traza (JSON)", data, file, "application/json", f"trace-{name}", record=given)


def _show_stages(trace: Trace, name: str) -> None:
    show(time_bar_html(trace))
    names = _names(trace.stages)
    with st.container(key=f"art-stages-{name}"):
        tabs = st.tabs([STAGES.get(record.name, record.name) for record in trace.stages] + ["Ejecución"])
    for tab, record in zip(tabs, trace.stages, strict=False):
        with tab:
            _show_stage(_with_names(record, names))
    with tabs[-1]:
        settings = ((SETTINGS.get(name, name), VALUES.get(value, value)) for name, value in trace.settings)
        show_fields(("Consulta", trace.question), ("Índice", trace.index), *settings)


def _names(stages: Iterable[StageRecord]) -> dict[str, str]:
    """Names of the fragments that any stage had, and of their norms, by their ids."""
    found: dict[str, str] = {}

    def look(value: object) -> None:
        if isinstance(value, Candidate):
            found[value.chunk_id] = value.name
            found[value.chunk_id.partition("/")[0]] = value.law
        elif isinstance(value, Value):
            for _, one in value:
                look(one)
        elif isinstance(value, tuple):
            for one in value:
                look(one)

    for record in stages:
        look(record)
    return found


def _with_names(value: Any, names: Mapping[str, str]) -> Any:
    """The record with names of fragments and norms where it has their ids alone."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, tuple):
        return tuple(_with_names(one, names) for one in value)
    # The id of a fragment has a column of its own in the table of candidates.
    if isinstance(value, Value) and not isinstance(value, Candidate):
        return value.model_copy(update={name: _with_names(one, names) for name, one in value})
    return value


def _show_summary(trace: Trace) -> None:
    every = [call for record in trace.records for call in record.calls]
    # Vectors are made without a language model too, by the model of this machine.
    vectors = [call for call in every if call.role == EMBEDDINGS]
    calls = [call for call in every if call.role != EMBEDDINGS]
    asked = plural(len(calls), "llamada a un modelo de lenguaje", "llamadas a modelos de lenguaje")
    tokens = sum(call.prompt_tokens + call.completion_tokens for call in calls)
    made = plural(len(vectors), "cálculo de vectores", "cálculos de vectores")
    facts = (
        duration(trace.elapsed_ms),
        f"{asked} ({number(tokens)} tokens)" if calls else "sin modelo de lenguaje",
        f"{made} con {', '.join(dict.fromkeys(call.model for call in vectors))}" if vectors else "",
        f"normativa a {day(trace.as_of)}",
    )
    show(note(dotted(*facts)))
    if trace.error:
        st.text(f"Error: {trace.error}")


def time_bar_html(trace: Trace) -> Html:
    """The share of each stage in the time, with its duration in a legend."""
    total = sum(record.elapsed_ms for record in trace.stages) or 1.0
    parts, legend = [], []
    for index, record in enumerate(trace.stages):
        name = STAGES.get(record.name, record.name)
        parts.append((index % 8, f"{100 * record.elapsed_ms / total:.2f}"))
        legend.append((index % 8, name, duration(record.elapsed_ms)))
    return html(
        '<div class="art-bar" aria-hidden="true">{}</div><ul class="art-legend">{}</ul>',
        each('<i class="art-bar-{}" style="width:{}%"></i>', parts),
        each('<li><i class="art-bar-{}"></i>{} <b>{}</b></li>', legend),
    )


def _show_stage(record: StageRecord) -> None:
    if record.fallback:
        st.text(f"⚠ Alternativa usada: {record.fallback}")
    draw: Callable[[Any], None] | None = _SHOW.get(type(record))
    if draw is not None:
        draw(record)
    for index, call in enumerate(record.calls, 1):
        show_call(index, call)


def _show_split(record: SplitRecord) -> None:
    show_fields(("Estrategia", words.STRATEGIES.get(record.strategy, record.strategy)))
    show(listed("Preguntas", record.questions))
    show(listed("Sin contestar", record.left_out))


def _show_understand(record: UnderstandRecord) -> None:
    read = record.understanding
    place, matter, asked = read.territory, read.matter, read.filters
    where = ""
    if place:
        names = " · ".join(reversed(place.names))
        where = f"{words.LEVELS[place.level]}: {names} (confianza {number(place.confidence, 1)})"
    when = f"«{read.time.text}» ({TIMES.get(read.time.kind, read.time.kind)})" if read.time else ""
    subject = f"{matter.label or '—'} ({words.BRANCHES[matter.branch]}, {number(matter.score, 2)})"
    show_fields(
        ("Fecha de la normativa", f"{day(record.as_of)} ({words.AS_OF_FROM[record.as_of_from]})"),
        ("Tiempo en la pregunta", when),
        ("Pregunta normalizada", read.cleaned if read.cleaned != read.question else ""),
        ("Pregunta completa", read.whole if read.follow_up else ""),
        ("Tipo de pregunta", words.QUESTION_TYPES[read.type]),
        ("Materia", subject),
        ("Términos de materia", ", ".join(matter.fired)),
        ("Preceptos que nombra", ", ".join(dict.fromkeys(one.text for one in read.references))),
        ("Sinónimos reconocidos", ", ".join(read.synonyms)),
        ("Territorio", where),
        ("Normas pedidas", ", ".join(asked.norm_ids)),
        ("Colecciones pedidas", ", ".join(words.COLLECTIONS.get(name, name) for name in asked.collections)),
    )
    show(listed("Subconsultas propuestas", read.queries if len(read.queries) > 1 else ()))
    show(listed("Fuera del corpus", [f"{item.what} → {item.where}" for item in read.missing]))


def _show_decompose(record: DecomposeRecord) -> None:
    show_fields(("Estrategia", words.STRATEGIES.get(record.strategy, record.strategy)))
    show(listed("Subconsultas", record.queries))
    before = [f"{words.SPEAKERS.get(role, role)}: {text}" for role, text in record.history]
    show(listed("Historial tenido en cuenta", before))


def _show_search(record: SearchRecord) -> None:
    show_fields(
        ("Modo", words.SEARCH_MODES.get(record.mode, record.mode)),
        ("Estrategia", words.SEARCH_STRATEGIES.get(record.strategy, record.strategy)),
        ("Condiciones de la pregunta", " · ".join(record.filters)),
    )
    for index, search in enumerate(record.searches, 1):
        kind = "consulta original" if search.raw else f"subconsulta {index}"
        heading(f"{kind.capitalize()} · {duration(search.elapsed_ms)}")
        show_fields(
            ("Texto", search.query),
            ("Términos léxicos añadidos", ", ".join(search.lexical)),
            ("Referencias reconocidas", ", ".join(search.references)),
            ("Condiciones", "nada las cumplía: se buscó sin ellas" if search.widened else ""),
        )
        candidates_table(search.hits)
    heading(f"Unión sin duplicados · {len(record.merged)}")
    candidates_table(record.merged)


def _show_rerank(record: RerankRecord) -> None:
    show_fields(
        ("Estrategia", words.STRATEGIES.get(record.strategy, record.strategy)),
        ("Candidatos", number(record.candidates)),
    )
    heading(f"Conservados · {len(record.kept)}")
    candidates_table(record.kept)
    features_table(record.kept)


def _show_agent(record: AgentRecord) -> None:
    show_fields(
        ("Rondas", number(len(record.rounds))),
        ("Fin de la búsqueda", words.ENDED.get(record.ended, record.ended)),
        ("Tokens", number(record.tokens)),
    )
    for index, one in enumerate(record.rounds, 1):
        heading(f"Ronda {index} · {duration(one.elapsed_ms)} · {number(one.tokens)} tokens")
        show(said("El modelo", one.output))
        show(listed("Llamadas", [_agent_call(call) for call in one.calls]))
        if one.results:
            show(said("Resultados que recibió", one.results))
    heading(f"Fragmentos reunidos · {len(record.context)}")
    candidates_table(record.context)


def _agent_call(call: AgentCall) -> str:
    asked = ", ".join(f"{PARAMETERS.get(name, name)}: {value}" for name, value in call.values.items())
    found = call.error or plural(call.found, "resultado", "resultados")
    again = " · repetida" if call.repeated else ""
    fallback = f" · alternativa: {call.fallback}" if call.fallback else ""
    name = TOOL_NAMES.get(call.name, call.name)
    return f"{name} ({asked}) → {found} · {duration(call.elapsed_ms)}{again}{fallback}"


def _show_expand(record: ExpandRecord) -> None:
    show_fields(("Remisiones encontradas", number(record.refs_found)))
    heading(f"Añadidos · {len(record.added)}")
    candidates_table(record.added)


def _show_assess(record: AssessRecord) -> None:
    show_fields(
        ("Estrategia", words.STRATEGIES.get(record.strategy, record.strategy)),
        ("Veredicto", words.VERDICTS.get(record.verdict, record.verdict)),
        *((SIGNALS.get(name, name), number(value, 3)) for name, value in record.signals),
    )
    for index, attempt in enumerate(record.rounds, 1):
        heading(f"Ronda {index} · {words.VERDICTS.get(attempt.verdict, attempt.verdict)}")
        show(listed("Pidió además", attempt.needed))
        show(listed("Descartó", attempt.dropped))
        show(listed("Falta", attempt.missing))
        if attempt.fetched:
            heading("Recuperado")
            candidates_table(attempt.fetched)
        if attempt.raw:
            raw = "<details><summary>Lo que respondió el modelo</summary>{}</details>"
            show(html('<div class="art-said">{}</div>', html(raw, plain_html(attempt.raw))))
    heading(f"Contexto final · {len(record.context)}")
    candidates_table(record.context)


def _show_answer(record: AnswerRecord) -> None:
    show_fields(
        ("Estrategia", words.STRATEGIES.get(record.strategy, record.strategy)),
        ("Extensión", words.LENGTHS[record.length]),
        ("Tokens del contexto", number(record.context_tokens)),
        ("Reparada", "sí" if record.repaired else "no"),
        *((words.ANSWER_SIGNALS.get(name, name), number(value, 3)) for name, value in record.signals),
    )
    show(listed("Recortado del contexto", record.trimmed))
    heading("Borrador")
    show(html('<div class="art-said">{}</div>', readable(record.draft or "—")))


def _show_verify(record: VerifyRecord) -> None:
    show_fields(
        ("Resultado", "sin respuesta verificada" if record.refused else "respuesta verificada"),
        *((f"Confianza · {name}", number(value, 2)) for name, value in record.confidence),
    )
    if record.checks:
        rows = [
            {
                "Marca": check.marker,
                "Comprobada": check.verified,
                "Motivo": check.reason,
                "Cita": check.quote,
                "Fragmento": check.chunk_id,
            }
            for check in record.checks
        ]
        grid(rows, "Comprobación de cada cita")
    show(listed("Frases en duda", [f"{sentence} → {reasons}" for sentence, reasons in record.doubts]))
    show(listed("Incidencias", record.issues))


_SHOW: dict[type[StageRecord], Callable[[Any], None]] = {
    SplitRecord: _show_split,
    UnderstandRecord: _show_understand,
    AgentRecord: _show_agent,
    DecomposeRecord: _show_decompose,
    SearchRecord: _show_search,
    RerankRecord: _show_rerank,
    ExpandRecord: _show_expand,
    AssessRecord: _show_assess,
    AnswerRecord: _show_answer,
    VerifyRecord: _show_verify,
}
