"""Review tables of expedientes: what members see and change, and what the program that fills them does."""

from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from uuid import uuid4

from sqlalchemy import and_, delete, func, or_, select, update
from sqlalchemy.orm import Session

from core.errors import InputError
from domain.document_tables import Cell, CellState, DocumentTable, PersonsTable, TableState
from domain.matters import DocumentState, MatterDocument
from storage.base.engine import Store, only
from storage.base.membership import member_of, open_matter
from storage.casework.matters import name_of
from storage.tables.columns import silent
from storage.tables.document_tables import DocumentTableCellRow, DocumentTableRow
from storage.tables.matters import MatterDocumentRow, MatterFragmentRow, MatterRow
from text.textnorm import visible

QUESTION, QUESTIONS, TABLES = 200, 30, 50
STALE_SECONDS = 20.0
"""Silence after which another program may go on with a table."""
NO_TABLE = "No existe esa tabla."
NO_NAME = "Escriba un nombre para la tabla."
NO_QUESTION = "Escriba al menos una pregunta."
NO_DOCUMENT = "Elija al menos un documento de este expediente."
LEFT = "La persona que la puso en marcha ya no está en el expediente: otra puede continuarla."
RUNNING, STOPPED = TableState.RUNNING.value, TableState.STOPPED.value


