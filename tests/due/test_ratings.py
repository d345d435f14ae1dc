"""Ratings in a service: matches that end, months that are closed, and what changes an older match."""

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest

from pbem.clubs.glicko2 import Rating
from pbem.clubs.ratings import Ratings, month_of
from pbem.clubs.results import Part, Result
from pbem.commands.ruling import adjudicate, reinstate
from pbem.due.clubs.ratings import changes_by, reliability_of, reopen
from pbem.due.clubs.reckoning import reckon_again
from pbem.errors import BadInput
from pbem.match.match import Match
from pbem.notices.sentences.ratings import write_rating
from pbem.running.operator_rulings import merge_players, put_back, rule, seat_another, set_private, take_back
from pbem.settings.model import Settings
from pbem.storage.tables import RATING
from tests.support.clocks import wait
from tests.support.club import PLAYERS, Club
from tests.support.mails import text_of

ANN, BOB, CARL = PLAYERS
MOVES = ("b2", "c3", "d4", "a1")


@pytest.fixture
def club(settings: Settings, new_club: Callable[..., Club]) -> Club:
    """A club on a host without vacation, of which a day would be used."""
    settings.vacation_days = 0
    return new_club()


def open_rated(club: Club, *players: str, **options: Any) -> Match:
    """Open a rated match between people, without a time limit unless told otherwise."""
    return club.service.open("pipline", players or (ANN, BOB), {"size": 5, "days": "none"} | options, rated=True)


def play(club: Club, match: Match, *moves: str) -> None:
    """Let moves be made, beginning with the first seat."""
    for number, move in enumerate(moves):
        club.reply(number % 2, move, match=match.id)


def finish(club: Club, match: Match, loser: int = 1, moves: tuple[str, ...] = MOVES) -> Match:
    """Let a match be played, and one of its players resign; return it as it ended."""
    play(club, match, *moves)
    club.reply(loser, "resign", match=match.id)
    if club.match(match.id).outcome is None:
        club.reply(loser, "yes", match=match.id)
    return club.match(match.id)


def gains(club: Club, match: Match) -> list[int]:
    """Return what a match did to the ratings of its players."""
    with club.service.database.reading() as tx:
        return [one.gained for one in changes_by(tx, match)]


def ratings_now(club: Club) -> list[Rating | None]:
    """Return the ratings of Ann, Bob and Carl, reckoned anew from all results."""
    with club.service.database.reading() as tx:
        ratings = Ratings()
        for one in tx.results.of_matches(range(1, 100)).values():
            ratings.note(one.match, one)
    ratings.refresh()
    return [ratings.of(player) for player in (1, 2, 3)]


def rows(club: Club) -> list[tuple[Any, ...]]:
    """Return what is stored of closed months."""
    with club.service.database.reading() as tx:
        return sorted(tuple(row) for row in tx.results._rows(RATING.select()))


def close(club: Club) -> None:
    """Let the month end, and the service close it."""
    wait(club, days=31)


def test_a_rated_match_changes_ratings_and_says_so(club: Club) -> None:
    """In its last email, to both; and the opening says that it's rated."""
    match = open_rated(club)
    assert "rated" in text_of(club.newest(0))
    over = finish(club, match)
    assert gains(club, over) == [162, -162]
    assert "1662 ± 290" in text_of(club.newest(0))
    assert "1338 ± 290" in text_of(club.newest(1))


def test_a_match_that_is_not_rated_changes_nothing(club: Club) -> None:
    """Nor does its last email speak of ratings."""
    over = finish(club, club.open())
    assert gains(club, over) == []
    assert "±" not in text_of(club.newest(0))
    assert ratings_now(club) == [None] * 3


@pytest.mark.parametrize("moves", [(), ("b2",), ("b2", "c3", "d4")])
def test_leaving_before_move_two_changes_no_rating(club: Club, moves: tuple[str, ...]) -> None:
    """Whoever leaves so soon has not begun; they are told that it doesn't count."""
    over = finish(club, open_rated(club), 0 if len(moves) % 2 == 0 else 1, moves)
    assert over.outcome is not None
    assert gains(club, over) == [0, 0]
    assert ratings_now(club) == [None] * 3


def test_a_seat_that_the_operator_gave_to_somebody_is_nobody_s_rating(club: Club) -> None:
    """It isn't their doing: whoever throws the match then takes nothing from them."""
    match = open_rated(club)
    play(club, match, *MOVES)
    seat_another(club.service, match.id, "Ann", CARL)
    club.reply(0, "resign", match=match.id)
    assert told_of(club, match) == ["taken", "taken"]
    assert ratings_now(club) == [None] * 3


