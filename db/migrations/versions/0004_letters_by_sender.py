"""Letters are told apart by their sender too, and counted by sender and time; mails are counted by time."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go one version up."""
    # Letters kept before would else count as new ones when the mailbox is read from its beginning again.
    op.execute(
        sa.text(
            "UPDATE inbound SET identity = identity || ' ' || sender WHERE identity LIKE '<%>' AND sender IS NOT NULL"
        )
    )
    op.drop_index("ix_inbound_sender", table_name="inbound")
    op.create_index("ix_inbound_sender_received_at", "inbound", ["sender", "received_at"])
    op.create_index("ix_outbound_created_at", "outbound", ["created_at"])


def downgrade() -> None:
    """Go one version down; identities stay as they are: cut back, two of them could become the same."""
    op.drop_index("ix_outbound_created_at", table_name="outbound")
    op.drop_index("ix_inbound_sender_received_at", table_name="inbound")
    op.create_index("ix_inbound_sender", "inbound", ["sender"])
