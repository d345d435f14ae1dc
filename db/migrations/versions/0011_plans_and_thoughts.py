"""Seats keep plans, and players keep lines of moves and notes for themselves."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go one version up."""
    with op.batch_alter_table("place") as batch:
        batch.add_column(sa.Column("plan", sa.JSON(none_as_null=True), nullable=True))
    op.create_table(
        "thought",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("kind", AutoString(), nullable=False),
        sa.Column("text", AutoString(), nullable=False),
        sa.Column("made_at", UTCDateTime(), nullable=False),
        sa.Column("published", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_thought_match_id", "thought", ["match_id"])
    op.create_index("ix_thought_player_id", "thought", ["player_id"])


def downgrade() -> None:
    """Go one version down."""
    op.drop_table("thought")
    with op.batch_alter_table("place") as batch:
        batch.drop_column("plan")
