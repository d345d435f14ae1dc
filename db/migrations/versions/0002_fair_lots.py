"""Fair lots: a secret for every match, and the players' own words."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go one version up."""
    with op.batch_alter_table("match", schema=None) as batch_op:
        batch_op.add_column(sa.Column("secret", AutoString(), nullable=False, server_default=sa.text("''")))
        batch_op.add_column(sa.Column("lots_due_at", UTCDateTime(), nullable=True))
    with op.batch_alter_table("place", schema=None) as batch_op:
        batch_op.add_column(sa.Column("salt", AutoString(), nullable=True))


def downgrade() -> None:
    """Go one version down."""
    with op.batch_alter_table("place", schema=None) as batch_op:
        batch_op.drop_column("salt")
    with op.batch_alter_table("match", schema=None) as batch_op:
        batch_op.drop_column("lots_due_at")
        batch_op.drop_column("secret")
