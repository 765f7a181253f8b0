"""News of the law by person: worked out once for each event, and read with what of theirs it touches now."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, func, insert, select, union, update
from sqlalchemy.orm import Session, aliased

from domain.alerts import NewsItem, NewsPage, TouchedAnswer, TouchedDocument
from law.changes import Fate
from law.events import LawEvent
from storage.alerts import touched
from storage.base.engine import ALERTS_LOCK, Store
from storage.chat.conversations import shortened
from storage.corpus.row_sync import batches
from storage.tables.alerts import LawEventRow, NewsRow, WatchRow
from storage.tables.conversations import ConversationRow, MessageRow
from storage.tables.matters import MatterDocumentRow, MatterRow

SHOWN = 20
"""Answers that are listed under an event; the others are counted."""
QUESTION = 160
"""Characters of a question in a list."""
ORDER = (LawEventRow.day.desc(), LawEventRow.law, LawEventRow.norm_id, LawEventRow.id)


class SqlNewsStore(Store):
    """News by owner. Raises (all methods): StorageError."""

    def due(self, now: datetime) -> bool:
        """True if there are events whose people are not worked out yet."""
        return bool(self._db.scalars(select(LawEventRow.id).where(*_due(now)).limit(1)))

    def match(self, now: datetime) -> int:
        """Give the people whom due events touch their news; the number of those events.

        In one transaction, once for each event: a process that is killed leaves them due. What a person asks
        afterwards is asked of the law as it is by then.
        """
        with self._db.write(ALERTS_LOCK) as session:
            events = session.scalars(select(LawEventRow.id).where(*_due(now))).all()
            for ids in batches(events):
                found = LawEventRow.id.in_(ids)
                of_watch, awake = (WatchRow.owner, LawEventRow.id), WatchRow.paused.is_(False)
                pairs = session.execute(
                    union(
                        touched.answers(
                            (ConversationRow.owner, LawEventRow.id), found, touched.open_to_owner()
                        )
                        .subquery()
                        .select(),
                        touched.law_watches(of_watch, found, awake),
                        touched.documents(of_watch, found, awake),
                    )
                ).tuples()
                _tell(session, {(owner, event) for owner, event in pairs})
                done = update(LawEventRow).where(found).values(matched_at=now)
                session.execute(done)
                _forget(session, found)
        return len(events)

    def unread(self, owner: str) -> int:
        """Number of the person's news that are not read."""
        return self._db.count(NewsRow.owner == owner, NewsRow.read_at.is_(None), of=NewsRow)

    def read(self, owner: str, event_ids: Sequence[int] | None = None) -> None:
        """Mark as read: these events, or all with None."""
        with self._db.write() as session:
            for ids in [None] if event_ids is None else batches(event_ids):
                where = [NewsRow.owner == owner, NewsRow.read_at.is_(None)]
                if ids is not None:
                    where.append(NewsRow.event_id.in_(ids))
                session.execute(update(NewsRow).where(*where).values(read_at=datetime.now(UTC)))

    def news(self, owner: str, limit: int = 200, *, unread: bool = False) -> NewsPage:
        """The latest news with what of the person's they touch.

        News of which nothing is left that touches the person (a deleted conversation, an expediente that
        they left, a watch that was removed) are forgotten here.

        Args:
            unread: True for those alone that are not read.
        """
        where = [NewsRow.owner == owner, *([NewsRow.read_at.is_(None)] if unread else [])]
        query = select(LawEventRow, NewsRow.read_at).join(NewsRow, NewsRow.event_id == LawEventRow.id)
        query = query.where(*where).order_by(*ORDER).limit(limit + 1)
        with self._db.read() as session:
            rows = session.execute(query).tuples().all()
            items = _items(session, owner, rows[:limit])
        lost = [one.id for one in items if not one.touches]
        if lost:
            with self._db.write() as session:
                for ids in batches(lost):
                    forgotten = delete(NewsRow).where(NewsRow.owner == owner, NewsRow.event_id.in_(ids))
                    session.execute(forgotten)
        return NewsPage(
            items=tuple(one for one in items if one.touches),
            unread=self.unread(owner),
            answers=self._answers(owner),
            more=len(rows) > limit,
            total=self._db.count(*where, of=NewsRow),
        )

    def _answers(self, owner: str) -> int:
        """Number of the person's answers that unread news touch."""
        unread = select(NewsRow.event_id).where(NewsRow.owner == owner, NewsRow.read_at.is_(None))
        found = touched.open_answers((MessageRow.id,), owner, LawEventRow.id.in_(unread)).subquery()
        with self._db.read() as session:
            return session.scalar(select(func.count()).select_from(found)) or 0


