"""What players have offered each other in a match is kept with it, and whether its page may show words to a side."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go one version up; nothing has been offered before, and no page shows words to a side of before."""
    op.add_column("match", sa.Column("team_told", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("match", sa.Column("agreements", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    """Go one version down."""
    op.drop_column("match", "agreements")
    op.drop_column("match", "team_told")
