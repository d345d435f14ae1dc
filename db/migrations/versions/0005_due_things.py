"""Things that are due have a table; bounces and weekly notices have columns; a message keeps a code."""

import re

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_CAME_BACK = re.compile(r"came back: (.*?)(?: \(letter (\d+)\))?", re.DOTALL)
_RETURNED = re.compile(r"mail \d+ to (\S+): .*", re.DOTALL)


def upgrade() -> None:
    """Go one version up."""
    op.create_table(
        "due",
        sa.Column("kind", AutoString(), nullable=False),
        sa.Column("subject", sa.Integer(), nullable=False),
        sa.Column("due_at", UTCDateTime(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "subject"),
    )
    op.create_index("ix_due_done_due_at", "due", ["done", "due_at"])
    op.execute(
        sa.text(
            "INSERT INTO due (kind, subject, due_at, done) SELECT 'first_rolls', id, lots_due_at,"
            " over_at IS NOT NULL OR EXISTS"
            " (SELECT 1 FROM matchentry WHERE matchentry.match_id = match.id AND matchentry.seat IS NULL)"
            " FROM match WHERE lots_due_at IS NOT NULL"
        )
    )
    op.drop_column("match", "lots_due_at")
    op.add_column("inbound", sa.Column("code", AutoString(), nullable=False, server_default=sa.text("''")))
    op.execute(sa.text("UPDATE inbound SET code = replace(reason, ' ', '_') WHERE status IN ('rejected', 'discarded')"))
    op.add_column("outbound", sa.Column("notice_key", AutoString(), nullable=False, server_default=sa.text("''")))
    op.add_column("outbound", sa.Column("bounced_at", UTCDateTime(), nullable=True))
    op.add_column("outbound", sa.Column("bounce_status", AutoString(), nullable=False, server_default=sa.text("''")))
    _read_prose()


def _read_prose() -> None:
    """Fill the new columns from the sentences that held the same until now."""
    connection = op.get_bind()
    inbound = sa.table("inbound", *map(sa.column, ("id", "detail", "received_at")))
    outbound = sa.table(
        "outbound",
        *map(sa.column, ("id", "kind", "error", "due_at", "inbound_id", "notice_key", "bounced_at", "bounce_status")),
    )
    returned = sa.select(outbound.c.id, outbound.c.error, outbound.c.due_at).where(
        outbound.c.error.like("came back: %")
    )
    for number, error, sent_at in connection.execute(returned).all():
        if found := _CAME_BACK.fullmatch(error):
            bounce = sa.select(inbound.c.received_at).where(inbound.c.id == int(found[2] or 0))
            at = connection.execute(bounce).scalar() or sent_at
            values = {"bounced_at": at, "bounce_status": found[1]}
            connection.execute(sa.update(outbound).where(outbound.c.id == number).values(values))
    # The subject of the notice has the address redacted; the bounce that caused it names the address.
    told = sa.select(outbound.c.id, inbound.c.detail).join(inbound, inbound.c.id == outbound.c.inbound_id)
    for number, detail in connection.execute(told.where(outbound.c.kind == "bouncing")).all():
        if found := _RETURNED.fullmatch(detail):
            key = f"bouncing {found[1]}"
            connection.execute(sa.update(outbound).where(outbound.c.id == number).values(notice_key=key))


def downgrade() -> None:
    """Go one version down."""
    op.drop_column("outbound", "bounce_status")
    op.drop_column("outbound", "bounced_at")
    op.drop_column("outbound", "notice_key")
    op.drop_column("inbound", "code")
    op.add_column("match", sa.Column("lots_due_at", UTCDateTime(), nullable=True))
    op.execute(
        sa.text(
            "UPDATE match SET lots_due_at = (SELECT due_at FROM due WHERE kind = 'first_rolls' AND subject = match.id)"
        )
    )
    op.drop_index("ix_due_done_due_at", table_name="due")
    op.drop_table("due")
