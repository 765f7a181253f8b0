"""Contract of the tools with a model: registry, parameters, execution in order, descriptions."""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from calculations.official_figures import Facts
from calculations.params import Params
from core.errors import ArticuladoError
from models.chat import FunctionTool
from rag.shared.state import Services
from rag.tools import (
    calculation,
    file_content,
    file_section,
    lexical_search,
    regex_search,
    semantic_search,
    structure_search,
)
from rag.tools.tool import Tool, ToolScope
from rag.tools.tool_calls import Found, ToolCall, ToolFailure, ToolOutcome
from rag.tools.tool_documents import Library
from rag.tools.tool_texts import failure, one_line
from rag.tools.xml_calls import parse
from text.refused_values import expected

MAX_SHOWN_VALUE = 80
NULL = {"type": "null"}


class Toolbox:
    """The tools over one corpus. Safe to share between runs and threads."""

    def __init__(self, services: Services, library: Library, facts: Callable[[], Facts] = Facts) -> None:
        """Wire it; `facts` reads the data of calculations."""
        self._services = services
        self.library = library
        self._other_days = library.dated()
        self._facts = facts

    async def run(self, reply: str, *, as_of: date, question: str) -> list[ToolOutcome]:
        """Execute the XML calls of a reply in order; the outcomes, or an empty list without calls.

        A wrong call gives a failed outcome with a Spanish message, never an exception.

        Args:
            as_of: the day whose law is searched, where a call gives no other.
            question: the user's question; structure_search falls back to it.
        """
        return [await self.execute(call, as_of=as_of, question=question) for call in parse(reply)]

    async def execute(self, call: ToolCall, *, as_of: date, question: str) -> ToolOutcome:
        """Execute one parsed call; see `run`."""
        scope = ToolScope(self._services, self.library, as_of, question, self._facts)
        return await _execute(call, scope, self._other_days)


def prompt_text() -> str:
    """The tools for a system prompt: purpose, XML form, parameters with defaults and limits (S1.7)."""
    return "\n\n".join(_described(tool) for tool in TOOLS.values())


def function_tools() -> tuple[FunctionTool, ...]:
    """The tools as functions of a model, with the texts of `prompt_text`.

    A parameter that may be left out may be null. Types and values are in the schema; lengths and limits are
    told and checked here, as for the XML calls: endpoints differ in the limits that their schemas take.
    """
    return tuple(
        FunctionTool(
            name=tool.name,
            description=f"{tool.purpose} Uso recomendado: {tool.use}.",
            parameters={
                "type": "object",
                "properties": {
                    name: _property(schema, tool.params.model_fields[name])
                    for name, schema in tool.params.model_json_schema()["properties"].items()
                },
            },
        )
        for tool in TOOLS.values()
    )


def _property(schema: Mapping[str, Any], field: FieldInfo) -> dict[str, Any]:
    forms = [
        {key: form[key] for key in ("type", "enum", "const") if key in form}
        for form in schema.get("anyOf", [schema])
    ]
    if not field.is_required() and NULL not in forms:
        forms.append(NULL)
    told = {"description": f"{field.description}{_rules(field)}."}
    return {**forms[0], **told} if len(forms) == 1 else {"anyOf": forms, **told}


async def _execute(call: ToolCall, scope: ToolScope, other_days: Library) -> ToolOutcome:
    clock = time.perf_counter()
    error, found = "", None
    try:
        found = await _found(call, scope, other_days)
    except ArticuladoError as problem:
        error = str(problem)
    elapsed = (time.perf_counter() - clock) * 1000
    common = {"name": call.name, "values": call.values, "elapsed_ms": elapsed}
    if found is None:
        return ToolOutcome(**common, text=failure(call.name, error), error=error)
    result = found.result.model_copy(update={"execution_time_ms": round(elapsed, 1)})
    return ToolOutcome(
        **common,
        result=result,
        text=found.text,
        style=found.style,
        fallback=found.fallback,
        calculation=found.calculation,
    )


