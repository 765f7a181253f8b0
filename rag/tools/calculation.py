"""tool_calculation: the calculators of the program, for a model that needs a date or an amount."""

import re
from typing import Literal

from pydantic import Field

from calculations.catalogue import CALCULATORS, Calculator, calculate, choices, label_of, markdown
from calculations.params import Params
from core.errors import InputError
from rag.tools.tool import Tool, ToolScope
from rag.tools.tool_calls import MAX_TEXT, Found, SearchResult, ToolFailure
from rag.tools.tool_texts import inert, one_line

NAME = "tool_calculation"
NO_PAIR = "«{text}» no es un dato: escriba cada uno como «nombre: valor», separados por punto y coma."
ASKED = "🧮 Datos de «{name}»: {fields}."
TAKES = "{problem} Datos de «{name}»: {fields}."
Name = Literal[
    "indemnizacion",
    "finiquito",
    "caducidad",
    "plazo",
    "prescripcion",
    "preaviso",
    "desempleo",
    "jubilacion",
    "incapacidad",
    "nacimiento",
    "interes",
    "recargo",
]
_SEPARATOR = re.compile(r"[;\n]")


class CalculationParams(Params):
    """Parameters of tool_calculation."""

    calculator: Name = Field(
        description="Cálculo: "
        + "; ".join(f"{one.name} ({one.purpose.rstrip('.')})" for one in CALCULATORS.values())
    )
    data: str = Field(
        "",
        max_length=MAX_TEXT,
        description="Datos como «nombre: valor; nombre: valor», con fechas AAAA-MM-DD e importes sin "
        "puntos de millar. Vacío, responde con los nombres de los datos que hacen falta",
    )


def run(params: CalculationParams, scope: ToolScope) -> Found:
    """The calculation with its steps, or, without data, the names of what it takes.

    Raises:
        ToolFailure: the data cannot be used; it names what the calculator takes.
    """
    calculator = CALCULATORS[params.calculator]
    if not _pairs(params.data):
        return _found(
            params, calculator.title, inert(ASKED.format(name=calculator.name, fields=_fields(calculator)))
        )
    try:
        outcome = calculate(calculator.name, _pairs(params.data), scope.facts())
    except InputError as error:
        told = TAKES.format(problem=error, name=calculator.name, fields=_fields(calculator))
        raise ToolFailure(told) from None
    head = " · ".join(f"{label}: {value}" for label, value in outcome.headline)
    text = inert(f"🧮 Cálculo\n\n{markdown(outcome)}".rstrip())
    return _found(params, f"{outcome.title}. {head}", text)._replace(calculation=outcome)


def _found(params: CalculationParams, query: str, text: str) -> Found:
    asked = {"calculator": params.calculator, "data": params.data}
    result = SearchResult(query=query, total_found=0, search_params=asked, search_type="calculation")
    return Found(result, text, style="plain")


def _pairs(data: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for text in filter(str.strip, _SEPARATOR.split(data)):
        name, colon, value = text.partition(":")
        if not colon:
            raise ToolFailure(NO_PAIR.format(text=one_line(text)[:80]))
        found[one_line(name)] = one_line(value)
    return found


def _fields(calculator: Calculator) -> str:
    told = []
    for name, field in calculator.params.model_fields.items():
        words = ", ".join(choices(field))
        kind = f": {words}" if words else ""
        told.append(f"{name} ({label_of(field)}{kind}{'' if field.is_required() else '; opcional'})")
    return "; ".join(told)


TOOL = Tool(
    name=NAME,
    purpose="Hace un cálculo con sus pasos, artículos y supuestos: no calcule usted plazos ni cantidades.",
    use="plazos en días hábiles, indemnizaciones, finiquito, prestaciones, edad de jubilación",
    params=CalculationParams,
    run=run,
)
