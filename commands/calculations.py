"""`calculate NAME dato=valor …`: a calculation with its steps, without the index."""

import argparse
from collections.abc import Iterable

from calculations.catalogue import (
    CALCULATORS,
    Calculator,
    calculator_of,
    choices,
    kind_of,
    label_of,
    markdown,
)
from calculations.outcome import Outcome
from commands import output
from commands.engine import Engine
from commands.parser import Parser
from core.errors import InputError

WRITTEN = {"tick": ["sí", "no"], "day": ["AAAA-MM-DD"]}
NEEDED = "Los marcados con * son necesarios; escríbalos como nombre=valor."
NO_VALUE = "«{text}» no es un dato: escríbalo como nombre=valor."


def arguments(parser: Parser) -> None:
    """The options of `calculate`."""
    parser.set_defaults(operation=True)
    parser.add_argument("name", metavar="CÁLCULO", help=", ".join(CALCULATORS))
    text = "los datos; sin ellos dice cuáles toma"
    parser.add_argument("data", nargs="*", metavar="DATO=VALOR", help=text)


def calculation(engine: Engine, options: argparse.Namespace) -> None:
    """Print the result, or without data what it takes. Raises InputError: the data cannot be used."""
    if not options.data:
        output.emit(options.json, fields_of(calculator_of(options.name)), _listed)
        return
    document = engine.calculate(options.name, facts_of(options.data))
    output.emit(options.json, document, lambda found: markdown(Outcome.model_validate(found)).rstrip())


def fields_of(calculator: Calculator) -> output.Json:
    """Name, title and purpose of a calculator, and of each datum its name, label, values and need."""
    fields = [
        {
            "name": name,
            "label": label_of(field),
            "values": [*choices(field)] or WRITTEN.get(kind_of(field), []),
            "required": field.is_required(),
        }
        for name, field in calculator.params.model_fields.items()
    ]
    return {"name": calculator.name, "purpose": calculator.purpose, "fields": fields}


def _listed(document: output.Json) -> str:
    lines = [f"{document['name']}: {document['purpose']}"]
    for one in document["fields"]:
        values = f" ({', '.join(one['values'])})" if one["values"] else ""
        lines.append(f"  {'*' if one['required'] else ' '} {one['name']}: {one['label']}{values}")
    return "\n".join([*lines, NEEDED])


def facts_of(given: Iterable[str]) -> dict[str, str]:
    """Data by name, from texts like «dato=valor». Raises InputError."""
    data: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(NO_VALUE.format(text=text[:60]))
        data[name.strip()] = value.strip()
    return data
