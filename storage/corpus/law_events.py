"""Events of the law, written in the transaction of the write of the corpus that they tell of.

So each is there exactly once, whoever changed the law (a load, the BOE, a deletion, an undone job), and a
process that is killed leaves either the change with its events or neither.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, date, datetime, time

from sqlalchemy import delete, insert
from sqlalchemy.orm import Session

from core.clock import SPAIN, today_in_spain
from law.events import LawEvent, coming_events, found_events
from law.norms import Document
from storage.corpus.reads import document_of
from storage.corpus.row_sync import TableDiff, batches
from storage.tables.alerts import LawEventRow
from storage.tables.core import Base, BlockRow, BlockVersionRow, NormRow


def record_events(
    session: Session, norm_id: str, after: Document | None, diffs: Mapping[type[Base], TableDiff]
) -> None:
    """Record what is about to be written: call it before the rows of `diffs` are.

    Args:
        after: the norm as it will be; None when it is deleted.
    """
    touched = {key[1] for row in (BlockRow, BlockVersionRow) for key in _keys(diffs[row])}
    if not touched and not any(_keys(diffs[NormRow])):
        return
    today = today_in_spain()
    before = document_of(session, norm_id, touched)
    # The rows are about to be replaced by statements that the session does not see.
    session.expunge_all()
    _withdraw(session, norm_id, touched, today)
    if after is not None:
        after = after.model_copy(update={"blocks": tuple(b for b in after.blocks if b.id in touched)})
    found = found_events(before, after, today)
    coming = coming_events(after, today) if after is not None else []
    now = datetime.now(UTC)
    rows = [_row(event, now) for event in found]
    rows += [_row(event, datetime.combine(event.day, time(), SPAIN).astimezone(UTC)) for event in coming]
    if rows:
        session.execute(insert(LawEventRow), rows)


def _keys(diff: TableDiff) -> Iterable[tuple[str, ...]]:
    yield from diff.inserts
    yield from diff.updates
    yield from diff.deletes


def _row(event: LawEvent, since: datetime) -> dict[str, object]:
    return {**event.model_dump(), "fate": event.fate.value, "since": since}


def _withdraw(session: Session, norm_id: str, touched: Collection[str], today: date) -> None:
    """Forget what was to be told on a later day of these blocks, which is worked out again."""
    for blocks in batches(["", *touched]):
        session.execute(
            delete(LawEventRow).where(
                LawEventRow.norm_id == norm_id,
                LawEventRow.block_id.in_(blocks),
                LawEventRow.day > today,
            )
        )
