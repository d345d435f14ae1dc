"""How a player wants his mail, and what came back from his addresses."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go one version up."""
    with op.batch_alter_table("player", schema=None) as batch_op:
        batch_op.add_column(sa.Column("display", AutoString(), nullable=False, server_default=sa.text("''")))
        batch_op.add_column(sa.Column("quiet", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("address", schema=None) as batch_op:
        batch_op.add_column(sa.Column("soft_bounces", sa.Integer(), nullable=False, server_default=sa.text("0")))
        batch_op.add_column(sa.Column("hard_bounces", sa.Integer(), nullable=False, server_default=sa.text("0")))
        batch_op.add_column(sa.Column("bounced_at", UTCDateTime(), nullable=True))


def downgrade() -> None:
    """Go one version down."""
    with op.batch_alter_table("address", schema=None) as batch_op:
        batch_op.drop_column("bounced_at")
        batch_op.drop_column("hard_bounces")
        batch_op.drop_column("soft_bounces")
    with op.batch_alter_table("player", schema=None) as batch_op:
        batch_op.drop_column("quiet")
        batch_op.drop_column("display")
