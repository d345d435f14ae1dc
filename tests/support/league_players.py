"""Players of a simulated season of a league: how strong and how quick each is, when they are away, who drops out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from tests.support.letters import Letter

NAMES = (
    *("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo", "Ines", "Jon"),
    *("Kira", "Leo", "Mona", "Nils", "Olga", "Paul", "Quin", "Rosa", "Sven", "Tara"),
    *("Uwe", "Vera", "Willa", "Xenia", "Yves", "Zora", "Abel", "Berta", "Conny", "Dirk"),
    *("Elsa", "Fritz", "Greta", "Hanna", "Igor", "Jana", "Karl", "Lotte", "Maja", "Noah"),
)
NEWCOMERS = ("Otto", "Petra")
"""They enter while the season goes on, so they play the next one."""

SILENT, VANISHING = "Dan", "Olga"
"""The first never comes; the second plays until she has moved twice in most of her matches, and is heard of no more."""

AWAY, SUBSTITUTE = "Gina", "Noah"
"""He stands in for her in one match."""

LEAVING = "Tara"
"""She plays on, and wants no further season."""

VACATIONS = {"Cleo": (1, 5), "Rosa": (4, 9), "Uwe": (2, 10), "Hanna": (13, 8)}
"""Who is away: from which day of the season, and how many days; each time longer than a clock ever allows."""


@dataclass
class Person:
    """Somebody with a mailbox; ``away_until`` ends a vacation, and ``gone``: they write nothing any more."""

    name: str
    strength: float
    random: Random
    inbox: list[Letter] = field(default_factory=list)
    asked: dict[int, Letter] = field(default_factory=dict)
    moves: dict[int, int] = field(default_factory=dict)
    away_until: datetime | None = None
    gone: bool = False

    @property
    def address(self) -> str:
        """Their address."""
        return f"{self.name.lower()}@{self.name[0].lower()}.example"

    def arrive(self, letter: Letter) -> None:
        """Find a letter in the mailbox."""
        self.inbox.append(letter)
        if letter.match is None:
            return
        if letter.ends:
            self.asked.pop(letter.match, None)
        elif letter.example:
            self.asked[letter.match] = letter

    def takes(self) -> timedelta:
        """Return how long they take to answer a letter: a day and a half at most."""
        return timedelta(minutes=self.random.randrange(60, 36 * 60))

    def answer(self, letter: Letter, fate: "Fate | None") -> str:
        """Return what they write in answer to a letter; nothing if there is nothing to say."""
        if letter.asks_for("reply yes, and you’ll be called") or letter.asks_for("would, reply yes"):
            return "yes"
        if letter.asks_for("reply yes. Then you get an email with the board"):
            return "yes"
        match = letter.match
        if match is None or fate is None or self.asked.get(match) is not letter:
            return ""
        if letter.asks_for("If you agree, reply yes"):
            del self.asked[match]
            return "yes"
        return self._move(letter, match, fate)

    def _move(self, letter: Letter, match: int, fate: "Fate") -> str:
        """Return a move, or how they end a match that they have lost."""
        del self.asked[match]
        made = self.moves[match] = self.moves.get(match, 0) + 1
        loses = fate.loser is not None and fate.loser not in letter.subject
        if loses and made > fate.length:
            return "resign"
        move = "take" if letter.offers_side else letter.example
        free = letter.free_cells()
        if len(free) > 1 and len(letter.example) == 2 and not letter.offers_side:
            move = self.random.choice(free)
        return f"{move}\ndraw" if fate.drawn and made == fate.length else move


@dataclass(frozen=True)
class Fate:
    """How a match is to end: its ``loser`` resigns after so many moves, or the draw is agreed then.

    Without either it is played until the board decides it.
    """

    loser: str | None
    drawn: bool
    length: int


def decide_fate(random: Random, first: Person, second: Person, played_out: float) -> Fate:
    """Return how a match of two is to end: the stronger one wins more often, and some are ``played_out``."""
    length = random.choice((0, 2, 2, 2, 2, 3))
    chance = 1 / (1 + 10 ** ((second.strength - first.strength) / 400))
    loser = second.name if random.random() < chance else first.name
    if random.random() < played_out:
        return Fate(None, False, 0)
    return Fate(None, True, max(length, 2)) if random.random() < 0.1 else Fate(loser, False, length)


def make_people(seed: int, names: Sequence[str] = (*NAMES, *NEWCOMERS)) -> dict[str, Person]:
    """Return everybody of a season, by their names; each has a strength."""
    random = Random(seed)
    return {name: Person(name, random.gauss(1500, 250), Random(f"{seed} {name}")) for name in names}
