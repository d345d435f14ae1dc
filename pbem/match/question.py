"""A question of ours: who was asked for what by which email, and what became of it. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, TypeVar

from pbem.errors import DamagedRow
from rules.position import Seat

T = TypeVar("T")

QuestionState = Literal["open", "yes", "no", "withdrawn", "revoked"]
"""How it stands: nobody has answered, its reader has, there is nothing to answer any more, or its token is void."""


REPORT, FOUND_IN = "report", "found_in"
"""The kind of what the operator is told, which no email asks: it waits as a question does.

What no player tells, but the doctor, is about the line of it that stands under ``FOUND_IN``.
"""

TOLD = "starting"
"""The kind of what needs no answer, but proves who answers it: emails of several kinds carry it."""

LARGEST = 2**31 - 1
"""The largest number that the databases have room for."""

_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a ``kind`` to the reader of ``email``; what it is ``about`` is written as JSON has it.

    ``player`` is who is asked; None where it is whoever reads that mailbox. ``asker`` is the player for whose sake it
    is asked, if there is one. ``match`` and ``seat`` are where it belongs, ``inbound`` is the message that waits for
    the answer, or that led to it. ``id`` is 0 before it is asked.
    """

    kind: str
    email: str
    about: Mapping[str, Any] = field(default_factory=dict)
    player: int | None = None
    asker: int | None = None
    match: int | None = None
    seat: Seat | None = None
    inbound: int | None = None
    state: QuestionState = "open"
    asked_at: datetime = _NEVER
    id: int = 0

    def number(self, key: str) -> int:
        """Return a number that it is about. Raise DamagedRow where there is none."""
        return self._value(key, int)

    def numbers(self, key: str) -> list[int]:
        """Return numbers that it is about. Raise DamagedRow where there is none of them."""
        return [self._checked(one, int) for one in self._value(key, list)]

    def texts(self, key: str) -> list[str]:
        """Return texts that it is about. Raise DamagedRow where there is none of them."""
        return [self._checked(one, str) for one in self._value(key, list)]

    def _value(self, key: str, kind: type[T]) -> T:
        """Return what stands under a key, if it is of a kind."""
        return self._checked(self.about.get(key), kind)

    def _checked(self, value: object, kind: type[T]) -> T:
        """Return a value of a kind. Raise DamagedRow for one of another kind: we never write it."""
        if not isinstance(value, kind) or (isinstance(value, int) and not 0 <= value <= LARGEST):
            raise self.damage
        return value

    @property
    def damage(self) -> DamagedRow:
        """The error of a row that holds what we never write."""
        return DamagedRow(f"The row of question {self.id} is damaged: restore it from a backup.")

    @property
    def stamp(self) -> str:
        """What its token covers: numbers come again where a backup is restored, times do not."""
        return f"{self.id} {self.asked_at.isoformat()}"
