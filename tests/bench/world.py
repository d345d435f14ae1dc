"""Matches under way in a database of their own, and players who answer the emails that really arrived."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random

from pbem.mail.reply_token import ReplyToken, sign_token
from pbem.match.match import Match, advance_automatically
from pbem.ports import Courier
from pbem.running.service import Service
from pbem.settings.model import Settings
from pbem.storage.database import Database
from rules.game import Value
from rules.games import GAMES
from rules.position import Entry
from tests.support.replies import Answered, Kind, read_notice, write_reply

SETTINGS = Settings(
    address="games@pbem.example",
    secret="a secret for benchmarks",
    archive_url="https://pbem.example/archive",
    salt_hours=0,
)
BATCH = 50
"""Messages that are received in one transaction, as many as come from a mailbox at once."""

_BY_EMAIL = 12
"""The last moves before the measurement are made by email: so many notices can be quoted."""
_LETTERS = str.maketrans("0123456789", "bcdfghklmr")  # names of people have no digits, which might be cells
_ROOM = 16  # moves that a match still has before it, if its game is long enough
_ATTEMPTS = 40  # at a random match that is long enough


@dataclass(frozen=True)
class Sort:
    """A sort of match: its game, and after how many moves it is met. ``seats`` as few as the game allows."""

    game: str
    moves: int
    options: tuple[tuple[str, Value], ...] = ()

    def __str__(self) -> str:
        return f"{self.game}, {self.moves} moves"


class Clock:
    """A clock that moves only when it is told to; not that of the tests, which may ask more of the program."""

    def __init__(self, now: datetime = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)) -> None:
        self._now = now

    def now(self) -> datetime:
        """Return the time that was set."""
        return self._now

    def began(self) -> datetime:
        """Return when monotonic time began."""
        return datetime(2026, 11, 20, tzinfo=UTC)

    def advance(self, by: timedelta) -> None:
        """Let time pass."""
        self._now += by


class Dice:
    """Always the same secrets, one after another."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._nonces = count(1)

    def secret(self) -> str:
        """Return the next one."""
        return f"{next(self._numbers):064x}"

    def nonce(self) -> str:
        """Return the next number, as a nonce."""
        return f"{next(self._nonces):016x}"


class World:
    """Matches under way; ``mails`` are what arrived, the latest email by address."""

    def __init__(self, file: Path, courier: Courier, sorts: Sequence[Sort], matches: int) -> None:
        self.clock = Clock()
        database = Database(f"sqlite:///{file}")
        database.upgrade()
        self.service = Service(SETTINGS, database, clock=self.clock, dice=Dice(), courier=courier)
        self._sorts, self._count = sorts, matches
        self._sort_of: dict[int, Sort] = {}
        self._matches: dict[int, Match] = {}
        self._mails: dict[str, bytes] = {}
        self._opened, self._written = Counter[Sort](), 0
        self._chance = Random(13)
        self.runner = asyncio.Runner()

    def arrive(self, mails: Sequence[tuple[str, bytes]]) -> None:
        """Let the players have what was sent to them."""
        self._mails.update(mails)

    def open_matches(self) -> list[int]:
        """Open matches in the place of those that are over; return their numbers."""
        over = [number for number in self._sort_of if self.match(number).outcome is not None]
        for player in (player for number in over for player in self.match(number).players):
            self._mails.pop(player.email, None)  # nobody answers them any more
        wanted = [self._sort_of.pop(number) for number in over]
        if not self._opened:
            wanted = [self._sorts[number % len(self._sorts)] for number in range(self._count)]
        opened = [self._open(sort) for sort in wanted]
        self.look()
        return opened

    def prepare(self, kind: Kind = "short", only: Sequence[int] | None = None) -> dict[int, bytes]:
        """Return a reply for each match (or ``only`` these), by its number, to the latest notice of who is to act."""
        numbers = self._sort_of if only is None else only
        return {number: self.reply(number, kind) for number in numbers if self.match(number).outcome is None}

    def reply(self, number: int, kind: Kind, text: str = "") -> bytes:
        """Return a reply from the player to act in a match, with ``text`` or a random legal move in it."""
        match = self.match(number)
        assert isinstance(match.to_act, int), f"match {number} waits for nobody"
        player = match.players[match.to_act]
        token = sign_token(ReplyToken(number, match.ply, match.to_act, nonce=match.nonce), SETTINGS.secret)
        raw = self._mails.get(player.email)
        # After moves that were made without email, no notice has the present token.
        notice = read_notice(raw) if raw else None
        if notice is None or f"+{token}@" not in notice.reply_to:
            notice = Answered(player.email, f"games+{token}@pbem.example", "your turn", f"<{token}.x@a.b>", "", "", "")
        self._written += 1
        move = text or str(match.position.any_move(self._chance.randrange))
        return write_reply(kind, notice, move, self._written)

    def deliver(self) -> None:
        """Send everything that is queued."""
        self.runner.run(self.service.deliver())

    def moves_missing(self, number: int) -> int:
        """Return how many moves a match has to make by email before it is as long as its sort says."""
        return self._sort_of[number].moves - self.match(number).moves_made

    def look(self) -> None:
        """Read all matches under way as they stand now."""
        with self.service.database.reading() as tx:
            found = [tx.matches.get(number) for number in self._sort_of]
        self._matches = {match.id: match for match in found if match is not None}

    def match(self, number: int) -> Match:
        """Return a match as it stood at the last look."""
        return self._matches[number]

    def plies(self) -> dict[int, int]:
        """Return the length of each match under way."""
        return {number: self.match(number).ply for number in self._sort_of}

    def close(self) -> None:
        """Close everything that is open."""
        self.runner.run(self.service.close())
        self.runner.close()

    def _open(self, sort: Sort) -> int:
        """Open a match, and make all its first moves but the last few."""
        self._opened[sort] += 1
        name = f"{sort.game}{sort.moves}n{self._opened[sort]}"
        seats = GAMES[sort.game].seats[0]
        family = name.translate(_LETTERS).capitalize()
        players = [f"{('Ann', 'Bob', 'Carl')[seat]} {family} <p{seat}.{name}@a.example>" for seat in range(seats)]
        opened = self.service.open(sort.game, players, dict(sort.options))
        self._sort_of[opened.id] = sort
        played = self._played(opened, sort.moves, self._opened[sort])
        later, now = played.record[opened.ply :], self.clock.now()
        with self.service.database.transaction() as tx:
            tx.matches.append(opened, later, (now,) * len(later), None)
            tx.matches.touch(played, now)
        return opened.id

    def _played(self, opened: Match, moves: int, seed: int) -> Match:
        """Return a match with all moves but those that are to be made by email, the beginning of a long enough one."""
        best: tuple[int, Match] = (-1, opened)
        for attempt in range(_ATTEMPTS):
            chance, match, kept = Random(1000 * seed + attempt), opened, opened
            while isinstance(match.to_act, int) and match.moves_made < moves + _ROOM:
                move = Entry(match.to_act, str(match.position.any_move(chance.randrange)))
                match = advance_automatically(match.after(move, self.clock.now()), self.clock.now())
                if match.outcome is None and match.moves_made <= moves - _BY_EMAIL:
                    kept = match
            best = max(best, (match.moves_made, kept), key=lambda found: found[0])
            if match.outcome is None:
                break
        return best[1]