def lend_seat(club: Club, match: Match, who: str = "Carl") -> None:
    """Let Ann name a stand-in, who takes her seat."""
    if who == "Carl":
        open_rated(club, BOB, CARL)  # else nobody would know them
    club.reply(0, f"standin {who} until 1 dec", match=match.id)
    club.answer_kind("seat_offered" if who == "Carl" else "seat_question", -1, "yes")
    wait(club, minutes=1)
    assert club.match(match.id).players[0].name != "Ann"


def told_of(club: Club, match: Match) -> list[str | None]:
    """Return why a match counts for the rating of neither seat, or None for each for which it counts."""
    with club.service.database.reading() as tx:
        return [one.uncounted for one in changes_by(tx, club.match(match.id))]


@pytest.mark.parametrize("who", ["Carl", "robot:1"])
def test_a_stand_in_is_no_way_out_of_a_lost_match(club: Club, who: str) -> None:
    """Ann is about to lose, and names a friend, a second address, or a robot: what they lose she has lost.

    They themselves lose nothing, though they sit there; and there is one reckoning for it.
    """
    match = open_rated(club)
    play(club, match, *MOVES)
    lend_seat(club, match, who)
    rule(club.service, match.id, lambda match, now: adjudicate(match, [1], now))
    assert told_of(club, match) == ["stood_in", None]
    ann, bob, carl = ratings_now(club)
    assert carl is None
    assert ann and bob  # noqa: PT018
    assert (round(ann.points), round(bob.points)) == (1338, 1662)
    assert write_rating(ann) in " ".join(text_of(club.mail(club.queued(kind="replaced")[-1])).split())
    close(club)
    assert [(row[1], row[3]) for row in rows(club)] == [(1, ann.points), (2, bob.points)]
    assert reckon_again(club.service.database, club.clock.now()) == 0


def test_a_stand_in_wins_points_for_nobody(club: Club) -> None:
    """Else the strongest would play for everybody; Bob loses nothing to somebody whom he hasn't agreed to meet."""
    match = open_rated(club)
    play(club, match, *MOVES)
    lend_seat(club, match)
    club.reply(1, "resign", match=match.id)
    club.reply(1, "yes", match=match.id)
    assert told_of(club, match) == ["passed_on", "passed_on"]
    assert ratings_now(club) == [None] * 3


def test_a_seat_that_comes_back_is_lost_by_whose_it_is(club: Club) -> None:
    """Also by what they do after that; moves of the stand-in are none by which a match begins to count."""
    match = open_rated(club)
    play(club, match, *MOVES[:2])
    lend_seat(club, match)
    play(club, match, *MOVES[2:])
    club.reply(0, "standin off", match=match.id)
    wait(club, minutes=1)
    assert club.match(match.id).players[0].name == "Ann"
    rule(club.service, match.id, lambda match, now: adjudicate(match, [1], now))
    assert told_of(club, match) == ["few_moves"] * 2
    rule(club.service, match.id, lambda match, now: reinstate(match, "adjudicated", now))
    club.reply(0, "e2", match=match.id)
    rule(club.service, match.id, lambda match, now: adjudicate(match, [1], now))
    assert told_of(club, match) == [None, None]


def test_whoever_answers_for_a_seat_may_turn_out_to_be_somebody_else(club: Club) -> None:
    """They are merged: what is stored is what would be reckoned again."""
    match = open_rated(club)
    play(club, match, *MOVES)
    lend_seat(club, match)
    club.reply(0, "resign", match=match.id)
    assert ratings_now(club)[0]
    club.service.open("pipline", ("Zoe <zoe@z.example>", CARL), {"size": 5})
    merge_players(club.service, "Ann", "Zoe")
    assert ratings_now(club)[0] is None
    assert reckon_again(club.service.database, club.clock.now()) == 0


def test_time_that_a_stand_in_lets_run_out_is_that_of_whose_seat_it_is(club: Club) -> None:
    """Whoever stands in does a favour, and is no less reliable for it, nor more."""
    match = open_rated(club, days=3, flag="forfeit")
    play(club, match, *MOVES)
    lend_seat(club, match)
    wait(club, days=4)
    assert club.match(match.id).outcome
    with club.service.database.reading() as tx:
        ann, bob, carl = (reliability_of(tx, player, club.clock.now()) for player in (1, 2, 3))
    assert (ann.matches, ann.left, ann.turns) == (1, 1, 3)
    assert (bob.matches, bob.left, carl.matches) == (1, 0, 0)


