"""A process killed at any waypoint of the line loses no message, applies none twice, and sends no new mail twice."""

import asyncio
import json
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pbem.demo.servers import DemoServers
from pbem.mail.message import parse
from pbem.mail.reply_token import ReplyToken, sign_token
from pbem.match.match import Match
from pbem.running.service import WAYPOINTS, Service
from pbem.settings.model import Settings
from pbem.storage.database import Database
from tests.e2e.line_process import COMMIT
from tests.e2e.messages import reply
from tests.support.fakes import FakeClock, FakeCourier, FakeDice

pytestmark = pytest.mark.slow("kills processes")
ROOT = Path(__file__).resolve().parents[2]
NOW = datetime(2020, 11, 20, 12, tzinfo=UTC)
GAMES, ANN, BOB, CARL = (f"{name}@example.org" for name in ("games", "ann", "bob", "carl"))
STRANGER = "stranger@example.org"
SECRET = "a secret for this test"
KILLED = -9
# What may differ after a death in between: an email that was tried twice, and when it went.
_ATTEMPTS = {"attempts", "unknown", "due_at", "sent_at"}


@dataclass
class Found:
    """What a life, or several, left behind: rows by table, emails by recipient."""

    rows: dict[str, list[dict[str, object]]]
    mails: Counter[tuple[str, bytes]]
    passed: Counter[str] = field(default_factory=Counter)


class Lives:
    """The process that lives and dies to order."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.e2e.line_process"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def live(self, order: dict[str, Any]) -> tuple[int, Counter[str]]:
        """Live once; returns the exit code and how often each waypoint was passed."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        return answer["code"], Counter(answer["passed"])

    def end(self) -> None:
        """Let the process end; it does when its input does."""
        self._process.communicate(timeout=10)


@dataclass
class World:
    """A match with messages waiting, to be copied for every death."""

    lives: Lives
    database: Path
    place: Path
    messages: list[bytes]
    count: int = 0
    connections: int = 1

    def run(self, *deaths: tuple[str, int]) -> Found:
        """Live and die as told, each time from the waypoint and its number, then once undisturbed."""
        return asyncio.run(self._run(deaths))

    async def _run(self, deaths: tuple[tuple[str, int], ...]) -> Found:
        self.count += 1
        database = self.place / f"{self.count}.db"
        shutil.copy(self.database, database)
        mails: Counter[tuple[str, bytes]] = Counter()

        def arrived(_sender: str, recipient: str, raw: bytes) -> None:
            mails[recipient, raw] += 1

        async with DemoServers([GAMES, ANN, BOB, CARL, STRANGER], on_mail=arrived) as servers:
            for message in self.messages:
                await servers.deliver(message, GAMES)
            settings = {
                "address": GAMES,
                "secret": SECRET,
                "database_url": f"sqlite:///{database}",
                "imap_url": servers.imap_url(GAMES),
                "smtp_url": f"{servers.smtp_url}?connections={self.connections}",
            }
            for waypoint, number in (*deaths, ("", 0)):
                order = {
                    "settings": settings,
                    "clock": NOW.isoformat(),
                    "waypoint": waypoint,
                    "count": number,
                    "passed": str(self.place / f"{self.count}.passed"),
                }
                code, passed = await asyncio.to_thread(self.lives.live, order)
                # What several connections have sent is noted in as many commits as it happens to take.
                too_few = self.connections > 1 and waypoint == COMMIT and passed[COMMIT] < number
                assert code == (KILLED if waypoint and not too_few else 0), (waypoint, number, passed)
                if code != KILLED:
                    break  # it has lived to its end, and a life after it would begin before that
        return Found(_rows(database), mails, passed)


@pytest.fixture(scope="module")
def lives() -> Iterator[Lives]:
    """Start the process in which the line is run, and end it."""
    process = Lives()
    yield process
    process.end()


@pytest.fixture(scope="module")
def world(lives: Lives, tmp_path_factory: pytest.TempPathFactory) -> World:
    """Open a match, play to the third turn, and write the messages that wait."""
    place = tmp_path_factory.mktemp("killed")
    file = place / "before.db"
    database = Database(f"sqlite:///{file}")
    database.upgrade()
    courier = FakeCourier()
    settings = Settings(address=GAMES, secret=SECRET)
    service = Service(settings, database, clock=FakeClock(NOW), dice=FakeDice(), courier=courier)
    match = service.open("zipline", [f"Ann <{ANN}>", f"Bob <{BOB}>", f"Carl <{CARL}>"], {"size": 5})
    for ply, (seat, sender, move) in enumerate([(0, ANN, "c3"), (1, BOB, "take")]):
        raw = reply(sender, _tagged(match, ply, seat), move, message_id=f"<start{ply}@example.org>")
        assert service.hand_in(raw).message.status == "accepted"
    asyncio.run(service.deliver())
    asyncio.run(service.close())
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return World(lives, file, place, _waiting(match, courier.carried[-1][1]))


@pytest.fixture(scope="module")
def undisturbed(world: World) -> Found:
    """Run the line once and kill nothing."""
    return world.run()


def test_the_undisturbed_line_does_all_there_is_to_do(world: World, undisturbed: Found) -> None:
    """The run that the others are measured by plays two moves, passes on words, answers typos, and sends it all."""
    rows = undisturbed.rows
    assert [row["text"] for row in rows["matchentry"]] == ["c3", "take", "a1", "b1"]
    assert {(row["text"], row["to_side"]) for row in rows["remark"]} == {("Have fun.", 0), ("I go along row 1.", 1)}
    assert [(row["status"], row["reason"]) for row in rows["inbound"][2:]] == [
        ("accepted", ""),
        ("rejected", "move_rejected"),
        ("accepted", ""),
        ("discarded", "automatic"),
        ("rejected", "unknown_sender"),
        ("accepted", ""),
        ("rejected", "stale_turn"),
        ("failed", "unreadable"),
    ]
    assert {row["status"] for row in rows["outbound"]} == {"sent"}
    assert set(undisturbed.mails.values()) == {1}
    assert {"matchentry", "remark", "inbound", "outbound", "mailboxcursor"} <= set(rows)
    assert set(undisturbed.passed) == {*WAYPOINTS, COMMIT}


