"""The audit log and the use of models as an administrator sees them; the log as a file."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, Protocol

from domain.audit import AuditAction, AuditCheck, AuditEntry
from service.oversight.audit import Auditor, Trail, check, pages
from service.oversight.cells import plain_cell
from service.oversight.usage import Prices, UsageLine, UsageReports

FIELDS = ("number", "at", "actor", "action", "target", "detail", "previous", "hash")
MOST = 50_000
"""Entries of one download; the command line exports them all."""


class Audited(Protocol):
    """The parts of `bootstrap.App` that are used here."""

    audit: Auditor
    usage: UsageReports


class AuditView:
    """Contents of the page «Registro». Reading and exporting the log are logged too."""

    def __init__(self, program: Callable[[], Audited], trail: Trail) -> None:
        self._program = program
        self._trail = trail

    def entries(self, **where: Any) -> list[AuditEntry]:
        """See `SqlAuditLog.entries`."""
        found = self._program().audit.log.entries(**where)
        self._trail.once(AuditAction.READ, "audit")
        return found

    def verify(self, head: str = "") -> AuditCheck:
        """Raises InputError: `head` is not a head."""
        return check(self._program().audit.log, head)

    def csv(self, **where: Any) -> tuple[bytes, bool]:
        """The latest entries, and whether there are more than those."""
        log = self._program().audit.log
        self._trail.record(AuditAction.EXPORTED, "audit")
        found: list[AuditEntry] = []
        for page in pages(log.entries, **where):
            found += page
            if len(found) > MOST:
                break
        return csv_text(found[:MOST]).encode("utf-8-sig"), len(found) > MOST

    def usage(self, by: str, since: date, until: date) -> list[UsageLine]:
        """See `UsageReports.report`."""
        return self._program().usage.report(by, since, until)

    def prices(self) -> Prices:
        return self._program().usage.prices()


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
