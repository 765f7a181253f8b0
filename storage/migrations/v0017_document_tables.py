"""Review tables of expedientes: documents by questions, and their cells."""

from alembic import op

from storage.alembic.ddl import create, integers, moments, texts

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    create(
        "document_tables",
        texts("id matter_id name questions documents state run_by remark runner"),
        moments("beat_at", null=True),
        moments("created_at updated_at"),
        key="id",
        parents={"matter_id": "matters.id"},
    )
    create(
        "document_table_cells",
        texts("table_id document_id question state answer quote"),
        integers("fragment"),
        integers("page", null=True),
        texts("rival mode remark content_hash"),
        moments("filled_at"),
        key="table_id document_id question",
        parents={"table_id": "document_tables.id"},
    )
    for column in ("matter_id", "state"):
        op.create_index(f"ix_document_tables_{column}", "document_tables", [column])


def downgrade() -> None:
    op.drop_table("document_table_cells")
    op.drop_table("document_tables")
