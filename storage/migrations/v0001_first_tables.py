"""The first tables."""

from alembic import op

from storage.alembic.ddl import blobs, booleans, create, days, integers, moments, texts

revision = "0001"
down_revision = None


def upgrade() -> None:
    create("conversations", texts("id owner title"), moments("created_at updated_at"), key="id")
    op.create_index("ix_conversations_owner_updated_at", "conversations", ["owner", "updated_at"])

    create("index_tombstones", texts("chunk_id"), key="chunk_id")
    create("meta", texts("key value"), key="key")
    create(
        "norms",
        texts("id collection title law alias aliases rank number department territory"),
        days("published valid_from repealed_on", null=True),
        texts("status url"),
        booleans("official"),
        texts("extra"),
        key="id",
    )
    create("vectors", texts("model hash"), blobs("vector"), key="model hash")
    create(
        "blocks",
        texts("norm_id id kind label title path"),
        integers("position"),
        texts("attributes"),
        key="norm_id id",
        parents={"norm_id": "norms.id"},
    )
    create(
        "messages",
        integers("id"),
        texts("conversation_id"),
        integers("reply_to", null=True),
        texts("role text state"),
        texts("answer", null=True),
        days("as_of", null=True),
        moments("created_at updated_at"),
        moments("finished_at", null=True),
        key="id",
        parents={"conversation_id": "conversations.id", "reply_to": "messages.id"},
        sqlite_autoincrement=True,
    )
    op.create_index("ix_messages_conversation_id_id", "messages", ["conversation_id", "id"])
    op.create_index("ix_messages_reply_to", "messages", ["reply_to"])
    op.create_index("ix_messages_state", "messages", ["state"])

    create(
        "block_versions",
        texts("norm_id block_id"),
        integers("number"),
        days("valid_from"),
        days("valid_to published", null=True),
        texts("amended_by", null=True),
        texts("text notes"),
        key="norm_id block_id number",
        parents={"norm_id block_id": "blocks.norm_id blocks.id"},
    )
    create(
        "chunks",
        texts("id collection norm_id block_id kind label law alias rank chapter section text"),
        integers("position part parts"),
        texts("apartados"),
        integers("start end"),
        days("valid_from"),
        days("valid_to", null=True),
        texts("territory section_type"),
        booleans("official"),
        texts("url"),
        integers("page", null=True),
        texts("summary keywords questions content_hash"),
        integers("index_state"),
        key="id",
        parents={"norm_id block_id": "blocks.norm_id blocks.id"},
    )
    op.create_index("ix_chunks_index_state", "chunks", ["index_state"])
    op.create_index("ix_chunks_norm_id_block_id", "chunks", ["norm_id", "block_id"])
    op.create_index("ix_chunks_norm_id_label", "chunks", ["norm_id", "label"])

    create(
        "traces",
        integers("message_id"),
        texts("body"),
        key="message_id",
        parents={"message_id": "messages.id"},
    )
    create(
        "cross_references",
        texts("chunk_id"),
        integers("ordinal"),
        texts("norm_id label apartado", null=True),
        texts("text"),
        integers("start end"),
        key="chunk_id ordinal",
        parents={"chunk_id": "chunks.id"},
    )


def downgrade() -> None:
    later = "cross_references traces chunks block_versions messages blocks"
    for table in f"{later} vectors norms meta index_tombstones conversations".split():
        op.drop_table(table)
