"""Events of the law, written in the transaction of the write of the corpus that they tell of.

So each is there exactly once, whoever changed the law (a load, the BOE, a deletion, an undone job), and a
process that is killed leaves either the change with its events or neither.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, date, datetime, time

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from core.clock import SPAIN, today_in_spain
from law.changes import Fate
from law.events import LawEvent, coming_events, found_events
from law.norms import Document
from storage.corpus.reads import document_of
from storage.corpus.row_sync import TableDiff, batches
from storage.tables.alerts import LawEventRow
from storage.tables.declarative import Base
from storage.tables.norms import BlockRow, BlockVersionRow, NormRow


def record_events(
    session: Session,
    norm_id: str,
    after: Document | None,
    diffs: Mapping[type[Base], TableDiff],
    job_id: str = "",
    *,
    undone: bool = False,
) -> None:
    """Record what is about to be written: call it before the rows of `diffs` are.

    Args:
        after: the norm as it will be; None when it is deleted.
        job_id: the load that writes.
        undone: True if a load is taken back: what it brought is no news, nor is that it goes.
    """
    touched = {key[1] for row in (BlockRow, BlockVersionRow) for key in _keys(diffs[row])}
    if not touched and not any(_keys(diffs[NormRow])):
        return
    today = today_in_spain()
    before = document_of(session, norm_id, touched)
    # The rows are about to be replaced by statements that the session does not see.
    session.expunge_all()
    if after is not None:
        after = after.model_copy(update={"blocks": tuple(b for b in after.blocks if b.id in touched)})
    found = [] if undone else found_events(before, after, today)
    coming = coming_events(after, today) if after is not None else []
    known = _expected(session, norm_id, touched, today, coming)
    now = datetime.now(UTC)
    rows = [_row(event, now, job_id) for event in found]
    rows += [_row(one, _beginning(one.day), job_id) for one in coming if one not in known]
    if rows:
        session.execute(insert(LawEventRow), rows)


def _keys(diff: TableDiff) -> Iterable[tuple[str, ...]]:
    yield from diff.inserts
    yield from diff.updates
    yield from diff.deletes


def _beginning(day: date) -> datetime:
    return datetime.combine(day, time(), SPAIN).astimezone(UTC)


def _row(event: LawEvent, since: datetime, job_id: str) -> dict[str, object]:
    return {**event.model_dump(), "fate": event.fate.value, "since": since, "job_id": job_id}


def _expected(
    session: Session, norm_id: str, touched: Collection[str], today: date, coming: Collection[LawEvent]
) -> list[LawEvent]:
    """Those of `coming` that are recorded already; what else was to be told of these blocks is forgotten."""
    known: list[LawEvent] = []
    for blocks in batches(["", *touched]):
        ahead = LawEventRow.norm_id == norm_id, LawEventRow.block_id.in_(blocks), LawEventRow.day > today
        found = session.scalars(select(LawEventRow).where(*ahead))
        rows = {row.id: row.as_value(LawEvent, fate=Fate(row.fate)) for row in found}
        known += [event for event in rows.values() if event in coming]
        gone = [number for number, event in rows.items() if event not in coming]
        session.execute(delete(LawEventRow).where(LawEventRow.id.in_(gone)))
    return known