@pytest.mark.parametrize(("players", "private"), [((ANN, "robot:1"), False), ((ANN, BOB), True)])
def test_what_can_t_be_rated_is_refused(club: Club, players: tuple[str, ...], private: bool) -> None:
    """With a robot one could choose how often to win, and a private match would be told by its ratings."""
    with pytest.raises(BadInput):
        club.service.open("pipline", players, {"size": 5}, private=private, rated=True)


@pytest.mark.parametrize("wish", ["new pipline bob@b.example days=none", "seek pipline flag=remind-only"])
def test_whoever_is_losing_cannot_just_stop(club: Club, wish: str) -> None:
    """A match that nobody can lose on time isn't rated: else only its winners would end it."""
    club.open()
    club.reply(0, f"{wish} rated")
    with club.service.database.reading() as tx:
        assert tx.invitations.open() == []
    club.reply(0, wish)
    with club.service.database.reading() as tx:
        assert len(tx.invitations.open()) == 1


def test_a_match_that_became_private_is_played_again_without_ratings(club: Club) -> None:
    """Else it could never open."""
    finish(club, open_rated(club, days=3))
    set_private(club.service, 1, True)
    club.reply(0, "again")
    club.reply(1, "again")
    wait(club, minutes=1)
    assert (club.match(2).private, club.match(2).rated) == (True, False)


def test_a_match_that_becomes_private_counts_no_more(club: Club) -> None:
    """And again once it's public."""
    finish(club, open_rated(club))
    known = ratings_now(club)
    set_private(club.service, 1, True)
    assert ratings_now(club) == [None] * 3
    set_private(club.service, 1, False)
    assert ratings_now(club) == known


def test_a_month_is_closed_when_it_is_over(club: Club) -> None:
    """What is stored is what all results say; a month without a match stores nothing."""
    finish(club, open_rated(club))
    finish(club, open_rated(club, ANN, CARL))
    assert rows(club) == []
    close(club)
    known = ratings_now(club)
    assert [row[3:] for row in rows(club)] == [
        (one.points, one.deviation, one.volatility) for one in known if one is not None
    ]
    close(club)
    assert len(rows(club)) == 3


def test_the_next_month_goes_on_from_the_one_before(club: Club) -> None:
    """Ratings of a service that closes month by month are those of one that reckons all anew."""
    for winner in (0, 1, 0):
        finish(club, open_rated(club), 1 - winner)
        finish(club, open_rated(club, BOB, CARL), winner)
        close(club)
    last = finish(club, open_rated(club))
    with club.service.database.reading() as tx:
        found = [one.after for one in changes_by(tx, last)]
    assert found == ratings_now(club)[:2]


def stored(club: Club) -> list[float | None]:
    """Return the latest points of Ann, Bob and Carl that are stored."""
    latest = {row[1]: row[3] for row in rows(club)}
    return [latest.get(player) for player in (1, 2, 3)]


def test_what_changes_an_older_month_is_reckoned_anew(club: Club) -> None:
    """A match that goes on, months later: as if it had never ended; and again once its end is put back."""
    finish(club, open_rated(club))
    finish(club, open_rated(club, BOB, CARL))
    close(club)
    finish(club, open_rated(club, ANN, CARL))
    close(club)
    before = rows(club)
    take_back(club.service, 1, None, 1)
    wait(club, hours=1)
    assert stored(club)[0] != before[-1][3]
    assert len(rows(club)) == len(before) - 1  # Ann has one month less
    put_back(club.service, 1)
    wait(club, hours=1)
    assert rows(club) == before


def test_a_ruling_counts_and_counts_no_more(club: Club) -> None:
    """Like any other end."""
    match = open_rated(club)
    play(club, match, *MOVES)
    rule(club.service, match.id, lambda match, now: adjudicate(match, [0], now))
    assert ratings_now(club)[0] != ratings_now(club)[1] is not None
    rule(club.service, match.id, lambda match, now: reinstate(match, "adjudicated", now))
    assert ratings_now(club) == [None] * 3


def test_merged_players_have_one_rating(club: Club) -> None:
    """That of all their matches."""
    finish(club, open_rated(club))
    finish(club, open_rated(club, CARL, ANN))
    close(club)
    merge_players(club.service, "Carl", "Bob")
    wait(club, hours=1)
    known = ratings_now(club)
    assert known[2] is None
    assert {row[1]: row[3] for row in rows(club)} == {1: known[0] and known[0].points, 2: known[1] and known[1].points}


