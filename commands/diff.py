"""Two wordings of an article: `diff "art. 48 ET" --from 2019-01-01`."""

import argparse
from datetime import date
from typing import Any

from commands import output
from commands.engine import Engine
from law.dates import spelled
from law.norms import dated


def diff(engine: Engine, options: argparse.Namespace) -> None:
    """Compare the wordings of two days, or the wording in force with the one before it."""
    found = engine.diff(options.article, options.since, options.until)
    output.emit(options.json, found, _print)


def _print(document: dict[str, Any]) -> str:
    """The days of both wordings, then the text with [-removed-] and {+added+} words."""
    lines = [f"{document['law']} · {document['title']} ({document['state']})"]
    for name, side in (("De", document["from"]), ("A ", document["to"])):
        lines.append(f"{name}: {_days(side) if side else 'sin redacción'}")
    if not document["changed"]:
        lines.append("Sin cambios.")
    return "\n".join([*lines, "", document["text"]])


def _days(wording: dict[str, Any]) -> str:
    until = f" hasta el {spelled(date.fromisoformat(wording['valid_to']))}" if wording["valid_to"] else ""
    by = f" ({wording['amended_by']})" if wording["amended_by"] else ""
    start = dated(date.fromisoformat(wording["valid_from"]))
    return f"redacción {f'vigente desde el {spelled(start)}' if start else 'sin fecha'}{until}{by}"
