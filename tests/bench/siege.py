"""Matches of all games whose players are attackers: hostile messages through the real line, and what each caused."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random
from time import process_time

from tests.bench.kept import KeptCourier
from tests.bench.world import Sort, World
from tests.support.attacks import LARGEST_TEXT, Attack, Target, attack, vast
from tests.support.replies import Answered, read_notice

SORTS = (
    Sort("zipline", 12, (("size", 16),)),
    Sort("pipline", 30),
    Sort("pippip", 6),
    Sort("snipsnip", 60, (("board", "hex-7-8"),)),
    Sort("pipelines", 20),
)
"""All games; large boards, since more can be tried there."""

_BETWEEN = timedelta(minutes=20)
_VAST = 0.01  # the part of messages that have several megabytes
_KEPT = 6  # earlier emails of a seat


@dataclass(frozen=True)
class Blow:
    """What a hostile message came to: its ``kind``, bytes, CPU seconds, how it ended, and the emails it caused."""

    kind: str
    size: int
    seconds: float
    status: str
    reason: str
    emails: tuple[int, ...]


class Siege:
    """A world under attack; the same ``seed`` makes the same messages."""

    def __init__(self, file: Path, matches: int, seed: int) -> None:
        self._courier = KeptCourier()
        self.world = World(file, self._courier, SORTS, matches)
        self._chance = Random(seed)
        self._written = 0
        self._notices: dict[str, list[Answered]] = defaultdict(list)
        self._refresh()

    def strike(self, largest: int = LARGEST_TEXT) -> Blow:
        """Send one hostile message with at most ``largest`` characters of text; unless these are few, some are vast."""
        target = self._target()
        self._written += 1
        if largest == LARGEST_TEXT and self._chance.random() < _VAST:
            return self.send(vast(self._chance, self._written, target))
        return self.send(attack(self._chance, self._written, target, largest))

    def send(self, message: Attack) -> Blow:
        """Hand a message in, and return what it came to."""
        service = self.world.service
        started = process_time()
        arrival = service.hand_in(message.raw)
        seconds = process_time() - started
        with service.database.reading() as tx:
            emails = tuple(len(tx.outbound.raw(mail.id)) for mail in arrival.outbound)
        found = arrival.message
        if any(mail.match for mail in arrival.outbound):
            self.world.look()
            self._refresh()
        else:
            self.world.clock.advance(_BETWEEN)
        return Blow(message.kind, len(message.raw), seconds, found.status, found.reason, emails)

    def close(self) -> None:
        """Close everything that is open."""
        self.world.close()

    def _refresh(self) -> None:
        """Let emails arrive, some time pass, and new matches begin in the place of those that are over."""
        self.world.open_matches()
        self.world.clock.advance(_BETWEEN)
        self.world.deliver()
        for address, raw in self._courier.collect():
            notice = read_notice(raw)
            if "+" in notice.reply_to:  # else it belongs to no match
                self._notices[address] = [*self._notices[address][-_KEPT:], notice]

    def _target(self) -> Target:
        """Return a seat with what its player knows, mostly the one that is to act."""
        match = self.world.match(self._chance.choice(list(self.world.plies())))
        seat = match.to_act if isinstance(match.to_act, int) else 0
        if self._chance.random() < 0.3:
            seat = self._chance.randrange(len(match.players))
        own = self._notices[match.players[seat].email]
        others = [notices[-1].reply_to for notices in self._notices.values()]
        newest = own[-1]
        move = str(match.position.any_move(self._chance.randrange)) if isinstance(match.to_act, int) else "d4"
        return Target(
            newest.reader,
            newest.reply_to,
            newest.message_id,
            newest.text,
            newest.html,
            move,
            tuple(notice.reply_to for notice in own[:-1]),
            tuple(others),
            tuple(player.email for player in match.players),
        )
