"""Ladders by email: who takes whose place, who can't be challenged, and what nobody gets by writing a lot."""

import asyncio
import json
from collections.abc import Callable
from datetime import timedelta
from io import BytesIO
from zipfile import ZipFile

import pytest

from pbem.asking.contests.standings import read_ladder
from pbem.clubs.ladder import Ladder, Rung
from pbem.commands.ruling import adjudicate, reinstate
from pbem.match.player import FORMER
from pbem.running.operator_rulings import forget_player, merge_players, rule
from pbem.settings.model import Settings
from tests.support.club import Club, told
from tests.support.mails import text_of

DAY = timedelta(days=1)
NAMES = ("Ann", "Bob", "Carl", "Dora")
ANN, BOB, CARL, DORA = range(1, 5)
ASKED, REFUSED = [("invitation", None), ("starting", None)], [("starting", None)]


@pytest.fixture
def ladder(settings: Settings, new_club: Callable[..., Club]) -> Club:
    """A club in which Ann, Bob, Carl and Dora stand in the ladder of Pipline, in this order, without robots."""
    settings.robots = "off"
    club = new_club()
    people = [f"{name} <{name.lower()}@{name[0].lower()}.example>" for name in NAMES]
    for number, pair in enumerate((people[:2], people[2:]), 1):
        club.open(players=(pair[0], pair[1]), days="none")
        for seat in range(2):
            assert told(club.reply(seat, "ladder pipline", match=number)) == REFUSED
    return club


