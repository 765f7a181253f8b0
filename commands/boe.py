"""Norms from the BOE's open data: `boe add`, `boe update`, `boe list`."""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from commands import output
from commands.common import follow
from commands.parser import Parser
from core.errors import InputError
from law.changes import changes_told
from loading.boe.boe_norms import entries
from loading.boe.boe_update import BoeOutcome, BoeResult
from service.program import assembly

OUTCOMES = {
    BoeOutcome.ADDED: "añadida",
    BoeOutcome.UPDATED: "actualizada",
    BoeOutcome.UNCHANGED: "sin cambios",
    BoeOutcome.FAILED: "ERROR",
}


def arguments(parser: Parser) -> None:
    """The actions of `boe` and their options."""
    action = parser.actions("action")
    text = "carga normas por su identificador, o las pone al día si ya están"
    one = action("add", text, _load, "--lexical-only")
    which = one.add_mutually_exclusive_group(required=True)
    which.add_argument("ids", nargs="*", default=[], metavar="ID", help="BOE-A-2015-11430")
    which.add_argument(
        "--list", type=Path, metavar="ARCHIVO", help="un archivo con un identificador por línea"
    )
    which.add_argument("--all", action="store_true", help="todas las de la lista incluida")
    one = action("update", "trae lo que ha cambiado, artículo por artículo", _load, "--lexical-only")
    one.add_argument("ids", nargs="*", metavar="ID", help="todas las del BOE, si no se indica")
    action("list", "la lista incluida de normas laborales y de Seguridad Social; ✔ las del corpus", _list)


def _load(program: assembly.App, options: argparse.Namespace) -> None:
    library = program.boe.library()
    clock = time.perf_counter()
    act = library.add if options.action == "add" else library.update
    with output.Progress() as progress:
        results = act(_wanted(options), on_progress=progress)
        index = follow(program, options, progress)
    document = {
        "results": [result.model_dump(mode="json") for result in results],
        "index": index,
        "elapsed_s": round(time.perf_counter() - clock, 2),
    }
    output.emit(options.json, document, _print_results)
    _check(results)


def _wanted(options: argparse.Namespace) -> list[str]:
    if getattr(options, "all", False):
        return [entry.id for entry in entries()]
    if getattr(options, "list", None):
        return _read_list(options.list)
    ids: list[str] = options.ids
    return ids


def _read_list(path: Path) -> list[str]:
    """Identifiers of a list, one a line; '#' begins a comment."""
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: no se puede leer la lista; debe ser un archivo de texto UTF-8.") from error
    ids = [line.partition("#")[0].strip() for line in lines]
    if not any(ids):
        raise InputError(f"{path}: la lista no tiene ningún identificador; escriba uno por línea.")
    return [norm_id for norm_id in ids if norm_id]


def _check(results: Sequence[BoeResult]) -> None:
    failed = [result for result in results if result.outcome is BoeOutcome.FAILED]
    if failed and len(results) == 1:
        raise InputError(failed[0].reason)
    if failed:
        raise InputError(f"{len(failed)} de {len(results)} normas no han entrado: {failed[0].reason}")


def _print_results(document: dict[str, Any]) -> str:
    """A line a norm, then a line a changed article."""
    lines = []
    for item in document["results"]:
        result = BoeResult.model_validate(item)
        name = result.title or result.reason
        lines.append(f"{result.norm_id}  {OUTCOMES[result.outcome]:<12}{name}")
        lines += [f"    {changes_told(article)}" for article in result.articles]
        lines += [f"    aviso: {warning}" for warning in result.warnings]
    if not lines:
        lines.append("El corpus no tiene ninguna norma del BOE: añada alguna con «boe add».")
    return "\n".join([*lines, f"{document['elapsed_s']} s"])


def _list(program: assembly.App, options: argparse.Namespace) -> None:
    norms = [
        {**entry.model_dump(), "loaded": norm is not None, "status": norm.status if norm else ""}
        for entry, norm in program.boe.library().listed()
    ]
    output.emit(options.json, {"norms": norms}, _print_list)


def _print_list(document: dict[str, Any]) -> str:
    """The norms by matter; ✔ marks those in the corpus."""
    lines: list[str] = []
    matter = None
    for norm in document["norms"]:
        if norm["matter"] != matter:
            matter = norm["matter"]
            lines += ["", matter or "Otras del corpus"]
        lines.append(f"  {'✔' if norm['loaded'] else ' '} {norm['id']:<18} {norm['title']}")
    return "\n".join(lines[1:])
