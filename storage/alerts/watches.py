"""Watches of people; each is open to its owner alone."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import ColumnElement, Select, and_, func, or_, select, update
from sqlalchemy.orm import Session

from core.errors import InputError
from core.values import Value
from domain.alerts import AlertSettings, CitedWording, Watch, WatchKind
from law.norms import DOCUMENT
from rag.shared.cited_answer import Answer
from rag.shared.messages import MessageState
from storage.base.engine import ALERTS_LOCK, Store, only
from storage.base.membership import conversation_open_to, member_of, open_matter
from storage.chat.branches import USER
from storage.chat.conversations import shortened
from storage.tables.alerts import AddressCodeRow, AlertSettingsRow, WatchRow
from storage.tables.columns import from_json, to_json
from storage.tables.core import ConversationRow, MessageRow
from storage.tables.matters import MatterRow

MOST = 500
NO_WATCH = "No existe esa vigilancia."
NO_QUESTION = "No existe esa pregunta."
TOO_MANY = f"Ya vigila {MOST} cosas: quite antes alguna en «Novedades»."
UNANSWERED = "Esta pregunta todavía no tiene una respuesta completa: vigílela cuando la tenga."


class CitedWordings(Value):
    """Wordings that an answer cites, as they are kept with the watch of its question."""

    wordings: tuple[CitedWording, ...] = ()


class SqlWatchStore(Store):
    """Watches by owner.

    Raises (all methods): StorageError; NotFound when something does not exist or is not open to the owner
    (the two cannot be told apart from outside).
    """

    def watch_law(self, owner: str, norm_id: str, label: str, name: str) -> Watch:
        """Watch a norm or, with a label, an article of it; the same watch when there is one already.

        Raises:
            InputError: the owner has as many watches as they may.
        """
        kind = WatchKind.ARTICLE if label else WatchKind.NORM
        row = _row(owner, kind, f"{norm_id} {label}".strip(), norm_id=norm_id, label=label, name=name)
        with self._db.write(ALERTS_LOCK) as session:
            return _value(session, _added(session, row))

    def watch_matter(self, owner: str, matter_id: str) -> Watch:
        """Watch what an expediente's documents refer to. Raises as `watch_law`."""
        with self._db.write(ALERTS_LOCK) as session:
            open_matter(session, owner, matter_id)
            row = _row(owner, WatchKind.MATTER, matter_id, matter_id=matter_id)
            return _value(session, _added(session, row))

    def watch_question(self, owner: str, message_id: int) -> Watch:
        """Watch a question: it is asked again when the law has changed.

        Raises:
            InputError: as `watch_law`; it has no complete answer yet.
        """
        with self._db.write(ALERTS_LOCK) as session:
            only(session, _open_questions(owner).where(MessageRow.id == message_id), NO_QUESTION)
            reply = session.scalar(
                select(MessageRow)
                .where(MessageRow.reply_to == message_id, MessageRow.state == MessageState.COMPLETE.value)
                .order_by(MessageRow.id.desc())
                .limit(1)
            )
            answer = from_json(Answer, reply.answer, f"message {reply.id}") if reply else None
            if reply is None or answer is None:
                raise InputError(UNANSWERED)
            cited = to_json(CitedWordings(wordings=wordings_of(answer)))
            row = _row(owner, WatchKind.QUESTION, str(message_id), message_id=message_id, cited=cited)
            row.asked_at = reply.created_at
            return _value(session, _added(session, row))

    def watching(self, owner: str, kind: WatchKind, target: str) -> Watch | None:
        """The watch on a norm's id, 'norm label', an expediente's id or a question's id; or None."""
        same = and_(WatchRow.owner == owner, WatchRow.kind == kind.value, WatchRow.target == target)
        with self._db.read() as session:
            row = session.scalar(select(WatchRow).where(same, is_open(owner)))
            return _value(session, row) if row else None

    def watched_questions(self, owner: str, conversation_id: str) -> dict[int, Watch]:
        """The watches on questions of a conversation that is open to the owner, by the question."""
        asked = _open_questions(owner).where(MessageRow.conversation_id == conversation_id)
        theirs = WatchRow.message_id.in_(asked.with_only_columns(MessageRow.id))
        with self._db.read() as session:
            rows = session.scalars(select(WatchRow).where(WatchRow.owner == owner, theirs))
            return {row.message_id: _value(session, row) for row in rows if row.message_id is not None}

    def watches(self, owner: str) -> list[Watch]:
        """Those whose target is open to the owner, by kind, the latest first."""
        query = select(WatchRow).where(WatchRow.owner == owner, is_open(owner))
        with self._db.read() as session:
            rows = session.scalars(query.order_by(WatchRow.created_at.desc(), WatchRow.id)).all()
            found = [_value(session, row) for row in rows]
        kinds = list(WatchKind)
        return sorted(found, key=lambda one: kinds.index(one.kind))

    def pause(self, owner: str, watch_id: str, paused: bool) -> None:
        """Pause or resume a watch; changes in between are not told later."""
        with self._db.write() as session:
            row = _own(session, owner, watch_id)
            row.paused = paused
            if row.kind == WatchKind.QUESTION.value:
                row.asked_at = datetime.now(UTC)

    def unwatch(self, owner: str, watch_id: str) -> None:
        with self._db.write() as session:
            session.delete(_own(session, owner, watch_id))

    def settings(self, owner: str) -> AlertSettings:
        with self._db.read() as session:
            row = session.get(AlertSettingsRow, owner)
            return row.as_value(AlertSettings) if row else AlertSettings()

    def set_settings(self, owner: str, email: str, *, by_mail: bool) -> AlertSettings:
        """Replace how the owner is told; another address is to be confirmed (`storage.alerts.addresses`)."""
        with self._db.write(ALERTS_LOCK) as session:
            row = session.get(AlertSettingsRow, owner)
            if row is None:
                row = AlertSettingsRow(owner=owner, email=email, by_mail=by_mail)
                session.add(row)
            elif row.email != email:
                row.email, row.confirmed_at = email, None
                session.execute(
                    update(AddressCodeRow).where(AddressCodeRow.owner == owner).values(code_hash="")
                )
            row.by_mail = by_mail
            return row.as_value(AlertSettings)


