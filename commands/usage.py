"""Use of the models and its cost (`usage`); personal data (`privacy apply`, `export`, `erase`)."""

import argparse
from datetime import timedelta
from pathlib import Path
from typing import Any

from commands import output
from commands.audit import create, person
from commands.parser import Parser, day
from core.clock import today_in_spain
from core.errors import NotFound
from domain.accounts import LOCAL_USER
from domain.usage import COUNTS
from service.oversight.usage import BY, total
from service.program import assembly

DAYS = 30
HEAD = ("", "preguntas", "llamadas", "fallos", "tokens enviados", "tokens recibidos", "coste")
NO_PRICE = "sin precio"
WHO = "nombre de usuario, id de una cuenta, o local"


def arguments(parser: Parser) -> None:
    """The options of `usage`."""
    parser.add_argument("--since", type=day, metavar="DÍA", help=f"desde ese día; {DAYS} días, si falta")
    parser.add_argument("--until", type=day, metavar="DÍA", help="hasta ese día incluido; hoy, si falta")
    parser.add_argument("--by", choices=BY, default="user", help="una línea por usuario, modelo o día")


def privacy_arguments(parser: Parser) -> None:
    """The actions of `privacy` and their options."""
    action = parser.actions("action")
    action("apply", "borra lo que supera RETENTION_DAYS y AUDIT_RETENTION_DAYS", _apply)
    one = action("export", "copia de lo que una persona escribió y se le contestó, con las fuentes", _export)
    one.add_argument("user", metavar="USUARIO", help=WHO)
    one.add_argument("file", type=Path, metavar="ARCHIVO.zip", help="archivo nuevo")
    text = "borra lo que una persona escribió y se le contestó; la cuenta se conserva"
    one = action("erase", text, _erase)
    one.add_argument("user", metavar="USUARIO", help=WHO)


def usage(program: assembly.App, options: argparse.Namespace) -> None:
    """Print what models were used for whom, and its cost."""
    until = options.until or today_in_spain()
    since = options.since or until - timedelta(days=DAYS - 1)
    prices = program.usage.prices()
    lines = program.usage.report(options.by, since, until)
    names = program.accounts.names() if options.by == "user" else {}
    document = {
        "since": since.isoformat(),
        "until": until.isoformat(),
        "by": options.by,
        "currency": prices.currency,
        "prices_checked": prices.checked.isoformat() if prices.checked else None,
        "lines": [line.model_dump() | {"name": names.get(line.key, line.key)} for line in lines],
        "total": total(lines).model_dump(exclude={"key"}),
    }
    output.emit(options.json, document, _print_usage)


def _print_usage(document: dict[str, Any]) -> str:
    currency = document["currency"]
    rows = [HEAD, *(_cells(line, line["name"], currency) for line in document["lines"])]
    rows.append(_cells(document["total"], "Total", currency))
    widths = [max(len(row[place]) for row in rows) for place in range(len(HEAD))]
    title = f"Del {document['since']} al {document['until']}"
    return "\n".join([title, *("  ".join(_padded(row, widths)) for row in rows)])


def _cells(line: dict[str, Any], name: str, currency: str) -> tuple[str, ...]:
    return (name, *(str(line[count]) for count in COUNTS), cost(line["cost"], line["unpriced"], currency))


def cost(amount: float, unpriced: bool, currency: str) -> str:
    """'1.25 EUR', 'sin precio', or both when only a part has a price."""
    told = f"{amount:.2f} {currency}".strip()
    if not unpriced:
        return told
    return f"{told} + {NO_PRICE}" if amount else NO_PRICE


def _padded(row: tuple[str, ...], widths: list[int]) -> list[str]:
    first, *numbers = row
    return [first.ljust(widths[0]), *(n.rjust(w) for n, w in zip(numbers, widths[1:], strict=True))]


def _apply(program: assembly.App, options: argparse.Namespace) -> None:
    output.emit(options.json, program.privacy.apply().model_dump(), output.print_pairs)


def _export(program: assembly.App, options: argparse.Namespace) -> None:
    owner = _owner(program, options.user)
    with create(options.file) as file:
        file.write(program.privacy.export(owner, LOCAL_USER))
    output.emit(options.json, {"user": owner, "file": str(options.file)}, output.print_pairs)


def _erase(program: assembly.App, options: argparse.Namespace) -> None:
    owner = _owner(program, options.user)
    report = program.privacy.erase(owner, LOCAL_USER)
    output.emit(options.json, {"user": owner} | report.model_dump(), output.print_pairs)


def _owner(program: assembly.App, name: str) -> str:
    """The id of a user name or account. Raises NotFound if it has neither account nor conversations."""
    owner = person(program, name)
    if owner in program.accounts.names() or program.database.privacy.conversations(owner):
        return owner
    raise NotFound(f"No hay ninguna cuenta ni conversaciones de «{name}».")
