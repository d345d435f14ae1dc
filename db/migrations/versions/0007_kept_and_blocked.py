"""Bytes of old emails can be dropped; reply tokens can be revoked; addresses can be blocked; envelopes have a kind."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go one version up."""
    for table in ("inbound", "outbound"):
        op.add_column(table, sa.Column("kept", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("outbound", sa.Column("size", sa.Integer(), nullable=False, server_default=sa.text("0")))
    op.add_column("outbound", sa.Column("envelope", AutoString(), nullable=False, server_default=sa.text("''")))
    op.add_column("player", sa.Column("generation", sa.Integer(), nullable=False, server_default=sa.text("0")))
    for table, at in (("inbound", "settled_at"), ("outbound", "sent_at")):
        where = sa.text("kept")
        op.create_index(f"ix_{table}_kept", table, [at], sqlite_where=where, postgresql_where=where)
        # After a downgrade and an upgrade.
        op.execute(sa.text(f"UPDATE {table} SET kept = false WHERE length(raw) = 0 AND status <> 'received'"))
    useless = sa.text("status = 'discarded' AND match_id IS NULL")
    found_by = ["status", "settled_at"]  # with the status alone SQLite would rather use the index of all statuses
    op.create_index("ix_inbound_useless", "inbound", found_by, sqlite_where=useless, postgresql_where=useless)
    op.create_table(
        "blocked",
        sa.Column("email", AutoString(), nullable=False),
        sa.Column("blocked_at", UTCDateTime(), nullable=False),
        sa.Column("note", AutoString(), nullable=False),
        sa.PrimaryKeyConstraint("email"),
    )


def downgrade() -> None:
    """Go one version down."""
    op.drop_table("blocked")
    op.drop_index("ix_inbound_useless", table_name="inbound")
    for table in ("inbound", "outbound"):
        op.drop_index(f"ix_{table}_kept", table_name=table)
    op.drop_column("player", "generation")
    op.drop_column("outbound", "envelope")
    op.drop_column("outbound", "size")
    op.drop_column("outbound", "kept")
    op.drop_column("inbound", "kept")
