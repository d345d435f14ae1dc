"""Workers beside the service, over a real PostgreSQL server: order, takeover, deadlines, and messages that harm."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread

import pytest

from pbem.cli.doctor.running import check_service
from pbem.demo.servers import DemoServers
from pbem.due.outages import RECEIVES, SENDS
from pbem.pipeline.process import process as process_message
from pbem.ports import Batch, Cursor, Fetched
from pbem.running.metrics import _measure
from pbem.running.worker import work
from pbem.settings.model import Settings
from pbem.storage.messages.records import Disposition
from tests.e2e.program import GAMES, PATIENCE, PBEM, Postbox, without_settings
from tests.e2e.real.place import wait_until
from tests.support.club import ADDRESS, OPERATOR, SECRET, Club, make_club
from tests.support.mails import message
from tests.support.postgresql import PostgreSqlServer

pytestmark = pytest.mark.slow("needs a PostgreSQL server, and processes that work")

ROOT = Path(__file__).resolve().parents[2]
DAY = timedelta(days=1)


@pytest.fixture
def clubs(postgresql_url: str) -> Iterator[Callable[..., Club]]:
    """Return what makes clubs over one database, as processes on several machines have it."""
    settings = Settings(address=ADDRESS, secret=SECRET, operator=OPERATOR, database_url=postgresql_url)
    made: list[Club] = []

    def make(**ports: object) -> Club:
        made.append(make_club(settings, **ports))  # type: ignore[arg-type]  # fakes
        return made[-1]

    yield make
    for club in made:
        club.service.database.close()


def store(club: Club, *raws: bytes) -> list[int]:
    """Store messages, which then wait."""
    return [number for number, _ in club.service.receive([Fetched(raw) for raw in raws])]


def say(club: Club, match: int, *words: str) -> list[bytes]:
    """Return messages to a match in which its first player says something."""
    notice = club.newest(0, match)
    return [club.answer(notice, f"say: {word}") for word in words]


def process_all(club: Club) -> list[int]:
    """Process, as a worker, what nobody else has taken; return the numbers."""
    with club.service.database.lanes(working=True) as lanes:
        return list(club.service.processing.process_in(lanes))


def comments(club: Club, match: int) -> list[str]:
    """Return what was said in a match, in order."""
    return [comment.text for comment in club.match(match).comments]


def status(club: Club, number: int) -> str:
    """Return the status of a message."""
    with club.service.database.reading() as tx:
        found = tx.inbound.get(number)
    assert found is not None
    return found.status


def test_many_workers_keep_the_order_of_each_match(clubs: Callable[..., Club]) -> None:
    """Three workers at once; what is said in each of four matches stands there as it came in, each once."""
    leader = clubs()
    matches = [leader.open().id for _ in range(4)]
    words = {match: [f"word {number} of {match}" for number in range(12)] for match in matches}
    by_match = [say(leader, match, *words[match]) for match in matches]
    numbers = store(leader, *(raw for row in zip(*by_match, strict=True) for raw in row))
    stop = Event()
    workers = [Thread(target=work, args=(clubs().service, stop), kwargs={"name": name, "look": 0.01}) for name in "abc"]
    for worker in workers:
        worker.start()
    while any(status(leader, number) == "received" for number in numbers):
        time.sleep(0.02)
    stop.set()
    for worker in workers:
        worker.join()
    assert {match: comments(leader, match) for match in matches} == words


def test_two_workers_are_never_in_one_match(clubs: Callable[..., Club]) -> None:
    """While one is in the middle of a message, the other takes those of other matches, and leaves what follows it."""
    there, go = Event(), Event()

    def linger(waypoint: str) -> None:
        if waypoint == "while processing":
            there.set()
            go.wait(PATIENCE)

    slow = clubs(at=linger)
    other = clubs()
    first, second = other.open().id, other.open().id
    one, two, three = store(other, *say(other, first, "one", "two"), *say(other, second, "three"))
    thread = Thread(target=process_all, args=(slow,))
    thread.start()
    assert there.wait(PATIENCE)
    assert process_all(other) == [three]
    assert [status(other, number) for number in (one, two)] == ["received"] * 2
    go.set()
    thread.join()
    process_all(other)
    assert comments(other, first) == ["one", "two"]


def test_a_stranger_waits_for_no_match(clubs: Callable[..., Club]) -> None:
    """Their message is processed while a match is taken, and two of one sender come in order; nobody else waits."""
    club = clubs()
    match = club.open().id
    (held,) = store(club, *say(club, match, "one"))
    strangers = [message("help", From=f"{name}@elsewhere.example", To=ADDRESS) for name in ("x", "y", "x")]
    raws = [raw.replace(b"Subject:", b"X-Number: %d\r\nSubject:" % number) for number, raw in enumerate(strangers)]
    waiting = store(club, *raws, b"no email at all\r\n")
    with club.service.database.lanes() as lanes, lanes.taken(str(match)) as taken:
        assert taken
        assert process_all(club) == list(dict.fromkeys(waiting))
    assert status(club, held) == "received"


def test_a_message_that_names_two_matches_waits_in_that_whose_token_is_right(clubs: Callable[..., Club]) -> None:
    """A forged token of another match before it does not let it overtake, or be overtaken."""
    club = clubs()
    first, second = club.open().id, club.open().id
    notice = club.newest(0, second)
    forged = ADDRESS.replace("@", f"+{first}.0.0.aaaaaaaaaa@")
    raw = club.answer(notice, "say: hello", To=forged, Cc=str(notice["Reply-To"]))
    store(club, raw)
    with club.service.database.lanes() as lanes:
        assert [lane for _, lane in lanes.waiting(10)] == [str(second)]


@pytest.mark.parametrize("waypoint", ["before processing", "while processing"])
def test_what_a_killed_worker_had_begun_another_does(
    waypoint: str, clubs: Callable[..., Club], postgresql_url: str
) -> None:
    """SIGKILL in the middle of a message: its lane is free at once, and it is processed once, within seconds."""
    club = clubs()
    match = club.open().id
    numbers = store(club, *say(club, match, "one", "two"))
    command = [sys.executable, "-m", "tests.e2e.worker_process", postgresql_url, waypoint, club.clock.now().isoformat()]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as doomed:
        assert doomed.stdout is not None
        assert doomed.stdout.readline() == "there\n"
        assert process_all(club) == []
        doomed.kill()
    killed = time.monotonic()
    done: list[int] = []
    while len(done) < 2:
        done += process_all(club)
        assert time.monotonic() - killed < PATIENCE
    print(f"taken over after {time.monotonic() - killed:.2f} s")
    assert done == numbers
    assert comments(club, match) == ["one", "two"]
    with club.service.database.reading() as tx:  # what the doctor tells of it, until a day has passed
        assert [worker.name for worker in tx.workers.all()] == ["doomed"]
    assert _measure(club.service)["pbem_workers"][1] == 1  # the clock stands still
    told = check_service(club.service.database, club.clock.now()).notes
    assert [note.partition(":")[0] for note in told] == ["Workers, each with the messages that it has processed"]
    club.clock.advance(timedelta(minutes=3))
    assert _measure(club.service)["pbem_workers_lost"][1] == 1
    (told_later,) = check_service(club.service.database, club.clock.now()).notes
    assert told_later.startswith("Worker doomed was last seen at 2026-11-20 18:30")


def test_who_serves_works_when_no_worker_does(clubs: Callable[..., Club]) -> None:
    """And leaves it to them while there is one, idle or not."""
    club = clubs()
    match = club.open().id
    (number,) = store(club, *say(club, match, "one"))
    with club.service.database.lanes(working=True):
        assert club.service.process_waiting() == 0
        asyncio.run(club.service.process_left())
        assert status(club, number) == "received"
    asyncio.run(club.service.process_left())
    assert status(club, number) == "accepted"


def test_a_future_deadline_never_delays_a_message(clubs: Callable[..., Club]) -> None:
    """Deadlines, reminders and an email due later are rows of their own: a message of their match is processed now."""
    club = clubs()
    club.open(days=3)
    club.mailbox.put(club.answer(club.newest(0), "c3"))
    asyncio.run(club.service.deliver())  # the clock runs, with a deadline and a reminder to come
    with club.service.database.transaction() as tx:
        assert tx.due.is_scheduled("clock", 1)
        tx.outbound.hasten(club.clock.now(), club.clock.now() + DAY)
    with club.service.database.lanes(working=True) as lanes:
        asyncio.run(club.service.poll())
        assert list(club.service.processing.process_in(lanes)) == [1]
    assert club.moves() == ["c3"]


def test_no_flag_falls_while_the_move_waits_for_a_worker(clubs: Callable[..., Club]) -> None:
    """A move that came in time and is still to be processed when the time is up counts, however late it is."""
    club = clubs()
    club.open(days=3, flag="forfeit")
    asyncio.run(club.service.poll())
    for _ in club.pass_time(3 * DAY - timedelta(minutes=2)):
        pass
    with club.service.database.lanes(working=True) as lanes:
        club.mailbox.put(club.answer(club.newest(0), "c3"))
        asyncio.run(club.service.poll())
        for _ in range(10):  # the time is up meanwhile, and all goes on
            club.clock.advance(timedelta(minutes=1))
            with club.service.database.transaction() as tx:
                tx.heartbeats.beat(SENDS, club.clock.now())
            asyncio.run(club.service.poll())
            asyncio.run(club.service.deliver())
        assert club.match().outcome is None
        assert list(club.service.processing.process_in(lanes)) == [1]
        assert club.moves() == ["c3"]
        asyncio.run(club.service.poll())
        with club.service.database.reading() as tx:
            assert tx.heartbeats.last()[RECEIVES] == club.clock.now()


def test_a_message_that_meets_a_bug_stops_no_worker(
    clubs: Callable[..., Club], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends as failed, the operator is told, and what waits behind it in its match and elsewhere is processed."""
    club = clubs()
    first, second = club.open().id, club.open().id
    numbers = store(club, *say(club, first, "one", "two"), *say(club, second, "three"))
    whole = process_message

    def process(act: object, locked: object, *rest: object) -> Disposition:
        if getattr(locked, "number", None) == numbers[0]:
            raise ZeroDivisionError
        return whole(act, locked, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("pbem.running.processing.process", process)
    process_all(club)
    assert [status(club, number) for number in numbers] == ["failed", "accepted", "accepted"]


def test_what_was_in_the_way_is_repeated(clubs: Callable[..., Club], monkeypatch: pytest.MonkeyPatch) -> None:
    """A player who writes in two matches at once changes one row in both: the one begins anew, and both count."""
    club, other = clubs(), clubs()
    first, second = club.open().id, club.open().id
    raws = [
        club.answer(club.newest(0, match), f"tz {zone}")
        for match, zone in [(first, "Europe/Berlin"), (second, "Asia/Tokyo")]
    ]
    one, two = store(club, *raws)
    whole, begun = process_message, list[object]()

    def process(act: object, locked: object, *rest: object) -> Disposition:
        begun.append(getattr(locked, "number", None))
        if begun == [one]:  # what is seen is fixed by now
            assert other.service.processing.process(two)
        return whole(act, locked, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("pbem.running.processing.process", process)
    assert club.service.processing.process(one)
    assert begun == [one, two, one]
    assert [status(club, number) for number in (one, two)] == ["accepted"] * 2


def test_a_worker_outlives_its_server(clubs: Callable[..., Club], postgresql: PostgreSqlServer) -> None:
    """It connects again, and does what waits then."""
    club, stop = clubs(), Event()
    match = club.open().id
    worker = Thread(target=work, args=(clubs().service, stop), kwargs={"look": 0.01})
    worker.start()
    postgresql.stop()
    postgresql.start()
    raws = say(club, match, "one")
    (number,) = store(club, *raws)
    begun = time.monotonic()
    while status(club, number) == "received":
        assert time.monotonic() - begun < PATIENCE
        time.sleep(0.05)
    stop.set()
    worker.join()


async def test_whoever_is_killed_a_match_goes_on(postgresql_url: str, tmp_path: Path) -> None:
    """One serves, one stands by, two work, each a process: a worker dies, then who serves; emails come all the same."""
    postbox = Postbox()
    async with DemoServers([GAMES, "ann@example.org", "bob@example.org"], on_mail=postbox) as servers:
        environment = without_settings() | {
            "PBEM_ADDRESS": GAMES,
            "PBEM_SECRET": SECRET,
            "PBEM_DATABASE_URL": postgresql_url,
            "PBEM_IMAP_URL": servers.imap_url(GAMES),
            "PBEM_SMTP_URL": servers.smtp_url,
            "PBEM_POLL_SECONDS": "1",
        }
        processes: dict[str, asyncio.subprocess.Process] = {}

        async def start(name: str, *arguments: str, ready: str) -> None:
            log = tmp_path / f"{name}.log"
            with log.open("wb") as file:
                processes[name] = await asyncio.create_subprocess_exec(
                    PBEM, *arguments, cwd=tmp_path, env=environment, stdout=file, stderr=file
                )
            await asyncio.to_thread(wait_until, lambda: ready in log.read_text(), name)

        club = make_club(Settings(address=GAMES, secret=SECRET, database_url=postgresql_url))

        async def answer(seat: int, words: str, reader: str, emails: int) -> float:
            raw = await asyncio.to_thread(lambda: club.answer(club.newest(seat), words))
            begun = time.monotonic()
            await servers.deliver(raw, GAMES)
            await postbox.reaches(reader, emails)
            return time.monotonic() - begun

        try:
            club.open("pipline", ("Ann <ann@example.org>", "Bob <bob@example.org>"))
            await start("leader", "run", ready="Serving")
            await start("standby", "run", ready="standing by")
            await start("one", "worker", "--name", "one", ready="Working")
            await start("two", "worker", "--name", "two", ready="Working")
            await postbox.reaches("bob@example.org", 1)
            print(f"with two workers: {await answer(0, 'c3', 'bob@example.org', 2):.1f} s")
            processes["one"].kill()
            print(f"after a worker was killed: {await answer(1, 'take', 'ann@example.org', 3):.1f} s")
            await postbox.reaches("bob@example.org", 3)  # what is being sent would be sent again in five minutes
            processes["leader"].kill()
            print(f"after who serves was killed: {await answer(0, 'a1', 'bob@example.org', 4):.1f} s")
            assert "processed" in (tmp_path / "two.log").read_text()
            assert "processed" not in (tmp_path / "standby.log").read_text()
            processes["two"].terminate()
            assert await processes["two"].wait() == 0
            with club.service.database.reading() as tx:
                assert [worker.name for worker in tx.workers.all()] == ["one"]
            print(f"without workers: {await answer(1, 'b1', 'ann@example.org', 5):.1f} s")
        finally:
            club.service.database.close()
            for process in processes.values():
                if process.returncode is None:
                    process.kill()
                await process.wait()


def test_a_mailbox_with_the_highest_numbers_is_read(clubs: Callable[..., Club]) -> None:
    """UIDVALIDITY and UIDs have 32 bits without a sign (RFC 9051, 9)."""
    club, highest = clubs(), Cursor(2**32 - 1, 2**32 - 1)
    club.service.receive([], Batch((), highest))
    with club.service.database.reading() as tx:
        assert tx.inbound.cursor(club.mailbox.name) == highest
