"""Tables of an expediente («tablas de revisión»): documents by questions, each cell with its quotation."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from core.values import Value


class TableState(StrEnum):
    """State of the filling of a table's cells; the values are stored."""

    RUNNING = "running"
    STOPPED = "stopped"
    DONE = "done"


class CellState(StrEnum):
    """State of a cell; the values are stored.

    FAILED: it could not be filled; going on tries again.
    """

    ANSWERED = "answered"
    ABSENT = "absent"
    FAILED = "failed"


class DocumentTable(Value):
    """Documents of an expediente (rows) by questions (columns), open to the members of the expediente.

    Attributes:
        documents: id of each document to its name when it was chosen, «Doc 3 · carta.pdf»: one that is
            deleted later is still told by its name.
        run_by: the person who set it going, for whom models are called.
        remark: why it stopped by itself, in Spanish; empty if it did not.
    """

    id: str
    matter_id: str
    name: str
    questions: tuple[str, ...]
    documents: Mapping[str, str]
    state: TableState = TableState.RUNNING
    run_by: str
    remark: str = ""
    created_at: datetime
    updated_at: datetime


class Cell(Value):
    """The answer of one document to one question.

    Attributes:
        answer: what answers; empty unless `state` is ANSWERED.
        quote: letter by letter from the fragment of that number of the document.
        page: None in a format without pages.
        rival: another sentence of the document that says something else; empty if none does.
        mode: 'model' or 'offline': who answered.
        remark: Spanish sentences about how the answer was found; empty if there is nothing to tell.
        content_hash: of the file that was read: with another one the cell is filled again.
    """

    document_id: str
    question: str
    state: CellState
    answer: str = ""
    quote: str = ""
    fragment: int = 0
    page: int | None = None
    rival: str = ""
    mode: str = "offline"
    remark: str = ""
    content_hash: str
    filled_at: datetime


class PersonsTable(Value):
    """A table with its cells, for a person's copy."""

    table: DocumentTable
    cells: tuple[Cell, ...]
