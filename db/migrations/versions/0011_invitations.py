"""Players start matches by email: invitations and their guests, inviters that are refused, and who was written to."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go one version up."""
    op.create_table(
        "invitation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", AutoString(), nullable=False),
        sa.Column("game", AutoString(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("inviter_id", sa.Integer(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("expires_at", UTCDateTime(), nullable=False),
        sa.Column("state", AutoString(), nullable=False),
        sa.Column("both", sa.Boolean(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["inviter_id"], ["player.id"]),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    for column in ("inviter_id", "state", "match_id"):
        op.create_index(f"ix_invitation_{column}", "invitation", [column])
    op.create_table(
        "guest",
        sa.Column("invitation_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("called", AutoString(), nullable=False),
        sa.Column("email", AutoString(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("state", AutoString(), nullable=False),
        sa.ForeignKeyConstraint(["invitation_id"], ["invitation.id"]),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("invitation_id", "seat"),
    )
    for column in ("email", "player_id"):
        op.create_index(f"ix_guest_{column}", "guest", [column])
    op.create_table(
        "refused_inviter",
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("mark", AutoString(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("player_id", "mark"),
    )
    op.create_table(
        "approached",
        sa.Column("mark", AutoString(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.Column("answer", AutoString(), nullable=False),
        sa.PrimaryKeyConstraint("mark"),
    )


def downgrade() -> None:
    """Go one version down."""
    for table in ("approached", "refused_inviter", "guest", "invitation"):
        op.drop_table(table)