def test_time_that_was_up_makes_less_reliable(club: Club) -> None:
    """Whether the move came late or never; who plays without a clock isn't counted."""
    finish(club, open_rated(club))
    late = open_rated(club, days=3, flag="claim")
    club.reply(0, "b2", match=late.id)
    wait(club, days=4)
    club.reply(1, "c3", match=late.id)
    finish(club, late, 0, ())
    with club.service.database.reading() as tx:
        ann, bob = (reliability_of(tx, player, club.clock.now()) for player in (1, 2))
    assert (ann.matches, ann.left, ann.late, ann.turns) == (1, 0, 0, 1)
    assert (bob.matches, bob.left, bob.late, bob.turns) == (1, 0, 1, 1)
    assert ann.percent is None
    with club.service.database.reading() as tx:
        later = reliability_of(tx, 2, club.clock.now() + timedelta(days=366))
    assert later.matches == 0


def test_what_is_stored_can_be_reckoned_again(club: Club) -> None:
    """From the matches alone: as after an upgrade, or when somebody has spoiled it."""
    finish(club, open_rated(club))
    finish(club, open_rated(club, BOB, CARL, days=3))
    close(club)
    known = rows(club)
    with club.service.database.transaction() as tx:
        tx.results.note(1, None)
        tx.results._write(RATING.update().values(points=9.0))
    assert reckon_again(club.service.database, club.clock.now()) == 1
    wait(club, hours=1)
    assert rows(club) == known
    assert reckon_again(club.service.database, club.clock.now()) == 0


@pytest.mark.parametrize("seed", range(4))
def test_months_that_are_closed_one_by_one_are_those_of_all_results(club: Club, seed: int) -> None:
    """Also when results of any month change, come, and go meanwhile: one reckoning, fed in two ways."""
    random, known, matches = Random(seed), dict[int, Result](), 25
    for _ in range(matches):
        club.service.open("zipline", PLAYERS, {"size": 5})
    for step in range(80):
        now = club.clock.now()
        number = 1 + random.randrange(matches)
        with club.service.database.transaction() as tx:
            if random.random() < 0.3:
                found, result = known.pop(number, None), None
            else:
                at = now - timedelta(days=random.randrange(90) * (step % 3 == 0))
                found, result = known.get(number), some_result(random, number, at)
                known[number] = result
            tx.results.note(number, result)
            reopen(tx, [one for one in (found, result) if one], now)
        if step % 4 == 3:
            wait(club, days=random.randrange(25), hours=1)
    wait(club, days=40)
    for _ in range(6):  # one month at a time
        wait(club, hours=1)
    ratings = Ratings()
    for number, one in known.items():
        ratings.note(number, one)
    ratings.refresh()
    expected = {(player, mark.month): mark for player in (1, 2, 3) for mark in ratings.marks(player)}
    with club.service.database.reading() as tx:
        stored = {(player, mark.month): mark for player in (1, 2, 3) for _, mark in tx.results.all_marks(player)}
    assert stored == expected


def some_result(random: Random, number: int, at: datetime) -> Result:
    """Return how a match of two or three may have ended."""
    players = random.sample((1, 2, 3), random.choice((2, 3)))
    won = random.choice(range(1 << len(players)))
    sides = [won >> seat & 1 for seat in range(len(players))]
    drawn = len(set(sides)) == 1
    parts = tuple(
        Part(
            player,
            seat if drawn else side,
            0.5 if drawn else float(side),
            3,
            0,
            not drawn and not side and number % 3 == 0,
        )
        for seat, (player, side) in enumerate(zip(players, sides, strict=True))
    )
    return Result(number, "zipline", at, random.random() < 0.9, True, parts)


def test_who_is_less_reliable_than_asked_can_t_come(club: Club) -> None:
    """They're told so, and nothing else is closed to them."""
    for number in range(5):
        match = club.service.open("pipline", (ANN, BOB), {"size": 5, "days": 3})
        club.reply(0, "b2", match=match.id)
        wait(club, days=4 * (number == 0))
        club.reply(1, "resign", match=match.id)
    with club.service.database.reading() as tx:
        ann, bob = (reliability_of(tx, player, club.clock.now()).percent for player in (1, 2))
    assert (ann, bob) == (100, 0)
    club.service.open("pipline", (ANN, BOB), {"size": 5})
    club.reply(0, "seek pipline reliable=90", match=6)
    club.reply(1, "join 1", match=6)
    with club.service.database.reading() as tx:
        offer = tx.invitations.get(1)
    assert offer
    assert (offer.reliable, offer.state) == (90, "open")


def test_months_begin_in_utc(club: Club) -> None:
    """Whatever zones players have."""
    over = finish(club, open_rated(club))
    assert month_of(over.changed_at) == month_of(club.clock.now())
