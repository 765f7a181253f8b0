"""Shared parts of the tests of backups: a database with rows in every table, and a comparison of two."""

import hashlib
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Connection, Table, func, insert, select

from domain.reviews import ReviewVerdict, Vote
from law.document_records import DocumentRecord
from loading.ingestion.originals import LOCK
from loading.records.jobs import JobFile, JobKind, JobPayload
from rag.evaluation.results import CaseResult, EvaluationState
from rag.shared.cited_answer import Answer
from rag.shared.messages import MessageState
from rag.shared.trace import DecomposeRecord, Trace
from service.backup.backup import backup
from storage.stores import Database, open_database
from storage.tables.declarative import Base
from tests.factories import chunks_of, file, make_block, make_norm, refer, save

NOON = datetime(2026, 1, 1, 12, 30, 15, 123456, tzinfo=UTC)
Rows = list[tuple[Any, ...]]
TABLES = [table for table in Base.metadata.sorted_tables if table.info.get("backup", True)]


@dataclass(frozen=True)
class Source:
    """A full installation and its backup."""

    url: str
    home: Path
    archive: Path


def make_source(url: str, home: Path, archive: Path) -> Source:
    with closing(open_database(url)) as database:
        furnish(database, home)
        backup(database.engines, home, archive)
    return Source(url, home, archive)


def ask(database: Database, question: str, owner: str = "ana") -> tuple[str, int]:
    """A conversation of one answered question; its id and the answer's."""
    conversation = database.conversations.create(owner, question).id
    _, reply = database.conversations.ask(owner, conversation, question)
    answer = Answer(answer=f"R: {question}", confidence=0.1, refusal=False, as_of=NOON.date())
    trace = Trace(
        question=question, as_of=NOON.date(), started_at=NOON, stages=(DecomposeRecord(queries=("ñ",)),)
    )
    database.conversations.finish(reply.id, MessageState.COMPLETE, answer.answer, answer, trace)
    return conversation, reply.id


def furnish(database: Database, home: Path) -> None:
    """Something in every table, and the files that rows name."""
    norm = make_norm("N-1", make_block("1"), make_block("2", 'Con «ñ», "comillas" y\n líneas.\u2028'))
    save(database.corpus_writer, norm, refer(chunks_of(norm)[0], ("N-1", "2"), (None, None)))
    save(database.corpus_writer, make_norm("N-2"))
    database.ledger.mark_indexed([chunk.id for chunk in chunks_of(norm)], dense=True)
    database.vectors.put("m", {"a" * 64: (0.1, -2.5e-30, 3.0), "b" * 64: (1.0, 0.0, 0.0)})
    _, answer = ask(database, "¿Cuántos días?")
    database.feedback.vote("ana", answer, Vote.DOWN, "No cita la ley.")
    database.reviews.judge("rev", answer, ReviewVerdict.CORRECT)
    database.reviews.assign("rev", answer, "rev")
    gone, _ = ask(database, "¿Se borra?")
    database.conversations.delete("ana", gone)
    evaluation = database.evaluations.start("ana", "ley", "f" * 64, 1, {"mode": "offline"}).id
    case = CaseResult(id="a", question="¿a?", category="x", answerable=True, refused=False, as_of=NOON.date())
    database.evaluations.record(
        evaluation, 0, case, Trace(question="¿a?", as_of=NOON.date(), started_at=NOON)
    )
    database.evaluations.finish(evaluation, EvaluationState.FAILED, None, "Se paró.")
    source = load_source(home, b"contenido")
    file(database, DocumentRecord(norm_id="N-1", source=source, loaded_at=NOON, bytes=9))
    queue_upload(database, home, "c" * 32)
    (home / "enriched").mkdir()
    (home / "enriched" / "n-1.jsonl").write_text('{"key": "ñ"}\n', "utf-8")
    with database.engines.engine.begin() as connection:
        for table in Base.metadata.sorted_tables:
            if not connection.scalar(select(func.count()).select_from(table)):
                connection.execute(insert(table), _invented(connection, table))


def load_source(home: Path, content: bytes) -> str:
    """A kept source; its path relative to the home."""
    folder = home / "sources" / hashlib.sha256(content).hexdigest()
    folder.mkdir(parents=True)
    (folder / "Ley de ñandúes.md").write_bytes(content)
    return folder.relative_to(home).as_posix()


def queue_upload(database: Database, home: Path, key: str) -> Path:
    """A staged file and its job."""
    place = home / "uploads" / key / "0" / "ley.md"
    place.parent.mkdir(parents=True)
    place.write_text("Texto.", "utf-8")
    file = JobFile(name="ley.md", path=place.relative_to(home).as_posix(), size=6)
    database.jobs.enqueue(JobKind.INGEST, "ley.md", "ana", JobPayload(files=(file,)), job_id=key)
    return place


def contents(url: str) -> dict[str, Rows]:
    """Every row of every table that a backup takes along."""
    database = open_database(url)
    try:
        with database.engines.engine.connect() as connection:
            return {table.name: _rows(connection, table) for table in TABLES}
    finally:
        database.close()


def files(home: Path) -> dict[str, bytes]:
    """The files below a home but for the database and the lock."""
    found = [path for path in home.rglob("*") if path.is_file()]
    found = [path for path in found if "articulado.db" not in path.name and path.name != LOCK]
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in found}


def _rows(connection: Connection, table: Table) -> Rows:
    # Sorted here: the databases order texts unalike.
    return sorted((tuple(row) for row in connection.execute(select(table))), key=repr)


def _invented(connection: Connection, table: Table) -> list[dict[str, Any]]:
    """Three rows of values of each column's type; those that refer to rows refer to some that are there."""
    rows: list[dict[str, Any]] = [{}, {}, {}]
    for constraint in table.foreign_key_constraints:
        targets = [element.column for element in constraint.elements]
        known = connection.execute(select(*targets)).fetchall()
        for number, row in enumerate(rows):
            row |= dict(zip(constraint.column_keys, known[min(number, len(known) - 1)], strict=True))
    for number, row in enumerate(rows):
        for column in table.columns:
            row.setdefault(column.name, _value(column, number))
    keys = [column.name for column in table.primary_key.columns]
    return list({tuple(row[key] for key in keys): row for row in rows}.values())


def _value(column: Column[Any], number: int) -> Any:
    if column.nullable and number == 2:
        return None
    kind = type(column.type).__name__
    values: dict[str, Any] = {
        "CleanText": f"{column.name}-{number} «ñ»\t\\ \"'\n😀",
        "StringTuple": ("á", str(number)),
        "StringMap": {"z": "1", "a": "ñ"},
        "UtcDateTime": NOON + timedelta(days=number, microseconds=number),
        "Date": date(1980, 12, 1 + number),
        "Integer": number + 1,
        "BigInteger": 2**40 + number,
        "Float": 0.1 * number,
        "Double": 0.1 * number,
        "Boolean": bool(number % 2),
        "LargeBinary": bytes(range(250, 256)) + bytes([0, number]),
    }
    return values[kind]


def as_restored(rows: dict[str, Any]) -> dict[str, Any]:
    """These rows after a restore: the same, but that nothing is known of the index."""
    columns = list(Base.metadata.tables["chunks"].columns.keys())
    place = columns.index("index_state")
    rows["chunks"] = [(*row[:place], 0, *row[place + 1 :]) for row in rows["chunks"]]
    return rows
