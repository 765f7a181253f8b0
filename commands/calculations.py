"""`calculate NAME dato=valor …`: a calculation with its steps, without the index."""

import argparse
from collections.abc import Iterable

from calculations.catalogue import CALCULATORS, markdown
from calculations.outcome import Outcome
from commands import output
from commands.engine import Engine
from commands.parser import Parser
from core.errors import InputError

NO_VALUE = "«{text}» no es un dato: escríbalo como nombre=valor."


def arguments(parser: Parser) -> None:
    """The options of `calculate`."""
    parser.set_defaults(operation=True)
    parser.add_argument("name", metavar="CÁLCULO", help=", ".join(CALCULATORS))
    text = "los datos; sin ellos dice cuáles faltan"
    parser.add_argument("data", nargs="*", metavar="DATO=VALOR", help=text)


def calculation(engine: Engine, options: argparse.Namespace) -> None:
    """Print the result as text, or as JSON. Raises InputError: the data cannot be used."""
    document = engine.calculate(options.name, facts_of(options.data))
    output.emit(options.json, document, lambda found: markdown(Outcome.model_validate(found)).rstrip())


def facts_of(given: Iterable[str]) -> dict[str, str]:
    """Data by name, from texts like «dato=valor». Raises InputError."""
    data: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(NO_VALUE.format(text=text[:60]))
        data[name.strip()] = value.strip()
    return data
