"""Norms from the BOE's open data: `boe add`, `boe update`, `boe list`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bootstrap
from commands import output
from commands.parser import Parser
from rag.boe.catalogue import entries
from rag.boe.update import BoeLibrary, BoeResult, Outcome
from rag.errors import IndexUnavailable, InputError
from rag.law.changes import told

ELSEWHERE = "Guardado. El índice lo tiene abierto otro proceso (la página), que lo pondrá al día."
OUTCOMES = {
    Outcome.ADDED: "añadida",
    Outcome.UPDATED: "actualizada",
    Outcome.UNCHANGED: "sin cambios",
    Outcome.FAILED: "ERROR",
}


def arguments(parser: Parser) -> None:
    """The actions of `boe` and their options."""
    action = parser.actions("action")
    one = action("add", "carga normas por su identificador, o las pone al día si ya están")
    which = one.add_mutually_exclusive_group(required=True)
    which.add_argument("ids", nargs="*", default=[], metavar="ID", help="BOE-A-2015-11430")
    which.add_argument(
        "--list", type=Path, metavar="ARCHIVO", help="un archivo con un identificador por línea"
    )
    which.add_argument("--all", action="store_true", help="todas las de la lista incluida")
    two = action("update", "trae lo que ha cambiado, artículo por artículo")
    two.add_argument("ids", nargs="*", metavar="ID", help="todas las del BOE, si no se indica")
    for added in (one, two):
        added.add_argument("--lexical-only", action="store_true", help="deja los vectores para más tarde")
    action("list", "la lista incluida de normas laborales y de Seguridad Social; ✔ las del corpus")


def boe(program: bootstrap.App, options: argparse.Namespace) -> int:
    """Run `boe ACTION`."""
    library = program.boe()
    if options.action == "list":
        return _list(library, options)
    clock = time.perf_counter()
    progress = output.Progress()
    act = library.add if options.action == "add" else library.update
    results = act(_wanted(options), on_progress=progress)
    index = _indexed(program, options, progress)
    progress.close()
    document = {
        "results": [_result(result) for result in results],
        "index": index,
        "elapsed_s": round(time.perf_counter() - clock, 2),
    }
    output.emit(options.json, document, _print_results)
    return _checked(results)


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


def _indexed(
    program: bootstrap.App, options: argparse.Namespace, progress: output.Progress
) -> dict[str, Any] | None:
    """Counts of the index update, or None when another process holds the index and will update it."""
    try:
        return program.sync(dense=not options.lexical_only, on_progress=progress).model_dump()
    except IndexUnavailable as error:
        print(f"{ELSEWHERE} ({error})", file=sys.stderr)
        return None


def _checked(results: Sequence[BoeResult]) -> int:
    failed = [result for result in results if result.outcome is Outcome.FAILED]
    if failed and len(results) == 1:
        raise InputError(failed[0].reason)
    if failed:
        raise InputError(f"{len(failed)} de {len(results)} normas no han entrado: {failed[0].reason}")
    return 0


def _result(result: BoeResult) -> dict[str, Any]:
    return result.model_dump(mode="json")


def _print_results(document: dict[str, Any]) -> str:
    """A line a norm, then a line a changed article."""
    lines = []
    for item in document["results"]:
        result = BoeResult.model_validate(item)
        name = result.title or result.reason
        lines.append(f"{result.norm_id}  {OUTCOMES[result.outcome]:<12}{name}")
        lines += [f"    {told(article)}" for article in result.articles]
        lines += [f"    aviso: {warning}" for warning in result.warnings]
    if not lines:
        lines.append("El corpus no tiene ninguna norma del BOE: añada alguna con «boe add».")
    return "\n".join([*lines, f"{document['elapsed_s']} s"])


def _list(library: BoeLibrary, options: argparse.Namespace) -> int:
    norms = [
        {**entry.model_dump(), "loaded": norm is not None, "status": norm.status if norm else ""}
        for entry, norm in library.listed()
    ]
    output.emit(options.json, {"norms": norms}, _print_list)
    return 0


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
