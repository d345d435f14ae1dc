"""How far webhooks were called."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0102"
down_revision = "0101"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the two tables, empty."""
    op.create_table(
        "webhook",
        sa.Column("name", AutoString(), primary_key=True),
        sa.Column("host", AutoString(), nullable=False),
        sa.Column("since", UTCDateTime(), nullable=False),
        sa.Column("looked_at", UTCDateTime(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due_at", UTCDateTime(), nullable=True),
        sa.Column("failing_since", UTCDateTime(), nullable=True),
        sa.Column("error", AutoString(), nullable=False),
        sa.Column("succeeded_at", UTCDateTime(), nullable=True),
        sa.Column("disabled_at", UTCDateTime(), nullable=True),
    )
    op.create_table(
        "webhook_told",
        sa.Column("webhook", AutoString(), sa.ForeignKey("webhook.name"), primary_key=True),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.Column("reopened", sa.Integer(), nullable=False),
        sa.Column("seen", UTCDateTime(), nullable=True),
    )
