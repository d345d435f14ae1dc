"""Ledgers of many matches, without a database."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from random import Random

from pbem.archive.lists.ledger import Ledger
from pbem.match.endings import Ruling
from pbem.match.match import Match
from pbem.match.player import Player
from rules.games import GAMES
from rules.position import Entry, Seat
from tests.support.matches import OPENED, random_match
from tests.support.walks import Case

_NAMES = ("Ann", "Bob", "Carl", "Dóra", "Eve", "Frank", "Gül", "Håkan", "Ida", "Jun", "Kim", "Léa")


def played(
    number: int, players: Sequence[int], *moves: str, key: str = "pipline", ruling: Ruling | None = None, name: str = ""
) -> Match:
    """Return a match of the players with these numbers, who make ``moves`` in turn, on the smallest board.

    ``name`` is that of the first of them.
    """
    game = GAMES[key]
    seated = tuple(
        Player(player, _NAMES[player % 12] + f" {player}" * (player > 12), f"p{player}@a.example", frozenset())
        for player in players
    )
    if name:
        seated = (replace(seated[0], name=name), *seated[1:])
    record, position = list[Entry](), game.begin(len(players), game.normalise(game.short))
    for text in moves:
        seat = position.to_act
        assert isinstance(seat, Seat)
        record.append(Entry(seat, text))
        position = position.leave(seat, text) if text == "resign" else position.play(position.parse(text))
    opened = OPENED + timedelta(days=number)
    times = tuple(opened + timedelta(hours=hour) for hour, _ in enumerate(record, 1))
    options = game.normalise(game.short)
    return Match(number, game, options, seated, opened, tuple(record), times, ruling=ruling)


def many(count: int, players: int) -> Ledger:
    """Return a ledger of so many random matches of so many players, most of them over after some moves."""
    random, ledger = Random(0), Ledger()
    for number in range(1, count + 1):
        pair = random.sample(range(1, players + 1), 2)
        ledger.note(played(number, pair, "a1", "take", *(["resign"] if random.random() < 0.9 else [])))
    return ledger


def random_matches(key: str, count: int) -> list[Match]:
    """Return so many random matches of five players on one board, numbered from 1.

    Every fifth is called off, every seventh goes on, and in every second somebody may have left.
    """
    game, random = GAMES[key], Random(key)
    case = Case(key, game.seats[-1], tuple(game.short.items()))
    found = []
    for number in range(1, count + 1):
        match = random_match(case, seed=number, leaving=0.02 * (number % 2))
        players = tuple(
            Player(player, _NAMES[player], "", frozenset()) for player in random.sample(range(5), len(match.players))
        )
        match = replace(match, id=number, players=players)
        if number % 7 == 0:
            match = replace(match, record=match.record[:-1], times=match.times[:-1])
        found.append(replace(match, ruling=Ruling("void")) if number % 5 == 0 else match)
    return found


def winners_of(match: Match) -> frozenset[Seat]:
    """Return who won a match that is over."""
    assert match.outcome
    return match.outcome.winners
