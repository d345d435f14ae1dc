"""Players start, plan, agree on and pass on matches by email; workers and budgets of the service."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_LARGE = ("uidvalidity", "last_uid")  # numbers of 32 bits without a sign: too large for an integer of a server


def upgrade() -> None:
    """Go one version up."""
    _add_workers()
    _add_invitations()
    _add_names()
    _add_plans()
    _add_agreements()


def downgrade() -> None:
    """Go one version down."""
    _drop_agreements()
    _drop_plans()
    _drop_names()
    _drop_invitations()
    _drop_workers()


def _add_workers() -> None:
    """Messages name their match, so that workers keep its order; workers say that they live; sent emails are counted.

    Of messages that came in before it isn't known which match they name.
    """
    with op.batch_alter_table("inbound") as batch:
        batch.add_column(sa.Column("named", sa.Integer(), nullable=True))
    with op.batch_alter_table("mailboxcursor") as batch:
        for name in _LARGE:
            batch.alter_column(name, existing_type=sa.Integer(), type_=sa.BigInteger(), existing_nullable=False)
    op.create_index("ix_outbound_sent_at", "outbound", ["sent_at"])
    op.create_table(
        "worker",
        sa.Column("name", AutoString(), nullable=False),
        sa.Column("started_at", UTCDateTime(), nullable=False),
        sa.Column("seen_at", UTCDateTime(), nullable=False),
        sa.Column("processed", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )


def _drop_workers() -> None:
    op.drop_table("worker")
    op.drop_index("ix_outbound_sent_at", "outbound")
    with op.batch_alter_table("mailboxcursor") as batch:
        for name in _LARGE:
            batch.alter_column(name, existing_type=sa.BigInteger(), type_=sa.Integer(), existing_nullable=False)
    with op.batch_alter_table("inbound") as batch:
        batch.drop_column("named")


def _add_invitations() -> None:
    """Players start matches by email: invitations and their guests, refused inviters, and who was written to."""
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


def _drop_invitations() -> None:
    for table in ("approached", "refused_inviter", "guest", "invitation"):
        op.drop_table(table)


def _add_names() -> None:
    """Players change their names, and offer their seats."""
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


def _drop_names() -> None:
    op.drop_table("seat_offer")
    with op.batch_alter_table("player", table_kwargs={"sqlite_autoincrement": True}) as batch:
        batch.drop_column("renamed_at")
        batch.drop_column("former_name")


def _add_plans() -> None:
    """Players plan their answers, and keep lines and notes."""
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


def _drop_plans() -> None:
    op.drop_table("thought")
    with op.batch_alter_table("place") as batch:
        batch.drop_column("plan")


def _add_agreements() -> None:
    """Players agree on a draw or take moves back; pages show words to a side of matches that begin from now on."""
    op.add_column("match", sa.Column("team_told", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("match", sa.Column("agreements", sa.JSON(none_as_null=True), nullable=True))


def _drop_agreements() -> None:
    op.drop_column("match", "agreements")
    op.drop_column("match", "team_told")
