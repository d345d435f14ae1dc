"""Small stand-ins for the ports, but for the store, which is real SQLite."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import count

from pbem.errors import ThoughtLost
from pbem.ports import Answer, Batch, Cursor, Fetched, Note, Problem, Regret, Review
from rules.game import replay
from rules.games import GAMES
from rules.position import Entry


class FakeClock:
    """A clock that moves only when it is told to."""

    def __init__(self, start: datetime = datetime(2026, 11, 20, 18, 30, tzinfo=UTC)) -> None:
        self._now = self._began = start

    def now(self) -> datetime:
        """Return the time that was set."""
        return self._now

    def advance(self, by: timedelta) -> None:
        """Let time pass."""
        self._now += by

    def began(self) -> datetime:
        """Return when monotonic time began."""
        return self._began

    def jump(self, by: timedelta) -> None:
        """Set the clock on or back: no time passes."""
        self._now += by
        self._began += by


class FakeDice:
    """Secrets that anybody can foresee: numbers, from the one given on."""

    def __init__(self, first: int = 1) -> None:
        self._numbers = count(first)
        self._nonces = count(first)

    def secret(self) -> str:
        """Return the next one."""
        return f"{next(self._numbers):064x}"

    def nonce(self) -> str:
        """Return the next one of these."""
        return f"{next(self._nonces):016x}"


class FakeMailbox:
    """A mailbox that holds what is put into it, numbered from 1."""

    name = "games@fake/INBOX"

    def __init__(self, uidvalidity: int = 7) -> None:
        self.uidvalidity = uidvalidity
        self.messages: list[bytes] = []
        self.asked_since: date | None = None

    def put(self, *raw: bytes) -> None:
        """Let messages arrive."""
        self.messages += raw

    async def batches(self, cursor: Cursor | None, since: date | None) -> AsyncIterator[Batch]:
        """Yield what is new, two letters at a time."""
        self.asked_since = since
        known = cursor.last_uid if cursor and cursor.uidvalidity == self.uidvalidity else 0
        if cursor is None and since is None:
            yield Batch((), Cursor(self.uidvalidity, len(self.messages)))
            return
        for start in range(known, len(self.messages), 2):
            chunk = self.messages[start : start + 2]
            yield Batch(tuple(Fetched(raw) for raw in chunk), Cursor(self.uidvalidity, start + len(chunk)))

    async def wait(self, seconds: float) -> bool:
        """Announce nothing."""
        return False

    async def close(self) -> None:
        """Nothing to end."""


class FakeNotes:
    """Notes that all who are given them share, as in one mailbox; ``refusal``: why none is taken."""

    name, folder = "games@fake/INBOX", "pbem-owner"

    def __init__(self) -> None:
        self.lying: list[Note] = []
        self.refusal = ""
        self.error: Exception | None = None
        self.asked = 0
        self.at: datetime | None = None
        self._numbers = count(1)

    async def read(self) -> list[Note]:
        """Return what lies there, after whoever reads at the same time."""
        self.asked += 1
        found = list(self.lying)
        await asyncio.sleep(0)
        if self.error:
            raise self.error
        return found

    async def add(self, raw: bytes) -> str:
        """Add one, unless none is taken."""
        if not self.refusal:
            self.lying.append(Note(next(self._numbers), raw))
        return self.refusal

    async def newest_at(self) -> datetime | None:
        """Return the time of the server."""
        return self.at

    async def remove(self, uids: Sequence[int]) -> None:
        """Take some away."""
        self.lying = [note for note in self.lying if note.uid not in uids]


class FakeCourier:
    """A courier that keeps what it is given, or fails as it is told: one error, or None, for each email to come."""

    connections = 1

    def __init__(self, *failures: Exception | None) -> None:
        self._failures = deque(failures)
        self.carried: list[tuple[str, bytes]] = []
        self.senders: list[str] = []
        self.takes_plain_alone = False

    def fail(self, failures: Iterable[Exception | None]) -> None:
        """Let the next attempts end like this."""
        self._failures.extend(failures)

    def repair(self) -> None:
        """Let all further attempts succeed."""
        self._failures.clear()

    async def send(self, sender: str, recipient: str, raw: bytes, *, plain: str = "") -> str:
        """Carry an email, or raise the next failure."""
        failure = self._failures.popleft() if self._failures else None
        if failure:
            raise failure
        self.carried.append((recipient, raw))
        self.senders.append(plain if self.takes_plain_alone else sender)
        return self.senders[-1]

    async def close(self) -> None:
        """Nothing to end."""


class FakeThinker:
    """A thinker that plays the first legal move, and values it as it is told.

    ``lost`` are the strengths that come to no end; ``hangs``: no thought ends before ``release`` is set. ``reviewed``
    are the entries of each review that somebody else had made.
    """

    def __init__(self, value: int = 500) -> None:
        self.value = value
        self.move = ""
        self.lost: set[int] = set()
        self.hangs = False
        self.thinking, self.release = asyncio.Event(), asyncio.Event()
        self.problems: list[Problem] = []
        self.reviewed: list[Sequence[int]] = []
        self.before_answer: Callable[[], object] = lambda: None

    async def think(self, problem: Problem) -> Answer:
        """Return the first legal move of the position, or ``move``."""
        self.problems.append(problem)
        self.thinking.set()
        if self.hangs:
            await self.release.wait()
        if problem.strength in self.lost:
            raise ThoughtLost("It was not done within 0 seconds.")
        entries = [Entry(seat, text) for seat, text in problem.entries]
        position = replay(GAMES[problem.game], seats=problem.seats, options=problem.options, record=entries)
        self.before_answer()
        return Answer(self.move or str(next(iter(position.legal_moves()))), self.value)

    async def review(self, problem: Problem, seat: int, others: Sequence[int] = ()) -> Review:
        """Return that the first move of the seat which was not the example cost 234 wins in 1000."""
        self.problems.append(problem)
        self.reviewed.append(others)
        if problem.strength in self.lost:
            raise ThoughtLost("It was not done within 0 seconds.")
        own = [(ply, text) for ply, (one, text) in enumerate(problem.entries) if one == seat and ply not in others]
        moves = [(ply, text) for ply, text in own if text != "resign"]
        entries = [Entry(one, text) for one, text in problem.entries]
        for ply, text in moves:
            record = entries[:ply]
            position = replay(GAMES[problem.game], seats=problem.seats, options=problem.options, record=record)
            better = position.prompt().example
            if text != better:
                then = position.play(position.parse(better))
                following = [(then.to_act, then.prompt().example)] if isinstance(then.to_act, int) else []
                return Review(seat, len(moves), Regret(ply, text, 300, better, 534, tuple(following)))
        return Review(seat, len(moves), None)
