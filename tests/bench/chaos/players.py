"""The players: they read what the SMTP server has stored, answer it by the plan, and note all that they do."""

import re
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tests.bench.chaos.season import Planned, Turn, Written, messages_for

_HEAD = re.compile(rb"^(Message-ID|Reply-To|X-Pbem-Kind|X-Pbem-Turn): ([^\r\n]*)", re.MULTILINE)
_TOKEN = re.compile(r"\+(\d+)\.(\d+)\.(\d+)\.")
_TO_ANSWER = frozenset({"opened", "your_turn"})


class Letters(Protocol):
    """Where emails to players arrive."""

    def new(self) -> Iterator[tuple[str, bytes, float]]:
        """Yield the recipient and the bytes of each email that has arrived since the last call, and when it did."""
        ...


@dataclass(frozen=True)
class Arrived:
    """An email at a player: its Message-ID, kind and recipient, and when (seconds, by a clock that only goes on)."""

    message_id: str
    kind: str
    recipient: str
    at: float


@dataclass
class Players:
    """All players of a season; so many matches are played at once, and ``post`` lays a message into the mailbox.

    ``gap``: the seconds between two messages about a match. A mailbox that is a directory keeps
    no order of files that come while it is read.
    """

    planned: Sequence[Planned]
    seed: int
    at_once: int
    post: Callable[[bytes], None]
    gap: float = 0.0
    arrived: list[Arrived] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    written: list[Written] = field(default_factory=list)
    _drafts: dict[int, deque[bytes]] = field(default_factory=lambda: defaultdict(deque))
    _free_at: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    _waiting: dict[int, tuple[int, bytes]] = field(default_factory=dict)
    _answered: set[Turn] = field(default_factory=set)
    _over: Counter[int] = field(default_factory=Counter)
    _begun: int = 0

    def __post_init__(self) -> None:
        self._by_number = {match.number: match for match in self.planned}
        self._order = {match.number: place for place, match in enumerate(self.planned)}
        self._begun = self.at_once

    @property
    def are_done(self) -> bool:
        """Whether all players of all matches have been told of the end."""
        return all(self._over[match.number] >= len(match.readers) for match in self.planned)

    def read(self, letters: Letters) -> None:
        """Read what is new, and answer it; the first copy of an email alone, as email programs show one alone."""
        self._post_due()
        for recipient, raw, at in letters.new():
            head = {name.decode(): value.decode() for name, value in _HEAD.findall(raw[: raw.find(b"\r\n\r\n")])}
            email = Arrived(head["Message-ID"], head.get("X-Pbem-Kind", ""), recipient, at)
            self.arrived.append(email)
            if email.message_id in self.known:
                continue
            self.known.add(email.message_id)
            found = _TOKEN.search(head["Reply-To"])
            if found is None:
                continue
            number, ply, seat = map(int, found.groups())
            if email.kind == "match_over":
                self._end(number)
            elif email.kind in _TO_ANSWER and head.get("X-Pbem-Turn") == "yes":
                self._take_turn((number, ply, seat), raw)

    def _take_turn(self, turn: Turn, notice: bytes) -> None:
        """Answer the notice of a turn, or put it off if the match is not played yet."""
        number, ply, seat = turn
        planned = self._by_number[number]
        if turn in self._answered or planned.moves.get(ply, (None,))[0] != seat:
            return
        if self._order[number] >= self._begun:
            self._waiting[number] = (ply, notice)
            return
        self._answered.add(turn)
        for message in messages_for(planned, ply, notice, self.seed):
            self.written.append(message)
            self._drafts[number].extend([message.raw] * message.copies)
        self._post_due()

    def _post_due(self) -> None:
        """Post what was written, with a gap between two messages about a match."""
        now = time.monotonic()
        for number, drafts in self._drafts.items():
            while drafts and self._free_at[number] <= now:
                self.post(drafts.popleft())
                self._free_at[number] = now + self.gap

    def _end(self, number: int) -> None:
        """Note that one more player knows of the end of a match; another match begins when the first one does."""
        self._over[number] += 1
        if self._over[number] > 1:
            return
        self._begun += 1
        for later, (ply, notice) in list(self._waiting.items()):
            if self._order[later] < self._begun:
                del self._waiting[later]
                self._take_turn((later, ply, self._by_number[later].moves[ply][0]), notice)
