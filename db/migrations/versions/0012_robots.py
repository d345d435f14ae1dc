"""Robots have seats in matches."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go one version up."""
    op.add_column("player", sa.Column("robot", sa.Integer(), nullable=False, server_default=sa.text("0")))
    op.add_column("match", sa.Column("robots", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    """Go one version down."""
    op.drop_column("match", "robots")
    op.drop_column("player", "robot")
