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
    _mend_first_shape()
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


def _mend_first_shape() -> None:
    """Bring tables of the first shape of 0001 to the one it has had since; databases had been made with it.

    Who won, and why, follows from the record; names came to be told apart without regard to letter case.
    """
    connection = op.get_bind()
    if any(column["name"] == "folded" for column in sa.inspect(connection).get_columns("player")):
        return
    with op.batch_alter_table("mailboxcursor", schema=None) as batch_op:
        batch_op.drop_column("read_at")
    with op.batch_alter_table("match", schema=None) as batch_op:
        batch_op.drop_column("winners")
        batch_op.drop_column("reason")
    with op.batch_alter_table("player", schema=None) as batch_op:
        batch_op.add_column(sa.Column("folded", AutoString(), nullable=True))
    taken: set[str] = set()
    for number, name in connection.execute(sa.text("SELECT id, name FROM player ORDER BY id")).all():
        free, count = name, 1
        while free.casefold() in taken:
            count += 1
            free = f"{name} {count}"
        taken.add(free.casefold())
        connection.execute(
            sa.text("UPDATE player SET name = :name, folded = :folded WHERE id = :id"),
            {"name": free, "folded": free.casefold(), "id": number},
        )
    # The names that PostgreSQL gives to constraints without one; SQLite leaves them without.
    names = {"uq": "%(table_name)s_%(column_0_name)s_key"}
    with op.batch_alter_table("player", schema=None, naming_convention=names) as batch_op:
        batch_op.alter_column("folded", existing_type=AutoString(), nullable=False)
        batch_op.drop_constraint("player_name_key", type_="unique")
        batch_op.create_unique_constraint("player_folded_key", ["folded"])
