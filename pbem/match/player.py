"""A player, with their addresses and preferences."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from pbem.match.preferences import Preferences
from pbem.match.time.calendar import Calendar

FORMER = "Former player"
"""The name of everybody who was forgotten, in records too."""


@dataclass(frozen=True)
class Player:
    """A player; notices go to ``email``, and messages may come from any of ``emails``.

    ``generation`` counts how often they have revoked their reply tokens: only those of the present one count.
    ``forgotten``: all that said who they are was erased; they have no address, and ``email`` is empty.
    ``merged_into`` is the number of the player who has their matches and addresses, since they are one person.
    Until ``renamed_at`` they were called ``former_name``, if they have chosen another name themselves. ``robot`` is the
    strength of a robot, and 0 for a person.
    """

    id: int
    name: str
    email: str
    emails: frozenset[str]
    preferences: Preferences = field(default_factory=Preferences)
    generation: int = 0
    calendar: Calendar = field(default_factory=Calendar)
    forgotten: bool = False
    merged_into: int | None = None
    former_name: str = field(default="", compare=False)
    renamed_at: datetime | None = field(default=None, compare=False)
    robot: int = 0

    @property
    def has_page(self) -> bool:
        """Whether the archive has a page about the player."""
        return self.preferences.page and self.has_mail

    @property
    def has_mail(self) -> bool:
        """Whether there is an address to write to: a robot has none, nor has whoever was forgotten."""
        return not self.forgotten and not self.robot

    def preferring(self, preferences: Preferences) -> "Player":
        """Return the player with other preferences."""
        return replace(self, preferences=preferences)
