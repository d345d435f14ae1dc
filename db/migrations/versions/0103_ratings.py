"""Rated matches, what finished ones say about their players, and ratings by month."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0103"
down_revision = "0102"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the two tables, empty; no match was rated so far."""
    op.add_column("match", sa.Column("rated", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("invitation", sa.Column("rated", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("invitation", sa.Column("reliable", sa.Integer(), nullable=False, server_default="0"))
    # What is added later says itself what it is.
    with op.batch_alter_table("match", table_kwargs={"sqlite_autoincrement": True}) as batch:
        batch.alter_column("rated", existing_type=sa.Boolean(), server_default=None)
    with op.batch_alter_table("invitation") as batch:
        batch.alter_column("rated", existing_type=sa.Boolean(), server_default=None)
        batch.alter_column("reliable", existing_type=sa.Integer(), server_default=None)
    op.create_table(
        "result",
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=False),
        sa.Column("game", AutoString(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("timed", sa.Boolean(), nullable=False),
        sa.Column("side", sa.Integer(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("turns", sa.Integer(), nullable=False),
        sa.Column("late", sa.Integer(), nullable=False),
        sa.Column("timed_out", sa.Boolean(), nullable=False),
        sa.Column("gave_away", sa.Boolean(), nullable=False),
    )
    op.create_index("ix_result_player_id_game_at", "result", ["player_id", "game", "at"])
    op.create_index("ix_result_game_at", "result", ["game", "at"])
    op.create_table(
        "rating",
        sa.Column("game", AutoString(), primary_key=True),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("month", sa.Integer(), primary_key=True),
        sa.Column("points", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("volatility", sa.Float(), nullable=False),
    )
