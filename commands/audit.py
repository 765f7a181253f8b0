"""The audit log (`audit verify`, `audit list`, `audit export`) and the entries about commands."""

import argparse
import io
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from commands import output
from commands.parser import Parser, day
from core.clock import SPAIN
from core.errors import InputError
from domain.accounts import LOCAL
from domain.audit import AuditAction
from models.metering import metering
from service.backup.archive import reading
from service.oversight.audit import check, pages
from service.oversight.audit_view import csv_text, jsonl_text
from service.program import assembly

DOOR = "cli"
RECORDED = {
    "backup": AuditAction.EXPORTED,
    "boe": AuditAction.LOADED,
    "demo": AuditAction.LOADED,
    "enrich": AuditAction.CHANGED,
    "ingest": AuditAction.LOADED,
    "model": AuditAction.EVALUATED,
}
"""Audit action of each command; the others change nothing, or are recorded by what they call."""


@contextmanager
def attended(program: assembly.App, options: argparse.Namespace) -> Iterator[None]:
    """Record a command before it runs, and its use of models.

    Raises:
        StorageError: the command cannot be recorded and must not run.
    """
    action = RECORDED.get(options.command)
    inner = getattr(options, "action", "")
    mends = options.command == "doctor" and options.mend
    if mends:
        action = AuditAction.CHANGED
    if action is not None and inner != "list":
        program.audit.by(LOCAL, DOOR).record(action, command=f"{options.command} {inner}".strip())
    with metering(LOCAL.id, program.usage.spend):
        yield


def arguments(parser: Parser) -> None:
    """The actions of `audit` and their options."""
    action = parser.actions("action")
    text = "recorre la cadena; si está rota, dice en qué entrada y termina con el código 1"
    one = action("verify", text, _verify)
    noted = one.add_mutually_exclusive_group()
    noted.add_argument(
        "--head", default="", metavar="N:HASH", help="una cabeza que se anotó: debe seguir ahí"
    )
    text = "una copia de seguridad: la cabeza que guarda debe seguir ahí"
    noted.add_argument("--backup", type=Path, metavar="ARCHIVO.zip", help=text)
    one = action("list", "las entradas, la última primero", _list)
    two = action("export", "las entradas en un archivo nuevo, la última primero", _export)
    two.add_argument("file", type=Path, metavar="ARCHIVO.csv|ARCHIVO.jsonl", help="archivo nuevo")
    for added in (one, two):
        added.add_argument("--actor", default="", metavar="USUARIO", help="nombre o id de una cuenta")
        added.add_argument(
            "--action",
            dest="action_name",
            choices=[*map(str, AuditAction)],
            metavar="QUÉ",
            help="solo esa acción",
        )
        added.add_argument("--since", type=day, metavar="DÍA", help="desde ese día")
        added.add_argument("--until", type=day, metavar="DÍA", help="hasta ese día incluido")
    one.add_argument("--limit", type=int, default=100, metavar="N", help="máximo de entradas (100)")


def _verify(program: assembly.App, options: argparse.Namespace) -> int:
    found = check(program.audit.log, _head_in(options.backup) if options.backup else options.head)
    output.emit(options.json, found.model_dump(), _print_check)
    return 1 if found.problem else 0


def _head_in(backup: Path) -> str:
    with reading(backup) as archive:
        head = archive.manifest.audit_head
    if not head:
        raise InputError(f"La copia «{backup.name}» no guarda la cabeza del registro: use otra más reciente.")
    return head


def _print_check(found: dict[str, Any]) -> str:
    if found["problem"]:
        return f"ROTO en la entrada {found['broken']}: {found['problem']}"
    lines = [f"El registro está íntegro: {found['entries']} entradas. Cabeza: {found['head'] or '—'}"]
    if found["unsigned"]:
        lines.append(f"{found['unsigned']} de ellas son anteriores a AUDIT_KEY: no están firmadas.")
    return "\n".join(lines)


def _list(program: assembly.App, options: argparse.Namespace) -> None:
    program.audit.by(LOCAL, DOOR).record(AuditAction.READ, "audit")
    entries = program.audit.log.entries(**where(program, options), limit=options.limit)
    document = {"entries": [entry.model_dump(mode="json") for entry in entries]}
    output.emit(
        options.json, document, lambda found: "\n".join(map(_line, found["entries"])) or "Sin entradas."
    )


def _line(entry: dict[str, Any]) -> str:
    at = datetime.fromisoformat(entry["at"]).astimezone(SPAIN).strftime("%Y-%m-%d %H:%M:%S")
    detail = " ".join(f"{name}={value}" for name, value in entry["detail"].items())
    told = (f"{entry['number']:>7}", at, entry["actor"] or "—", entry["action"], entry["target"], detail)
    return " ".join(filter(None, told))


def _export(program: assembly.App, options: argparse.Namespace) -> None:
    write = {".csv": csv_text, ".jsonl": jsonl_text}.get(options.file.suffix.lower())
    if write is None:
        raise InputError("Indique un archivo .csv o .jsonl.")
    filters = where(program, options)
    program.audit.by(LOCAL, DOOR).record(AuditAction.EXPORTED, "audit")
    count = 0
    with create(options.file) as file:
        for found in pages(program.audit.log.entries, **filters):
            file.write(write(found, header=count == 0).encode())
            count += len(found)
    output.emit(options.json, {"file": str(options.file), "entries": count}, output.print_pairs)


def where(program: assembly.App, options: argparse.Namespace) -> dict[str, Any]:
    """The filters of `SqlAuditLog.entries` that the options name; both days are included."""
    return {
        "actor": person(program, options.actor) if options.actor else "",
        "actions": [AuditAction(options.action_name)] if options.action_name else (),
        "since": midnight(options.since) if options.since else None,
        "until": midnight(options.until + timedelta(days=1)) if options.until else None,
    }


def person(program: assembly.App, name: str) -> str:
    """The account id of a user name; an unknown name is returned as it is, as an id."""
    if name == LOCAL.id:
        return name
    accounts = program.accounts.accounts(None) if program.accounts.mode != "personal" else []
    return next((one.id for one in accounts if one.username.casefold() == name.casefold()), name)


def midnight(day: date) -> datetime:
    """The start of a day in Spain."""
    return datetime.combine(day, time(), SPAIN)


@contextmanager
def create(path: Path) -> Iterator[io.BufferedWriter]:
    """A new file that only its owner may read.

    Raises:
        InputError: the file exists already or cannot be written.
    """
    try:
        path.touch(mode=0o600, exist_ok=False)
        with path.open("wb") as file:
            yield file
    except FileExistsError as error:
        raise InputError(f"El archivo {path} ya existe: elija otro nombre.") from error
    except OSError as error:
        raise InputError(f"No se puede escribir {path}: {error.strerror}.") from error
