"""Seconds, who vote on the moves of a seat; who of them wrote a comment."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0105"
down_revision = "0104"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the two tables, empty; nobody is a second yet."""
    op.add_column("match", sa.Column("seconded", sa.Boolean(), nullable=False, server_default=sa.false()))
    # What is added later says itself what it is.
    with op.batch_alter_table("match", table_kwargs={"sqlite_autoincrement": True}) as batch:
        batch.alter_column("seconded", existing_type=sa.Boolean(), server_default=None)
    with op.batch_alter_table("remark") as batch:
        batch.add_column(sa.Column("second_id", sa.Integer(), nullable=True))
        batch.create_foreign_key("fk_remark_second_id_player", "player", ["second_id"], ["id"])
    op.create_table(
        "second",
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), primary_key=True, index=True),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("since", UTCDateTime(), nullable=False),
        sa.Column("left_at", UTCDateTime(), nullable=True),
    )
    op.create_table(
        "vote",
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("turn", sa.Integer(), primary_key=True),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), primary_key=True, index=True),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("moves", AutoString(), nullable=False),
        sa.Column("cast_at", UTCDateTime(), nullable=False),
    )