class SqlDocumentTableStore(Store):
    """Review tables by member of their expediente; membership is checked on every call.

    Raises (all methods that name a person): StorageError; NotFound when the table or the expediente does not
    exist or is not open to the person (the two cannot be told apart from outside).
    """

    def create(
        self, person: str, matter_id: str, name: str, documents: Iterable[str], questions: Iterable[str]
    ) -> DocumentTable:
        """Start a table and have it filled.

        Raises:
            InputError: a document is not of the expediente, or there is none, no question, or too many.
        """
        now = datetime.now(UTC)
        with self._db.write() as session:
            matter = open_matter(session, person, matter_id, lock=True)
            count = session.scalar(
                select(func.count(DocumentTableRow.id)).where(DocumentTableRow.matter_id == matter_id)
            )
            if (count or 0) >= TABLES:
                raise InputError(f"Un expediente admite {TABLES} tablas: elimine antes alguna.")
            matter.updated_at = now
            row = DocumentTableRow(
                id=uuid4().hex,
                matter_id=matter_id,
                name=name_of(name, NO_NAME),
                questions=_questions(questions),
                documents=_documents(session, matter_id, documents, {}),
                state=RUNNING,
                run_by=person,
                remark="",
                runner="",
                created_at=now,
                updated_at=now,
            )
            session.add(row)
        return row.as_value(DocumentTable)

    def tables(self, person: str, matter_id: str) -> list[DocumentTable]:
        """Those of an expediente, the latest made first."""
        query = select(DocumentTableRow).where(DocumentTableRow.matter_id == matter_id)
        with self._db.read() as session:
            open_matter(session, person, matter_id)
            rows = session.scalars(query.order_by(DocumentTableRow.created_at.desc(), DocumentTableRow.id))
            return [row.as_value(DocumentTable) for row in rows]

    def table(self, person: str, table_id: str) -> DocumentTable:
        with self._db.read() as session:
            return _open(session, person, table_id).as_value(DocumentTable)

    def cells(self, person: str, table_id: str) -> list[Cell]:
        """Those that are filled, in no order."""
        query = select(DocumentTableCellRow).where(DocumentTableCellRow.table_id == table_id)
        with self._db.read() as session:
            _open(session, person, table_id)
            return [row.as_value(Cell) for row in session.scalars(query)]

    def passages(self, person: str, table_id: str, documents: Collection[str]) -> dict[tuple[str, int], str]:
        """The fragments that cells of these documents quote, by document and number; without deleted ones."""
        fragment = MatterFragmentRow
        query = (
            select(fragment.document_id, fragment.number, fragment.text)
            .join(
                DocumentTableCellRow,
                and_(
                    DocumentTableCellRow.document_id == fragment.document_id,
                    DocumentTableCellRow.fragment == fragment.number,
                ),
            )
            .join(MatterDocumentRow, MatterDocumentRow.id == fragment.document_id)
            .where(DocumentTableCellRow.table_id == table_id, fragment.document_id.in_(documents))
        )
        with self._db.read() as session:
            matter_id = _open(session, person, table_id).matter_id
            rows = session.execute(query.where(MatterDocumentRow.matter_id == matter_id).distinct())
            return {(document_id, number): text for document_id, number, text in rows}

    def change(
        self, person: str, table_id: str, documents: Iterable[str], questions: Iterable[str]
    ) -> DocumentTable:
        """Change what it has and fill what is new: cells of documents and questions that stay are kept.

        Raises:
            InputError: as `create`.
        """
        with self._db.write() as session:
            row = _open(session, person, table_id, lock=True)
            row.questions = _questions(questions)
            row.documents = _documents(session, row.matter_id, documents, row.documents)
            gone = or_(
                DocumentTableCellRow.question.not_in(row.questions),
                DocumentTableCellRow.document_id.not_in(row.documents),
            )
            session.execute(
                delete(DocumentTableCellRow).where(DocumentTableCellRow.table_id == table_id, gone)
            )
            _set_going(session, row, person)
            return row.as_value(DocumentTable)

    def resume(self, person: str, table_id: str) -> DocumentTable:
        """Fill the cells that are missing; those that failed are tried again."""
        with self._db.write() as session:
            row = _open(session, person, table_id, lock=True)
            _set_going(session, row, person)
            return row.as_value(DocumentTable)

    def stop(self, person: str, table_id: str) -> None:
        """Fill no more cells; those that are filled stay. One that is done stays so."""
        with self._db.write() as session:
            row = _open(session, person, table_id, lock=True)
            if row.state == RUNNING:
                row.state, row.runner, row.beat_at, row.updated_at = STOPPED, "", None, datetime.now(UTC)

    def remove(self, person: str, table_id: str) -> None:
        """Delete it with its cells."""
        with self._db.write() as session:
            _open(session, person, table_id, lock=True)
            session.execute(delete(DocumentTableRow).where(DocumentTableRow.id == table_id))
        self._db.shrink_log()

    # For the program that fills them: tables of every person

    def take(self, runner: str, now: datetime, but: Collection[str] = ()) -> DocumentTable | None:
        """A table to be filled that no living program fills, the longest waiting first; None without any.

        One whose person is no longer a member of the expediente is stopped instead.

        Args:
            but: ids of tables to leave alone.
        """
        free = or_(DocumentTableRow.beat_at.is_(None), silent(DocumentTableRow.beat_at, now, STALE_SECONDS))
        waiting = select(DocumentTableRow).where(
            DocumentTableRow.state == RUNNING, DocumentTableRow.id.not_in(but), free
        )
        with self._db.write() as session:
            ordered = waiting.order_by(DocumentTableRow.updated_at, DocumentTableRow.id)
            for row in session.scalars(ordered.with_for_update(skip_locked=True)):
                if _may(session, row):
                    row.runner, row.beat_at = runner, now
                    return row.as_value(DocumentTable)
                row.state, row.remark, row.updated_at = STOPPED, LEFT, now
        return None

    def missing(self, table: DocumentTable) -> list[tuple[MatterDocument, list[str]]]:
        """Documents that are still in the expediente with the questions that they have not answered."""
        with self._db.read() as session:
            return _missing(session, table)

    def beat(self, table_id: str, runner: str) -> bool:
        """Give a sign of life; False if the table is no longer this program's to fill."""
        with self._db.write() as session:
            row = _held(session, table_id, runner)
            if row is not None:
                row.beat_at = datetime.now(UTC)
            return row is not None

    def keep(self, table_id: str, runner: str, cell: Cell) -> bool:
        """Store a cell; False, and nothing stored, if the table is no longer this program's to fill.

        So it is once it is stopped, deleted, taken over, or its person is no member any more. A cell that is
        no longer asked for, or whose document is gone, is not stored either; the table goes on.
        """
        with self._db.write() as session:
            row = _held(session, table_id, runner)
            if row is None or not _may(session, row):
                return False
            row.beat_at = datetime.now(UTC)
            there = select(MatterDocumentRow.id).where(
                MatterDocumentRow.id == cell.document_id, MatterDocumentRow.matter_id == row.matter_id
            )
            asked = cell.question in row.questions and cell.document_id in row.documents
            if asked and session.scalar(there) is not None:
                session.merge(DocumentTableCellRow(table_id=table_id, **cell.model_dump()))
            return True

    def settle(self, table_id: str, runner: str) -> bool:
        """End the work on a table: it is done unless cells are left; True if some can be filled now."""
        with self._db.write() as session:
            row = _held(session, table_id, runner)
            if row is None:
                return False
            states = {document.state for document, _ in _missing(session, row.as_value(DocumentTable))}
            row.runner, row.beat_at, row.updated_at = "", None, datetime.now(UTC)
            if not states - {DocumentState.FAILED}:
                row.state = TableState.DONE.value
            return DocumentState.READ in states


