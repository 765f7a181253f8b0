"""Words of messages, for searches in conversations. The database keeps them in the transaction of the text.

SQLite has them in an FTS5 table over the view of finished messages, kept by triggers; PostgreSQL in a
generated column (both in `storage.tables.triggers`). An answer under way has none.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Select,
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
from sqlalchemy.orm import InstrumentedAttribute, Session

from domain.conversations import Conversation, FoundConversation
from storage.base.membership import conversation_open_to
from storage.chat.branches import Branches, all_branches
from storage.tables.columns import clean
from storage.tables.conversations import ConversationRow, MessageRow
from text.stretches import stretch_of
from text.textnorm import words

QUERY, WORDS, LETTERS = 200, 8, 60
"""Characters and words of a query that count, and letters of a word."""
BEGINNING = 2
"""Letters from which a word is found as the beginning of others: one letter begins too many."""
NEWEST = 200
"""Conversations that are searched before all others."""
FEW = 200
"""Messages, or titles, up to which a word is rare: only what has it is searched for the other words."""

FORMS = 50
"""Words of the texts with one beginning that SQLite looks up one by one."""

FTS, FORMS_OF = "message_words", "message_word_forms"
LAST = "\U0010ffff"
"""Stands after every other letter."""


def search(session: Session, owner: str, query: str, limit: int) -> list[FoundConversation]:
    """See `SqlConversationStore.search`."""
    wanted = _wanted(query)
    if not wanted:
        return []
    asked = _patterns(session, wanted)
    newest = _among(session, owner, asked, _latest(owner).limit(NEWEST))
    found, among = newest.with_all()[:limit], newest
    if len(found) < limit and len(newest.titles) == NEWEST:
        among = _beyond(session, owner, asked, newest, limit)
        found = among.with_all()[:limit]
    rows = session.scalars(select(ConversationRow).where(ConversationRow.id.in_(found))).all()
    texts, branches = _texts(session, found, among.messages), all_branches(session, rows)
    by_id = {row.id: row for row in rows}
    # One may have been deleted since it was found.
    there = [one for one in found if one in by_id]
    return [_told(by_id[one], texts.get(one, _Text()), branches[one], wanted) for one in there]


def having(
    session: Session, query: str, *ids: ColumnElement[int] | InstrumentedAttribute[int]
) -> list[ColumnElement[bool]]:
    """Conditions that one of these columns is of a message with each word of the query, whoever wrote it."""
    found = []
    for number, pattern in enumerate(_patterns(session, _wanted(query)).values()):
        hits = select(_hits(session, pattern, number, _Within()).c.id)
        found.append(or_(*(one.in_(hits) for one in ids)))
    return found


def _wanted(query: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word[:LETTERS] for word in words(clean(query[:QUERY]))))[:WORDS]


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


class _Among(NamedTuple):
    """Where some conversations have each word.

    Attributes:
        titles: words of the title of each conversation, the latest first.
        messages: of each word the messages that have it, with their conversations.
    """

    titles: Mapping[str, str]
    messages: Mapping[str, Mapping[int, str]]

    def with_all(self) -> list[str]:
        """The conversations that have every word, the latest first."""
        said = {word: set(found.values()) for word, found in self.messages.items()}
        return [
            one
            for one, title in self.titles.items()
            if all(one in found or _beginning(word) in title for word, found in said.items())
        ]


class _Within(NamedTuple):
    """Where to search for a word: everywhere or, if there are some, in those conversations alone.

    For SQLite `first` and `last` are ids of messages between which all of theirs are.
    """

    conversations: Sequence[str] = ()
    first: int = 0
    last: int = 0


def _latest(owner: str) -> Select[str, str]:
    """Id and words of the title of the owner's conversations, the latest first."""
    query = select(ConversationRow.id, ConversationRow.title_words).where(conversation_open_to(owner))
    return query.order_by(ConversationRow.updated_at.desc(), ConversationRow.id)


def _among(session: Session, owner: str, asked: Mapping[str, str], chosen: Select[str, str]) -> _Among:
    """Search for each word in the chosen conversations. `asked`: see `_patterns`."""
    titles = {row.id: row.title_words for row in session.execute(chosen)}
    if not titles:
        return _Among(titles, {word: {} for word in asked})
    within = _Within(tuple(titles))
    if _sqlite(session):
        ends = select(func.min(MessageRow.id), func.max(MessageRow.id))
        first, last = session.execute(ends.where(MessageRow.conversation_id.in_(titles))).one()
        within = within._replace(first=first or 0, last=last or 0)
    found: dict[str, dict[int, str]] = {}
    for number, (word, pattern) in enumerate(asked.items()):
        hits = select(_hits(session, pattern, number, within).c.id)
        theirs = select(MessageRow.id, MessageRow.conversation_id).where(MessageRow.id.in_(hits))
        found[word] = {row.id: row.conversation_id for row in session.execute(theirs)}
    return _Among(titles, found)


