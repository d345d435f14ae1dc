"""Matches can be private and have followers, players can be forgotten."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go one version up; matches that were opened before are public, and nobody follows them."""
    op.add_column("match", sa.Column("private", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("player", sa.Column("forgotten_at", UTCDateTime(), nullable=True))
    op.create_table(
        "follower",
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=False),
        sa.Column("email", AutoString(), nullable=False),
        sa.Column("since", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "email"),
    )
    op.create_index("ix_follower_email", "follower", ["email"])


def downgrade() -> None:
    """Go one version down."""
    op.drop_table("follower")
    op.drop_column("player", "forgotten_at")
    op.drop_column("match", "private")
