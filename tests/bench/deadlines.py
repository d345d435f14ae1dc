"""What is due: passes that do nothing, or a few things, with few and many matches; players with many of their own."""

import gc
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median

from pbem.mail.reply_token import ReplyToken, sign_token
from pbem.ports import Fetched
from pbem.running.service import Service
from pbem.storage.database import Database
from tests.bench import fill
from tests.bench.report import Table
from tests.bench.world import SETTINGS, Clock, Dice
from tests.support.replies import Answered, write_reply

LEVELS = (100, 100_000)
"""Running matches."""

OWN = (1, 50, 500)
"""Matches of one player in which it is their turn."""

_DUE = (1, 10, 100)
_IDLE = 50  # passes with nothing to do, that are measured together
_LATE = {
    "checks put off": timedelta(hours=1),
    "reminders": timedelta(days=5, hours=1),
    "flags": timedelta(days=7, hours=1),
}
"""What becomes of a clock of seven days, and how long it has run then."""


def by_what_is_due(rounds: int, tell: Callable[[str], None]) -> Table:
    """Return the table of passes in databases of all sizes, measured in turns."""
    with _halls(LEVELS, tell) as halls:
        rows = [_row("nothing", 1, [hall.idle for hall in halls], rounds)]
        for what in _LATE:
            for count in _DUE:
                tell(f"due: {count} {what}")
                works = [lambda hall=hall, what=what, count=count: hall.do(what, count) for hall in halls]
                rows.append(_row(f"{count} {what}", count, works, rounds))
    columns = ("due", *(f"{level:,} matches, ms" for level in LEVELS), "ratio", "ms a thing")
    meaning = (
        f"The CPU of one pass over what is due with {LEVELS[0]:,} and with {LEVELS[1]:,} running matches, in turns, the"
        f" median of {rounds} rounds. **The ratio is the figure**: 1 would mean that only what is due costs anything."
        " *checks put off* are clocks that are looked at and run on, as after an outage; a reminder is one email, a"
        " flag is a match whose time is over, of which both players are told. *ms a thing* is with many matches."
    )
    return Table("What is due", columns, tuple(rows), meaning)


def by_own_matches(rounds: int, tell: Callable[[str], None]) -> Table:
    """Return the table of players with few and with many matches of their own."""
    rows = []
    with _halls((max(OWN),), tell) as (hall,):
        for own in OWN:
            tell(f"due: a player with {own} matches")
            player = hall.seat_player(own)
            found = [
                (hall.remind(player, own), *hall.command(player, zone), *hall.command(player, absence))
                for zone, absence in list(zip(("tz Europe/Lisbon", "tz UTC"), _ABSENCES, strict=True)) * rounds
            ]
            rows.append((f"{own}", *(f"{median(column):.2f}" for column in zip(*found, strict=True))))
    columns = ("matches", "reminder", "tz", "pass after it", "vacation", "pass after it")
    meaning = (
        "Milliseconds of CPU for a player whose turn it is in so many matches at once: one email that reminds them of"
        " all of these, a message with *tz* or *vacation*, and the pass over what is due after it, in which all their"
        f" clocks are looked at. The median of {2 * rounds} times."
    )
    return Table("A player with many matches", columns, tuple(rows), meaning)


_ABSENCES = ("vacation 3 aug", "back")


def _row(name: str, count: int, works: Sequence[Callable[[], float]], rounds: int) -> tuple[str, ...]:
    """Return what a piece of work takes in each database, and how that compares."""
    found = [[work() for work in works] for _ in range(rounds + 1)][1:]
    few, many = (median(column) for column in zip(*found, strict=True))
    ratio = median(row[1] / row[0] for row in found)
    return name, f"{few:.3f}", f"{many:.3f}", f"{ratio:.2f}", f"{many / count:.3f}"


@contextmanager
def _halls(levels: Sequence[int], tell: Callable[[str], None]) -> Iterator[list["_Hall"]]:
    """Yield databases with so many running matches each."""
    with tempfile.TemporaryDirectory() as name:
        template = Path(name) / "small.db"
        fill.make_template(template, over=False)
        _drop_messages(template)
        halls = []
        for level in levels:
            tell(f"due: filling a database with {level:,} matches")
            file = Path(name) / f"{level}.db"
            fill.fill(template, file, level)
            halls.append(_Hall(file))
        yield halls
        for hall in halls:
            hall.close()


def _drop_messages(file: Path) -> None:
    """Drop all messages but the latest email to each seat: nothing that is due looks at them."""
    with closing(sqlite3.connect(file)) as database, database:
        for table in ("matchentry", "remark", "outbound"):
            database.execute(f"UPDATE {table} SET inbound_id = NULL")
        database.execute("DELETE FROM outbound WHERE id NOT IN (SELECT max(id) FROM outbound GROUP BY match_id, seat)")
        database.execute("DELETE FROM inbound")


