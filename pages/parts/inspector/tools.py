"""The six tools as forms, with their results and the exact text that a model would read."""

import asyncio
from datetime import date
from typing import Any

import streamlit as st

from calculations.catalogue import CALCULATORS, choices, label_of
from pages.parts.answer.trace_words import PARAMETERS, TOOL_NAMES
from pages.parts.common.html import note, show, table
from pages.parts.common.widgets import choose, segments
from pages.parts.common.words import day, today
from pages.parts.inspector.result import Bench, show_outcome
from pages.parts.inspector.view import day_of_law
from rag.tools.calculation import NAME as CALCULATION
from rag.tools.tool import Tool
from rag.tools.tool_calls import ToolCall, ToolOutcome
from rag.tools.tool_contract import TOOLS, Toolbox
from rag.tools.tool_documents import Library
from service.members.member import Member
from text.textnorm import encodable

PURPOSES = {
    "tool_lexical_search": "Las palabras exactas, con sus sinónimos, en todo el corpus vigente (BM25).",
    "tool_semantic_search": "Fragmentos que hablan de lo mismo, aunque usen otras palabras.",
    "tool_structure_search": "Las rúbricas, las tablas o el contenido de un documento, en su orden.",
    "tool_regex_search": "Un patrón en todo el corpus: uno predefinido o uno propio, no ambos.",
    "tool_file_section": "Algunos fragmentos de un documento, completos, por sus números.",
    "tool_file_content": "Un documento completo, con la lista de sus fragmentos.",
    "tool_calculation": "Un cálculo de la página «Calcular», tal como lo pide un modelo.",
}
CHOICES = {
    "section_header": "rúbricas",
    "table": "tablas",
    "content": "contenido",
    "first_5": "los 5 primeros",
    "last_3": "los 3 últimos",
    "all": "todos",
    "email": "correos electrónicos",
    "url": "direcciones web",
    "version": "versiones (1.2.3)",
    "reference": "referencias (artículo 38, Ley 31/1995)",
    "amount": "importes y porcentajes",
    "term": "plazos (quince días, 6 meses)",
    **{name: one.title for name, one in CALCULATORS.items()},
}
KEPT = "tool-outcome"
ANY = "—"
DOCUMENTS = ("document_name", "file_name")


def show_tools(app: Member) -> None:
    """The form of the chosen tool, and the results of its last call."""
    look = {"persist_state": "session", "label_visibility": "collapsed"}
    name = segments(None, "Herramienta", {name: TOOL_NAMES[name] for name in TOOLS}, "tool", **look)
    tool = TOOLS[name]
    show(note(PURPOSES[name]))
    box = app.toolbox
    with st.form(f"form-{name}", border=False):
        values = _boxes(tool, box.library)
        as_of = day_of_law(None, today(), f"{name}-day") or today()
        if st.form_submit_button("Ejecutar", type="primary", icon=":material/play_arrow:"):
            st.session_state.pop(f"found-{name}-page", None)
            st.session_state[KEPT] = (_run(box, name, values, as_of), as_of)
    if name == CALCULATION:
        show(table(("Cálculo", "Dato", "Nombre"), _data()))
    outcome, as_of = st.session_state.get(KEPT, (None, today()))
    if outcome is not None and outcome.name == name:
        show_outcome(Bench(app, box.library, as_of), outcome)


def _data() -> list[tuple[str, str, str]]:
    """The data of each calculator: its label, and the name that the box takes."""
    rows = []
    for one in CALCULATORS.values():
        for place, (name, field) in enumerate(one.params.model_fields.items()):
            words = ", ".join(choices(field).values())
            told = label_of(field) + (f" ({words})" if words else "")
            optional = "" if field.is_required() else " · opcional"
            rows.append(("" if place else one.title, told + optional, name))
    return rows


def _run(box: Toolbox, name: str, values: dict[str, Any], as_of: date) -> ToolOutcome:
    call = ToolCall(name, {key: encodable(v) if isinstance(v, str) else v for key, v in values.items()})
    with st.spinner("Buscando…"):
        return asyncio.run(box.execute(call, as_of=as_of, question=f"Inspección, {day(as_of)}"))


def _boxes(tool: Tool, library: Library) -> dict[str, Any]:
    """A box per parameter of the tool: long texts, short values in a row, ticks; empty ones are left out.

    The day has a box of its own.
    """
    schema = {k: v for k, v in tool.params.model_json_schema()["properties"].items() if k != "as_of"}
    ticks = [name for name, rules in schema.items() if rules.get("type") == "boolean"]
    wide = [name for name, rules in schema.items() if rules.get("type") == "string" and "enum" not in rules]
    small = [name for name in schema if name not in (*wide, *ticks)]
    values = {name: _box(tool.name, name, schema[name], library) for name in wide}
    for column, name in zip(st.columns(len(small)) if small else (), small, strict=True):
        with column:
            values[name] = _box(tool.name, name, schema[name], library)
    values |= {name: _box(tool.name, name, schema[name], library) for name in ticks}
    return {name: values[name] for name in schema if values[name] not in (None, "", ANY)}


def _box(tool: str, name: str, rules: dict[str, Any], library: Library) -> Any:
    label, key = PARAMETERS[name], f"{tool}-{name}"
    told = f"{rules.get('description', '')} ({name})"
    if name in DOCUMENTS:
        files = {one.file_name: f"{one.norm.law} · {one.file_name}" for one in library.entries()}
        return choose(None, label, files, key, keep=False, help=told)
    options = next((one["enum"] for one in (rules, *rules.get("anyOf", ())) if "enum" in one), None)
    if options:
        words = {one: str(CHOICES.get(one, one)) for one in (ANY, *options)}
        return choose(None, label, words, key, keep=False, help=told)
    kind, default = rules["type"], rules.get("default")
    if kind == "boolean":
        return st.checkbox(label, bool(default), key=key, help=told)
    if kind in ("integer", "number"):
        low, high = rules.get("minimum", 0), rules.get("maximum")
        make = int if kind == "integer" else float
        return st.number_input(
            label,
            min_value=make(low),
            max_value=None if high is None else make(high),
            value=make(low if default is None else default),
            step=1 if kind == "integer" else 0.05,
            key=key,
            help=told,
        )
    return st.text_input(label, max_chars=rules.get("maxLength"), key=key, help=told)
