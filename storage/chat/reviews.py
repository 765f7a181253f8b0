"""The review queue: answers of every owner, what reviewers decide about them, and who looked at what."""

import logging
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta

from pydantic import TypeAdapter
from sqlalchemy import and_, delete, func, or_, select, true
from sqlalchemy.orm import Session

from core.errors import InputError, NotFound
from domain.reviews import (
    MAX_CONDITION,
    MAX_CONDITIONS,
    MAX_NOTES,
    Feedback,
    Judgment,
    QueueFilter,
    QueuePage,
    QueueSort,
    ReviewItem,
    ReviewVerdict,
    ReviewView,
)
from rag.evaluation.reviewed_cases import CorrectCitation, ReviewCase, Wanted
from rag.shared.trace import Trace
from storage.base.engine import Store, only
from storage.base.membership import conversation_open_to
from storage.chat.conversations import to_message, turns_before
from storage.chat.review_queries import (
    ASKED,
    ENTRY,
    ORDERS,
    REVIEWABLE,
    VERDICT,
    answers,
    conditions,
    entry_of,
    of_state,
    total,
)
from storage.tables.alerts import CitedArticleRow
from storage.tables.columns import from_json, to_json
from storage.tables.conversations import ConversationRow, MessageRow, TraceRow
from storage.tables.reviews import AssignmentRow, FeedbackRow, JudgmentRow, ReviewCaseRow, ReviewViewRow
from text.textnorm import visible

log = logging.getLogger(__name__)

SAME_VIEW = timedelta(minutes=15)
"""Looking again within this time is the same look: a page reads what it shows at every redraw."""

NO_ANSWER = "No existe esa respuesta: puede que su conversación se haya eliminado."
JUDGED_MEANWHILE = (
    "Otra persona ha cambiado el veredicto de esta respuesta mientras tanto: mire el suyo y vuelva a guardar "
    "si hace falta."
)
TAKEN = (
    "Esa respuesta ya la tiene asignada otra persona: solo puede cambiarla esa persona o quien administre "
    "Articulado."
)
TOO_MANY = f"Como mucho {MAX_CONDITIONS} condiciones de {MAX_CONDITION} caracteres cada una: abrévielas."
NOTHING_WANTED = Wanted()
_CITATIONS = TypeAdapter(tuple[CorrectCitation, ...])


