"""Ladders and leagues: what happened in them, and which matches are theirs."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0104"
down_revision = "0103"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the three tables, empty."""
    op.create_table(
        "contest",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("kind", AutoString(), nullable=False),
        sa.Column("game", AutoString(), nullable=False),
        sa.Column("name", AutoString(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.UniqueConstraint("kind", "name"),
    )
    op.create_table(
        "contest_event",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("contest_id", sa.Integer(), sa.ForeignKey("contest.id"), nullable=False, index=True),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.Column("kind", AutoString(), nullable=False),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=True, index=True),
        sa.Column("other_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=True, index=True),
        sa.Column("arguments", sa.JSON(), nullable=False),
        sa.Column("undone_at", UTCDateTime(), nullable=True),
    )
    op.create_table(
        "contest_match",
        sa.Column("invitation_id", sa.Integer(), sa.ForeignKey("invitation.id"), primary_key=True),
        sa.Column("contest_id", sa.Integer(), sa.ForeignKey("contest.id"), nullable=False, index=True),
        sa.Column("event_id", sa.Integer(), sa.ForeignKey("contest_event.id"), nullable=False, index=True),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("division", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=True, unique=True),
    )
