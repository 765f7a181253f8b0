"""Work of the database by itself: it guards the audit log, and keeps the words of messages for searches.

A migration that copies `audit` or `messages` has to make theirs again.
"""

import unicodedata

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


AUDIT_SQLITE = (
    """
    CREATE TRIGGER audit_insert BEFORE INSERT ON audit
    WHEN NEW.number <= (SELECT MAX(number) FROM audit)
      OR NEW.number > (SELECT MAX(number) FROM audit) + 1
    BEGIN SELECT RAISE(ABORT, 'the audit log grows at its end only'); END
    """,
    """
    CREATE TRIGGER audit_update BEFORE UPDATE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit log cannot be changed'); END
    """,
    """
    CREATE TRIGGER audit_delete BEFORE DELETE ON audit
    WHEN OLD.number > COALESCE(
        (SELECT MAX(CAST(json_extract(detail, '$.through') AS INTEGER)) FROM audit
         WHERE action = 'expired' AND target = 'audit'), 0)
    BEGIN SELECT RAISE(ABORT, 'the audit log cannot be cut but from its start, and telling so'); END
    """,
)
AUDIT_POSTGRESQL = (
    """
    CREATE FUNCTION audit_guard() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE bound bigint;
    BEGIN
        IF TG_OP = 'INSERT' THEN
            EXECUTE format('SELECT max(number) FROM %I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME) INTO bound;
            IF bound IS NULL OR NEW.number = bound + 1 THEN RETURN NEW; END IF;
        ELSIF TG_OP = 'DELETE' THEN
            EXECUTE format('SELECT max((detail::json->>''through'')::bigint) FROM %I.%I '
                'WHERE action = ''expired'' AND target = ''audit''', TG_TABLE_SCHEMA, TG_TABLE_NAME)
                INTO bound;
            IF OLD.number <= bound THEN RETURN OLD; END IF;
        END IF;
        RAISE EXCEPTION 'the audit log only grows at its end, or is cut at its start telling so';
    END $$
    """,
    """
    CREATE TRIGGER audit_rows BEFORE INSERT OR UPDATE OR DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION audit_guard()
    """,
    "CREATE TRIGGER audit_all BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_guard()",
)
WORDS_SQLITE = (
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
)
WORDS_POSTGRESQL = (
    "ALTER TABLE messages ADD COLUMN message_words tsvector GENERATED ALWAYS AS "
    f"(CASE WHEN {FINISHED.format('')} THEN to_tsvector('simple'::regconfig, regexp_replace(lower(translate("
    f"left(text, {LONGEST}), '{FROM}', '{TO}')), '[^[:alnum:]]+', ' ', 'g')) END) STORED",
    "CREATE INDEX ix_messages_message_words ON messages USING gin (message_words)",
)
STATEMENTS = {
    "sqlite": AUDIT_SQLITE + WORDS_SQLITE,
    "postgresql": AUDIT_POSTGRESQL + WORDS_POSTGRESQL,
}
"""To be run once, after the tables are made."""
