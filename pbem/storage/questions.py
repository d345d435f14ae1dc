"""Questions that somebody was asked, and what became of them; rows are never deleted, so that a no is remembered."""

import json
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from typing import Any

from sqlalchemy import and_, or_, select, type_coerce
from sqlalchemy.types import NullType

from pbem.match.question import Question, QuestionState
from pbem.storage.gateway import Gateway
from pbem.storage.tables import QUESTION

_LARGEST = 2**31 - 1  # number that the databases have room for
_COLUMNS = {name: QUESTION.c[name] for name in ("kind", "email", "about", "seat", "state", "asked_at", "id")}
_REFERENCES = {name: QUESTION.c[f"{name}_id"] for name in ("player", "asker", "match", "inbound")}
_BY_NAME = _COLUMNS | _REFERENCES
_OF_MAILBOXES = ("confirm_address", "confirm_follow")
"""Kinds of questions to whoever reads a mailbox, whether or not they play."""

_RAW_ABOUT = type_coerce(QUESTION.c.about, NullType())  # so that one damaged text does not harm the others
_RECORDS = select(*((_RAW_ABOUT if name == "about" else column).label(name) for name, column in _BY_NAME.items()))


class Questions(Gateway):
    """The gateway to questions."""

    def add(self, question: Question, now: datetime) -> int:
        """Store a question that is asked now; return its number."""
        values = {column.name: getattr(question, name) for name, column in _BY_NAME.items() if name != "id"}
        return self._add(QUESTION, **values | {"about": dict(question.about), "asked_at": now})

    def get(self, number: int) -> Question | None:
        """Return the question with this number."""
        return next(iter(self._read(QUESTION.c.id == number)), None) if 0 < number <= _LARGEST else None

    def find(self, kind: str, since: datetime | None = None, **values: Any) -> list[Question]:
        """Return the questions of a kind, asked since then, with these values of their fields; the newest first."""
        chosen = [_BY_NAME[name] == value for name, value in values.items()]
        chosen += [] if since is None else [QUESTION.c.asked_at > since]
        return self._read(QUESTION.c.kind == kind, *chosen)

    def to_mailbox(self, kind: str, mailbox: str, since: datetime) -> list[Question]:
        """Return the questions of a kind to any address of a mailbox that were asked since then, newest first."""
        local, _, domain = mailbox.rpartition("@")
        begins = QUESTION.c.email.startswith(f"{local}+", autoescape=True)
        variant = and_(begins, QUESTION.c.email.endswith(f"@{domain}", autoescape=True))
        return self._read(
            QUESTION.c.kind == kind, QUESTION.c.asked_at > since, or_(QUESTION.c.email == mailbox, variant)
        )

    def settle(self, numbers: Iterable[int], state: QuestionState) -> None:
        """Store what became of questions."""
        self._set(QUESTION, QUESTION.c.id.in_(sorted(numbers)), state=state)

    def assign(self, email: str, player: int) -> None:
        """Let what a stranger was asked be what was asked of the player who they are by now."""
        theirs = QUESTION.c.email == email, QUESTION.c.player_id.is_(None), QUESTION.c.kind.not_in(_OF_MAILBOXES)
        self._set(QUESTION, *theirs, player_id=player)

    def renumber(self, before: int, after: int) -> None:
        """Let the questions to one player, or for their sake, be those of another one, since they are one person."""
        for column in (QUESTION.c.player_id, QUESTION.c.asker_id):
            self._set(QUESTION, column == before, **{column.name: after})

    def withdraw_from(self, player: int) -> None:
        """Let nothing be answered any more that was asked for the sake of a player."""
        self._set(QUESTION, QUESTION.c.asker_id == player, QUESTION.c.state == "open", state="withdrawn")

    def find_damaged(self) -> list[int]:
        """Return the numbers of the questions of which nobody can read what they are about."""
        rows = self._rows(select(QUESTION.c.id, _RAW_ABOUT).order_by(QUESTION.c.id))
        return [number for number, stored in rows if _read_about(stored) is None]

    def _read(self, *conditions: Any) -> list[Question]:
        """Return the questions that meet the conditions, newest first."""
        rows = self._rows(_RECORDS.where(*conditions).order_by(QUESTION.c.id.desc()))
        return [Question(**{**row._mapping, "about": _read_about(row.about) or {}}) for row in rows]


def _read_about(stored: object) -> dict[str, Any] | None:
    """Return what a question is about; None for a damaged text, which harms that question alone."""
    with suppress(ValueError):
        stored = json.loads(stored) if isinstance(stored, str | bytes) else stored
    return stored if isinstance(stored, dict) else None
