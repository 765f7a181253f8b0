"""Queries for the answers, watches and documents that a change in the law touches, linear in their number."""

from typing import Any

from sqlalchemy import CompoundSelect, Select, and_, or_, select, union

from law.changes import Fate
from storage.base.membership import conversation_open_to
from storage.tables.alerts import CitedArticleRow, DocumentReferenceRow, LawEventRow, WatchRow
from storage.tables.conversations import ConversationRow, MessageRow
from storage.tables.matters import MatterDocumentRow, MatterMemberRow

Columns = tuple[Any, ...]
Found = Select[*tuple[Any, ...]]


def answers(columns: Columns, *where: Any) -> CompoundSelect[*tuple[Any, ...]]:
    """Answers that were finished before an event and cite the wording that it ends or corrects.

    Events of an article and of a whole norm are separate queries: the index on cited articles serves both.
    """
    wording = or_(
        LawEventRow.before.is_(None),
        CitedArticleRow.valid_from.is_(None),
        CitedArticleRow.valid_from == LawEventRow.before,
    )
    article = and_(LawEventRow.block_id != "", CitedArticleRow.block_id == LawEventRow.cited, wording)
    norm = LawEventRow.block_id == ""
    return union(*(_answers(columns, one, *where) for one in (article, norm)))


def _answers(columns: Columns, same: Any, *where: Any) -> Found:
    return (
        select(*columns)
        .select_from(LawEventRow)
        .join(CitedArticleRow, and_(CitedArticleRow.norm_id == LawEventRow.norm_id, same))
        .join(MessageRow, MessageRow.id == CitedArticleRow.message_id)
        .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
        .where(
            LawEventRow.fate != Fate.NEW.value,
            MessageRow.finished_at < LawEventRow.since,
            *where,
        )
    )


def open_to_owner() -> Any:
    """True for conversations still open to their owner, who may have left the expediente."""
    member = select(MatterMemberRow.account_id).where(
        MatterMemberRow.matter_id == ConversationRow.matter_id,
        MatterMemberRow.account_id == ConversationRow.owner,
    )
    return or_(ConversationRow.matter_id.is_(None), member.exists())


def open_answers(columns: Columns, owner: str, *where: Any) -> CompoundSelect[*tuple[Any, ...]]:
    """Like `answers`, only in conversations of this owner that are open to them."""
    return answers(columns, conversation_open_to(owner), *where)


def law_watches(columns: Columns, *where: Any) -> Found:
    """Watches on the norm or the article of an event, made before it counts (its `since`)."""
    of_law = and_(
        WatchRow.norm_id == LawEventRow.norm_id,
        or_(WatchRow.label.in_(("", LawEventRow.label, LawEventRow.block_id)), LawEventRow.block_id == ""),
        WatchRow.norm_id != "",
        WatchRow.created_at <= LawEventRow.since,
    )
    return select(*columns).select_from(LawEventRow).join(WatchRow, of_law).where(*where)


def documents(columns: Columns, *where: Any) -> Found:
    """Documents that refer to the article or norm of an event, of expedientes that a member watches."""
    reference = and_(
        DocumentReferenceRow.norm_id == LawEventRow.norm_id,
        or_(DocumentReferenceRow.label == LawEventRow.label, LawEventRow.block_id == ""),
    )
    member = and_(
        MatterMemberRow.matter_id == WatchRow.matter_id, MatterMemberRow.account_id == WatchRow.owner
    )
    return (
        select(*columns)
        .select_from(LawEventRow)
        .join(DocumentReferenceRow, reference)
        .join(MatterDocumentRow, MatterDocumentRow.id == DocumentReferenceRow.document_id)
        .join(WatchRow, WatchRow.matter_id == MatterDocumentRow.matter_id)
        .join(MatterMemberRow, member)
        # A document of a conversation is its owner's alone.
        .where(
            MatterDocumentRow.conversation_id.is_(None),
            WatchRow.created_at <= LawEventRow.since,
            LawEventRow.fate != Fate.NEW.value,
            *where,
        )
    )
