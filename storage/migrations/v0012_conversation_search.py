"""Pinned and archived conversations, and the words of titles and messages for searches.

Columns of the models whose names begin with `message_words` are none: the database keeps them by itself.
"""

import unicodedata

import sqlalchemy as sa
from alembic import op

from core.errors import StorageError
from storage.tables.core import searchable

revision = "0012"
down_revision = "0011"

FINISHED = "{0}state NOT IN ('pending', 'running')"
FOLDED = {
    char: base
    for char in map(chr, range(0xC0, 0x250))
    if (base := unicodedata.normalize("NFD", char)[0].lower()).isascii()
} | {"ª": " ", "º": " "}
# What has no counterpart is dropped: the accents of decomposed letters.
FROM, TO = "".join(FOLDED) + "".join(map(chr, range(0x300, 0x370))), "".join(FOLDED.values())
LONGEST = 200_000
"""Characters of a text that PostgreSQL indexes: it takes no more than a megabyte of words."""

SQLITE = (
    f"CREATE VIEW message_words_texts AS SELECT id, text FROM messages WHERE {FINISHED.format('')}",
    "CREATE VIRTUAL TABLE message_words USING fts5(text, content='message_words_texts', content_rowid='id', "
    "detail=none, columnsize=0, prefix='2', tokenize=\"unicode61 remove_diacritics 2 separators 'ªº'\")",
    f"CREATE TRIGGER message_words_added AFTER INSERT ON messages WHEN {FINISHED.format('new.')} BEGIN "
    "INSERT INTO message_words(rowid, text) VALUES (new.id, new.text); END",
    f"CREATE TRIGGER message_words_deleted AFTER DELETE ON messages WHEN {FINISHED.format('old.')} BEGIN "
    "INSERT INTO message_words(message_words, rowid, text) VALUES ('delete', old.id, old.text); END",
    "CREATE TRIGGER message_words_changed AFTER UPDATE OF text, state ON messages "
    f"WHEN {FINISHED.format('old.')} OR {FINISHED.format('new.')} BEGIN "
    "INSERT INTO message_words(message_words, rowid, text) "
    f"SELECT 'delete', old.id, old.text WHERE {FINISHED.format('old.')}; "
    f"INSERT INTO message_words(rowid, text) SELECT new.id, new.text WHERE {FINISHED.format('new.')}; END",
    "INSERT INTO message_words(message_words) VALUES ('rebuild')",
)
POSTGRESQL = (
    "ALTER TABLE messages ADD COLUMN message_words tsvector GENERATED ALWAYS AS "
    f"(CASE WHEN {FINISHED.format('')} THEN to_tsvector('simple'::regconfig, regexp_replace(lower(translate("
    f"left(text, {LONGEST}), '{FROM}', '{TO}')), '[^[:alnum:]]+', ' ', 'g')) END) STORED",
    "CREATE INDEX ix_messages_message_words ON messages USING gin (message_words)",
)


def upgrade() -> None:
    connection = op.get_bind()
    conversations = sa.table("conversations", sa.column("id"), sa.column("title"), sa.column("title_words"))
    op.add_column("conversations", sa.Column("title_words", sa.Text(), nullable=False, server_default=""))
    for name in ("pinned", "archived"):
        op.add_column(
            "conversations", sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false())
        )
    op.create_index(
        "ix_conversations_owner_archived_pinned_updated_at",
        "conversations",
        ["owner", "archived", "pinned", "updated_at"],
    )
    for row in connection.execute(sa.select(conversations.c.id, conversations.c.title)).all():
        folded = sa.update(conversations).where(conversations.c.id == row.id)
        connection.execute(folded.values(title_words=searchable(row.title)))
    sqlite = connection.dialect.name == "sqlite"
    if sqlite and not connection.scalar(sa.text("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'")):
        raise StorageError(
            "El SQLite de este Python no incluye FTS5, que la búsqueda en consultas necesita: "
            "use el Python de python.org o el de su sistema, o PostgreSQL (DATABASE_URL)."
        )
    for statement in SQLITE if sqlite else POSTGRESQL:
        connection.exec_driver_sql(statement)


def downgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        for name in ("added", "deleted", "changed"):
            connection.exec_driver_sql(f"DROP TRIGGER message_words_{name}")
        connection.exec_driver_sql("DROP TABLE message_words")
        connection.exec_driver_sql("DROP VIEW message_words_texts")
    else:
        op.drop_column("messages", "message_words")
    op.drop_index("ix_conversations_owner_archived_pinned_updated_at", "conversations")
    for name in ("title_words", "pinned", "archived"):
        op.drop_column("conversations", name)
