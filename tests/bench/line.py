"""The whole line beside the bare transport: the same bytes, in turns, in one process."""

import gc
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Literal

from pbem.ports import Fetched
from pbem.running.machine import settle
from tests.bench.bare import Bare, Commits
from tests.bench.kept import KeptCourier
from tests.bench.machine import calibrate
from tests.bench.sink import Sink
from tests.bench.world import BATCH, Sort, World
from tests.support.counting import counting_commits
from tests.support.replies import KINDS, Kind

Mixture = Literal["short", "quoted", "gmail", "mix"]
MIXTURES: tuple[Mixture, ...] = (*KINDS, "mix")
_MOST_ROUNDS = 100


@dataclass(frozen=True)
class Round:
    """What one reply to every match took: milliseconds of CPU a message, and of time, of the line and of the bare one.

    ``receiving``, ``processing`` and ``delivering`` are the line's CPU in its three calls. ``commits`` and ``mails``
    are of all ``messages``. ``calibration`` is what fixed work took meanwhile.
    """

    messages: int
    mails: int
    inbound_bytes: int
    outbound_bytes: int
    commits: Commits
    line: float
    receiving: float
    processing: float
    delivering: float
    line_time: float
    bare: float
    bare_time: float
    calibration: float

    @property
    def ratio(self) -> float:
        """The CPU of the bare transport, as a part of that of the line."""
        return self.bare / self.line


class Line:
    """Matches under way, an SMTP server in another process, and a bare transport beside the line.

    With ``kept``, nothing is really sent, and ``round`` and ``run`` cannot be called. ``file`` is the database.
    """

    def __init__(
        self,
        directory: Path,
        sorts: Sequence[Sort],
        matches: int,
        *,
        file: Path | None = None,
        kept: KeptCourier | None = None,
    ) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._outlet: Sink | KeptCourier = kept or Sink()
        self.file = file or directory / "line.db"
        self.world = World(self.file, self._outlet.courier, sorts, matches)
        self._bare = None
        if isinstance(self._outlet, Sink):
            self._bare = Bare(directory / "bare.db", self._outlet.port, self.world.runner)
        self._rounds, self._plies = 0, dict[int, int]()
        settle()  # as whoever serves does
        self._refill()

    def round(self, mixture: Mixture) -> Round:
        """Let every match get one reply, and return what that took."""
        return self.run(self.prepare(mixture))

    def run(self, replies: Mapping[int, bytes]) -> Round:
        """Take in the reply to each match; measure the line, then the bare transport."""
        assert self._bare is not None, "nothing can be compared with what does not send"
        raws = list(replies.values())
        gc.collect()
        with counting_commits() as counts:
            laps, marks = [_now()], [0]
            for _ in self.carry(raws):
                laps.append(_now())
                marks.append(counts["commits"])
        mails = self.settle(replies)
        commits = Commits(*(later - earlier for earlier, later in pairwise(marks)))
        gc.collect()  # what the line has left behind is not the fault of the other
        bare_start = _now()
        self._bare.carry(raws, mails, commits)
        bare_end = _now()
        self._outlet.collect()
        cpu = [1000 * (end[0] - start[0]) / len(raws) for start, end in pairwise(laps)]
        return Round(
            messages=len(raws),
            mails=len(mails),
            inbound_bytes=sum(map(len, raws)),
            outbound_bytes=sum(len(raw) for _, raw in mails),
            commits=commits,
            line=sum(cpu),
            receiving=cpu[0],
            processing=cpu[1],
            delivering=cpu[2],
            line_time=1000 * (laps[-1][1] - laps[0][1]) / len(raws),
            bare=1000 * (bare_end[0] - bare_start[0]) / len(raws),
            bare_time=1000 * (bare_end[1] - bare_start[1]) / len(raws),
            calibration=calibrate(rounds=3).unit,
        )

    def carry(self, raws: Sequence[bytes]) -> Iterator[str]:
        """Take messages through the line: yields after receiving, after processing, and after delivering."""
        self._receive(raws)
        yield "received"
        self.world.service.process_waiting()
        yield "processed"
        self.world.deliver()
        yield "delivered"

    def settle(self, replies: Mapping[int, bytes]) -> list[tuple[str, bytes]]:
        """Let what the line has sent arrive, and return it. Raise AssertionError if a reply was in vain."""
        mails = self._outlet.collect()
        self.world.look()
        after = self.world.plies()
        still = [number for number in replies if after[number] == self._plies[number]]
        assert not still, f"no move was made in the matches {still}"
        assert len(mails) >= len(replies)
        self.world.arrive(mails)
        return mails

    def prepare(self, mixture: Mixture) -> dict[int, bytes]:
        """Return a reply to every match, an hour later, of one kind or of the three in turn."""
        self._refill()
        self.world.clock.advance(timedelta(hours=1))
        self._plies = self.world.plies()
        self._rounds += 1
        if mixture != "mix":
            return self.world.prepare(mixture)
        replies: dict[int, bytes] = {}
        for place, number in enumerate(self._plies):
            kind: Kind = KINDS[(place + self._rounds) % len(KINDS)]
            replies |= self.world.prepare(kind, [number])
        return replies

    def _refill(self) -> None:
        """Open matches in the place of those that are over, and play them as far as wanted, by email in the end."""
        for _ in range(_MOST_ROUNDS):
            self.world.open_matches()
            short = [number for number in self.world.plies() if self.world.moves_missing(number) > 0]
            if replies := self.world.prepare("short", short):
                self._receive(list(replies.values()))
                self.world.service.process_waiting()
                self.world.deliver()
                self.world.look()
            self.world.arrive(self._outlet.collect())
            if not short:
                return
        raise AssertionError("the matches do not become as long as they should")

    def _receive(self, raws: Sequence[bytes]) -> None:
        """Receive messages, as many in a transaction as come from a mailbox at once."""
        for start in range(0, len(raws), BATCH):
            self.world.service.receive([Fetched(raw) for raw in raws[start : start + BATCH]])

    def close(self) -> None:
        """Close everything that is open."""
        if self._bare is not None:
            self._bare.close()
        self.world.close()
        self._outlet.end()


def _now() -> tuple[float, float]:
    """Return the CPU and the time of this process up to now, in seconds."""
    return time.process_time(), time.perf_counter()
