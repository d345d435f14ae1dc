"""The tables of the first release."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0101"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make all tables."""
    op.create_table(
        "approached",
        sa.Column("mark", AutoString(), primary_key=True),
        sa.Column("at", UTCDateTime(), nullable=False, index=True),
        sa.Column("answer", AutoString(), nullable=False),
        sa.Column("share", AutoString(), nullable=False),
    )
    op.create_table(
        "blocked",
        sa.Column("email", AutoString(), primary_key=True),
        sa.Column("blocked_at", UTCDateTime(), nullable=False),
        sa.Column("note", AutoString(), nullable=False),
    )
    op.create_table(
        "due",
        sa.Column("kind", AutoString(), primary_key=True),
        sa.Column("subject", sa.Integer(), primary_key=True),
        sa.Column("due_at", UTCDateTime(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.Column("failed_at", UTCDateTime(), nullable=True),
        sa.Column("error", AutoString(), nullable=False),
        sa.Column("since", UTCDateTime(), nullable=True),
        sa.Index("ix_due_done_due_at", "done", "due_at"),
    )
    op.create_table(
        "heartbeat",
        sa.Column("name", AutoString(), primary_key=True),
        sa.Column("at", UTCDateTime(), nullable=False),
    )
    op.create_table(
        "mailboxcursor",
        sa.Column("mailbox", AutoString(), primary_key=True),
        sa.Column("uidvalidity", sa.BigInteger(), nullable=False),
        sa.Column("last_uid", sa.BigInteger(), nullable=False),
        sa.Column("mark", AutoString(), nullable=False),
    )
    op.create_table(
        "match",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("game", AutoString(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("opened_at", UTCDateTime(), nullable=False),
        sa.Column("changed_at", UTCDateTime(), nullable=False, index=True),
        sa.Column("over_at", UTCDateTime(), nullable=True, index=True),
        sa.Column("secret", AutoString(), nullable=False),
        sa.Column("standing", sa.JSON(), nullable=False),
        sa.Column("ruling", sa.JSON(), nullable=True),
        sa.Column("rewound", sa.Integer(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("nonce", AutoString(), nullable=False),
        sa.Column("agreements", sa.JSON(), nullable=True),
        sa.Column("robots", sa.JSON(), nullable=True),
        sa.Column("team_told", sa.Boolean(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "outage",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("start_at", UTCDateTime(), nullable=False, unique=True),
        sa.Column("end_at", UTCDateTime(), nullable=False, index=True),
    )
    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("name", AutoString(), nullable=False),
        sa.Column("folded", AutoString(), nullable=False, unique=True),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("display", AutoString(), nullable=False),
        sa.Column("quiet", sa.Boolean(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("zone", AutoString(), nullable=False),
        sa.Column("absences", sa.JSON(), nullable=True),
        sa.Column("remind", AutoString(), nullable=False),
        sa.Column("away", AutoString(), nullable=False),
        sa.Column("quiet_hours", AutoString(), nullable=False),
        sa.Column("automatic", sa.Boolean(), nullable=False),
        sa.Column("changed_at", UTCDateTime(), nullable=False, index=True),
        sa.Column("forgotten_at", UTCDateTime(), nullable=True),
        sa.Column("former_name", AutoString(), nullable=False),
        sa.Column("renamed_at", UTCDateTime(), nullable=True),
        sa.Column("robot", sa.Integer(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "restoration",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("state_at", UTCDateTime(), nullable=False),
        sa.Column("known_at", UTCDateTime(), nullable=False),
        sa.Column("found_at", UTCDateTime(), nullable=False),
        sa.Column("first_lost", sa.Integer(), nullable=True),
        sa.Column("last_lost", sa.Integer(), nullable=True),
    )
    op.create_table(
        "unread_message",
        sa.Column("mailbox", AutoString(), primary_key=True),
        sa.Column("uid", sa.BigInteger(), primary_key=True),
        sa.Column("since", UTCDateTime(), nullable=False),
        sa.Column("noted_at", UTCDateTime(), nullable=False),
        sa.Column("tried_at", UTCDateTime(), nullable=True),
        sa.Column("why", AutoString(), nullable=False),
    )
    op.create_table(
        "worker",
        sa.Column("name", AutoString(), primary_key=True),
        sa.Column("started_at", UTCDateTime(), nullable=False),
        sa.Column("seen_at", UTCDateTime(), nullable=False),
        sa.Column("processed", sa.Integer(), nullable=False),
    )
    op.create_table(
        "address",
        sa.Column("email", AutoString(), primary_key=True),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=False, index=True),
        sa.Column("is_primary", sa.Boolean(), nullable=False),
        sa.Column("soft_bounces", sa.Integer(), nullable=False),
        sa.Column("hard_bounces", sa.Integer(), nullable=False),
        sa.Column("bounced_at", UTCDateTime(), nullable=True, index=True),
    )
    op.create_table(
        "former_address",
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("email", AutoString(), primary_key=True),
    )
    op.create_table(
        "clock",
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), primary_key=True),
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
        sa.Column("changed_at", UTCDateTime(), nullable=False, index=True),
        sa.Index(
            "ix_clock_paused_until",
            "paused_until",
            sqlite_where=sa.text("paused_until IS NOT NULL"),
            postgresql_where=sa.text("paused_until IS NOT NULL"),
        ),
    )
    op.create_table(
        "follower",
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("email", AutoString(), primary_key=True, index=True),
        sa.Column("since", UTCDateTime(), nullable=False),
    )
    op.create_table(
        "inbound",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("identity", AutoString(), nullable=False, unique=True),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("whole", sa.Boolean(), nullable=False),
        sa.Column("received_at", UTCDateTime(), nullable=False),
        sa.Column("status", AutoString(), nullable=False, index=True),
        sa.Column("reason", AutoString(), nullable=False),
        sa.Column("detail", AutoString(), nullable=False),
        sa.Column("sender", AutoString(), nullable=True),
        sa.Column("subject", AutoString(), nullable=False),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=True, index=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("commands", sa.JSON(), nullable=False),
        sa.Column("settled_at", UTCDateTime(), nullable=True),
        sa.Column("code", AutoString(), nullable=False),
        sa.Column("kept", sa.Boolean(), nullable=False),
        sa.Column("named", sa.Integer(), nullable=True),
        sa.Column("share", AutoString(), nullable=False),
        sa.Column("words", AutoString(), nullable=True),
        sa.Index("ix_inbound_kept", "settled_at", sqlite_where=sa.text("kept"), postgresql_where=sa.text("kept")),
        sa.Index("ix_inbound_sender_received_at", "sender", "received_at"),
        sa.Index(
            "ix_inbound_useless",
            "status",
            "settled_at",
            sqlite_where=sa.text("status = 'discarded' AND match_id IS NULL"),
            postgresql_where=sa.text("status = 'discarded' AND match_id IS NULL"),
        ),
    )
    op.create_table(
        "invitation",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("kind", AutoString(), nullable=False),
        sa.Column("game", AutoString(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("inviter_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=False, index=True),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("expires_at", UTCDateTime(), nullable=False),
        sa.Column("state", AutoString(), nullable=False, index=True),
        sa.Column("both", sa.Boolean(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=True, index=True),
    )
    op.create_table(
        "place",
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=False, index=True),
        sa.Column("salt", AutoString(), nullable=True),
        sa.Column("plan", sa.JSON(), nullable=True),
    )
    op.create_table(
        "refused_inviter",
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), primary_key=True),
        sa.Column("mark", AutoString(), primary_key=True),
    )
    op.create_table(
        "seat_offer",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=False, index=True),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=False),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=True, index=True),
        sa.Column("by_seat", sa.Integer(), nullable=False),
        sa.Column("until", UTCDateTime(), nullable=True),
        sa.Column("state", AutoString(), nullable=False),
        sa.Column("agreed", sa.JSON(), nullable=False),
        sa.Column("asked_at", UTCDateTime(), nullable=False),
        sa.Column("email", AutoString(), nullable=True, index=True),
        sa.Index("ix_seat_offer_state_asked_at", "state", "asked_at"),
    )
    op.create_table(
        "thought",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=False, index=True),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=False, index=True),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("kind", AutoString(), nullable=False),
        sa.Column("text", AutoString(), nullable=False),
        sa.Column("made_at", UTCDateTime(), nullable=False),
        sa.Column("published", sa.Boolean(), nullable=False),
    )
    op.create_table(
        "guest",
        sa.Column("invitation_id", sa.Integer(), sa.ForeignKey("invitation.id"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("called", AutoString(), nullable=False),
        sa.Column("email", AutoString(), nullable=False, index=True),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=True, index=True),
        sa.Column("state", AutoString(), nullable=False),
        sa.Column("words", AutoString(), nullable=False),
    )
    op.create_table(
        "match_log",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=False, index=True),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("at", UTCDateTime(), nullable=False),
        sa.Column("kind", AutoString(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("arguments", sa.JSON(), nullable=False),
        sa.Column("inbound_id", sa.Integer(), sa.ForeignKey("inbound.id"), nullable=True, index=True),
    )
    op.create_table(
        "matchentry",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("text", AutoString(), nullable=False),
        sa.Column("made_at", UTCDateTime(), nullable=False),
        sa.Column("inbound_id", sa.Integer(), sa.ForeignKey("inbound.id"), nullable=True, index=True),
        sa.UniqueConstraint("match_id", "ply"),
    )
    op.create_table(
        "question",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("kind", AutoString(), nullable=False),
        sa.Column("about", sa.JSON(), nullable=False),
        sa.Column("email", AutoString(), nullable=False, index=True),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=True),
        sa.Column("asker_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=True),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("inbound_id", sa.Integer(), sa.ForeignKey("inbound.id"), nullable=True, index=True),
        sa.Column("state", AutoString(), nullable=False),
        sa.Column("asked_at", UTCDateTime(), nullable=False),
        sa.Index("ix_question_kind_asked_at", "kind", "asked_at"),
    )
    op.create_table(
        "outbound",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("message_id", AutoString(), nullable=False, unique=True),
        sa.Column("kind", AutoString(), nullable=False),
        sa.Column("recipient", AutoString(), nullable=False),
        sa.Column("subject", AutoString(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("status", AutoString(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("unknown", sa.Integer(), nullable=False),
        sa.Column("error", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("due_at", UTCDateTime(), nullable=False),
        sa.Column("sent_at", UTCDateTime(), nullable=True, index=True),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("inbound_id", sa.Integer(), sa.ForeignKey("inbound.id"), nullable=True, index=True),
        sa.Column("notice_key", AutoString(), nullable=False),
        sa.Column("bounced_at", UTCDateTime(), nullable=True),
        sa.Column("bounce_status", AutoString(), nullable=False),
        sa.Column("quotable", sa.LargeBinary(), nullable=False),
        sa.Column("kept", sa.Boolean(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("envelope", AutoString(), nullable=False),
        sa.Column("question_id", sa.Integer(), sa.ForeignKey("question.id"), nullable=True, index=True),
        sa.Index("ix_outbound_kept", "sent_at", sqlite_where=sa.text("kept"), postgresql_where=sa.text("kept")),
        sa.Index("ix_outbound_kind_created_at", "kind", "created_at"),
        sa.Index("ix_outbound_recipient", "recipient", "created_at"),
        sa.Index("ix_outbound_status_due_at", "status", "due_at"),
        sa.Index("ix_outbound_thread", "match_id", "seat"),
    )
    op.create_table(
        "remark",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=False, index=True),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("text", AutoString(), nullable=False),
        sa.Column("to_side", sa.Boolean(), nullable=False),
        sa.Column("made_at", UTCDateTime(), nullable=False),
        sa.Column("inbound_id", sa.Integer(), sa.ForeignKey("inbound.id"), nullable=True, index=True),
    )
    op.create_table(
        "retracted",
        sa.Column("log_id", sa.Integer(), sa.ForeignKey("match_log.id"), primary_key=True),
        sa.Column("ply", sa.Integer(), primary_key=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("text", AutoString(), nullable=False),
        sa.Column("made_at", UTCDateTime(), nullable=False),
        sa.Column("inbound_id", sa.Integer(), sa.ForeignKey("inbound.id"), nullable=True, index=True),
    )
