"""Matches have clocks and a log, players a calendar; outages are known, entries can be taken back."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go one version up; matches that were opened before have no clock."""
    empty, zero = sa.text("''"), sa.text("0")
    for name in ("zone", "remind", "quiet_hours", "away"):
        op.add_column("player", sa.Column(name, AutoString(), nullable=False, server_default=empty))
    op.add_column("player", sa.Column("absences", sa.JSON(), nullable=True))
    op.add_column("player", sa.Column("automatic", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("player", sa.Column("changed_at", UTCDateTime(), nullable=True))
    op.create_index("ix_player_changed_at", "player", ["changed_at"])
    op.add_column("match", sa.Column("ruling", sa.JSON(), nullable=True))
    op.add_column("match", sa.Column("rewound", sa.Integer(), nullable=False, server_default=zero))
    op.create_table(
        "clock",
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=False),
        sa.Column("control", sa.JSON(), nullable=False),
        sa.Column("banks", sa.JSON(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("turned_at", UTCDateTime(), nullable=True),
        sa.Column("since", UTCDateTime(), nullable=True),
        sa.Column("halted", AutoString(), nullable=False),
        sa.Column("halted_at", UTCDateTime(), nullable=True),
        sa.Column("paused_from", UTCDateTime(), nullable=True),
        sa.Column("paused_until", UTCDateTime(), nullable=True),
        sa.Column("flagged_at", UTCDateTime(), nullable=True),
        sa.Column("reminded", sa.Integer(), nullable=True),
        sa.Column("proposal", sa.JSON(), nullable=True),
        sa.Column("changed_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("match_id"),
    )
    op.create_index("ix_clock_changed_at", "clock", ["changed_at"])
    paused = sa.text("paused_until IS NOT NULL")
    op.create_index("ix_clock_paused_until", "clock", ["paused_until"], sqlite_where=paused, postgresql_where=paused)
    op.create_table(
        "match_log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.Column("kind", AutoString(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("arguments", sa.JSON(), nullable=False),
        sa.Column("inbound_id", sa.Integer(), sa.ForeignKey("inbound.id"), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_match_log_match_id", "match_log", ["match_id"])
    op.create_index("ix_match_log_inbound_id", "match_log", ["inbound_id"])
    op.create_table(
        "retracted",
        sa.Column("log_id", sa.Integer(), sa.ForeignKey("match_log.id"), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("text", AutoString(), nullable=False),
        sa.Column("made_at", UTCDateTime(), nullable=False),
        sa.Column("inbound_id", sa.Integer(), sa.ForeignKey("inbound.id"), nullable=True),
        sa.PrimaryKeyConstraint("log_id", "ply"),
    )
    op.create_index("ix_retracted_inbound_id", "retracted", ["inbound_id"])
    op.create_table(
        "outage",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("start_at", UTCDateTime(), nullable=False),
        sa.Column("end_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("start_at"),
    )
    op.create_index("ix_outage_end_at", "outage", ["end_at"])
    op.create_table(
        "heartbeat",
        sa.Column("name", AutoString(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )


def downgrade() -> None:
    """Go one version down."""
    for table in ("heartbeat", "outage", "retracted", "match_log", "clock"):
        op.drop_table(table)
    op.drop_column("match", "rewound")
    op.drop_column("match", "ruling")
    op.drop_index("ix_player_changed_at", "player")
    for name in ("changed_at", "automatic", "absences", "away", "quiet_hours", "remind", "zone"):
        op.drop_column("player", name)
