"""What the page of a player says of their ladders, and of each season of their leagues."""

from dataclasses import dataclass
from typing import TypeAlias

from rules.phrase import Argument, phrase


@dataclass(frozen=True, slots=True)
class LadderLine:
    """What the page of a player says of a ladder."""

    ladder: str
    page: str
    place: int
    of: int


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """What the page of a player says of a season; and ``moves``, where it led, or leads by now."""

    league: str
    page: str
    season: int
    division: int
    divisions: int
    place: str
    of: int
    points: str
    moves: str
    over: bool

    @property
    def text(self) -> str:
        """The line as a sentence, without the league."""
        told: dict[str, Argument] = {"place": self.place.rstrip("="), "of": self.of, "points": self.points}
        placed = (
            phrase("shared place {place} of {of}, points: {points}", **told)
            if self.place.endswith("=")
            else phrase("place {place} of {of}, points: {points}", **told)
        )
        return str(placed)


ContestLine: TypeAlias = LadderLine | SeasonLine