def wordings_of(answer: Answer) -> tuple[CitedWording, ...]:
    """The articles that an answer cites or names, each by the first of its wordings there."""
    found: dict[tuple[str, str], CitedWording] = {}
    for one in (*answer.citations, *answer.sources):
        if one.collection != DOCUMENT and one.norm_id and one.block_id:
            sha256 = getattr(one, "wording_sha256", "")
            wording = CitedWording(
                norm_id=one.norm_id, block_id=one.block_id, since=one.valid_from, sha256=sha256
            )
            found.setdefault((one.norm_id, one.block_id), wording)
    return tuple(found.values())


def is_open(owner: str) -> ColumnElement[bool]:
    """True for watches whose expediente or question is open to their owner now."""
    asked = _open_questions(owner).with_only_columns(MessageRow.id)
    matter, message = WatchRow.matter_id, WatchRow.message_id
    return and_(
        or_(matter.is_(None), member_of(matter.expression, owner)),
        or_(message.is_(None), message.in_(asked)),
    )


def _open_questions(owner: str) -> Select[MessageRow]:
    return (
        select(MessageRow)
        .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
        .where(conversation_open_to(owner), MessageRow.role == USER)
    )


def _row(owner: str, kind: WatchKind, target: str, **about: Any) -> WatchRow:
    own = {"id": uuid4().hex, "owner": owner, "kind": kind.value, "target": target, "paused": False}
    blank = {"norm_id": "", "label": "", "name": "", "cited": ""}
    return WatchRow(**own, **blank | about, created_at=datetime.now(UTC))


def _added(session: Session, row: WatchRow) -> WatchRow:
    own = WatchRow.owner == row.owner
    same = select(WatchRow).where(own, WatchRow.kind == row.kind, WatchRow.target == row.target)
    if (there := session.scalar(same)) is not None:
        there.paused = False
        return there
    if (session.scalar(select(func.count(WatchRow.id)).where(own)) or 0) >= MOST:
        raise InputError(TOO_MANY)
    session.add(row)
    session.flush()
    return row


def _own(session: Session, owner: str, watch_id: str) -> WatchRow:
    query = select(WatchRow).where(WatchRow.id == watch_id, WatchRow.owner == owner)
    return only(session, query, NO_WATCH)


def _value(session: Session, row: WatchRow) -> Watch:
    name, conversation = row.name, None
    if row.matter_id is not None:
        matter = session.get(MatterRow, row.matter_id)
        name = matter.name if matter else ""
    if row.message_id is not None:
        question = session.get(MessageRow, row.message_id)
        name, conversation = (
            (shortened(question.text, 160), question.conversation_id) if question else ("", None)
        )
    return row.as_value(Watch, name=name, conversation_id=conversation)
