"""The SQL that runs, for tests of how often the database is asked."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import event

from storage.stores import Database


class Statements(list[str]):
    """The statements, oldest first."""

    def reading(self, *tables: str) -> list[str]:
        """Those that select from one of these tables."""
        return [text for text in self if re.search(rf"\bFROM ({'|'.join(tables)})\b", text)]


@contextmanager
def statements(database: Database) -> Iterator[Statements]:
    """Every statement of this process until the end of the block."""
    found = Statements()

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        found.append(statement)

    event.listen(database.engines.engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(database.engines.engine, "before_cursor_execute", note)
