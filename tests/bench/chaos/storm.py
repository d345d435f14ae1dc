"""The faults of a season, as they strike: one after another as the season goes on, and some at once."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.bench.chaos.faults import Fault, Kind
from tests.bench.chaos.ledger import Span
from tests.bench.chaos.life import POINTS
from tests.bench.chaos.stage import LOOK_SECONDS, Stage
from tests.bench.chaos.switches import Outlet, Switch
from tests.bench.chaos.wire import Wire

_MOST_WAIT = 6.0  # seconds without progress, after which the next fault strikes nevertheless
_DELAY, _RATE = 0.3, 8_000  # seconds, bytes a second


@dataclass(frozen=True)
class Struck:
    """A fault as it struck: when it began and was over, in seconds; ``hit``: it did what it should."""

    kind: Kind
    span: Span
    hit: bool


class Storm:
    """The faults of a season, as they strike: one after another as the season goes on, some at once."""

    def __init__(self, stage: Stage, emails: int, tell: Callable[[str], None]) -> None:
        self._stage, self._emails, self._tell = stage, emails, tell
        self.struck: list[Struck] = []
        self._locks = {name: asyncio.Lock() for name in ("service", "IMAP", "SMTP", "PostgreSQL")}

    async def rage(self, faults: Sequence[Fault]) -> None:
        """Let all faults strike, spread over the emails of the season, and wait until all are over."""
        async with asyncio.TaskGroup() as striking:
            for number, fault in enumerate(faults, 1):
                self._tell(f"fault {number} of {len(faults)}: {fault.kind}; {len(self._stage.players.known)} emails")
                if not fault.at_once:
                    await self._reach(self._emails * number / (len(faults) + 1))
                lock = self._locks[_struck_by(fault)]
                await lock.acquire()
                striking.create_task(self._strike(fault, lock))

    async def _reach(self, emails: float) -> None:
        """Wait until so many emails have come, or none comes any more."""
        players, since = self._stage.players, time.monotonic()
        count = len(players.known)
        while len(players.known) < emails and time.monotonic() - since < _MOST_WAIT:
            await asyncio.sleep(LOOK_SECONDS)
            if count != len(players.known):
                count, since = len(players.known), time.monotonic()

    async def _strike(self, fault: Fault, lock: asyncio.Lock) -> None:
        began = time.monotonic()
        try:
            hit = await self._carry_out(fault)
        finally:
            lock.release()
        self.struck.append(Struck(fault.kind, Span(began, time.monotonic()), hit))

    async def _carry_out(self, fault: Fault) -> bool:
        """Carry a fault out, and return when it is over; whether it did what it should."""
        stage, seconds = self._stage, fault.seconds
        match fault.kind:
            case Kind.SERVICE:
                await stage.service.kill(seconds)
            case Kind.POINT:
                return await self._kill_at(fault.point)
            case Kind.READ_ONLY:
                await stage.service.kill_while(stage.disk.freeze, 2 * seconds, stage.disk.thaw)
            case Kind.IMAP:
                await stage.imap.kill(seconds)
            case Kind.SMTP:
                await stage.smtp.kill(seconds)
            case Kind.UNKNOWN:
                return await self._kill_before_answer(seconds)
            case Kind.DATABASE:
                assert stage.postgresql is not None
                await stage.postgresql.kill(seconds)
            case Kind.GREYLISTING:
                stage.switches[Switch.OUTLET] = Outlet.GREYLISTS
                await asyncio.sleep(seconds)
                stage.switches[Switch.OUTLET] = Outlet.SERVES
            case Kind.DISK_FULL:
                pid = stage.service.pid
                stage.disk.fill(pid)
                await asyncio.sleep(seconds)
                stage.disk.free(pid)
            case _:
                await self._disturb(fault, stage.wires[fault.wire])
        return True

    async def _disturb(self, fault: Fault, wire: Wire) -> None:
        """Disturb the network."""
        match fault.kind:
            case Kind.CUT:
                wire.cut()
                return
            case Kind.SLOW:
                wire.delay = _DELAY
            case Kind.NARROW:
                wire.rate = _RATE
            case _:
                wire.silent = True
                wire.kill_lines()
        await asyncio.sleep(fault.seconds)
        wire.delay, wire.rate, wire.silent = 0.0, None, False

    async def _kill_at(self, point: str) -> bool:
        """Let the service kill itself when it passes a point; kill it if it does not come there."""
        service = self._stage.service
        self._stage.switches[Switch.DEATH] = POINTS.index(point) + 1
        hit = await service.dies_within(_MOST_WAIT)
        self._stage.switches[Switch.DEATH] = 0
        if not hit:
            await service.kill(0)
        return hit

    async def _kill_before_answer(self, seconds: float) -> bool:
        """Let the SMTP server die once it has stored an email, before it says so; kill it if none comes."""
        stage = self._stage
        stage.switches[Switch.OUTLET] = Outlet.DIES
        hit = await stage.smtp.dies_within(_MOST_WAIT)
        stage.switches[Switch.OUTLET] = Outlet.SERVES
        await stage.smtp.kill(seconds)
        return hit


def _struck_by(fault: Fault) -> str:
    """Return what a fault strikes, which is struck by no other one meanwhile."""
    match fault.kind:
        case Kind.SERVICE | Kind.POINT | Kind.READ_ONLY | Kind.DISK_FULL:
            return "service"
        case Kind.IMAP:
            return "IMAP"
        case Kind.SMTP | Kind.UNKNOWN | Kind.GREYLISTING:
            return "SMTP"
        case Kind.DATABASE:
            return "PostgreSQL"
        case _:
            return fault.wire
