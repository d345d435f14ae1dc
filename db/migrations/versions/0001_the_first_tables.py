"""The first tables."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go one version up."""
    op.create_table(
        "mailboxcursor",
        sa.Column("mailbox", AutoString(), nullable=False),
        sa.Column("uidvalidity", sa.Integer(), nullable=False),
        sa.Column("last_uid", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("mailbox"),
    )
    op.create_table(
        "match",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", AutoString(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("opened_at", UTCDateTime(), nullable=False),
        sa.Column("changed_at", UTCDateTime(), nullable=False),
        sa.Column("over_at", UTCDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("match", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_match_changed_at"), ["changed_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_match_over_at"), ["over_at"], unique=False)

    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", AutoString(), nullable=False),
        sa.Column("folded", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("folded"),
    )
    op.create_table(
        "address",
        sa.Column("email", AutoString(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("is_primary", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("email"),
    )
    with op.batch_alter_table("address", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_address_player_id"), ["player_id"], unique=False)

    op.create_table(
        "inbound",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("identity", AutoString(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("whole", sa.Boolean(), nullable=False),
        sa.Column("received_at", UTCDateTime(), nullable=False),
        sa.Column("status", AutoString(), nullable=False),
        sa.Column("reason", AutoString(), nullable=False),
        sa.Column("detail", AutoString(), nullable=False),
        sa.Column("sender", AutoString(), nullable=True),
        sa.Column("subject", AutoString(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("commands", sa.JSON(), nullable=False),
        sa.Column("settled_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("identity"),
    )
    with op.batch_alter_table("inbound", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_inbound_match_id"), ["match_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_inbound_sender"), ["sender"], unique=False)
        batch_op.create_index(batch_op.f("ix_inbound_status"), ["status"], unique=False)

    op.create_table(
        "place",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
        ),
        sa.PrimaryKeyConstraint("match_id", "seat"),
    )
    with op.batch_alter_table("place", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_place_player_id"), ["player_id"], unique=False)

    op.create_table(
        "matchentry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("text", AutoString(), nullable=False),
        sa.Column("made_at", UTCDateTime(), nullable=False),
        sa.Column("inbound_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["inbound_id"],
            ["inbound.id"],
        ),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("match_id", "ply"),
    )
    with op.batch_alter_table("matchentry", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_matchentry_inbound_id"), ["inbound_id"], unique=False)

    op.create_table(
        "outbound",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("message_id", AutoString(), nullable=False),
        sa.Column("kind", AutoString(), nullable=False),
        sa.Column("recipient", AutoString(), nullable=False),
        sa.Column("subject", AutoString(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("status", AutoString(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("due_at", UTCDateTime(), nullable=False),
        sa.Column("sent_at", UTCDateTime(), nullable=True),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("inbound_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["inbound_id"],
            ["inbound.id"],
        ),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("message_id"),
    )
    with op.batch_alter_table("outbound", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_outbound_inbound_id"), ["inbound_id"], unique=False)
        batch_op.create_index("ix_outbound_recipient", ["recipient", "created_at"], unique=False)
        batch_op.create_index("ix_outbound_status_due_at", ["status", "due_at"], unique=False)
        batch_op.create_index("ix_outbound_thread", ["match_id", "seat"], unique=False)

    op.create_table(
        "remark",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("text", AutoString(), nullable=False),
        sa.Column("to_side", sa.Boolean(), nullable=False),
        sa.Column("made_at", UTCDateTime(), nullable=False),
        sa.Column("inbound_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["inbound_id"],
            ["inbound.id"],
        ),
        sa.ForeignKeyConstraint(
            ["match_id"],
            ["match.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("remark", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_remark_inbound_id"), ["inbound_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_remark_match_id"), ["match_id"], unique=False)


def downgrade() -> None:
    """Go one version down."""
    with op.batch_alter_table("remark", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_remark_match_id"))
        batch_op.drop_index(batch_op.f("ix_remark_inbound_id"))

    op.drop_table("remark")
    with op.batch_alter_table("outbound", schema=None) as batch_op:
        batch_op.drop_index("ix_outbound_thread")
        batch_op.drop_index("ix_outbound_recipient")
        batch_op.drop_index("ix_outbound_status_due_at")
        batch_op.drop_index(batch_op.f("ix_outbound_inbound_id"))

    op.drop_table("outbound")
    with op.batch_alter_table("matchentry", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_matchentry_inbound_id"))

    op.drop_table("matchentry")
    with op.batch_alter_table("place", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_place_player_id"))

    op.drop_table("place")
    with op.batch_alter_table("inbound", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_inbound_status"))
        batch_op.drop_index(batch_op.f("ix_inbound_sender"))
        batch_op.drop_index(batch_op.f("ix_inbound_match_id"))

    op.drop_table("inbound")
    with op.batch_alter_table("address", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_address_player_id"))

    op.drop_table("address")
    op.drop_table("player")
    with op.batch_alter_table("match", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_match_over_at"))
        batch_op.drop_index(batch_op.f("ix_match_changed_at"))

    op.drop_table("match")
    op.drop_table("mailboxcursor")
