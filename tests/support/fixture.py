"""A database that players have filled, with what the program says of it: every released version leaves one.

``python -m tests.support.fixture`` writes that of this version into ``tests/db/fixtures``.
"""

import asyncio
import json
import lzma
import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from pbem.asking.contests.standings import read_ladder
from pbem.due.league.reading import list_leagues, read_tables
from pbem.match.timing import deadline_of
from pbem.ports import Fetched
from pbem.running.league_rulings import open_league
from pbem.running.operator_rulings import find_to_forget, forget_player, rename_player, seat_another, take_back
from pbem.version import RELEASE
from rules.games import GAMES
from tests.support.chosen import changed
from tests.support.clocks import return_email, wait
from tests.support.club import Club, make_club, settings_in, write_blank_database
from tests.support.fakes import FakeClock, FakeDice

FIXTURES = Path(__file__).resolve().parents[1] / "db" / "fixtures"

PLAYED, TEAM, OVER, ROLLED, SEEDS, SNIPSNIP, PIPELINES, PRIVATE, FLAGGED, PAUSED = range(1, 11)
REWOUND, REPLACED, PLANNED, ROBOT, LENT, LEFT = range(11, 17)
"""The matches, by what has happened in them; the newest has emails that are not sent."""

ANN, BOB, CARL, DORA, EVE, FAY, GUS, HAL, IDA, JON, KIM, LEA, NAN = (
    f"{name} <{name.lower()}@{name[0].lower()}.example>"
    for name in ("Ann", "Bob", "Carl", "Dora", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lea", "Nan")
)
_LASTING = ("To", "Message-ID", "Reply-To", "In-Reply-To", "References")

_BEGINS = datetime(2026, 11, 30, 18, 30, tzinfo=UTC)  # so that a month ends meanwhile, and has ratings

PHONE, ZOE, YVE, SPAM = "bob@phone.example", "zoe@z.example", "yve@y.example", "spam@spam.example"


@dataclass(frozen=True)
class Fixture:
    """A filled database as SQL, and what the program that left it said of it."""

    name: str
    directory: Path

    def load(self, file: Path) -> Path:
        """Write the database to a new file, as the program leaves every file."""
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript(lzma.decompress(self.rows.read_bytes()).decode())
            connection.execute("PRAGMA journal_mode=WAL")
        file.chmod(0o600)
        return file

    @property
    def said(self) -> dict[str, Any]:
        """What the program said: of each match, of the archive, and of what a reply in each match leads to."""
        found: dict[str, Any] = json.loads(self.words.read_text("utf-8"))
        return found

    @property
    def rows(self) -> Path:
        """The file of the database."""
        return self.directory / f"{self.name}.sql.xz"

    @property
    def words(self) -> Path:
        """The file of what the program said."""
        return self.directory / f"{self.name}.json"


def list_fixtures() -> list[Fixture]:
    """Return what released versions have left."""
    return [Fixture(path.name.removesuffix(".sql.xz"), FIXTURES) for path in sorted(FIXTURES.glob("*.sql.xz"))]


def write_fixture(directory: Path) -> Fixture:
    """Fill a database, and write it with what the program says of it. Raise FileExistsError for one that is there."""
    fixture = Fixture(RELEASE, directory)
    if fixture.rows.exists():
        raise FileExistsError(f"{fixture.rows} is there already: the fixture of a release never changes.")
    with TemporaryDirectory() as name:
        club = open_club(Path(name), write_blank_database(Path(name) / "blank.db"), _BEGINS)
        fill(club)
        with closing(sqlite3.connect(Path(name) / "pbem.db")) as connection:
            rows = "\n".join(connection.iterdump())
        said = json.dumps(describe(club), ensure_ascii=False, indent=1, sort_keys=True)
        club.service.database.close()
    with fixture.rows.open("xb") as file:
        file.write(lzma.compress(rows.encode(), preset=1))  # emails are packed already
    fixture.words.write_text(said + "\n", encoding="utf-8")
    return fixture


def open_club(directory: Path, database: Path, at: datetime) -> Club:
    """Return a club over a copy of a database in ``directory``, which goes on there from that time."""
    settings = changed(settings_in(directory, database), archive_dir=str(directory / "archive"))
    return make_club(settings, clock=FakeClock(at), dice=FakeDice(0 if at == _BEGINS else 1000))


def describe(club: Club) -> dict[str, Any]:
    """Return what the program says of matches, contests and the archive, and what replies to old emails lead to."""
    at, matches, files = club.clock.now().isoformat(), describe_matches(club), describe_files(club)
    contests = describe_contests(club)
    club.service.process_waiting()
    running = [int(number) for number, match in matches.items() if match["winners"] is None]
    running = [number for number in running if number not in (ROBOT, SEEDS, LEFT) and not club.match(number).seconds]
    moves = {number: legal_move(club, number) for number in running}
    return {"at": at, "matches": matches, "contests": contests, "files": files, "replies": answer_all(club, moves)}


def describe_matches(club: Club) -> dict[str, dict[str, Any]]:
    """Return how every match stands; the words for its end, and those of its log, may change."""
    with club.service.database.reading() as tx:
        found = tx.matches.all(comments=True, checked=True)
        logs = tx.clocks.logs([match.id for match in found])
    return {
        str(match.id): {
            "game": match.game.key,
            "options": dict(match.options),
            "players": [player.name for player in match.players],
            "record": [[entry.seat, entry.text] for entry in match.record],
            "times": [at.isoformat() for at in match.times],
            "to_act": match.to_act if isinstance(match.to_act, int) else None,
            "winners": sorted(match.outcome.winners) if match.outcome else None,
            "comments": [[one.seat, one.ply, one.text, one.to_side] for one in match.comments],
            "deadline": f"{deadline_of(match)}",
            "log": [[one.kind, one.seat, one.ply, one.at and one.at.isoformat()] for one in logs.get(match.id, ())],
        }
        for match in found
    }


def describe_contests(club: Club) -> dict[str, Any]:
    """Return how ladders and leagues stand, and the ratings after closed months; nothing where nobody has played any.

    In a ladder: everybody by number, first to last, and who challenges whom. In a league: who has entered, and of each
    season everybody with their place, points and running matches.
    """
    found: dict[str, Any] = {}
    now = club.clock.now()
    with club.service.database.reading() as tx:
        for contest in tx.contests.all("ladder"):
            ladder = read_ladder(tx, contest, now)
            open_ones = [[one.player, one.rung.player] for one in ladder.challenges.values() if one.is_open]
            found[f"ladder {contest.name}"] = [[[rung.player, rung.robot] for rung in ladder.order], open_ones]
        for league in list_leagues(tx):
            tables = [[*each] for season in league.seasons for each in read_tables(tx, league, season)]
            rows = [[[row.player, row.place, row.points, row.running] for row in rows] for rows in tables]
            found[f"league {league.contest.name}"] = [list(league.entered), rows]
        for player in tx.players.all():
            for game, mark in tx.results.all_marks(player.id):
                found[f"rating of {player.id} in {game}, {mark.month}"] = round(mark.rating.points)
    return found


def describe_files(club: Club) -> dict[str, list[str]]:
    """Write the archive; return the paths that people were given, and the identities of the turns in each calendar."""
    club.service.write_archive()
    directory = Path(club.service.settings.archive_dir)
    found = [path for path in directory.rglob("*.*") if path.suffix in (".html", ".ics", ".atom")]
    return {
        path.relative_to(directory).as_posix(): re.findall(r"^UID:(.*?)\r?$", path.read_text("utf-8"), re.MULTILINE)
        for path in sorted(found)
    }


def answer_all(club: Club, moves: Mapping[int, str]) -> dict[str, dict[str, Any]]:
    """Let whoever is to act in each match make a move, in answer to their newest email; return what is sent then.

    Message-IDs, reply tokens and threads never change, or mail in flight is lost.
    """
    found = {}
    club.written = 1000  # messages with another number than any before
    for number, move in sorted(moves.items()):
        seat = club.match(number).to_act
        assert isinstance(seat, int)
        arrival = club.reply(seat, move, match=number)
        assert arrival.message.status == "accepted", (number, arrival.message)
        sent = [club.mail(mail) for mail in arrival.outbound]
        headers = [{name: str(mail[name]) for name in _LASTING if mail[name]} for mail in sent]
        found[str(number)] = {"move": move, "sent": headers}
    return found


def fill(club: Club) -> None:
    """Let players leave something of everything: matches of each game, questions, plans, clocks, unsent emails."""
    _open_matches(club)
    _play(club)
    _meet_in_ladder(club)
    _write_beside(club)
    _let_time_pass(club)
    _rule(club)
    _ask(club)
    _meet_in_league(club)
    _leave_waiting(club)


def _open_matches(club: Club) -> None:
    """Open the first matches, and send their first emails."""
    for game, players, options in (
        ("pipline", (ANN, BOB), {"size": 7}),
        ("zipline", (ANN, BOB, CARL), {"size": 6}),
        ("pipline", (CARL, ANN), {"size": 5}),
        ("pippip", (ANN, DORA), {}),
        ("pippip", (BOB, DORA), {}),
        ("snipsnip", (DORA, ANN), {}),
        ("pipelines", (ANN, CARL, DORA), {"size": 7}),
        ("pipline", (EVE, BOB), {"size": 5}),
        ("pipline", (FAY, GUS), {"size": 5, "days": "1h"}),
        ("pipline", (HAL, IDA), {"size": 5}),
        ("pipline", (HAL, JON), {"size": 5, "days": "none"}),
        ("pipline", (FAY, JON), {"size": 5}),
        ("pipline", (KIM, LEA), {"size": 5}),
        ("pipline", (ANN, "robot:1"), {"size": 5}),
        ("zipline", (KIM, EVE, JON), {"size": 6}),
        ("zipline", (NAN, GUS, IDA), {"size": 6}),
    ):
        club.service.open(game, players, options, private=EVE in players and BOB in players)
    asyncio.run(club.service.deliver())


def _play(club: Club) -> None:
    """Let matches go on, with words beside the moves."""
    say(club, PLAYED, 0, "c3\n\nGood luck, Bob!")
    say(club, PLAYED, 1, "b2", "board speech")
    say(club, TEAM, 0, "d4")
    say(club, TEAM, 1, "take")
    say(club, TEAM, 2, "b2\nteam: Meet me at e5.")
    say(club, OVER, 0, "c3")
    say(club, OVER, 1, "resign\n\nWell played.")
    say(club, SEEDS, 0, "ready")
    for number, seats, moves in ((ROLLED, 2, 3), (SNIPSNIP, 2, 4), (PIPELINES, 3, 4)):
        for seat in range(seats):
            if club.match(number).awaits_seeds:
                say(club, number, seat, "salt a pinch" if seat else "ready")
        for _ in range(moves):
            move_on(club, number)
    for number in (PRIVATE, FLAGGED, PAUSED, REWOUND, REWOUND, REPLACED, LENT, LEFT):
        move_on(club, number)
    move_on(club, ROBOT)
    club.let_robots_move()


def _meet_in_ladder(club: Club) -> None:
    """Let four people stand in a ladder; a rated match for a place is over, and somebody else was challenged."""
    for match, seat in ((PLANNED, 0), (PLANNED, 1), (PAUSED, 0), (PAUSED, 1)):
        say(club, match, seat, "ladder pipline")
    say(club, PLANNED, 1, "challenge Kim")
    answer(club, "invitation", "accept")
    wait(club, minutes=1)
    number = newest_match(club)
    for seat, move in enumerate(("c3", "take", "b2", "d4", "resign")):
        say(club, number, seat % 2, move)
    say(club, PAUSED, 1, "challenge Hal")


def _write_beside(club: Club) -> None:
    """Let players choose, plan, keep and offer what stands beside the matches."""
    say(club, PLANNED, 0, "a1\n\nif b1 then b2", "note Watch the left edge.")
    say(club, PAUSED, 0, "pause 10d", "tz Lisbon", "remind 1d")
    say(club, PAUSED, 1, "vacation 3-17 dec")
    say(club, FLAGGED, 1, "auto off")
    say(club, REPLACED, 1, "mails turns")
    say(club, LENT, 1, "digest 07:30")
    say(club, PLAYED, 0, "draw")
    say(club, TEAM, 2, "unsubscribe")
    say(club, SNIPSNIP, 1, "new address")
    say(club, SNIPSNIP, 0, "say: Did you get a new address?")


def _let_time_pass(club: Club) -> None:
    """Let somebody's time be up, which nobody claims yet, and the service stand still for a while."""
    wait(club, hours=9)
    club.clock.advance(timedelta(hours=2))
    wait(club, minutes=10)


def _rule(club: Club) -> None:
    """Let the operator take a move back, seat somebody else, rename, block and forget people."""
    take_back(club.service, REWOUND, None, 1)
    seat_another(club.service, REPLACED, "Fay", "Moe <moe@m.example>")
    rename_player(club.service, "Hal", "Harry")
    forget_player(club.service, find_to_forget(club.service, "Nan"))
    with club.service.database.transaction() as tx:
        tx.blocked.add(SPAM, "writes at night", club.clock.now())
    club.write("Buy this", SPAM)
    wait(club, hours=3)


def _ask(club: Club) -> None:
    """Leave questions open that people have been asked, and let one be answered."""
    say(club, LENT, 0, "standin Dora until 12 dec")
    answer(club, "seat_offered", "yes")
    wait(club, minutes=1)
    say(club, LENT, 2, f"standin {YVE} until 12 dec")
    for reader in (ZOE, YVE):
        club.write(f"watch {PLAYED}", reader)
        if reader == ZOE:
            answer(club, "confirm_follow", "yes")
    say(club, PRIVATE, 0, "new zipline bob@b.example size=7")
    say(club, PRIVATE, 0, "forget me")
    move = legal_move(club, SNIPSNIP)
    held = club.reply(int(str(club.match(SNIPSNIP).to_act)), move, match=SNIPSNIP, From=PHONE)
    assert held.message.code == "unknown_address"
    bounced = next(mail for mail in club.queued() if mail.recipient == "gus@g.example")
    assert return_email(club, bounced).message.code == "bounce"


def _meet_in_league(club: Club) -> None:
    """Let a season begin, of whose matches some are open, and somebody vote on a move in one of another kind."""
    entered = [player.partition("<")[2].rstrip(">") for player in (ANN, BOB, DORA, IDA, LEA)]
    open_league(club.service, "winter", GAMES["pipline"], {"size": "5"}, seats=2, size=5, full=5, players=entered)
    club.service.open("pipline", (LEA, BOB), {"size": 5})
    number = newest_match(club)
    wait(club, minutes=1)
    say(club, number, 0, "second Dora")
    answer(club, "second_offered", "yes")
    answer(club, "second_turn", "c3")
    wait(club, minutes=1)


def _leave_waiting(club: Club) -> None:
    """Leave a move that was received and not processed, and a match whose first emails are not sent."""
    seat = club.match(TEAM).to_act
    assert isinstance(seat, int)
    club.service.receive([Fetched(club.answer(club.newest(seat, TEAM), legal_move(club, TEAM)))])
    club.service.open("pipline", (ANN, BOB), {"size": 5})


def say(club: Club, match: int, seat: int, *texts: str) -> None:
    """Let the player at a seat answer their newest email with each text, which is carried out."""
    for text in texts:
        message = club.reply(seat, text, match=match).message
        assert message.status == "accepted", (match, text, message)


def answer(club: Club, kind: str, text: str) -> None:
    """Let the reader of the newest email of a kind answer it, which is carried out."""
    message = club.answer_kind(kind, -1, text).message
    assert message.status == "accepted", (kind, text, message)


def move_on(club: Club, match: int) -> None:
    """Let whoever is to act in a match make a legal move."""
    seat = club.match(match).to_act
    assert isinstance(seat, int), (match, seat)
    say(club, match, seat, legal_move(club, match))


def newest_match(club: Club) -> int:
    """Return the number of the match that was opened last."""
    with club.service.database.reading() as tx:
        return tx.matches.newest()


def legal_move(club: Club, match: int) -> str:
    """Return a legal move in a match, always the same one."""
    found = club.match(match)
    return str(found.position.any_move(Random(found.ply).randrange))


if __name__ == "__main__":
    try:
        print(f"Wrote {write_fixture(FIXTURES).rows}.")
    except FileExistsError as error:
        raise SystemExit(str(error)) from None