def _due(now: datetime) -> tuple[Any, ...]:
    return LawEventRow.matched_at.is_(None), LawEventRow.since <= now


def _tell(session: Session, pairs: set[tuple[str, int]]) -> None:
    """Add these news (owner, event) unless they are there."""
    events = [event for _, event in pairs]
    known: set[tuple[str, int]] = set()
    for ids in batches(dict.fromkeys(events)):
        there = select(NewsRow.owner, NewsRow.event_id).where(NewsRow.event_id.in_(ids))
        known.update(session.execute(there).tuples())
    rows = [{"owner": owner, "event_id": event} for owner, event in sorted(pairs - known)]
    if rows:
        session.execute(insert(NewsRow), rows)


def _forget(session: Session, found: ColumnElement[bool]) -> None:
    """Forget those events that nobody is told of.

    Of a norm that was deleted and that nobody used, not even the name is left.
    """
    told = select(NewsRow.event_id).where(NewsRow.event_id == LawEventRow.id).exists()
    session.execute(delete(LawEventRow).where(found, ~told))


def _items(
    session: Session, owner: str, rows: Sequence[tuple[LawEventRow, datetime | None]]
) -> list[NewsItem]:
    ids = [event.id for event, _ in rows]
    answers, counts = _answers_of(session, owner, ids)
    watched: set[int] = set()
    documents: dict[int, list[TouchedDocument]] = defaultdict(list)
    for batch in batches(ids):
        found = LawEventRow.id.in_(batch)
        own = WatchRow.owner == owner
        watched.update(session.scalars(touched.law_watches((LawEventRow.id,), found, own)))
        columns = (LawEventRow.id, MatterRow.id, MatterRow.name, MatterDocumentRow.name)
        held = touched.documents(columns, found, own).join(MatterRow, MatterRow.id == WatchRow.matter_id)
        for event, matter_id, matter, name in session.execute(
            held.distinct().order_by(MatterDocumentRow.name)
        ):
            documents[event].append(TouchedDocument(matter_id=matter_id, matter=matter, name=name))
    return [
        NewsItem(
            id=event.id,
            event=event.as_value(LawEvent, fate=Fate(event.fate)),
            read=read_at is not None,
            answers=tuple(answers[event.id]),
            answer_count=counts.get(event.id, 0),
            documents=tuple(documents[event.id]),
            watched=event.id in watched,
        )
        for event, read_at in rows
    ]


def _answers_of(
    session: Session, owner: str, ids: Sequence[int]
) -> tuple[dict[int, list[TouchedAnswer]], dict[int, int]]:
    """The latest answers of each event, and how many there are."""
    answers: dict[int, list[TouchedAnswer]] = defaultdict(list)
    counts: dict[int, int] = {}
    replies: dict[int, list[int]] = defaultdict(list)
    for batch in batches(ids):
        columns = (LawEventRow.id.label("event"), MessageRow.id.label("reply"))
        found = touched.open_answers(columns, owner, LawEventRow.id.in_(batch)).subquery()
        for event, reply in session.execute(select(found).order_by(found.c.reply.desc())):
            counts[event] = counts.get(event, 0) + 1
            if counts[event] <= SHOWN:
                replies[event].append(reply)
    told: dict[int, TouchedAnswer] = {}
    question, reply_row = aliased(MessageRow), MessageRow
    for batch in batches({one for some in replies.values() for one in some}):
        query = select(reply_row.id, reply_row.conversation_id, question.text)
        query = query.join(question, question.id == reply_row.reply_to).where(reply_row.id.in_(batch))
        for reply, conversation, text in session.execute(query):
            told[reply] = TouchedAnswer(
                message_id=reply, conversation_id=conversation, question=shortened(text, QUESTION)
            )
    for event, some in replies.items():
        answers[event] = [told[one] for one in some if one in told]
    return answers, counts
