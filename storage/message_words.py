"""Words of messages, for searches in conversations. The database keeps them in the transaction of the text.

SQLite has them in an FTS5 table over the view of finished messages, kept by triggers; PostgreSQL in a
generated column (both made by the migration 0012). An answer under way has none.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import (
    ColumnElement,
    FromClause,
    column,
    exists,
    func,
    literal_column,
    or_,
    select,
    table,
    text,
)
from sqlalchemy.exc import DatabaseError
from sqlalchemy.orm import Session

from domain.conversations import Conversation, FoundConversation
from rag.text.stretches import stretch_of
from rag.text.textnorm import words
from storage.branches import Branches, all_branches
from storage.membership import conversation_open_to
from storage.tables.columns import clean
from storage.tables.core import ConversationRow, MessageRow

QUERY, WORDS, LETTERS = 200, 8, 60
"""Characters and words of a query that count, and letters of a word."""
BEGINNING = 2
"""Letters from which a word is found as the beginning of others: one letter begins too many."""
NEWEST = 200
"""Conversations that are searched before all others."""
FEW = 200
"""Messages, or titles, up to which a word is rare: only what has it is searched for the other words."""

FTS = "message_words"


def search(session: Session, owner: str, query: str, limit: int) -> list[FoundConversation]:
    """See `SqlConversationStore.search`."""
    wanted = tuple(dict.fromkeys(word[:LETTERS] for word in words(clean(query[:QUERY]))))[:WORDS]
    if not wanted:
        return []
    newest = _newest(session, owner)
    found = _found(session, newest, wanted, limit)
    if len(found) < limit and len(newest.conversations) == NEWEST:
        found = _found(session, _narrowed(session, owner, wanted), wanted, limit)
    texts = _texts(session, [row.id for row in found], wanted)
    branches = all_branches(session, found)
    return [_told(row, texts.get(row.id, _Text()), branches[row.id], wanted) for row in found]


class _Text(NamedTuple):
    """A text in which words were found, and the question that it is or replies to."""

    question: int = 0
    text: str = ""


def _told(row: ConversationRow, found: _Text, branches: Branches, wanted: Sequence[str]) -> FoundConversation:
    stretch = stretch_of(found.text, wanted)
    hidden = stretch is not None and found.question not in branches.shown()
    return FoundConversation(
        conversation=row.as_value(Conversation),
        stretch=stretch,
        elsewhere=found.question if hidden else None,
    )


class _Within(NamedTuple):
    """Where to search: all conversations of the owner or, with `conversations`, those alone.

    `first` and `last` are ids of messages between which all of theirs are; a `last` of 0 is no limit.
    """

    owner: str
    conversations: Sequence[str] = ()
    first: int = 0
    last: int = 0


def _newest(session: Session, owner: str) -> _Within:
    """The owner's latest: a frequent word is found there enough times without reading all that has it."""
    latest = select(ConversationRow.id).where(conversation_open_to(owner))
    latest = latest.order_by(ConversationRow.updated_at.desc(), ConversationRow.id).limit(NEWEST)
    return _within(session, owner, session.scalars(latest).all())


def _narrowed(session: Session, owner: str, wanted: Sequence[str]) -> _Within:
    """The conversations with the rarest of several words if it is rare, whoever's they are; else all."""
    if len(wanted) < 2:
        return _Within(owner)
    everywhere = _Within(owner)
    held: dict[str, Sequence[int]] = {}
    for number, word in enumerate(wanted):
        hits = select(_hits(session, word, number, everywhere).c.id).limit(FEW + 1)
        held[word] = session.scalars(hits).all()
    rarest = min(wanted, key=lambda word: len(held[word]))
    titled = select(ConversationRow.id).where(conversation_open_to(owner), _in_title(rarest)).limit(FEW + 1)
    titles = session.scalars(titled).all()
    if max(len(held[rarest]), len(titles)) > FEW:
        return everywhere
    said = select(MessageRow.conversation_id).where(MessageRow.id.in_(held[rarest]))
    return _within(session, owner, sorted({*titles, *session.scalars(said)}))


def _within(session: Session, owner: str, conversations: Sequence[str]) -> _Within:
    ends = select(func.min(MessageRow.id), func.max(MessageRow.id))
    first, last = session.execute(ends.where(MessageRow.conversation_id.in_(conversations))).one()
    return _Within(owner, conversations, first or 0, last or 1)


