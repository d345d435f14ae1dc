"""Questions that somebody was asked, and what became of them; rows are never deleted, so that a no is remembered."""

import json
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any, get_args

from sqlalchemy import and_, or_, select, type_coerce
from sqlalchemy.types import NullType

from pbem.errors import DamagedRow
from pbem.mail.headers import domain_of, local_of
from pbem.match.question import LARGEST, REPORT, TOLD, Question, QuestionState
from pbem.storage.gateway import Gateway
from pbem.storage.tables import MATCH, OUTBOUND, QUESTION

_COLUMNS = {name: QUESTION.c[name] for name in ("id", "kind", "email", "about", "seat", "state", "asked_at")}
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
        """Return the question with this number. Raise DamagedRow for one that cannot be read."""
        row = self._row(_RECORDS.where(QUESTION.c.id == number)) if 0 < number <= LARGEST else None
        return _question(row) if row else None

    def find(self, kind: str, since: datetime | None = None, **values: Any) -> list[Question]:
        """Return the questions of a kind, asked since then, with these values of their fields; the newest first."""
        chosen = [_BY_NAME[name] == value for name, value in values.items()]
        chosen += [] if since is None else [QUESTION.c.asked_at > since]
        return self._read(QUESTION.c.kind == kind, *chosen)

    def to_mailbox(self, kind: str, mailbox: str, since: datetime) -> list[Question]:
        """Return the questions of a kind to any address of a mailbox that were asked since then, newest first."""
        begins = [f"{local}+" for local in (local_of(mailbox), mailbox.rpartition("@")[0].removesuffix('"'))]
        begin = or_(*(QUESTION.c.email.startswith(text, autoescape=True) for text in begins))
        variant = and_(begin, QUESTION.c.email.endswith(f"@{domain_of(mailbox)}", autoescape=True))
        return self._read(
            QUESTION.c.kind == kind, QUESTION.c.asked_at > since, or_(QUESTION.c.email == mailbox, variant)
        )

    def settle(self, numbers: Iterable[int], state: QuestionState) -> None:
        """Store what became of questions: those of one match one after the other, since several may have to agree."""
        chosen = QUESTION.c.id.in_(sorted(numbers))
        self._lock(MATCH, select(QUESTION.c.match_id).where(chosen))
        self._set(QUESTION, chosen, state=state)

    def assign(self, email: str, player: int) -> None:
        """Let what a stranger was asked be what was asked of the player who they are by now."""
        theirs = QUESTION.c.email == email, QUESTION.c.player_id.is_(None), QUESTION.c.kind.not_in(_OF_MAILBOXES)
        self._set(QUESTION, *theirs, player_id=player)

    def renumber(self, before: int, after: int) -> None:
        """Let the questions to one player, or for their sake, be those of another one, since they are one person."""
        for column in (QUESTION.c.player_id, QUESTION.c.asker_id):
            self._set(QUESTION, column == before, **{column.name: after})

    def revoke(self, player: int) -> None:
        """Let no token count any more of what a player was asked so far."""
        self._set(QUESTION, QUESTION.c.player_id == player, state="revoked")

    def withdraw_from(self, player: int) -> None:
        """Let nothing be answered any more that was asked for the sake of a player."""
        self._set(QUESTION, QUESTION.c.asker_id == player, QUESTION.c.state == "open", state="withdrawn")

    def find_damaged(self) -> list[int]:
        """Return the numbers of the questions that hold what we never write, or of a kind that was never sent."""
        kinds = {REPORT, TOLD, *(kind for (kind,) in self._rows(select(OUTBOUND.c.kind).distinct()))}
        return [row if isinstance(row, int) else row.id for row in self._each() if not _is_sound(row, kinds)]

    def _read(self, *conditions: Any) -> list[Question]:
        """Return the questions that meet the conditions, newest first; none whose row cannot be read."""
        try:
            rows = self._rows(_RECORDS.where(*conditions).order_by(QUESTION.c.id.desc()))
        except DamagedRow:
            rows = [row for row in self._each(*conditions) if not isinstance(row, int)]
        return list(map(_question, rows))

    def _each(self, *conditions: Any) -> Iterator[Any]:
        """Yield the rows of questions, newest first; the number of one that cannot be read."""
        numbers = [
            row.id for row in self._rows(select(QUESTION.c.id).where(*conditions).order_by(QUESTION.c.id.desc()))
        ]
        yield from self._rows_each(_RECORDS, QUESTION.c.id, numbers)


def _question(row: Any) -> Question:
    """Return the question of a row."""
    return Question(**{**row._mapping, "about": _read_about(row.about) or {}})


def _is_sound(row: Any, kinds: Collection[str]) -> bool:
    """Return whether pbem may have written a row, where it has written emails of these kinds."""
    if isinstance(row, int) or _read_about(row.about) is None:
        return False
    return row.kind in kinds and row.state in get_args(QuestionState)


def _read_about(stored: object) -> dict[str, Any] | None:
    """Return what a question is about; None for a damaged text, which harms that question alone."""
    with suppress(ValueError):
        stored = json.loads(stored) if isinstance(stored, str | bytes) else stored
    return stored if isinstance(stored, dict) else None
