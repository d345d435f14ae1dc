"""Messages name their match, so that workers keep its order; workers say that they live; emails sent are counted."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_LARGE = ("uidvalidity", "last_uid")  # numbers of 32 bits without a sign: too large for an integer of a server


def upgrade() -> None:
    """Go one version up; of messages that came in before it isn't known which match they name."""
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


def downgrade() -> None:
    """Go one version down."""
    op.drop_table("worker")
    op.drop_index("ix_outbound_sent_at", "outbound")
    with op.batch_alter_table("mailboxcursor") as batch:
        for name in _LARGE:
            batch.alter_column(name, existing_type=sa.BigInteger(), type_=sa.Integer(), existing_nullable=False)
    with op.batch_alter_table("inbound") as batch:
        batch.drop_column("named")
