"""Attacks on leagues: entering often, leaving to change results, a stand-in who throws a match, words of others."""

from datetime import timedelta

import pytest

from tests.support.club import Club
from tests.support.leagues import (
    NAMES,
    add_players,
    address_of,
    begin_season,
    decide,
    decide_rest,
    enter_all,
    lose,
    match_between,
    matches_of,
    pass_until,
    read_league_of,
    tables_of,
)


def test_entering_a_hundred_times_enters_once(club: Club) -> None:
    """And costs few emails, whoever writes in somebody's name."""
    numbers = enter_all(club, NAMES[:1])
    before = len(club.queued())
    for _ in range(100):
        club.write("league pipline", address_of("Ann"))
    assert len(club.queued()) - before <= 3
    for _ in range(20):
        club.answer_kind("starting", 0, "league pipline\nleave league pipline\nleague pipline")
    league = read_league_of(club)
    assert league.entered in ((), (numbers[0],))
    with club.service.database.reading() as tx:
        assert len(tx.contests.all()) == 1
        assert len(tx.contests.events(league.contest.id)) <= 2 + 3 * 20


def test_a_hundred_leagues_cannot_be_made(club: Club) -> None:
    """There are those of games, and those of the operator."""
    add_players(club, NAMES[:1])
    enter_all(club, NAMES[:1])
    for number in range(10):
        club.answer_kind("starting", -1, f"league mine{number}")
    with club.service.database.reading() as tx:
        assert len(tx.contests.all()) == 1


def test_nobody_is_entered_or_taken_out_by_a_forged_sender(club: Club) -> None:
    """Without an answer to an email of ours the player is asked first."""
    enter_all(club)
    club.write("leave league pipline", address_of("Ann"))
    add_players(club, ("Finn",))
    club.write("league pipline", address_of("Finn"))
    assert len(read_league_of(club).entered) == 5
    assert [mail.kind for mail in club.queued()[-2:]] == ["confirm_start"] * 2


def _leave(club: Club, name: str) -> None:
    """Let a player leave the league, in answer to the email about its beginning."""
    readers = [mail.recipient for mail in club.queued(kind="league_begins")]
    club.answer_kind("league_begins", readers.index(address_of(name)), "leave league pipline")


@pytest.mark.parametrize(("words", "muted", "letter"), [("unsubscribe", True, True), ("letter off", False, False)])
def test_any_email_about_a_league_ends_email(club: Club, words: str, muted: bool, letter: bool) -> None:
    """Its button does, which writes the word, and so does a complaint: nobody has to look for one about a match."""
    begin_season(club)
    club.answer_kind("league_begins", 0, words)
    with club.service.database.reading() as tx:
        player = tx.players.find(club.queued(kind="league_begins")[0].recipient)
    assert player
    assert (player.preferences.muted, player.preferences.letter) == (muted, letter)


def test_leaving_takes_a_result_away_from_nobody_alone(club: Club) -> None:
    """Ann loses to Bob, leaves, and gives the others up at once: nobody has met her, and nobody gains by it."""
    numbers = begin_season(club)
    lose(club, match_between(club, "Ann", "Bob"), "Ann")
    _leave(club, "Ann")
    assert numbers[0] in read_league_of(club).seasons[-1].gone
    for other in NAMES[2:]:
        lose(club, match_between(club, "Ann", other), "Ann", played=False)
    decide_rest(club)
    pass_until(club, lambda: read_league_of(club).season is None)
    rows = {row.player: row for row in tables_of(club)[0]}
    assert (rows[numbers[0]].lost, rows[numbers[0]].void) == (0, 4)
    assert [rows[number].points for number in numbers[1:]] == [6, 4, 2, 0]


def test_whoever_stays_cannot_take_a_match_off_the_table(club: Club) -> None:
    """To give up before the second move without having left is to lose; so is running out of time in a played match."""
    numbers = begin_season(club)
    for other in NAMES[1:]:
        lose(club, match_between(club, "Ann", other), "Ann", played=False)
    rows = {row.player: row for row in tables_of(club)[0]}
    assert (rows[numbers[0]].lost, rows[numbers[0]].void) == (4, 0)
    assert [rows[number].points for number in numbers[1:]] == [2, 2, 2, 2]
    club.serve(timedelta(days=1))
    _leave(club, "Ann")  # when everybody counts on their points
    assert tables_of(club)[0] == tuple(rows.values())


def test_a_stand_in_who_throws_a_match_harms_whom_they_stand_in_for(club: Club) -> None:
    """The result counts for the one whose place it is, as their rating does: they chose who plays for them."""
    numbers = begin_season(club, NAMES)
    zoe = add_players(club, ("Zoe",))
    match = match_between(club, "Ann", "Bob")
    lose_seat = next(seat for seat, player in enumerate(match.players) if player.name == "Ann")
    for seat, move in ((0, "a1"), (1, "take"), (0, "b2"), (1, "c3")):
        club.reply(seat, move, match=match.id)
    club.reply(lose_seat, f"standin {address_of('Zoe')} until 24 dec", match=match.id)
    club.answer_kind("seat_offered", -1, "yes")
    club.reply(1 - lose_seat, "yes", match=match.id)
    for _ in club.pass_time(timedelta(minutes=5)):
        pass
    assert club.match(match.id).players[lose_seat].id == zoe[0]
    lose(club, club.match(match.id), "Zoe", played=False)
    rows = {row.player: row for row in tables_of(club)[0]}
    assert (rows[numbers[0]].lost, rows[numbers[1]].won) == (1, 1)
    assert zoe[0] not in rows
    with club.service.database.reading() as tx:
        result = tx.results.of_matches([match.id])[match.id]
    assert (result.rated, result.players) == (True, frozenset(numbers[:2]))
    assert result.parts[lose_seat].score == 0


def test_a_friend_who_plays_one_match_and_drops_out_gives_nobody_a_point(club: Club) -> None:
    """Eve plays against Ann alone, loses, and misses the others: none of her matches counts, for nobody."""
    numbers = begin_season(club)
    lose(club, match_between(club, "Ann", "Eve"), "Eve")
    for one in matches_of(club):
        names = {player.name for player in one.players}
        if "Eve" not in names and one.outcome is None:
            decide(club, one, min(names))
        elif one.outcome is None and one.players[1].name == "Eve":
            club.reply(0, "a1", match=one.id)
    pass_until(club, lambda: read_league_of(club).season is None)
    rows = {row.player: row for row in tables_of(club)[0]}
    assert (rows[numbers[4]].lost, rows[numbers[4]].void) == (0, 4)
    assert [rows[number].points for number in numbers[:4]] == [6, 4, 2, 0]
