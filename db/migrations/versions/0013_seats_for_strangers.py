"""A seat may be offered to an address of nobody who plays here."""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go one version up."""
    with op.batch_alter_table("seat_offer") as batch:
        batch.alter_column("player_id", existing_type=sa.Integer(), nullable=True)
        batch.add_column(sa.Column("email", AutoString(), nullable=True))
    op.create_index("ix_seat_offer_email", "seat_offer", ["email"])
    op.create_index("ix_seat_offer_state_asked_at", "seat_offer", ["state", "asked_at"])


def downgrade() -> None:
    """Go one version down; an offer to nobody who plays here is lost."""
    op.execute("DELETE FROM seat_offer WHERE player_id IS NULL")
    op.drop_index("ix_seat_offer_state_asked_at", "seat_offer")
    op.drop_index("ix_seat_offer_email", "seat_offer")
    with op.batch_alter_table("seat_offer") as batch:
        batch.drop_column("email")
        batch.alter_column("player_id", existing_type=sa.Integer(), nullable=False)
