"""To whom expedientes, their conversations and their documents are open: conditions, read at each call."""

from typing import Any

from sqlalchemy import ColumnElement, and_, delete, or_, select
from sqlalchemy.orm import Session

from storage.base.engine import only
from storage.tables.conversations import ConversationRow
from storage.tables.matters import MatterDocumentRow, MatterMemberRow, MatterRow

NO_MATTER = "No existe ese expediente."
NO_CONVERSATION = "No existe esa conversación."


def member_of(matter: ColumnElement[Any], person: str) -> ColumnElement[bool]:
    """True where `matter` is the id of an expediente of which the person is a member."""
    return matter.in_(select(MatterMemberRow.matter_id).where(MatterMemberRow.account_id == person))


def conversation_open_to(person: str) -> ColumnElement[bool]:
    """True for the person's conversations; those of an expediente only while they are a member of it."""
    matter = ConversationRow.matter_id
    return and_(ConversationRow.owner == person, or_(matter.is_(None), member_of(matter.expression, person)))


def document_open_to(person: str) -> ColumnElement[bool]:
    """True for documents of the person's expedientes and of the conversations that are open to them."""
    own = select(ConversationRow.id).where(conversation_open_to(person))
    conversation = MatterDocumentRow.conversation_id
    of_matter = and_(conversation.is_(None), member_of(MatterDocumentRow.matter_id.expression, person))
    return or_(of_matter, conversation.in_(own))


def open_matter(session: Session, person: str, matter_id: str, *, lock: bool = False) -> MatterRow:
    """The expediente of a member; with `lock` it cannot be deleted before the transaction ends.

    Raises:
        NotFound: there is none, or it is not open to the person: the two cannot be told apart.
    """
    query = select(MatterRow).where(MatterRow.id == matter_id, member_of(MatterRow.id.expression, person))
    return only(session, query, NO_MATTER, lock=lock)


def open_conversation(
    session: Session, person: str, conversation_id: str, *, lock: bool = False
) -> ConversationRow:
    """A conversation of the person's. Raises NotFound as `open_matter`."""
    query = select(ConversationRow).where(ConversationRow.id == conversation_id, conversation_open_to(person))
    return only(session, query, NO_CONVERSATION, lock=lock)


def delete_matters(session: Session, where: ColumnElement[bool]) -> int:
    """Delete expedientes with their documents and every conversation in them; how many there were."""
    gone = session.scalars(select(MatterRow.id).where(where).with_for_update()).all()
    if gone:
        session.execute(delete(ConversationRow).where(ConversationRow.matter_id.in_(gone)))
        session.execute(delete(MatterRow).where(MatterRow.id.in_(gone)))
    return len(gone)