def tables_of(session: Session, matter_id: str) -> tuple[PersonsTable, ...]:
    """All of an expediente with their cells, the oldest first, for a person's copy."""
    query = select(DocumentTableRow).where(DocumentTableRow.matter_id == matter_id)
    found = []
    for row in session.scalars(query.order_by(DocumentTableRow.created_at, DocumentTableRow.id)).all():
        of_it = select(DocumentTableCellRow).where(DocumentTableCellRow.table_id == row.id)
        ordered = of_it.order_by(DocumentTableCellRow.document_id, DocumentTableCellRow.question)
        cells = tuple(one.as_value(Cell) for one in session.scalars(ordered))
        found.append(PersonsTable(table=row.as_value(DocumentTable), cells=cells))
    return tuple(found)


def _missing(session: Session, table: DocumentTable) -> list[tuple[MatterDocument, list[str]]]:
    rows = session.scalars(
        select(MatterDocumentRow).where(
            MatterDocumentRow.matter_id == table.matter_id,
            MatterDocumentRow.conversation_id.is_(None),
            MatterDocumentRow.id.in_(table.documents),
        )
    )
    of_it = select(DocumentTableCellRow).where(DocumentTableCellRow.table_id == table.id)
    known = {(one.document_id, one.question): one.content_hash for one in session.scalars(of_it)}
    found = []
    for document in sorted((row.as_value(MatterDocument) for row in rows), key=lambda one: one.number):
        has = document.content_hash
        lacks = [one for one in table.questions if known.get((document.id, one)) != has]
        if lacks:
            found.append((document, lacks))
    return found


def _open(session: Session, person: str, table_id: str, *, lock: bool = False) -> DocumentTableRow:
    mine = member_of(DocumentTableRow.matter_id.expression, person)
    query = select(DocumentTableRow).where(DocumentTableRow.id == table_id, mine)
    return only(session, query, NO_TABLE, lock=lock)


def _held(session: Session, table_id: str, runner: str) -> DocumentTableRow | None:
    query = select(DocumentTableRow).where(
        DocumentTableRow.id == table_id,
        DocumentTableRow.state == RUNNING,
        DocumentTableRow.runner == runner,
    )
    return session.scalar(query.with_for_update())


def _may(session: Session, row: DocumentTableRow) -> bool:
    """True while the person who set it going is a member of its expediente."""
    mine = select(MatterRow.id).where(
        MatterRow.id == row.matter_id, member_of(MatterRow.id.expression, row.run_by)
    )
    return session.scalar(mine) is not None


def _set_going(session: Session, row: DocumentTableRow, person: str) -> None:
    failed = DocumentTableCellRow.state == CellState.FAILED.value
    session.execute(delete(DocumentTableCellRow).where(DocumentTableCellRow.table_id == row.id, failed))
    now = datetime.now(UTC)
    if row.state != RUNNING:
        row.runner, row.beat_at = "", None
    row.state, row.run_by, row.remark, row.updated_at = RUNNING, person, "", now
    session.execute(update(MatterRow).where(MatterRow.id == row.matter_id).values(updated_at=now))


def _documents(
    session: Session, matter_id: str, chosen: Iterable[str], known: dict[str, str]
) -> dict[str, str]:
    """Names of the documents chosen, by number; of one that has been deleted since, the name it had."""
    wanted = set(chosen)
    of_it = MatterDocumentRow.matter_id == matter_id, MatterDocumentRow.conversation_id.is_(None)
    rows = session.scalars(
        select(MatterDocumentRow)
        .where(*of_it, MatterDocumentRow.id.in_(wanted))
        .order_by(MatterDocumentRow.number)
    )
    found = {one.id: f"{one.as_value(MatterDocument).title} · {one.name}" for one in rows}
    found |= {key: name for key, name in known.items() if key in wanted and key not in found}
    if not found or wanted - found.keys():
        raise InputError(NO_DOCUMENT)
    return found


def _questions(given: Iterable[str]) -> tuple[str, ...]:
    asked = tuple(dict.fromkeys(filter(None, (" ".join(visible(one).split()) for one in given))))
    if not asked:
        raise InputError(NO_QUESTION)
    if len(asked) > QUESTIONS:
        raise InputError(f"Una tabla admite {QUESTIONS} preguntas: quite alguna o haga otra tabla.")
    if long := next((one for one in asked if len(one) > QUESTION), ""):
        raise InputError(f"La pregunta «{long[:40]}…» pasa de {QUESTION} caracteres: abréviela.")
    return asked
