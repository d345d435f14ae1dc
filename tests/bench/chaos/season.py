"""The season: matches of all games, with every move known before it begins, and what their players write."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import Literal

from pbem.match.match import Match, advance_automatically
from pbem.running.service import Service
from pbem.settings.model import Settings
from pbem.storage.database import Database
from rules.game import Value
from rules.position import Entry, Seat
from tests.bench.world import Clock, Dice
from tests.support.replies import KINDS, message_id_of, read_notice, write_reply

ADDRESS = "games@pbem.example"
SECRET = "Nq3-vb7Kxw_2RtYp9Lm4"
Sort = tuple[str, int, tuple[tuple[str, Value], ...]]
SORTS: tuple[Sort, ...] = (
    ("pipline", 2, (("size", 7),)),
    ("zipline", 3, (("size", 5),)),
    ("pippip", 2, ()),
    ("snipsnip", 2, ()),
    ("zipline", 2, (("size", 6),)),
    ("pipelines", 2, (("size", 7),)),
)
"""Game, seats and options, in turn: all five games, one of them for teams."""

_NAMES = ("Ann", "Bob", "Carl")
_LETTERS = str.maketrans("0123456789", "bcdfghklmr")  # names of people have no digits, which might be cells
_VARIANTS = 10
_MOST_PLIES = 10_000

# How often a player in turn does more than to reply once.
_TYPO, _TALK, _AGAIN, _SECOND, _AWAY = 0.02, 0.02, 0.06, 0.03, 0.02

What = Literal["move", "typo", "talk", "second", "away"]
"""What a player writes: a move, a move that makes no sense, words alone, another move after it, an automatic reply."""


# Remarks are words that nobody else writes: what stands in an email of ours already may be a quotation.
_WORDS = (
    *("autumn", "bakery", "candle", "dolphin", "engine", "feather", "garden", "harbour", "island", "jacket"),
    *("kettle", "lantern", "meadow", "needle", "orchard", "pepper", "quarry", "ribbon", "saddle", "timber"),
    *("umbrella", "velvet", "window", "yarrow", "zeppelin", "almond", "basket", "copper", "dragon", "elbow"),
)
_REMARK_WORDS = 9

Turn = tuple[int, int, Seat]
"""A turn of a match: its number, the number of its entries, and the seat that is to act."""


@dataclass(frozen=True)
class Planned:
    """A match as it will be played: the move of each turn by its ply, and another one that was legal then.

    ``readers`` are the addresses of its players.
    """

    number: int
    moves: Mapping[int, tuple[Seat, str]] = field(repr=False)
    seconds: Mapping[int, str] = field(repr=False)
    readers: tuple[str, ...]


@dataclass(frozen=True)
class Written:
    """A message of a player: its Message-ID, its bytes, and how many copies of it are laid into the mailbox."""

    message_id: str
    raw: bytes
    what: What
    copies: int = 1


def settings_for(database_url: str) -> Settings:
    """Return the settings of the service, as far as they are the same in every run."""
    return Settings(address=ADDRESS, secret=SECRET, database_url=database_url, salt_hours=0, poll_seconds=1)


def open_season(database: Database, began: datetime, seed: int, matches: int, most: int | None = None) -> list[Planned]:
    """Open so many matches in an empty database, and play each of them in memory.

    They are played to their ends, or until ``most`` moves are made.
    """
    clock = Clock()
    clock.advance(began - clock.now())
    service = Service(settings_for("sqlite://"), database, clock=clock, dice=Dice())
    planned = []
    for number in range(matches):
        game, seats, options = SORTS[number % len(SORTS)]
        family = f"n{number}".translate(_LETTERS).capitalize()
        players = [f"{name} {family} <{name.lower()}.{family.lower()}@players.example>" for name in _NAMES[:seats]]
        opened = service.open(game, players, dict(options))
        planned.append(_play(opened, clock.now(), seed, most))
    return planned


def _play(opened: Match, now: datetime, seed: int, most: int | None) -> Planned:
    """Return a match as it will be played; each move follows from seed, match and ply alone."""
    match, moves, seconds = opened, dict[int, tuple[Seat, str]](), dict[int, str]()
    while isinstance(match.to_act, int) and len(moves) != most:
        chance = Random(f"{seed} {match.id} {match.ply}")
        moves[match.ply] = (match.to_act, str(match.position.any_move(chance.randrange)))
        seconds[match.ply] = str(match.position.any_move(chance.randrange))
        entry = Entry(*moves[match.ply])
        match = advance_automatically(match.after(entry, now), now)
    return Planned(match.id, moves, seconds, tuple(player.email for player in match.players))


def messages_for(planned: Planned, ply: int, notice: bytes, seed: int) -> Iterator[Written]:
    """Yield what the player in turn writes in answer to a notice, in this order."""
    chance = Random(f"{seed} {planned.number} {ply} players")
    _, move = planned.moves[ply]
    answered = read_notice(notice)
    kind = chance.choices(KINDS, (6, 3, 1))[0]
    rolls = [chance.random() for _ in range(5)]

    def write(variant: int, what: What, text: str, copies: int = 1) -> Written:
        number = (planned.number * _MOST_PLIES + ply) * _VARIANTS + variant
        remark = f"I dreamt of {' '.join(chance.choices(_WORDS, k=_REMARK_WORDS))}."
        raw = write_reply(kind, answered, text, number, remark)
        if what == "away":
            raw = b"Auto-Submitted: auto-replied\r\n" + raw
        return Written(message_id_of(number), raw, what, copies)

    if rolls[0] < _AWAY:
        yield write(0, "away", "I am away until Monday.")
    if rolls[1] < _TYPO:
        yield write(1, "typo", "z99")
    if rolls[2] < _TALK:
        yield write(2, "talk", "say: What a fine match this is.")
    yield write(3, "move", move, 2 if rolls[3] < _AGAIN else 1)
    if rolls[4] < _SECOND:
        yield write(4, "second", planned.seconds[ply])
