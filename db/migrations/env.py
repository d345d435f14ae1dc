"""The environment of alembic: it runs migrations on the connection that ``db.engine.upgrade`` passes."""

from alembic import context
from sqlmodel import SQLModel

import db.models  # noqa: F401 - its import fills the metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=SQLModel.metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
