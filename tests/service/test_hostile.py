"""Hostile messages through the whole line: each comes to an end, and none of them causes many or large emails."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from rules.game import Game
from rules.games import GAMES
from tests.bench.siege import Blow, Siege
from tests.support.club import PLAYERS, Club, settings_in

MESSAGES, LARGEST = 100, 8_000
"""How many there are, and characters of the text in one: `make bench` sends more of them, and larger ones."""

MOST_EMAILS = 12
"""One for each seat, and one of each kind that its sender can ask for."""

MOST_BYTES = 60_000
"""Of one email; a notice with a large board has about 25,000."""

MOST_TIMES = 8
"""So many times as large as an ordinary notice may one be that a message makes large."""


@pytest.fixture(scope="module")
def blows(blank_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Blow]]:
    """What hostile messages of all kinds came to."""
    directory = tmp_path_factory.mktemp("siege")
    settings_in(directory, blank_database)
    siege = Siege(directory / "pbem.db", matches=5, seed=11)
    yield [siege.strike(LARGEST) for _ in range(MESSAGES)]
    siege.close()


def test_every_hostile_message_comes_to_an_end_and_none_finds_a_bug(blows: list[Blow]) -> None:
    """What fails does so because nobody can read it."""
    endings = Counter(blow.status for blow in blows)
    assert sum(endings.values()) == MESSAGES
    assert {"accepted", "rejected", "discarded"} <= endings.keys() <= {"accepted", "rejected", "discarded", "failed"}
    assert [blow for blow in blows if blow.status == "failed" and blow.reason != "unreadable"] == []


def test_no_hostile_message_causes_many_or_large_emails(blows: list[Blow]) -> None:
    """Neither to its sender, nor to anybody else."""
    assert max(len(blow.emails) for blow in blows) <= MOST_EMAILS
    assert max(size for blow in blows for size in blow.emails) <= MOST_BYTES


_GREEDY: dict[str, Callable[[int], str]] = {
    "many remarks": lambda size: "".join(f"say: {n} {'&' * 180}\n" for n in range(size // 180)),
    "one remark": lambda size: f"say: {'<' * size}\n",
    "wide letters": lambda size: f"say: {'😀' * size}\n" * 2,
    "short lines below": lambda size: "\n" + "<\n" * min(990, size),
    "cells below": lambda size: "\n" + "a1 b2 c3 d4 e5 f6 \n" * min(990, size // 18),
    "semicolons": lambda size: f"{'z99;' * (size // 4)}\n",
    "commands": lambda size: "help\nshow\ndisplay test\nboard plain\nboard foo\n" * 4 + "say: hello\n" * (size // 11),
    "boards": lambda size: "".join(f"board foo{chr(97 + n % 20)}\n" for n in range(20)) + "say: ok\n" * 900,
}
"""What somebody may write below a move to make its notices large, by how many characters they take."""


@pytest.mark.sampled(3)  # by three, so that each game meets others of the eight
@pytest.mark.parametrize("write", _GREEDY.values(), ids=list(_GREEDY))
@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_no_message_makes_notices_much_larger_than_ordinary_ones(
    new_club: Callable[[], Club], game: Game, write: Callable[[int], str]
) -> None:
    """With 4 kB and with 190 kB, in every game: the sender's, and those of the others."""
    club = new_club()
    ordinary = max(_sizes(club, _opened(club, game), "help"))
    number = _opened(club, game)
    for size in (4_000, 190_000):
        sizes = _sizes(club, number, write(size)[:190_000])
        assert 0 < len(sizes) <= MOST_EMAILS
        assert max(sizes) <= MOST_TIMES * ordinary


def _opened(club: Club, game: Game) -> int:
    """Open a match in which somebody is to act, and return its number."""
    club.clock.advance(timedelta(days=1))
    number = club.service.open(game.key, PLAYERS[:2], game.short).id
    for seat in range(2):
        club.reply(seat, "ready", match=number)
    return number


def _sizes(club: Club, number: int, below: str) -> list[int]:
    """Return the sizes of the emails that a move in a match leads to with something ``below`` it."""
    club.clock.advance(timedelta(days=1))
    match = club.match(number)
    assert isinstance(match.to_act, int)
    move = next(iter(match.position.legal_moves()))
    arrival = club.reply(match.to_act, f"{move}\n{below}", match=number)
    with club.service.database.reading() as tx:
        return [len(tx.outbound.raw(mail.id)) for mail in arrival.outbound]