def say(club: Club, player: int, text: str) -> list[tuple[str, int | None]]:
    """Let a player write something in answer to the newest email about their first match; return what that led to."""
    return told(club.reply((player - 1) % 2, text, match=(player + 1) // 2))


def stands(club: Club) -> Ladder:
    """Return how the ladder stands."""
    with club.service.database.reading() as tx:
        (contest,) = tx.contests.all("ladder")
        return read_ladder(tx, contest, club.clock.now())


def order(club: Club) -> str:
    """Return the first letters of those in the ladder, first to last."""
    return "".join(NAMES[player - 1][0] for player in stands(club).people)


def play(club: Club, player: int, rival: int, loser: int) -> int:
    """Let a player challenge another one, who accepts, and one of them resign; return the number of the match."""
    assert say(club, player, f"challenge {NAMES[rival - 1]}") == ASKED
    club.answer_kind("invitation", -1, "accept")
    asyncio.run(club.service.deliver())
    with club.service.database.reading() as tx:
        match = tx.matches.newest()
    club.reply(0, "c3", match=match)
    club.reply(1, "take", match=match)
    club.reply(0 if loser == player else 1, "resign", match=match)
    return match


def wait(club: Club, by: timedelta) -> None:
    """Let time pass while the service works."""
    for _ in club.pass_time(by):
        pass


def test_who_wins_takes_the_place_and_all_between_move_down(ladder: Club) -> None:
    """The challenger has the first seat, the match is rated, and whose time ends loses it."""
    number = play(ladder, DORA, BOB, loser=BOB)
    assert order(ladder) == "ADBC"
    match = ladder.match(number)
    assert [player.name for player in match.players] == ["Dora", "Bob"]
    assert match.rated
    assert match.clock is not None
    assert (match.clock.control.start, match.clock.control.policy) == (5 * 86400, "forfeit")


def test_who_is_challenged_and_wins_keeps_the_place(ladder: Club) -> None:
    """Then somebody else is to be challenged first."""
    play(ladder, DORA, BOB, loser=DORA)
    assert order(ladder) == "ABCD"
    assert say(ladder, DORA, "challenge Bob") == REFUSED
    assert say(ladder, DORA, "challenge Carl") == ASKED


def test_a_ruling_counts_and_so_does_its_end(ladder: Club) -> None:
    """Nothing is stored of how a ladder stands."""
    say(ladder, DORA, "challenge Bob")
    ladder.answer_kind("invitation", -1, "accept")
    asyncio.run(ladder.service.deliver())
    rule(ladder.service, 3, lambda match, now: adjudicate(match, [0], now))
    assert order(ladder) == "ADBC"
    rule(ladder.service, 3, lambda match, now: reinstate(match, "adjudicated", now))
    assert order(ladder) == "ABCD"


@pytest.mark.parametrize("answer", ["decline", "no thanks"])
def test_who_declines_gives_the_place_away(ladder: Club, answer: str) -> None:
    """Both hear of it, the one by the answer, the other by an email."""
    say(ladder, DORA, "challenge Bob")
    assert told(ladder.answer_kind("invitation", -1, answer)) == [("contest_news", None), ("starting", None)]
    assert order(ladder) == "ADBC"


def test_who_does_not_answer_in_time_gives_the_place_away(ladder: Club) -> None:
    """Both are told once."""
    say(ladder, DORA, "challenge Bob")
    wait(ladder, 4 * DAY)
    assert order(ladder) == "ABCD"
    wait(ladder, 2 * DAY)
    assert order(ladder) == "ADBC"
    assert [mail.recipient for mail in ladder.queued(kind="contest_news")] == ["dora@d.example", "bob@b.example"]
    ladder.answer_kind("invitation", -1, "accept")
    wait(ladder, DAY)
    assert order(ladder) == "ADBC"


def test_the_time_to_answer_stands_still_in_a_vacation(ladder: Club) -> None:
    """It was set after the challenge came."""
    say(ladder, DORA, "challenge Bob")
    say(ladder, BOB, "vacation 10 days")
    wait(ladder, 14 * DAY)
    assert order(ladder) == "ABCD"
    wait(ladder, 2 * DAY)
    assert order(ladder) == "ADBC"


def test_wanting_no_email_keeps_no_place(ladder: Club) -> None:
    """Neither before a challenge nor during one: else whoever writes `resume` for a match with a friend stays first."""
    say(ladder, BOB, "unsubscribe")
    assert say(ladder, DORA, "challenge Bob") == REFUSED  # Bob gets no email
    wait(ladder, 6 * DAY)
    assert order(ladder) == "ADBC"
    assert say(ladder, CARL, "challenge Dora") == ASKED
    say(ladder, DORA, "unsubscribe")
    wait(ladder, 6 * DAY)
    assert order(ladder) == "ACDB"


def test_a_challenge_can_be_taken_back(ladder: Club) -> None:
    """It changes nothing, and counts as one of the day."""
    for rival in ("Bob", "Carl", "Ann"):
        assert say(ladder, DORA, f"challenge {rival}") == ASKED
        with ladder.service.database.reading() as tx:
            number = tx.invitations.open()[-1].id
        say(ladder, DORA, f"cancel {number}")
    assert say(ladder, DORA, "challenge Carl") == REFUSED
    assert order(ladder) == "ABCD"
    ladder.serve(DAY)
    assert say(ladder, DORA, "challenge Carl") == ASKED


@pytest.mark.parametrize("away", ["vacation 3 days", "emergency"])
def test_who_is_away_cannot_be_challenged_and_nobody_learns_why(ladder: Club, away: str) -> None:
    """Nor does their place count: the next one up can be reached."""
    ladder.open(players=("Carl <carl@c.example>", "Dora <dora@d.example>"), days=9)  # a clock that can stand still
    assert ladder.reply(0, away, match=3).message.status == "accepted"
    before = len(ladder.queued(kind="starting"))
    assert say(ladder, DORA, "challenge Carl") == REFUSED
    said = text_of(ladder.mail(ladder.queued(kind="starting")[before]))
    assert not {"vacation", "away", "block", "unsubscribed"} & set(said.lower().split())
    assert say(ladder, DORA, "challenge Ann") == ASKED


def test_blocking_everybody_below_keeps_no_place(ladder: Club) -> None:
    """Carl gets no challenge of Dora, as if it were not answered; she can't tell."""
    play(ladder, DORA, CARL, loser=DORA)  # so that Carl knows Dora by name
    play(ladder, DORA, BOB, loser=DORA)
    say(ladder, CARL, "block Dora")
    assert say(ladder, DORA, "challenge Carl") == REFUSED
    wait(ladder, 5 * DAY)
    assert order(ladder) == "ABDC"
    assert [mail.recipient for mail in ladder.queued(kind="contest_news")] == ["dora@d.example", "carl@c.example"]


def test_friends_who_take_turns_shield_nobody(ladder: Club) -> None:
    """Bob and Carl would be Ann's only matches for as long as she likes; a week is Dora's, who has waited longest."""
    play(ladder, BOB, ANN, loser=BOB)
    play(ladder, CARL, ANN, loser=CARL)
    for friend in ("Bob", "Carl"):
        assert say(ladder, NAMES.index(friend) + 1, "challenge Ann") == REFUSED
    wait(ladder, 6 * DAY)
    assert say(ladder, BOB, "challenge Ann") == REFUSED
    assert say(ladder, DORA, "challenge Ann") == ASKED


def test_a_challenge_that_is_taken_back_changes_no_turns(ladder: Club) -> None:
    """Carl, who is Ann, challenges somebody else meanwhile, as if to choose another."""
    play(ladder, CARL, ANN, loser=CARL)
    say(ladder, CARL, "challenge Bob")
    with ladder.service.database.reading() as tx:
        number = tx.invitations.open()[-1].id
    say(ladder, CARL, f"cancel {number}")
    assert say(ladder, CARL, "challenge Ann") == REFUSED
    assert say(ladder, DORA, "challenge Ann") == ASKED


def test_a_match_without_end_keeps_nobody_from_challenging(ladder: Club) -> None:
    """After four weeks neither others, nor whoever plays it."""
    play(ladder, BOB, ANN, loser=BOB)
    assert say(ladder, BOB, "challenge Ann") == REFUSED
    assert say(ladder, CARL, "challenge Ann") == ASKED
    ladder.answer_kind("invitation", -1, "accept")
    asyncio.run(ladder.service.deliver())
    assert say(ladder, DORA, "challenge Ann") == REFUSED
    for _ in range(7):  # a match that makes no end
        for seat, move in enumerate(("undo", "no")):
            ladder.reply(seat, move, match=4)
        ladder.serve(4 * DAY)
    assert say(ladder, DORA, "challenge Ann") == ASKED
    assert say(ladder, CARL, "challenge Bob") == ASKED


def test_who_was_to_begin_and_did_not_loses_the_place_or_wins_none(
    settings: Settings, new_club: Callable[..., Club]
) -> None:
    """A match in which nobody moves is void; else to accept and to do nothing would keep any place."""
    settings.robots, settings.vacation_days, settings.salt_hours = "off", 0, 0
    club, begun = new_club(), set[int | None]()
    club.open(days="none")
    for seat in range(2):
        club.reply(seat, "ladder pippip")
    for number in range(2, 8):  # who begins is rolled
        before = stands(club).people
        club.reply(before[1] - 1, f"challenge {NAMES[before[0] - 1]}")
        club.answer_kind("invitation", -1, "accept")
        asyncio.run(club.service.deliver())
        to_act = club.match(number).position.to_act
        assert isinstance(to_act, int)
        begun.add(to_act)
        wait(club, 12 * DAY)
        assert club.match(number).ruling
        assert stands(club).people == (before[::-1] if to_act == 1 else before)
    assert begun == {0, 1}


def test_a_paused_match_does_not_count_against_the_limit(ladder: Club) -> None:
    """Whoever waits so long can challenge somebody else meanwhile, and be challenged."""
    say(ladder, DORA, "challenge Bob")
    ladder.answer_kind("invitation", -1, "accept")
    asyncio.run(ladder.service.deliver())
    assert say(ladder, CARL, "challenge Bob") == REFUSED
    for seat in range(2):
        ladder.reply(seat, "pause 10d", match=3)
    assert say(ladder, CARL, "challenge Bob") == ASKED


def test_who_plays_no_match_for_three_months_sinks(ladder: Club) -> None:
    """A vacation doesn't count; each is told once."""
    say(ladder, BOB, "vacation 20 days")
    wait(ladder, 92 * DAY)
    assert order(ladder) == "BACD"
    wait(ladder, 21 * DAY)
    assert order(ladder) == "ACDB"
    assert len(ladder.queued(kind="contest_news")) == 4


def test_leaving_calls_off_what_was_asked(ladder: Club) -> None:
    """Nobody wins a place of somebody who is gone; who comes back the same day waits."""
    say(ladder, DORA, "challenge Bob")
    assert say(ladder, BOB, "leave ladder") == [("contest_news", None), ("starting", None)]
    assert order(ladder) == "ACD"
    assert not any(one.is_open for one in stands(ladder).challenges.values())
    ladder.answer_kind("invitation", -1, "accept")
    say(ladder, BOB, "ladder pipline")
    assert order(ladder) == "ACD"
    ladder.serve(DAY)
    say(ladder, BOB, "ladder pipline")
    assert order(ladder) == "ACDB"


def test_entering_a_hundred_times_is_entering_once(ladder: Club) -> None:
    """Nothing is stored of what changes nothing; in and out again costs a day each time."""
    with ladder.service.database.reading() as tx:
        before = len(tx.contests.events(1))
    for _ in range(20):
        say(ladder, DORA, "ladder pipline")
        say(ladder, DORA, "leave ladder\nladder pipline\nleave ladder\nladder pipline")
    with ladder.service.database.reading() as tx:
        assert len(tx.contests.events(1)) == before + 1
    assert order(ladder) == "ABC"


def test_a_challenge_war_sends_few_emails(ladder: Club) -> None:
    """Two who challenge everybody above them, and take it back, all day: three emails each, whatever they write."""
    for _ in range(10):
        for player, rivals in ((CARL, ("Ann", "Bob")), (DORA, ("Ann", "Bob", "Carl"))):
            for rival in rivals:
                say(ladder, player, f"challenge {rival}")
                with ladder.service.database.reading() as tx:
                    opened = [one.id for one in tx.invitations.open_of(player) if one.inviter == player]
                for number in opened:
                    say(ladder, player, f"cancel {number}")
    assert len(ladder.queued(kind="invitation")) == 6
    assert len(ladder.queued(kind="contest_news")) == 6
    assert order(ladder) == "ABCD"


def test_an_email_of_somebody_forgotten_does_nothing_in_a_ladder(ladder: Club) -> None:
    """Nor can anybody who has found it enter, or challenge anybody."""
    letters = [ladder.answer(ladder.newest(1, 2), text) for text in ("ladder pipline", "challenge Ann")]
    asked = ladder.queued(kind="starting")[-1]
    letters.append(ladder.answer(ladder.mail(asked), "challenge Ann"))
    forget_player(ladder.service, ladder.match(2).players[1])
    for letter in letters:
        ladder.service.hand_in(letter)
    assert order(ladder) == "ABC"
    assert ladder.queued(kind="invitation") == []


def test_in_the_name_of_somebody_else_nobody_enters_leaves_or_challenges(ladder: Club) -> None:
    """Without a token its player is asked first; they say no, or nothing."""
    for text in ("leave ladder", "challenge Ann", "ladder snipsnip"):
        arrival = ladder.write(text, "Dora <dora@d.example>")
        assert [mail.kind for mail in arrival.outbound] == ["confirm_start"]
    assert order(ladder) == "ABCD"
    assert ladder.queued(kind="invitation") == []
    ladder.answer_kind("confirm_start", 1, "yes")
    assert len(ladder.queued(kind="invitation")) == 1


def test_robots_accept_at_once_and_their_matches_are_not_rated(club: Club) -> None:
    """Where a ladder has few people, robots stand in it; whoever beats one stands above it."""
    club.open()
    club.reply(0, "ladder pipline\nchallenge robot 1")
    asyncio.run(club.service.deliver())
    match = club.match(2)
    assert [player.robot for player in match.players] == [0, 1]
    assert not match.rated
    rule(club.service, 2, lambda match, now: adjudicate(match, [0], now))
    assert stands(club).shown == (Rung(robot=2), Rung(ANN), Rung(robot=1))


def test_names_decide_where_there_is_one_and_are_asked_for_where_there_are_several(ladder: Club) -> None:
    """A ladder can be named; whoever stands below can't be challenged, nor can oneself."""
    assert say(ladder, BOB, "challenge Ann in pipline") == ASKED
    for text in ("challenge Nobody", "challenge Dora", "challenge Carl", "challenge Ann in snipsnip", "ladder chess"):
        assert say(ladder, CARL, text) == REFUSED


def test_forgotten_players_leave_their_ladders(ladder: Club) -> None:
    """What they were asked is called off; nothing in it names them any more."""
    say(ladder, DORA, "challenge Bob")
    with ladder.service.database.reading() as tx:
        bob = tx.players.get(BOB)
    assert bob
    forget_player(ladder.service, bob)
    assert order(ladder) == "ACD"
    assert not any(one.is_open for one in stands(ladder).challenges.values())
    say(ladder, DORA, "ladder")
    said = text_of(ladder.mail(ladder.queued(kind="starting")[-1]))
    assert "Bob" not in said + text_of(ladder.mail(ladder.queued(kind="contest_news")[-1]))
    assert FORMER in text_of(ladder.mail(ladder.queued(kind="contest_news")[-1]))


def test_merged_players_have_one_place(ladder: Club) -> None:
    """The one at which they have been for longer; they don't challenge themselves."""
    say(ladder, DORA, "challenge Bob")
    merge_players(ladder.service, "Dora", "Bob")
    assert order(ladder) == "ABC"
    assert stands(ladder).challenges == {}


def test_an_export_tells_of_ladders(ladder: Club) -> None:
    """What its player did, and what happened to them, without anybody else's name."""
    say(ladder, DORA, "challenge Bob")
    say(ladder, BOB, "export")
    asyncio.run(ladder.service.deliver())
    mail = ladder.mail(ladder.queued(kind="export")[-1])
    (attached,) = mail.iter_attachments()
    with ZipFile(BytesIO(attached.get_content())) as packed:
        found = json.loads(packed.read("export.json"))["contests"]
    assert [(one["name"], [event["kind"] for event in one["events"]]) for one in found] == [
        ("pipline", ["entered", "challenged"])
    ]
