"""The trial of the models' endpoints (`model`): what each can do, and what to change."""

import argparse
import sys

from commands import output
from commands.parser import Parser
from domain.accounts import LOCAL
from models.probe_results import MARKS, Probed, announced, rows
from service.program import assembly


def arguments(parser: Parser) -> None:
    """The options of `model`."""
    text = "sin la prueba del contexto, que envía unos 12.000 tokens a cada modelo"
    parser.add_argument("--fast", action="store_true", help=text)


def model(program: assembly.App, options: argparse.Namespace) -> int:
    """Try the endpoints and print what each can do; 1 if the model mode will not work."""
    tokens = program.model_probe.sends(fast=options.fast)
    print(announced(tokens), file=sys.stderr, flush=True)
    found = program.model_probe.start(LOCAL.id, fast=options.fast).result()
    output.emit(options.json, found.model_dump(mode="json"), lambda _: _table(found))
    return 0 if found.works else 1


def _table(found: Probed) -> str:
    lines = []
    for probe in found.roles:
        lines.append(probe.title)
        lines += [f"  {MARKS[good]} {what:<36}{told}" for good, what, told in rows(probe)]
        lines += [f"  Uso en el programa: {probe.uses}"] if probe.uses else []
        lines += [f"  → {advice}" for advice in probe.advice]
        lines.append("")
    return "\n".join([*lines, found.verdict])
