"""A player who has chosen another name is known by the one before for a while."""

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


def downgrade() -> None:
    """Go one version down."""
    with op.batch_alter_table("player", table_kwargs={"sqlite_autoincrement": True}) as batch:
        batch.drop_column("renamed_at")
        batch.drop_column("former_name")
