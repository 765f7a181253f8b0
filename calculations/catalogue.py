"""The calculators, and how their data is read and their results written."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, get_args, get_origin

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from calculations import (
    birth,
    deadlines,
    notice_period,
    retirement,
    settlement,
    severance,
    sick_leave,
    unemployment,
)
from calculations.official_figures import Facts
from calculations.outcome import Outcome, Ref
from calculations.params import Params
from calculations.written_amounts import euros, short
from core.errors import InputError
from text.refused_values import expected

YES = {"sí": True, "si": True, "s": True}
"""Words that tick a box beside those that every program takes."""
TIMES = {"anual": "año", "mensual": "mes", "diario": "día"}
"""Time that a salary is for, by the choice of a field."""
UNKNOWN = "No existe el cálculo «{name}»; los que hay son {known}."


@dataclass(frozen=True)
class Calculator:
    """One calculator; `purpose` is one Spanish sentence."""

    name: str
    title: str
    purpose: str
    params: type[Params]
    run: Callable[[Any, Facts], Outcome]


CALCULATORS: dict[str, Calculator] = {
    one.name: one
    for one in (
        Calculator(
            severance.NAME,
            severance.TITLE,
            "Indemnización por despido, causas objetivas, fin de contrato temporal o "
            "extinción a voluntad del trabajador.",
            severance.SeveranceParams,
            severance.run,
        ),
        Calculator(
            settlement.NAME,
            settlement.TITLE,
            "Salario del mes, pagas extraordinarias, vacaciones y preaviso que se "
            "deben al terminar el contrato.",
            settlement.SettlementParams,
            settlement.run,
        ),
        Calculator(
            deadlines.LAPSE,
            "Caducidad de veinte días",
            "Último día para reclamar contra un despido o una modificación, con la papeleta de conciliación.",
            deadlines.LapseParams,
            deadlines.lapse,
        ),
        Calculator(
            deadlines.TERM,
            "Plazo en días hábiles",
            "Último día de un plazo procesal, con los festivos de la sede, agosto y Navidad.",
            deadlines.TermParams,
            deadlines.term,
        ),
        Calculator(
            deadlines.LIMITATION,
            "Prescripción de un año",
            "Último día para reclamar cantidades u otras acciones del contrato, con la interrupción.",
            deadlines.LimitationParams,
            deadlines.limitation,
        ),
        Calculator(
            notice_period.NAME,
            notice_period.TITLE,
            "Primer día de efectos de una extinción o modificación y salario de los días que faltan.",
            notice_period.NoticeParams,
            notice_period.run,
        ),
        Calculator(
            unemployment.NAME,
            unemployment.TITLE,
            "Duración y cuantía de la prestación contributiva, con sus topes.",
            unemployment.UnemploymentParams,
            unemployment.run,
        ),
        Calculator(
            retirement.NAME,
            retirement.TITLE,
            "Primer día en que se alcanza la edad ordinaria, según lo cotizado.",
            retirement.RetirementParams,
            retirement.run,
        ),
        Calculator(
            sick_leave.NAME,
            sick_leave.TITLE,
            "Días y cuantías del subsidio, y quién los paga.",
            sick_leave.SickLeaveParams,
            sick_leave.run,
        ),
        Calculator(
            birth.NAME,
            birth.TITLE,
            "Semanas de cada progenitor según la fecha, sus tramos y el subsidio.",
            birth.BirthParams,
            birth.run,
        ),
    )
}


def calculator_of(name: str) -> Calculator:
    """The calculator of that name. Raises InputError."""
    if name not in CALCULATORS:
        raise InputError(UNKNOWN.format(name=name[:60], known=", ".join(CALCULATORS)))
    return CALCULATORS[name]


def calculate(name: str, values: Mapping[str, object], facts: Facts) -> Outcome:
    """The result of a calculator with data as a person or a program writes it; empty values count as absent.

    Raises:
        InputError: the calculator does not exist, or the data cannot be used; the sentence says what to do.
    """
    calculator = calculator_of(name)
    data = read_data(calculator.params, values)
    outcome = calculator.run(data, facts)
    return outcome.model_copy(update={"given": given(data)})


def read_data(model: type[Params], values: Mapping[str, object]) -> Params:
    """The data as the calculator takes it. Raises InputError: some cannot be used; all problems told."""
    present = {
        key: YES.get(value.strip().lower(), value) if isinstance(value, str) and _ticks(model, key) else value
        for key, value in values.items()
        if value is not None and value != ""
    }
    try:
        return model.model_validate(present)
    except ValidationError as error:
        told = [_problem(model, problem) for problem in error.errors(include_url=False)]
        raise InputError(f"{'; '.join(dict.fromkeys(told))}.") from None


def _ticks(model: type[Params], name: str) -> bool:
    return name in model.model_fields and kind_of(model.model_fields[name]) == "tick"


def _problem(model: type[Params], problem: Any) -> str:
    name = str(problem["loc"][0]) if problem["loc"] else ""
    field = model.model_fields.get(name)
    if field is None:
        return f"«{name[:60]}» no es un dato de este cálculo: son {', '.join(model.model_fields)}"
    label = label_of(field)
    if problem["type"] in ("missing", "string_too_short"):
        return f"Falta un dato: {label}"
    if problem["type"] == "value_error":
        return f"{label}: {problem['ctx']['error']}"
    return f"{label}: debe ser {expected(problem)}"


def label_of(field: FieldInfo) -> str:
    """Its Spanish label."""
    return field.description or ""


def choices(field: FieldInfo) -> Mapping[str, str]:
    """Value to Spanish label of a field that has a list of them; empty for another."""
    extra = field.json_schema_extra
    found = extra.get("labels") if isinstance(extra, dict) else None
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}


def fact_of(field: FieldInfo) -> tuple[str, str, str]:
    """The fact of a case that a field is, the time it is for, and the field that says this; '' for none."""
    extra = field.json_schema_extra
    told = extra if isinstance(extra, dict) else {}
    return str(told.get("fact", "")), str(told.get("unit", "")), str(told.get("per", ""))


def kind_of(field: FieldInfo) -> str:
    """How the field is asked for: 'choice' | 'seat' | 'days' | 'tick' | 'day' | 'text'."""
    extra = field.json_schema_extra
    if isinstance(extra, dict) and (asked := extra.keys() & {"seat", "days"}):
        return asked.pop()
    if choices(field):
        return "choice"
    plain = _plain_types(field.annotation)
    return "tick" if bool in plain else "day" if date in plain else "text"


def _plain_types(annotation: object) -> set[object]:
    """The types that an annotation admits, without what is said about them."""
    if get_origin(annotation) is Annotated:
        return _plain_types(get_args(annotation)[0])
    inner = get_args(annotation)
    return set().union(*map(_plain_types, inner)) if inner else {annotation}


def given(data: Params) -> tuple[tuple[str, str], ...]:
    """(label, value) of the data, in Spanish; what was left empty is left out."""
    told = ((field, getattr(data, name)) for name, field in type(data).model_fields.items())
    return tuple((label_of(field), _said(field, value)) for field, value in told if value is not None)


def _said(field: FieldInfo, value: object) -> str:
    if isinstance(value, bool):
        return "sí" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(short, value))
    if isinstance(value, date):
        return short(value)
    if isinstance(value, Decimal):
        return euros(value) if "%" not in label_of(field) else f"{value:f} %".replace(".", ",")
    return choices(field).get(str(value), str(value))


def markdown(outcome: Outcome) -> str:
    """The whole result as Markdown, for copying and exporting."""
    parts = [f"# {outcome.title}", _bullets("Datos", outcome.given), _bullets("Resultado", outcome.headline)]
    steps = []
    for number, step in enumerate(outcome.steps, 1):
        line = f"{number}. {step.text}" + (f": {step.formula}" if step.formula else "")
        line += f" → **{step.result}**" if step.result else ""
        steps.append(line + (f" ({cited(step.refs)})" if step.refs else ""))
    parts.append("## Pasos\n\n" + "\n".join(steps))
    parts += [
        f"## {title}\n\n" + "\n".join(f"- {line}" for line in lines)
        for title, lines in (("Supuestos", outcome.assumptions), ("Avisos", outcome.warnings))
        if lines
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def cited(refs: tuple[Ref, ...]) -> str:
    """'art. 56.1 ET; DT 11.ª.2 ET'."""
    return "; ".join(ref.said for ref in refs)


def _bullets(title: str, pairs: tuple[tuple[str, str], ...]) -> str:
    if not pairs:
        return ""
    return f"## {title}\n\n" + "\n".join(f"- {label}: {value}" for label, value in pairs)
