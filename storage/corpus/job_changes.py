"""Documents that jobs have replaced: written with the change itself, read to undo it."""

import zlib

from sqlalchemy import delete, update
from sqlalchemy.orm import Session

from core.errors import InputError
from law.document_records import JobChange
from storage.tables.columns import from_json, to_json
from storage.tables.jobs import JobChangeRow

OTHER_VERSION = "Esta carga no se puede deshacer: la hizo otra versión del programa."


def keep(session: Session, change: JobChange, after: str) -> None:
    """Record a change in its own transaction; of several by one job, the first says what was before."""
    row = session.get(JobChangeRow, (change.job_id, change.norm_id))
    if row is not None:
        row.after = after
        return
    before = zlib.compress(to_json(change).encode()) if change.document else None
    source = change.record.source if change.record else ""
    session.add(
        JobChangeRow(job_id=change.job_id, norm_id=change.norm_id, source=source, after=after, before=before)
    )


def follow(session: Session, norm_id: str, before: str, after: str) -> None:
    """Have the changes that left a norm as `before` leave it as `after`, so that they can be undone still."""
    held = (JobChangeRow.norm_id == norm_id, JobChangeRow.after == before)
    session.execute(update(JobChangeRow).where(*held).values(after=after))


def drop(session: Session, job_id: str, norm_id: str) -> None:
    """Forget a change, once it is undone."""
    session.execute(
        delete(JobChangeRow).where(JobChangeRow.job_id == job_id, JobChangeRow.norm_id == norm_id)
    )


def change_of(row: JobChangeRow) -> JobChange:
    """The change as it was recorded, with the hash of its norm afterwards.

    Raises:
        InputError: another version of the program wrote it.
    """
    if row.before is None:
        return JobChange(job_id=row.job_id, norm_id=row.norm_id, after=row.after)
    change = from_json(JobChange, zlib.decompress(row.before), f"job {row.job_id}")
    if change is None:
        raise InputError(OTHER_VERSION)
    return change.model_copy(update={"after": row.after})