@pytest.mark.parametrize("waypoint", WAYPOINTS)
def test_a_process_killed_at_a_waypoint_changes_nothing(world: World, undisturbed: Found, waypoint: str) -> None:
    """Killed at the first, the middle and the last passing of a waypoint, the line ends where it would have."""
    passings = undisturbed.passed[waypoint]
    for number in sorted({1, (1 + passings) // 2, passings}):
        _compare(world.run((waypoint, number)), undisturbed, world, 1 if waypoint == "sent" else 0)


def test_a_process_killed_before_a_commit_changes_nothing(world: World, undisturbed: Found) -> None:
    """Killed before a commit, at every third there is, the line ends where it would have."""
    for number in range(1, undisturbed.passed[COMMIT] + 1, 3):
        _compare(world.run((COMMIT, number)), undisturbed, world, 1)


def test_a_process_killed_again_and_again_gets_there_in_the_end(world: World, undisturbed: Found) -> None:
    """Twelve deaths in a row, wherever a process can die, and still every message counts once."""
    messages = [
        (waypoint, number) for waypoint in ("before processing", "while processing", "processed") for number in (1, 2)
    ]
    mails = [("before sending", 1), ("sent", 1)]
    _compare(world.run(("fetched", 1), ("received", 1), *messages, *mails, *mails), undisturbed, world, 2)


def test_a_process_killed_between_two_batches_reads_on_where_it_was(world: World) -> None:
    """A mailbox of more than one batch is read to its end, though the process dies at the second batch."""
    notes = [
        reply(BOB, GAMES, "I am away.", message_id=f"<away{number}@example.org>", Auto_Submitted="auto-replied")
        for number in range(48)
    ]
    more = World(world.lives, world.database, world.place, notes + world.messages, 1000)
    undisturbed = more.run()
    assert undisturbed.passed["fetched"] == 2
    for waypoint in ("fetched", "received"):
        _compare(more.run((waypoint, 2)), undisturbed, more, 0)


def test_a_process_killed_while_it_sends_several_emails_repeats_no_more_than_those(world: World) -> None:
    """With three connections three emails may be under way at a death; only those can come twice."""
    wide = World(world.lives, world.database, world.place, world.messages, 2000, connections=3)
    undisturbed = wide.run()
    for waypoint in ("before sending", "sent", COMMIT):
        passings = undisturbed.passed[waypoint]
        for number in sorted({1, 2, (1 + passings) // 2, passings}):
            _compare(wide.run((waypoint, number)), undisturbed, wide, 3)


def _compare(found: Found, undisturbed: Found, world: World, repeated: int) -> None:
    """Compare all that is kept, and make sure that at most so many emails came twice, and no other came."""
    assert found.rows == undisturbed.rows
    # Two letters were there before, and a repeated letter is kept once.
    assert len(found.rows["inbound"]) == 2 + len(set(world.messages)), "a letter was lost"
    assert set(found.mails) == set(undisturbed.mails)
    again = found.mails - undisturbed.mails
    assert again.total() <= repeated
    # The very same bytes, so the Message-ID too, by which an email program knows that it has them already.
    assert set(again) <= set(undisturbed.mails)


def _rows(database: Path) -> dict[str, list[dict[str, object]]]:
    """Return every row of every table, in the order of their numbers, but for what may differ."""
    with closing(sqlite3.connect(database)) as connection:
        connection.row_factory = sqlite3.Row
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = {name: [dict(row) for row in connection.execute(f"SELECT * FROM {name} ORDER BY 1")] for name in names}
    rows["outbound"] = [{key: row[key] for key in row if key not in _ATTEMPTS} for row in rows["outbound"]]
    # Every run has servers of its own, with other ports and another UIDVALIDITY.
    rows["mailboxcursor"] = [{"last_uid": row["last_uid"]} for row in rows["mailboxcursor"]]
    return rows


def _waiting(match: Match, notice: bytes) -> list[bytes]:
    """Return the messages that wait in the mailbox, oldest first."""
    quoted = parse(notice).text
    carls = reply(f"Carl <{CARL}>", _tagged(match, 2, 2), "a1\nHave fun.", message_id="<1@example.org>", quoted=quoted)
    team = "team: I go along row 1."
    return [
        carls,
        reply(ANN, _tagged(match, 3, 0), "c3", message_id="<2@example.org>", quoted=quoted),
        reply(ANN, _tagged(match, 3, 0), team, message_id="<3@example.org>", quoted=quoted),
        reply(BOB, _tagged(match, 2, 1), "I am away.", message_id="<4@example.org>", Auto_Submitted="auto-replied"),
        carls,
        reply(STRANGER, GAMES, "How do I take part?", message_id="<5@example.org>"),
        reply(ANN, _tagged(match, 3, 0), "b1", message_id="<6@example.org>", quoted=quoted),
        reply(CARL, _tagged(match, 2, 2), "a2", message_id="<7@example.org>", quoted=quoted),
        b"no mail at all\r\n",
    ]


def _tagged(match: Match, ply: int, seat: int) -> str:
    """Return the address that a reply to the notice of ``ply`` goes to."""
    return GAMES.replace("@", f"+{sign_token(ReplyToken(match.id, ply, seat, nonce=match.nonce), SECRET)}@")