class SqlReviewStore(Store):
    """The review queue: the only way to the answers of every owner.

    The caller has established that `reviewer` may review. Each method that shows somebody's texts
    takes the reviewer and records who looked at what and when, once in a while, not at every redraw.

    Raises (all methods): StorageError; NotFound when the answer does not exist.
    """

    def queue(
        self,
        reviewer: str,
        where: QueueFilter,
        sort: QueueSort = QueueSort.NEWEST,
        offset: int = 0,
        limit: int = 50,
    ) -> QueuePage:
        """Complete answers of every owner; recorded as a look at the queue, since it shows questions."""
        self._record(reviewer, None)
        with self._db.read() as session:
            asked = conditions(session, where)
            query = answers(select(*ENTRY)).where(*asked, *of_state(where)).order_by(*ORDERS[sort])
            rows = session.execute(query.offset(offset).limit(limit)).all()
            verdicts = answers(select(VERDICT.label("verdict"))).where(*asked).subquery()
            by_verdict = select(verdicts.c.verdict, func.count()).group_by(verdicts.c.verdict)
            counts = {
                name and ReviewVerdict(name): count for name, count in session.execute(by_verdict).tuples()
            }
        return QueuePage(entries=tuple(map(entry_of, rows)), total=total(where, counts), counts=counts)

    def beside(self, where: QueueFilter, sort: QueueSort, message_id: int) -> tuple[int | None, int | None]:
        """Ids of the answers before and after one in the queue, also where its verdict took it out of it."""
        order = ORDERS[sort]
        beside = (func.lag(MessageRow.id).over(order_by=order), func.lead(MessageRow.id).over(order_by=order))
        with self._db.read() as session:
            asked = and_(true(), *conditions(session, where), *of_state(where))
            columns = (MessageRow.id, beside[0].label("before"), beside[1].label("after"))
            queue = answers(select(*columns)).where(or_(asked, MessageRow.id == message_id)).subquery()
            found = select(queue.c.before, queue.c.after).where(queue.c.id == message_id)
            before, after = session.execute(found).tuples().one_or_none() or (None, None)
        return before, after

    def people(self) -> list[str]:
        """Account ids of those whose answers are in the queue."""
        return sorted(self._db.scalars(answers(select(ConversationRow.owner).distinct())))

    def cited_norms(self) -> list[str]:
        """Ids of the norms that answers in the queue cite or name."""
        cited = CitedArticleRow.message_id == MessageRow.id
        return sorted(self._db.scalars(answers(select(CitedArticleRow.norm_id).distinct()).where(cited)))

    def matters(self) -> list[str]:
        """The subjects of the answers in the queue, in Spanish, by alphabet; '' when some have none."""
        return sorted(self._db.scalars(answers(select(MessageRow.matter).distinct())))

    def item(self, reviewer: str, message_id: int, turns: int) -> ReviewItem:
        """One answer with at most `turns` messages of history."""
        columns = (MessageRow, ASKED, ConversationRow, FeedbackRow, AssignmentRow.person)
        query = answers(select(*columns)).where(MessageRow.id == message_id)
        with self._db.read() as session:
            row = session.execute(query).one_or_none()
            if row is None:
                raise NotFound(NO_ANSWER)
            answer, asked, conversation, feedback, person = row
            history = turns_before(session, conversation, asked.id, turns)
        self._record(reviewer, message_id)
        of_this, viewed = JudgmentRow.message_id == message_id, ReviewViewRow.message_id == message_id
        judgments = self._db.scalars(select(JudgmentRow).where(of_this).order_by(JudgmentRow.id.desc()))
        views = select(ReviewViewRow).where(viewed).order_by(ReviewViewRow.id.desc())
        cases = self._db.scalars(select(ReviewCaseRow.body).where(ReviewCaseRow.message_id == message_id))
        return ReviewItem(
            owner=conversation.owner,
            question=to_message(asked),
            answer=to_message(answer),
            history=tuple(history),
            feedback=feedback and feedback.as_value(Feedback),
            judgments=tuple(map(_judgment, judgments)),
            views=tuple(row.as_value(ReviewView) for row in self._db.scalars(views)),
            case=ReviewCase.model_validate_json(cases[0]) if cases else None,
            assigned=person or "",
        )

    def answer_trace(self, reviewer: str, message_id: int) -> Trace | None:
        """The trace of an answer; None when it has none or another version of the program wrote it."""
        self._record(reviewer, message_id)
        query = select(TraceRow).where(TraceRow.message_id == message_id, TraceRow.message_id.in_(REVIEWABLE))
        with self._db.read() as session:
            row = session.scalar(query)
        return from_json(Trace, row.body if row else None, f"message {message_id}")

    def found_right(self, owner: str, conversation_id: str) -> dict[int, Judgment]:
        """The standing verdicts that an answer is right, by answer of a conversation open to its owner."""
        query = (
            select(JudgmentRow)
            .join(MessageRow, MessageRow.id == JudgmentRow.message_id)
            .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
            .where(ConversationRow.id == conversation_id, conversation_open_to(owner))
            .order_by(JudgmentRow.id)
        )
        standing = {row.message_id: row for row in self._db.scalars(query)}
        right = (one for one in standing.values() if one.withdrawn_at is None)
        return {one.message_id: _judgment(one) for one in right if one.verdict == ReviewVerdict.CORRECT.value}

    def judge(
        self,
        reviewer: str,
        message_id: int,
        verdict: ReviewVerdict,
        *,
        citations: Sequence[CorrectCitation] = (),
        must_refuse: bool = False,
        notes: str = "",
        wanted: Wanted = NOTHING_WANTED,
        seen: int | None = None,
    ) -> Judgment:
        """Put a verdict in the place of the standing one; earlier ones stay in the history.

        Args:
            seen: id of the latest verdict that the reviewer saw, 0 for none; None: whatever there is.

        Raises:
            InputError: something is too long, there are articles or conditions and a refusal, or somebody
                else has judged meanwhile.
        """
        notes = visible(notes).strip()
        if len(notes) > MAX_NOTES:
            raise InputError(f"Las notas superan los {MAX_NOTES} caracteres: abrévielas.")
        if must_refuse and citations:
            raise InputError(
                "Si la pregunta debía rechazarse, ningún artículo la responde: quite los artículos."
            )
        wanted = _checked(wanted, must_refuse=must_refuse)
        row = JudgmentRow(
            message_id=message_id,
            reviewer=reviewer,
            verdict=verdict.value,
            citations=to_json(list(citations)),
            must_refuse=must_refuse,
            notes=notes,
            wanted=to_json(wanted),
            created_at=datetime.now(UTC),
        )
        with self._db.write() as session:
            _lock(session, message_id)
            if seen is not None and seen != getattr(_latest(session, message_id), "id", 0):
                raise InputError(JUDGED_MEANWHILE)
            session.add(row)
        return _judgment(row)

    def withdraw(self, reviewer: str, message_id: int, judgment_id: int) -> None:
        """Take back the standing verdict, which stays in the history.

        Raises:
            InputError: it is not that one any more.
        """
        with self._db.write() as session:
            _lock(session, message_id)
            last = _latest(session, message_id)
            if last is None or last.id != judgment_id or last.withdrawn_at is not None:
                raise InputError(JUDGED_MEANWHILE)
            last.withdrawn_at = datetime.now(UTC)
        log.info("%s withdrew the verdict %s", reviewer, judgment_id)

    def assign(self, reviewer: str, message_id: int, person: str, held_by: Collection[str] = ()) -> None:
        """Give an answer to a person, or with '' to nobody.

        Args:
            held_by: people from whom it is not taken.

        Raises:
            InputError: one of `held_by` has it.
        """
        with self._db.write() as session:
            _lock(session, message_id)
            row = session.get(AssignmentRow, message_id)
            if row is not None and row.person in held_by:
                raise InputError(TAKEN)
            if person:
                now = datetime.now(UTC)
                session.merge(AssignmentRow(message_id=message_id, person=person, assigned_at=now))
            elif row is not None:
                session.delete(row)
        log.info("%s assigned the answer %d", reviewer, message_id)

    def save_case(self, reviewer: str, message_id: int, case: ReviewCase) -> None:
        """Keep the case of an answer, in place of an earlier one."""
        now = datetime.now(UTC)
        values = {"message_id": message_id, "body": to_json(case), "made_by": reviewer}
        with self._db.write() as session:
            _lock(session, message_id)
            known = session.get(ReviewCaseRow, case.id)
            made = known.created_at if known else now
            session.merge(ReviewCaseRow(id=case.id, created_at=made, updated_at=now, **values))

    def cases(self) -> list[ReviewCase]:
        query = select(ReviewCaseRow.body).order_by(ReviewCaseRow.created_at, ReviewCaseRow.id)
        return [ReviewCase.model_validate_json(body) for body in self._db.scalars(query)]

    def remove_case(self, reviewer: str, case_id: str) -> None:
        """Raises NotFound when no such case exists."""
        if not self._db.run(delete(ReviewCaseRow).where(ReviewCaseRow.id == case_id)):
            raise NotFound("No existe ese caso.")
        log.info("%s removed the case %s", reviewer, case_id)

    def _record(self, reviewer: str, message_id: int | None) -> None:
        recent = (
            select(ReviewViewRow.id)
            .where(
                ReviewViewRow.reviewer == reviewer,
                ReviewViewRow.message_id.is_not_distinct_from(message_id),
                ReviewViewRow.viewed_at > datetime.now(UTC) - SAME_VIEW,
            )
            .limit(1)
        )
        with self._db.read() as session:
            if session.scalar(recent) is not None:
                return
        with self._db.write() as session:
            session.add(ReviewViewRow(reviewer=reviewer, message_id=message_id, viewed_at=datetime.now(UTC)))


