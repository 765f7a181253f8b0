"""What jobs have replaced: written with the change itself, read to undo it."""

import zlib

from sqlalchemy import delete
from sqlalchemy.orm import Session

from rag.ingestion.records import JobChange
from storage.tables.columns import to_json
from storage.tables.core import JobChangeRow


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


def drop(session: Session, job_id: str, norm_id: str) -> None:
    """Forget a change, once it is undone."""
    session.execute(
        delete(JobChangeRow).where(JobChangeRow.job_id == job_id, JobChangeRow.norm_id == norm_id)
    )


def change_of(row: JobChangeRow) -> JobChange:
    """The change as it was recorded, with the hash of its norm afterwards."""
    if row.before is None:
        return JobChange(job_id=row.job_id, norm_id=row.norm_id, after=row.after)
    change = JobChange.model_validate_json(zlib.decompress(row.before))
    return change.model_copy(update={"after": row.after})
