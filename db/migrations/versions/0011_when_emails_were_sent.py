"""What was sent in the last minute, hour and day is found by an index, for budgets of mail servers."""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go one version up."""
    op.create_index("ix_outbound_sent_at", "outbound", ["sent_at"])


def downgrade() -> None:
    """Go one version down."""
    op.drop_index("ix_outbound_sent_at", "outbound")