class _Hall:
    """A database with many running matches, and the service over it."""

    def __init__(self, file: Path) -> None:
        self._clock = Clock()
        self._service = Service(SETTINGS, Database(f"sqlite:///{file}"), clock=self._clock, dice=Dice())
        self._rows = sqlite3.connect(file, isolation_level=None)
        self._rows.execute("UPDATE player SET automatic = 0")  # at the flag the others are asked
        self._banks = self._rows.execute("SELECT banks FROM clock LIMIT 1").fetchone()[0]
        self._written = 0

    def close(self) -> None:
        """Close everything that is open."""
        self._rows.close()
        self._service.database.close()

    def idle(self) -> float:
        """Return what a pass takes in which nothing is due, in milliseconds."""
        self._pass_time()
        return _milliseconds(lambda: [self._service.run_due() for _ in range(_IDLE)]) / _IDLE

    def do(self, what: str, count: int) -> float:
        """Return what a pass takes in which so many things are due."""
        matches = f"(SELECT match_id FROM clock ORDER BY match_id LIMIT {count})"
        self._pass_time()
        self._let_run(matches, _LATE[what])
        if what == "reminders":
            players = f"SELECT player_id FROM place NATURAL JOIN clock WHERE match_id IN {matches}"
            subjects = f"kind = 'reminder' AND subject IN ({players})"
        else:
            subjects = f"kind = 'clock' AND subject IN {matches}"
        self._let_be_due(subjects)
        return self._do_due(count)

    def seat_player(self, own: int) -> int:
        """Let a new player have the seat to act in so many matches; return their number."""
        (player,) = self._rows.execute("SELECT max(id) + 1 FROM player").fetchone()
        self._rows.execute(
            "INSERT INTO player (id, name, folded, created_at, changed_at, automatic, display, quiet, generation, zone,"
            " remind, away, quiet_hours, former_name, robot)"
            " VALUES (?, ?, ?, ?, ?, 0, '', 0, 0, '', '', '', '', '', 0)",
            (player, f"Zoe {own}", f"zoe {own}", *[_stored(self._clock.now())] * 2),
        )
        self._rows.execute(
            "INSERT INTO address (email, player_id, is_primary, soft_bounces, hard_bounces) VALUES (?, ?, 1, 0, 0)",
            (f"zoe{own}@a.example", player),
        )
        seats = f"SELECT match_id, seat FROM clock ORDER BY match_id LIMIT {own}"
        self._rows.execute(f"UPDATE place SET player_id = ? WHERE (match_id, seat) IN ({seats})", (player,))
        return int(player)

    def remind(self, player: int, own: int) -> float:
        """Return what reminding a player of all their turns takes."""
        self._pass_time()
        self._let_run(f"(SELECT match_id FROM place WHERE player_id = {player})", _LATE["reminders"])
        self._rows.execute(
            "INSERT INTO due VALUES ('reminder', ?, ?, 0) ON CONFLICT DO NOTHING", (player, _stored(self._clock.now()))
        )
        self._let_be_due(f"kind = 'reminder' AND subject = {player}")
        return self._do_due(1)

    def command(self, player: int, text: str) -> tuple[float, float]:
        """Return what a command of a player takes, and the pass after it."""
        self._pass_time(timedelta(days=1))  # nobody is answered to as often as they like
        self._let_run(f"(SELECT match_id FROM place WHERE player_id = {player})", timedelta(hours=1))
        self._written += 1
        query = "SELECT match_id, seat, email FROM place NATURAL JOIN address WHERE player_id = ? LIMIT 1"
        number, seat, email = self._rows.execute(query, (player,)).fetchone()
        with self._service.database.reading() as tx:
            match = tx.matches.get(number)
        assert match is not None
        token = sign_token(ReplyToken(number, match.turn, seat, nonce=match.nonce), SETTINGS.secret)
        notice = Answered(email, f"games+{token}@pbem.example", "your turn", f"<{token}.x@a.b>", "", "", "")
        raw = write_reply("short", notice, text, self._written)

        def carry() -> None:
            ((message, _),) = self._service.receive([Fetched(raw)])
            self._service.process_waiting()
            with self._service.database.reading() as tx:
                record = tx.inbound.get(message)
            assert record is not None
            assert record.status == "accepted", f"“{text}” was not accepted: {record.code}"

        return _milliseconds(carry), _milliseconds(self._service.run_due)

    def _do_due(self, count: int) -> float:
        """Return what a pass takes. Raise AssertionError if not so many things are due in it."""
        done = []
        spent = _milliseconds(lambda: done.append(self._service.run_due()))
        assert done == [count], f"{done} things were due, not {count}"
        return spent

    def _pass_time(self, by: timedelta = timedelta(seconds=1)) -> None:
        """Let time pass in which the service worked, and nothing come due."""
        self._clock.advance(by)
        now, later = _stored(self._clock.now()), _stored(self._clock.now() + timedelta(days=90))
        self._rows.executemany("INSERT OR REPLACE INTO heartbeat VALUES (?, ?)", [("receives", now), ("sends", now)])
        self._rows.execute("UPDATE due SET due_at = ? WHERE done = 0 AND due_at < ?", (later, later))
        gc.collect()

    def _let_run(self, matches: str, for_so_long: timedelta) -> None:
        """Let the clocks of some matches, given in SQL, have run for some time."""
        since = _stored(self._clock.now() - for_so_long)
        change = (
            "halted = '', halted_at = NULL, flagged_at = NULL, reminded = NULL, turned_at = ?, since = ?, banks = ?"
        )
        self._rows.execute(f"UPDATE clock SET {change} WHERE match_id IN {matches}", (since, since, self._banks))

    def _let_be_due(self, subjects: str) -> None:
        """Let some due things, given in SQL, be due now."""
        now = _stored(self._clock.now())
        self._rows.execute(f"UPDATE due SET due_at = ?, done = 0 WHERE {subjects}", (now,))


def _stored(moment: datetime) -> str:
    """Return a moment as SQLite has it."""
    return f"{moment:%Y-%m-%d %H:%M:%S.%f}"


def _milliseconds(work: Callable[[], object]) -> float:
    """Return how much CPU a piece of work takes, in milliseconds."""
    started = time.process_time()
    work()
    return 1000 * (time.process_time() - started)
