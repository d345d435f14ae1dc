"""A player who has chosen another name is known by the one before for a while; seats are offered to others."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go one version up."""
    former: sa.Column[str] = sa.Column("former_name", AutoString(), nullable=False, server_default=sa.text("''"))
    with op.batch_alter_table("player", table_kwargs={"sqlite_autoincrement": True}) as batch:
        batch.add_column(former)
        batch.add_column(sa.Column("renamed_at", UTCDateTime(), nullable=True))
    op.create_table(
        "seat_offer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("by_seat", sa.Integer(), nullable=False),
        sa.Column("until", UTCDateTime(), nullable=True),
        sa.Column("state", AutoString(), nullable=False),
        sa.Column("agreed", sa.JSON(), nullable=False),
        sa.Column("asked_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["owner_id"], ["player.id"]),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_seat_offer_match_id", "seat_offer", ["match_id"])
    op.create_index("ix_seat_offer_player_id", "seat_offer", ["player_id"])


def downgrade() -> None:
    """Go one version down."""
    op.drop_table("seat_offer")
    with op.batch_alter_table("player", table_kwargs={"sqlite_autoincrement": True}) as batch:
        batch.drop_column("renamed_at")
        batch.drop_column("former_name")
