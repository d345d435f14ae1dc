"""The numbers of a mailbox go up to 2³² - 1, which is more than an integer of PostgreSQL holds."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_COLUMNS = ("uidvalidity", "last_uid")


def upgrade() -> None:
    """Go one version up; an integer of SQLite is as large as need be."""
    with op.batch_alter_table("mailboxcursor") as batch:
        for column in _COLUMNS:
            batch.alter_column(column, type_=sa.BigInteger(), existing_type=sa.Integer(), existing_nullable=False)


def downgrade() -> None:
    """Go one version down."""
    with op.batch_alter_table("mailboxcursor") as batch:
        for column in _COLUMNS:
            batch.alter_column(column, type_=sa.Integer(), existing_type=sa.BigInteger(), existing_nullable=False)