def _found(session: Session, within: _Within, wanted: Sequence[str], limit: int) -> Sequence[ConversationRow]:
    query = select(ConversationRow).where(conversation_open_to(within.owner))
    if within.last:
        query = query.where(ConversationRow.id.in_(within.conversations))
    for number, word in enumerate(wanted):
        # The sum keeps SQLite from walking all hits anew for each conversation.
        among = (MessageRow.id + 0).in_(select(_hits(session, word, number, within).c.id))
        in_text = exists().where(MessageRow.conversation_id == ConversationRow.id, among)
        query = query.where(or_(_in_title(word), in_text))
    latest = query.order_by(ConversationRow.updated_at.desc(), ConversationRow.id).limit(limit)
    return session.scalars(latest).all()


def _in_title(word: str) -> ColumnElement[bool]:
    return ConversationRow.title_words.like(f"%{_beginning(word)}%")


def _texts(session: Session, conversations: Sequence[str], wanted: Sequence[str]) -> dict[str, _Text]:
    """Of each conversation the text with most of the words, the latest of several."""
    ids = select(MessageRow.id, MessageRow.conversation_id)
    ids = ids.where(MessageRow.conversation_id.in_(conversations))
    whose = {row.id: row.conversation_id for row in session.execute(ids)}
    if not whose:
        return {}
    counts: Counter[int] = Counter()
    for number, word in enumerate(wanted):
        within = _Within("", conversations, min(whose), max(whose))
        counts.update(session.scalars(select(_hits(session, word, number, within).c.id)))
    held = sorted(counts.keys() & whose.keys(), key=lambda one: (counts[one], one))
    best = {whose[one]: one for one in held}
    columns = (MessageRow.conversation_id, MessageRow.id, MessageRow.reply_to, MessageRow.text)
    rows = session.execute(select(*columns).where(MessageRow.id.in_(best.values())))
    return {row.conversation_id: _Text(row.reply_to or row.id, row.text) for row in rows}


def _hits(session: Session, word: str, number: int, within: _Within) -> FromClause:
    """Ids of the messages with a word, whoever's they are."""
    whole = len(word) < BEGINNING
    if _sqlite(session):
        identity: ColumnElement[int] = literal_column("rowid")
        given = {f"word{number}": f'"{word}"' + "*" * (not whole)}
        query = select(identity.label("id")).select_from(table(FTS))
        query = query.where(text(f"{FTS} MATCH :word{number}")).params(given)
    else:
        identity = MessageRow.id.expression
        wanted = func.to_tsquery("simple", word if whole else f"{word}:*")
        query = select(identity.label("id")).where(column(FTS).op("@@")(wanted))
    if within.last:
        query = query.where(identity.between(within.first, within.last))
        theirs = select(MessageRow.id).where(MessageRow.conversation_id.in_(within.conversations))
        # The sum keeps SQLite from opening the index of words anew for each message.
        query = query.where((identity + 0).in_(theirs))
    if _sqlite(session):
        return query.subquery()
    return query.cte(f"hits{number}").prefix_with("MATERIALIZED")


def _beginning(word: str) -> str:
    """What stands before the end of a title's word that is found: see `storage.tables.core.searchable`."""
    return f" {word} " if len(word) < BEGINNING else f" {word}"


def forget_words(session: Session) -> None:
    """Take words of deleted messages out of the file: until then SQLite only marks them as deleted."""
    _tell(session, "optimize")


def rebuild(session: Session) -> None:
    """Make the words anew from the texts; PostgreSQL's are never other than those."""
    _tell(session, "rebuild")


def sound(session: Session) -> bool:
    """True if the words are those of the texts."""
    if not _sqlite(session):
        return True
    try:
        session.execute(text(f"INSERT INTO {FTS}({FTS}, rank) VALUES ('integrity-check', 1)"))
    except DatabaseError:
        return False
    return True


def _tell(session: Session, command: str) -> None:
    if _sqlite(session):
        session.execute(text(f"INSERT INTO {FTS}({FTS}) VALUES (:command)"), {"command": command})


def _sqlite(session: Session) -> bool:
    return session.get_bind().dialect.name == "sqlite"