def _lock(session: Session, message_id: int) -> None:
    """Raises NotFound; the answer cannot go away before the transaction ends."""
    query = select(MessageRow.id).where(MessageRow.id == message_id, MessageRow.id.in_(REVIEWABLE))
    only(session, query, NO_ANSWER, lock=True)


def _latest(session: Session, message_id: int) -> JudgmentRow | None:
    query = select(JudgmentRow).where(JudgmentRow.message_id == message_id)
    return session.scalar(query.order_by(JudgmentRow.id.desc()).limit(1))


def _checked(wanted: Wanted, *, must_refuse: bool) -> Wanted:
    """The conditions without blank ones. Raises InputError."""
    lines = {
        name: tuple(filter(None, (visible(line).strip() for line in getattr(wanted, name))))
        for name in ("facts", "forbidden")
    }
    if any(
        len(some) > MAX_CONDITIONS or max(map(len, some), default=0) > MAX_CONDITION
        for some in lines.values()
    ):
        raise InputError(TOO_MANY)
    wanted = wanted.model_copy(update=lines)
    if must_refuse and wanted != NOTHING_WANTED:
        raise InputError(
            "Si la pregunta debía rechazarse, la respuesta no tiene otras condiciones: quítelas."
        )
    return wanted


def _judgment(row: JudgmentRow) -> Judgment:
    citations = _CITATIONS.validate_json(row.citations)
    return row.as_value(Judgment, citations=citations, wanted=Wanted.model_validate_json(row.wanted))