async def _found(call: ToolCall, scope: ToolScope, other_days: Library) -> Found:
    if call.problem:
        raise ToolFailure(call.problem)
    tool = TOOLS.get(call.name)
    if tool is None:
        raise ToolFailure(f"No existe esa herramienta; las que hay son {', '.join(TOOLS)}.")
    params, clamped = read_params(tool.params, call.values)
    noted: dict[str, Any] = {"clamped": clamped} if clamped else {}
    day = getattr(params, "as_of", None) or scope.as_of
    if day != scope.as_of:
        scope, noted = replace(scope, as_of=day, library=other_days), noted | {"as_of": day.isoformat()}
    made = await asyncio.to_thread(tool.run, params, scope)
    found = made if isinstance(made, Found) else await made
    told = {**found.result.search_params, **noted}
    return found._replace(result=found.result.model_copy(update={"search_params": told}))


def read_params(model: type[Params], values: Mapping[str, Any]) -> tuple[Params, dict[str, Any]]:
    """(the parameters, clamped to their maximums; the values asked above a maximum, by name) (X.16).

    Raises:
        ToolFailure: a parameter is missing, unknown or not of its type; the text lists every problem.
    """
    try:
        params = model.model_validate(dict(values))
    except ValidationError as error:
        problems = [_problem(item, model) for item in error.errors(include_url=False)]
        raise ToolFailure(f"{'; '.join(dict.fromkeys(problems))}.") from error
    clamped = {
        name: getattr(params, name)
        for name, field in model.model_fields.items()
        if (maximum := _maximum(field)) is not None and getattr(params, name) > maximum
    }
    limits = {name: _maximum(model.model_fields[name]) for name in clamped}
    return params.model_copy(update=limits), clamped


def _maximum(field: FieldInfo) -> float | None:
    extra = field.json_schema_extra
    value = extra.get("maximum") if isinstance(extra, dict) else None
    return value if isinstance(value, int | float) else None


def _problem(error: ErrorDetails, model: type[Params]) -> str:
    """The Spanish text of one problem with a parameter."""
    name = one_line(str(error["loc"][0] if error["loc"] else ""))[:MAX_SHOWN_VALUE]
    given = one_line(str(error.get("input", "")))[:MAX_SHOWN_VALUE]
    kind = error["type"]
    if kind == "extra_forbidden":
        return f"«{name}» no es un parámetro de esta herramienta: son {', '.join(model.model_fields)}"
    if kind in ("missing", "string_too_short"):
        return f"Falta el parámetro obligatorio «{name}»"
    return f"«{name}» debe ser {expected(error)}, no «{given}»"


def _described(tool: Tool) -> str:
    fields = tool.params.model_fields
    form = [f"<{tool.name}>", *(f"<{name}>…</{name}>" for name in fields), f"</{tool.name}>"]
    lines = [f"- {name}{_rules(field)}: {field.description}." for name, field in fields.items()]
    return "\n".join([f"## {tool.name}", f"{tool.purpose} Uso recomendado: {tool.use}.", *form, *lines])


def _rules(field: FieldInfo) -> str:
    """Rules of a parameter: ' (requerido)', ' (opcional; por defecto 5, máximo 10)'."""
    if field.is_required():
        return " (requerido)"
    default = str(field.default).lower() if isinstance(field.default, bool) else field.default
    known = [f"por defecto {default}"] if default not in (None, "") else []
    maximum = _maximum(field)
    known += [f"máximo {maximum}"] if maximum is not None else []
    return f" (opcional; {', '.join(known)})" if known else " (opcional)"


TOOLS: dict[str, Tool] = {
    module.TOOL.name: module.TOOL
    for module in (
        lexical_search,
        semantic_search,
        structure_search,
        regex_search,
        file_section,
        file_content,
        calculation,
    )
}
