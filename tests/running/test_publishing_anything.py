"""Whatever happens, and in whatever passes it is published: the archive is the one that a first build makes."""

import asyncio
import shutil
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from datetime import timedelta
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from pbem.archive.made_of import FILE
from pbem.commands.ruling import call_off, end_pause, pause_match, reinstate
from pbem.due.outages import RECEIVES, SENDS
from pbem.errors import BadInput
from pbem.match.match import Match
from pbem.running.archiving.pass_memory import FILE as MEMORY
from pbem.running.archiving.publishing import Publisher
from pbem.running.operator_rulings import forget_player, put_back, rule, seat_another, set_private, take_back
from rules.games import GAMES
from rules.position import Seat
from tests.support.club import Club, make_club, settings_in
from tests.support.examples import examples

PEOPLE = tuple(f"{name} <{name.lower()}@{name.lower()}.example>" for name in ("Ann", "Bob", "Carl", "Dora"))
SMALL: Mapping[str, object] = {
    **{f"pbem.archive.lists.{module}.PAGE": 3 for module in ("index", "ledger", "listing", "players", "search")},
    "pbem.running.archiving.publishing.PAGE": 3,
    "pbem.archive.sitemap.PART": 4,
    "pbem.archive.lists.players._LATEST": 2,
    "pbem.clubs.ratings.OPPONENTS": 1,
    "pbem.clubs.ratings.KNOWN": 400,
    "pbem.archive.lists.rules_pages._BEST": 2,
    "pbem.archive.news.MOST_NEWS": 4,
    "pbem.archive.lists.index.RUNNING": 4,
    "pbem.archive.lists.index.FINISHED": 3,
    "pbem.archive.lists.index._BOARDS": 2,
    "pbem.archive.lists.index._FILMS": 1,
    **{
        f"pbem.running.archiving.{module}.{name}AT_A_TIME": 2
        for module in ("affected", "publishing")
        for name in ("", "PLAYERS_")
    },
}
"""Lists are so short that a few matches fill several parts of each."""
OWN = {FILE, MEMORY, ".lock"}
WISHES = (
    "page off",
    "page on",
    "vacation 3 days",
    "tz Europe/Berlin",
    "remind 5h",
    "pause 2 days",
    "new address",
    "say: Good luck!",
    "resign",
    "claim",
)
"""What players write beside moves; what nobody may wish at the moment is refused, and changes nothing."""


