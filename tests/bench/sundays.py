"""What a Sunday costs: the letters to a club in whose league and ladder thousands of matches have ended."""

import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from pbem.clubs.contest import ContestEvent, ContestMatch
from pbem.clubs.league import draw_events, fold
from pbem.clubs.league_draw import split
from pbem.due.letter.sending import send_letters
from pbem.mail.compose import Site
from pbem.match.invitation import Guest, Invitation
from pbem.match.match import Comment, Match
from pbem.match.player import Player
from pbem.pipeline.act import Act
from pbem.storage.database import Database
from pbem.storage.due import LETTERS_DUE
from pbem.storage.transaction import Transaction
from rules.game import Game
from rules.games import GAMES
from rules.position import Entry
from tests.bench.report import Table

SUNDAY = datetime(2026, 11, 22, 9, tzinfo=UTC)
_BEGUN = SUNDAY - timedelta(days=60)
_GAME: Game = GAMES["pipline"]
_OPTIONS = {"size": "7", "days": "7"}
SITE = Site("games@pbem.example", "a secret for benchmarks", archive_url="https://pbem.example")
_SIZE = 8  # players of a division
_WORDS = "That was the best move that anybody has played against me this year."


def by_club(sizes: Iterable[tuple[int, int]], tell: Callable[[str], None]) -> Table:
    """Return the table of clubs of so many players, in whose contests so many matches have ended."""
    columns = ("players", "ended", "running", "letters", "transactions", "CPU, s", "a letter, ms", "longest, s", "kB")
    meaning = (
        "A league in divisions of eight and a ladder of everybody; in half of the matches of the week somebody said"
        " something. All letters are due at once. *kB* is the longest letter; nothing is sent."
    )
    return Table("Sunday letters", columns, tuple(_row(players, ended, tell) for players, ended in sizes), meaning)


def _row(players: int, ended: int, tell: Callable[[str], None]) -> tuple[str, ...]:
    """Return what the letters to a club cost."""
    tell(f"letters: filling a club of {players}")
    with TemporaryDirectory() as name:
        database = Database(f"sqlite:///{Path(name) / 'pbem.db'}")
        database.upgrade()
        with database.transaction() as tx:
            over, running = fill(tx, players, ended)
        tell(f"letters: writing to {players}")
        times, now = list[float](), SUNDAY
        while True:
            started = time.process_time()
            with database.transaction() as tx:
                send_letters(Act(tx, SITE, now), 0)
            times.append(time.process_time() - started)
            with database.reading() as tx:
                sent = tx.outbound.latest(limit=100_000)
                soon = [one.at for one in tx.due.by(now + timedelta(hours=1)) if one.kind == LETTERS_DUE]
            following = min(soon, default=None)
            if following is None:
                break
            now = following
        with database.reading() as tx:
            longest = max(len(tx.outbound.raw(one.id)) for one in sent)
        database.close()
    return (
        *(f"{players:,}", f"{over:,}", f"{running:,}", f"{len(sent):,}", f"{len(times)}"),
        *(f"{sum(times):.1f}", f"{1000 * sum(times) / len(sent):.0f}", f"{max(times):.2f}", f"{longest / 1000:.0f}"),
    )


def fill(tx: Transaction, count: int, ended: int) -> tuple[int, int]:
    """Fill a database; return how many matches are over, and how many go on."""
    players = [tx.players.add(f"Player {number}", f"player{number}@club.example", _BEGUN) for number in range(count)]
    record = _play(players[:2])
    known = {player.id: player for player in players}
    over = running = 0
    league = tx.contests.open("league", _GAME, "pipline", _OPTIONS, _BEGUN)
    events = [ContestEvent(_BEGUN, "opened", arguments={"seats": 2, "size": _SIZE})]
    events += [ContestEvent(_BEGUN, "entered", player.id) for player in players]
    divisions = split([player.id for player in players], 2, _SIZE, "lot")
    for event in [*events, *draw_events(divisions, 1, "lot", _BEGUN)]:
        tx.contests.add(league.id, event)
    season = fold(league, tx.contests.events(league.id)).season
    assert season
    for number, (division, two) in enumerate(season.list_matches(2)):
        ends = number % 2 == 0
        _open(tx, league.id, season.event, [known[one] for one in two], record, number, division, ends=ends)
        over, running = over + ends, running + (not ends)
    ladder = tx.contests.open("ladder", _GAME, "pipline", _OPTIONS, _BEGUN)
    for event in [ContestEvent(_BEGUN, "opened"), *(ContestEvent(_BEGUN, "entered", one.id) for one in players)]:
        tx.contests.add(ladder.id, event)
    place = 0
    while over < ended:
        one, other = players[place % (count - 1) + 1], players[place % (count - 1)]
        at = _BEGUN + timedelta(minutes=30 * place)
        challenge = tx.contests.add(ladder.id, ContestEvent(at, "challenged", one.id, other.id))
        _open(tx, ladder.id, challenge, [one, other], record, place, 0, ends=True)
        place, over = place + 1, over + 1
    return over, running


def _play(players: list[Player]) -> Match:
    """Return a match that is over: everybody has played whatever is legal."""
    chance = Random(7)
    match = Match(0, _GAME, _GAME.normalise({"size": 7}), tuple(players), _BEGUN)
    while match.outcome is None:
        assert isinstance(match.to_act, int)
        move = chance.choice([str(one) for one in match.position.legal_moves()][:60])
        match = match.after(Entry(match.to_act, move), match.opened_at)
    return match


def _open(
    tx: Transaction,
    contest: int,
    event: int,
    players: list[Player],
    played: Match,
    number: int,
    division: int,
    *,
    ends: bool,
) -> None:
    """Store a match of a contest that is over, or goes on since its last move was not made."""
    guests = tuple(Guest(one.name, "", one.id, "accepted") for one in players)
    now = SUNDAY - timedelta(hours=1 + number % 600)
    invitation = Invitation(
        tx.invitations.next_number(), "named", _GAME, _OPTIONS, players[0].id, guests, _BEGUN, SUNDAY, "opened"
    )
    tx.invitations.store(invitation)
    record = played.record if ends else played.record[:-1]
    opened = tx.matches.open(Match(0, _GAME, played.options, tuple(players), _BEGUN))
    times = tuple(now for _ in record)
    tx.matches.append(opened, record, times, None)
    match = Match(opened.id, _GAME, played.options, tuple(players), _BEGUN, record, times)
    tx.matches.touch(match, now)
    if number % 2:
        tx.matches.add_comments(match, [Comment(0, len(record) - 1, _WORDS)], now, None)
    tx.contests.add_match(ContestMatch(contest, invitation.id, event, int(division > 0), division, opened.id))
