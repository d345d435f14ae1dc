"""Matches keep where they stand, and messages what a reply may quote; an index counts emails by their kind."""

import zlib

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_PACKED = b"\0zlib\0"


def upgrade() -> None:
    """Go one version up; the new columns of older rows are filled when they are first needed."""
    op.add_column("match", sa.Column("standing", sa.JSON(), nullable=True))
    op.add_column("outbound", sa.Column("quotable", sa.LargeBinary(), nullable=True))
    op.drop_index("ix_outbound_created_at", table_name="outbound")
    op.create_index("ix_outbound_kind_created_at", "outbound", ["kind", "created_at"])


def downgrade() -> None:
    """Go one version down; compressed bytes, which the version before does not know, are unpacked."""
    connection = op.get_bind()
    for name in ("inbound", "outbound"):
        table = sa.table(name, sa.column("id"), sa.column("raw", sa.LargeBinary()))
        for number in connection.execute(sa.select(table.c.id)).scalars().all():
            of_row = table.c.id == number
            raw = bytes(connection.execute(sa.select(table.c.raw).where(of_row)).scalar_one())
            if raw.startswith(_PACKED):
                unpacked = zlib.decompress(raw[len(_PACKED) :])
                connection.execute(sa.update(table).where(of_row).values(raw=unpacked))
    op.drop_index("ix_outbound_kind_created_at", table_name="outbound")
    op.create_index("ix_outbound_created_at", "outbound", ["created_at"])
    op.drop_column("outbound", "quotable")
    op.drop_column("match", "standing")