class Host:
    """A club with an archive that processes write, one after another, in slices."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.start()

    def start(self) -> None:
        """Let a new process publish from now on, in which a second passes whenever somebody looks at the time."""
        service = self.club.service
        self.publisher = Publisher(service.settings, service.database, service.site, count().__next__)

    def publish(self, seconds: float | None) -> None:
        """Publish, up to the end or for so many seconds."""
        self.publisher.publish(self.club.clock.now(), seconds=seconds)

    def any_match(self, random: Random) -> Match | None:
        """Return any match, if there is one."""
        with self.club.service.database.reading() as tx:
            numbers = tx.matches.numbers(self.club.clock.now())
        return self.club.match(random.choice(numbers)) if numbers else None


def open_match(host: Host, random: Random) -> None:
    """Open any match on a small board, now and then a private one."""
    key = random.choice(sorted(GAMES))
    game = GAMES[key]
    players = random.sample(PEOPLE, min(random.choice(game.seats), len(PEOPLE)))
    with suppress(BadInput):
        host.club.service.open(key, players, dict(game.short), private=random.random() < 0.2)


def move(host: Host, random: Random) -> None:
    """Let players of a match make a few moves."""
    match = host.any_match(random)
    for _ in range(random.randrange(1, 6)):
        if match and isinstance(match.to_act, Seat) and not match.players[match.to_act].forgotten:
            text = str(match.position.any_move(random.randrange))
            host.club.reply(match.to_act, text, match=match.id)
            match = host.club.match(match.id)


def wish(host: Host, random: Random) -> None:
    """Let a player write something else."""
    if match := host.any_match(random):
        seat = random.randrange(len(match.players))
        with suppress(LookupError):  # who was forgotten, and who came later, has no email
            host.club.reply(seat, random.choice(WISHES), match=match.id)


def decide(host: Host, random: Random) -> None:
    """Let the operator decide something about a match."""
    match = host.any_match(random)
    if match is None:
        return
    service, later = host.club.service, host.club.clock.now() + timedelta(hours=random.randrange(1, 90))
    who = random.choice(match.players).name
    decisions: list[Callable[[], object]] = [
        lambda: rule(service, match.id, lambda match, now: pause_match(match, later, now)),
        lambda: rule(service, match.id, end_pause),
        lambda: rule(service, match.id, call_off),
        lambda: rule(service, match.id, lambda match, now: reinstate(match, "void", now)),
        lambda: seat_another(service, match.id, who, random.choice(PEOPLE)),
        lambda: take_back(service, match.id, None, 1),
        lambda: put_back(service, match.id),
        lambda: set_private(service, match.id, not match.private),
    ]
    with suppress(BadInput):
        random.choice(decisions)()


def forget(host: Host, random: Random) -> None:
    """Forget one of the players, seldom."""
    match = host.any_match(random)
    if match and random.random() < 0.4:
        player = random.choice(match.players)
        if not player.forgotten:
            forget_player(host.club.service, player)


def send(host: Host, random: Random) -> None:
    """Send what is queued, and do what is due."""
    asyncio.run(host.club.service.deliver())


def wait(host: Host, random: Random) -> None:
    """Let time pass while the service runs, or stands still."""
    runs = random.random() < 0.7
    host.club.clock.advance(timedelta(minutes=random.choice((3, 30, 300, 3000))))
    if runs:
        with host.club.service.database.transaction() as tx:
            for name in (RECEIVES, SENDS):
                tx.heartbeats.beat(name, host.club.clock.now())
    send(host, random)


def publish(host: Host, random: Random) -> None:
    """Publish all there is."""
    host.publish(None)


def publish_some(host: Host, random: Random) -> None:
    """Publish for a moment."""
    host.publish(random.randrange(8))


def restart(host: Host, random: Random) -> None:
    """Start again, after an end or, now and then, after being killed."""
    if random.random() < 0.7:
        host.publisher.keep()
    host.start()


STEPS = (
    *(3 * [open_match]),
    *(3 * [move]),
    *(3 * [wish]),
    *(3 * [decide]),
    forget,
    send,
    wait,
    *(4 * [publish]),
    *(2 * [publish_some]),
    restart,
)
"""What can happen, the usual more than once."""


def files(directory: Path) -> Mapping[str, bytes]:
    """Return what an archive has, by path, but empty files, which only keep a directory from being listed."""
    paths = (path for path in directory.rglob("*") if path.is_file() and path.name not in OWN)
    return {str(path.relative_to(directory)): content for path in paths if (content := path.read_bytes())}


@given(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 10_000)), min_size=10, max_size=60))
@examples(160, quickly=4)
def test_the_archive_is_that_of_a_first_build(
    blank_database: Path, steps: list[tuple[Callable[[Host, Random], None], int]]
) -> None:
    """Byte for byte, whatever happened before: nothing is stale, nothing is left over."""
    with TemporaryDirectory() as place, ExitStack() as small:
        for name, number in SMALL.items():
            small.enter_context(patch(name, number))
        small.enter_context(patch("pbem.archive.publicity.can_draw", bool))  # each picture takes as long as ten pages
        directory = Path(place) / "archive"
        settings = settings_in(Path(place), blank_database)
        settings.archive_dir, settings.archive_url = str(directory), "https://games.example"
        club = make_club(settings)
        try:
            host = Host(club)
            for step, seed in steps:
                step(host, Random(seed))
                club.clock.advance(timedelta(seconds=20))
            club.clock.advance(timedelta(minutes=10))
            host.publish(None)
            found = files(directory)
            shutil.rmtree(directory)
            host.start()
            host.publish(None)
            wanted = files(directory)
        finally:
            club.service.database.close()
    assert sorted(found) == sorted(wanted)
    assert [path for path, content in found.items() if content != wanted[path]] == []
