"""Reply tokens cover a nonce of their match, numbers of matches and players never come back, restorations are noted."""

from typing import Literal

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go one version up; matches that were opened before have no nonce, so that emails of theirs go on counting."""
    nonce: sa.Column[str] = sa.Column("nonce", AutoString(), nullable=False, server_default=sa.text("''"))
    _rebuild("match", never_again=True, added=nonce)
    _rebuild("player", never_again=True)
    op.create_table(
        "restoration",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("state_at", UTCDateTime(), nullable=False),
        sa.Column("known_at", UTCDateTime(), nullable=False),
        sa.Column("found_at", UTCDateTime(), nullable=False),
        sa.Column("first_lost", sa.Integer(), nullable=True),
        sa.Column("last_lost", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )


def downgrade() -> None:
    """Go one version down."""
    op.drop_table("restoration")
    _rebuild("player", never_again=False)
    _rebuild("match", never_again=False, dropped="nonce")


def _rebuild(table: str, *, never_again: bool, added: sa.Column[str] | None = None, dropped: str = "") -> None:
    """Rebuild a table, in SQLite so that it gives no number twice, or may again; elsewhere a sequence never does."""
    how = {"sqlite_autoincrement": never_again}
    always: Literal["always", "never"] = "always" if op.get_context().dialect.name == "sqlite" else "never"
    with op.batch_alter_table(table, recreate=always, table_kwargs=how) as batch:
        if added is not None:
            batch.add_column(added)
        if dropped:
            batch.drop_column(dropped)
