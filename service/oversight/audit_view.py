"""The entries of the audit log as a file."""

import csv
import io
import json
from collections.abc import Sequence

from domain.audit import AuditEntry
from service.oversight.cells import plain_cell

FIELDS = ("number", "at", "actor", "action", "target", "detail", "previous", "hash")
MOST = 50_000
"""Entries of one download; the command line exports them all."""


def jsonl_text(entries: Sequence[AuditEntry], *, header: bool = False) -> str:
    """JSON Lines of the entries, one a line."""
    return "".join(entry.model_dump_json() + "\n" for entry in entries)


def csv_text(entries: Sequence[AuditEntry], *, header: bool = True) -> str:
    """CSV of the entries; formulas are escaped by `plain_cell`."""
    text = io.StringIO()
    writer = csv.writer(text)
    if header:
        writer.writerow(FIELDS)
    for entry in entries:
        detail = json.dumps(dict(entry.detail), ensure_ascii=False)
        values = entry.model_dump(mode="json") | {"detail": detail}
        cells = [str(values[name]) for name in FIELDS]
        writer.writerow(map(plain_cell, cells))
    return text.getvalue()
