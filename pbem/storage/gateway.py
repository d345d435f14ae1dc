"""The base of the gateways: a session, and changes of rows by their conditions."""

from typing import Any

from sqlalchemy import update
from sqlmodel import Session, SQLModel


class Gateway:
    """Reads and writes rows within the transaction of a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def _set(self, table: type[SQLModel], *conditions: Any, **values: Any) -> bool:
        """Store ``values`` in the rows of ``table`` that meet every condition; return whether there are any."""
        changed = self._session.execute(update(table).where(*conditions).values(**values))
        return bool(getattr(changed, "rowcount", 0))