def _beyond(session: Session, owner: str, asked: Mapping[str, str], newest: _Among, limit: int) -> _Among:
    """The conversations of all people with a word that is rare; without one, the first that have all."""
    for word in sorted(asked, key=lambda one: len(newest.messages[one])):
        if len(newest.messages[word]) > FEW:
            break
        chosen = _with_rare(session, owner, word, asked[word])
        if chosen is not None:
            return _among(session, owner, asked, _latest(owner).where(ConversationRow.id.in_(chosen)))
    with_all = _latest(owner)
    for number, (word, pattern) in enumerate(asked.items()):
        # The sum keeps SQLite from walking all hits again for each conversation.
        among = (MessageRow.id + 0).in_(select(_hits(session, pattern, number, _Within()).c.id))
        in_text = exists().where(MessageRow.conversation_id == ConversationRow.id, among)
        with_all = with_all.where(or_(_in_title(word), in_text))
    first = [row.id for row in session.execute(with_all.limit(limit))]
    return _among(session, owner, asked, _latest(owner).where(ConversationRow.id.in_(first)))


def _with_rare(session: Session, owner: str, word: str, pattern: str) -> Collection[str] | None:
    """The conversations with a word; None when it is not rare."""
    hits = session.scalars(select(_hits(session, pattern, 0, _Within()).c.id).limit(FEW + 1)).all()
    if len(hits) > FEW:
        return None
    titled = select(ConversationRow.id).where(conversation_open_to(owner), _in_title(word)).limit(FEW + 1)
    titles = session.scalars(titled).all()
    if len(titles) > FEW:
        return None
    said = select(MessageRow.conversation_id).where(MessageRow.id.in_(hits))
    return {*titles, *session.scalars(said)}


def _in_title(word: str) -> ColumnElement[bool]:
    return ConversationRow.title_words.like(f"%{_beginning(word)}%")


def _texts(
    session: Session, conversations: Collection[str], messages: Mapping[str, Mapping[int, str]]
) -> dict[str, _Text]:
    """Of each conversation the text with most of the words, the latest of several."""
    counts = Counter(chain.from_iterable(messages.values()))
    whose = {one: conversation for found in messages.values() for one, conversation in found.items()}
    held = sorted(counts, key=lambda one: (counts[one], one))
    best = {whose[one]: one for one in held if whose[one] in conversations}
    columns = (MessageRow.conversation_id, MessageRow.id, MessageRow.reply_to, MessageRow.text)
    rows = session.execute(select(*columns).where(MessageRow.id.in_(best.values())))
    return {row.conversation_id: _Text(row.reply_to or row.id, row.text) for row in rows}


def _patterns(session: Session, wanted: Sequence[str]) -> dict[str, str]:
    """Each word as the database is asked for it: as the beginning of others unless it is too short.

    SQLite reads all texts with a beginning before it gives the first, those of a whole word only as far as
    they are asked for: a beginning of few words becomes those.
    """
    if not _sqlite(session):
        return {word: word if len(word) < BEGINNING else f"{word}:*" for word in wanted}
    session.execute(
        text(f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{FORMS_OF} USING fts5vocab(main, {FTS}, row)")
    )
    like = text(f"SELECT term FROM {FORMS_OF} WHERE term >= :word AND term < :after LIMIT {FORMS + 1}")
    found: dict[str, str] = {}
    for word in wanted:
        forms = [word]
        if len(word) >= BEGINNING:
            forms = list(session.scalars(like, {"word": word, "after": word + LAST}))
        known = 0 < len(forms) <= FORMS
        found[word] = " OR ".join(f'"{form}"' for form in forms) if known else f'"{word}"*'
    return found


def _hits(session: Session, pattern: str, number: int, within: _Within) -> FromClause:
    """Ids of the messages with a word, of every person."""
    if _sqlite(session):
        identity: ColumnElement[int] = literal_column("rowid")
        given = {f"word{number}": pattern}
        query = select(identity.label("id")).select_from(table(FTS))
        query = query.where(text(f"{FTS} MATCH :word{number}")).params(given)
    else:
        identity = MessageRow.id.expression
        wanted = func.to_tsquery("simple", pattern)
        query = select(identity.label("id")).where(column(FTS).op("@@")(wanted))
    of_those = MessageRow.conversation_id.in_(within.conversations)
    if _sqlite(session):
        if within.conversations:
            query = query.where(identity.between(within.first, within.last))
            # The sum keeps SQLite from opening the index of words again for each message.
            query = query.where((identity + 0).in_(select(MessageRow.id).where(of_those)))
        return query.subquery()
    if within.conversations:
        # Its messages one by one: by their ids PostgreSQL would walk all between the first and the last.
        query = query.where(of_those)
    return query.cte(f"hits{number}").prefix_with("MATERIALIZED")


def _beginning(word: str) -> str:
    """Text before the end of a title's word that is found: see `storage.tables.conversations.searchable`."""
    return f" {word} " if len(word) < BEGINNING else f" {word}"


def forget_words(session: Session) -> None:
    """Take words of deleted messages out of the file: until then SQLite only marks them as deleted."""
    _tell(session, "optimize")


def rebuild(session: Session) -> None:
    """Make the words again from the texts; PostgreSQL's are never other than those."""
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
