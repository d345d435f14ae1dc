"""The end of somebody's time: by each policy, after a bounce, and when it is not to be judged yet."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest

from pbem.due.outages import RECEIVES, SENDS
from pbem.errors import PermanentFailure
from pbem.settings.model import Settings
from tests.support.clocks import clock, entries, opened, return_email, wait
from tests.support.club import PLAYERS, Club, told

DAY = 86400


@pytest.fixture
def club(settings: Settings, new_club: Callable[..., Club]) -> Club:
    """A club where nobody has days of vacation, so that time is over when it is over."""
    settings.vacation_days = 0
    return new_club()


@pytest.fixture
def lenient(settings: Settings, new_club: Callable[..., Club]) -> Club:
    """A club where everybody has three days of vacation a year."""
    settings.vacation_days = 3
    return new_club()


def team(club: Club, **options: object) -> None:
    """Open a match of Zipline in which Bob plays alone, and Carl, the partner of Ann, is to act."""
    options = {"days": 3} | options
    number = club.open("zipline", PLAYERS, **options).id
    asyncio.run(club.service.deliver())
    for seat, move in ((0, "c3"), (1, "take")):
        club.reply(seat, move, match=number)
        asyncio.run(club.service.deliver())
    assert club.match(number).to_act == 2


def log(club: Club, number: int = 1) -> list[tuple[str, int | None]]:
    """Return what happened to a match beside its entries."""
    return [(entry.kind, entry.seat) for entry in entries(club, number)]


def kinds(club: Club, seat: int, number: int = 1) -> list[str]:
    """Return the kinds of all emails to a seat."""
    return [mail.kind for mail in club.queued() if (mail.match, mail.seat) == (number, seat)]


def come_back(club: Club, kind: str, seat: int, number: int = 1) -> None:
    """Let the latest email of a kind to a seat come back."""
    sent = [mail for mail in club.queued(kind=kind) if (mail.match, mail.seat) == (number, seat)][-1]
    assert return_email(club, sent).message.reason == "bounce"


# when a clock runs


def test_a_clock_runs_from_the_notice_that_the_server_took(club: Club) -> None:
    """Not from the move: what waits in our queue is nobody's time."""
    club.open(days=3)
    assert (clock(club).halted, clock(club).since) == ("unsent", None)
    club.clock.advance(timedelta(minutes=40))
    asyncio.run(club.service.deliver())
    assert (clock(club).halted, clock(club).since) == ("", club.clock.now())


def test_a_notice_that_was_never_sent_never_flags(club: Club) -> None:
    """Whatever the mail server says, for as long as it says so."""
    opened(club, "c3")
    club.reply(1, "b2")
    for mail in club.queued(status="queued"):
        with club.service.database.transaction() as tx:
            tx.outbound.note_attempt(mail.id, "queued", "the server is down", club.clock.now() + timedelta(days=90))
    wait(club, days=60)
    assert clock(club).halted == "unsent"
    assert log(club) == []
    wait(club, days=34)
    assert clock(club).flagged_at


def test_the_clock_of_whoever_unsubscribed_runs_on(club: Club) -> None:
    """Nobody stops a match by wanting no email; the others are told, and asked when the time is over."""
    opened(club, "c3")
    club.reply(1, "unsubscribe")
    asyncio.run(club.service.deliver())
    assert log(club) == [("unsubscribed", 1)]
    before = kinds(club, 1)
    wait(club, days=3)
    assert clock(club).halted == "flagged"
    assert kinds(club, 1) == before
    assert kinds(club, 0)[-1] == "time_up"


# the flag, by each policy


def test_at_the_flag_nobody_loses_unasked(club: Club) -> None:
    """Those who wait are asked what is to become of the match; the time was over to the second."""
    opened(club, "c3", "b2")
    since = clock(club).since
    assert since
    wait(club, days=3)
    assert (clock(club).halted, clock(club).flagged_at) == ("flagged", since + timedelta(days=3))
    assert log(club) == [("flagged", 0)]
    assert kinds(club, 1)[-1] == "time_up"
    assert club.moves() == ["c3", "b2"]


def test_those_who_wait_are_asked_again_each_week_for_two_months(club: Club) -> None:
    """Then there is silence: whoever does not answer either gets no email for ever."""
    opened(club, "c3", "b2")
    wait(club, days=365)
    asked = [entry for entry in entries(club) if entry.kind == "flagged"]
    assert [bool(entry.arguments.get("again")) for entry in asked] == [False] + [True] * 8
    assert len(asked) == 9


def test_with_forfeit_the_match_is_over_at_the_flag(club: Club) -> None:
    """The fact stands in the record, at the time at which it became one."""
    opened(club, "c3", "b2", flag="forfeit")
    wait(club, days=3)
    assert club.moves() == ["c3", "b2", "timeout"]
    outcome = club.match().outcome
    assert outcome
    assert outcome.winners == {1}
    assert [kinds(club, seat)[-1] for seat in (0, 1)] == ["match_over", "match_over"]


def test_with_remind_only_nothing_follows_but_that_it_is_told(club: Club) -> None:
    """The match waits, and nobody can claim it."""
    opened(club, "c3", "b2", flag="remind-only")
    wait(club, days=4)
    assert club.reply(1, "claim").message.status == "rejected"
    assert club.moves() == ["c3", "b2"]
    assert club.reply(0, "b4").message.status == "accepted"


def test_with_partner_the_partner_plays_on(club: Club) -> None:
    """With a new start, told of it like of every turn; the opponent's clock was not touched."""
    team(club, flag="partner")
    bank = clock(club).banks[1]
    wait(club, days=3)
    assert club.moves()[-1] == "timeout"
    assert club.match().outcome is None
    assert club.match().position.departed() == {2}
    wait(club, minutes=1)
    acting = club.match().to_act
    assert acting != 2
    assert clock(club).bank == 3 * DAY
    assert clock(club).banks[1] == bank


def test_with_partner_the_last_of_a_side_is_asked_about_like_anybody(club: Club) -> None:
    """There is no partner any more."""
    team(club, flag="partner")
    wait(club, days=10)
    assert clock(club).halted == "flagged"
    assert club.moves().count("timeout") == 1


def test_a_claim_against_a_side_ends_the_match(club: Club) -> None:
    """By the one who waited for both; partners cannot claim against each other."""
    team(club)
    wait(club, days=3)
    assert kinds(club, 1)[-1] == "time_up"
    assert club.reply(0, "claim").message.status == "rejected"
    claimed = club.reply(1, "claim")
    assert claimed.message.commands == ("claim",)
    outcome = club.match().outcome
    assert outcome
    assert outcome.winners == {1}
    assert {seat for _, seat in told(claimed)} == {0, 1, 2}


@pytest.mark.parametrize("seat", [0, 2])
def test_either_partner_may_claim_against_their_opponent(club: Club, seat: int) -> None:
    """Both wait for him."""
    team(club)
    club.reply(2, "b2")
    club.reply(0, "d4") if club.match().to_act == 0 else None
    while club.match().to_act != 1:
        acting = club.match().to_act
        assert isinstance(acting, int)
        club.reply(acting, "a1")
    asyncio.run(club.service.deliver())
    wait(club, days=3)
    assert club.reply(seat, "claim").message.commands == ("claim",)
    outcome = club.match().outcome
    assert outcome
    assert outcome.winners == {0, 2}


# no-show


def test_nobody_loses_a_match_in_which_nobody_has_moved(club: Club) -> None:
    """After twice the time it is void for all, whatever its policy, and no vacation is spent on it."""
    opened(club, flag="forfeit")
    wait(club, days=5, hours=23)
    assert club.match().outcome is None
    wait(club, hours=1)
    ruling = club.match().ruling
    assert ruling
    assert (ruling.kind, ruling.reason) == ("void", "no_show")
    assert club.match().record == ()
    assert club.match().players[0].calendar.absences == ()
    assert [kinds(club, seat)[-1] for seat in (0, 1)] == ["match_over", "match_over"]
    count = len(club.queued())
    wait(club, days=100)
    assert len(club.queued()) == count


# automatic days


def test_a_day_of_vacation_is_used_before_anybody_loses(lenient: Club) -> None:
    """One after the other, to the second, until they are spent; then the flag falls."""
    opened(lenient, "c3", "b2")
    since = clock(lenient).since
    assert since
    wait(lenient, days=3)
    (first,) = lenient.match().players[0].calendar.absences
    assert (first.start, first.end, first.kind) == (since + timedelta(days=3), since + timedelta(days=4), "automatic")
    assert log(lenient) == [("automatic_day", 0)]
    assert clock(lenient).halted == ""
    wait(lenient, days=3)
    assert log(lenient) == [("automatic_day", 0)] * 3 + [("flagged", 0)]
    assert clock(lenient).flagged_at == since + timedelta(days=6)
    (all_three,) = lenient.match().players[0].calendar.absences
    assert (all_three.start, all_three.end) == (first.start, first.start + timedelta(days=3))


def test_whoever_moves_on_an_automatic_day_begins_the_next_turn_as_ever(lenient: Club) -> None:
    """The day is spent, and nothing else."""
    opened(lenient, "c3", "b2")
    wait(lenient, days=3, hours=5)
    lenient.reply(0, "b4")
    assert clock(lenient).banks[0] == 3 * DAY
    assert len(lenient.match().players[0].calendar.absences) == 1


def test_no_day_is_used_where_nobody_loses_on_time(lenient: Club) -> None:
    """It would buy nothing, and be missing where it is needed."""
    opened(lenient, "c3", "b2", flag="remind-only")
    wait(lenient, days=3, hours=1)
    assert lenient.match().players[0].calendar.absences == ()
    assert clock(lenient).halted == "flagged"


def test_the_strict_use_no_day_by_themselves(lenient: Club) -> None:
    """Whoever wrote auto off gets what they wanted."""
    opened(lenient, "c3", "b2")
    lenient.reply(0, "auto off")
    wait(lenient, days=3)
    assert log(lenient) == [("flagged", 0)]


def test_days_are_those_of_the_player_in_all_matches_together(lenient: Club) -> None:
    """Three days a year, whether one plays one match or three; a day counts in each of them."""
    for number in (1, 2):
        opened(lenient, players=(PLAYERS[0], f"{number}@b.example"))
        lenient.reply(0, "c3", match=number)
        lenient.reply(1, "b2", match=number)
    asyncio.run(lenient.service.deliver())
    wait(lenient, days=7)
    absences = lenient.match(1).players[0].calendar.absences
    assert sum(((one.end - one.start) for one in absences), timedelta()) == timedelta(days=3)
    assert [clock(lenient, number).halted for number in (1, 2)] == ["flagged", "flagged"]


# after the flag


def test_a_move_after_the_flag_counts_as_long_as_nobody_has_claimed(club: Club) -> None:
    """The match goes on, and the next turn has its time."""
    opened(club, "c3", "b2")
    wait(club, days=5)
    assert club.reply(0, "b4").message.status == "accepted"
    asyncio.run(club.service.deliver())
    assert (clock(club).seat, clock(club).halted, clock(club).flagged_at) == (1, "", None)
    wait(club, days=3)
    assert [seat for kind, seat in log(club) if kind == "flagged"] == [0, 1]


def test_whoever_waits_gives_three_days_after_the_flag(club: Club) -> None:
    """They begin with the email that tells of them; then the question comes again."""
    opened(club, "c3", "b2")
    wait(club, days=3)
    assert club.reply(1, "wait 3d").message.commands == ("give 3d",)
    assert kinds(club, 0)[-1] == "time_news"
    asyncio.run(club.service.deliver())
    since = club.clock.now()
    assert (clock(club).since, clock(club).bank) == (since, 3 * DAY)
    assert club.reply(1, "claim").message.status == "rejected"
    wait(club, days=3)
    assert clock(club).flagged_at == since + timedelta(days=3)


def test_time_is_not_judged_before_the_mail_of_it_was_read(club: Club) -> None:
    """A move that lies in the mailbox at the deadline was made in time."""
    opened(club, "c3", "b2")
    deadline = clock(club).since
    assert deadline
    deadline += timedelta(days=3)
    with club.service.database.transaction() as tx:
        tx.heartbeats.beat(RECEIVES, deadline - timedelta(seconds=1))
        tx.heartbeats.beat(SENDS, deadline + timedelta(minutes=1))
    club.clock.advance(deadline + timedelta(minutes=1) - club.clock.now())
    club.service.run_due()
    assert log(club) == []
    with club.service.database.transaction() as tx:
        tx.heartbeats.beat(RECEIVES, deadline)
    club.clock.advance(timedelta(minutes=6))
    club.service.run_due()
    assert log(club) == [("flagged", 0)]
    assert clock(club).flagged_at == deadline


def test_a_match_that_is_over_has_nothing_due(club: Club) -> None:
    """Neither a flag nor a reminder comes of it."""
    opened(club, "c3", "b2")
    club.reply(0, "resign")
    asyncio.run(club.service.deliver())
    count = len(club.queued())
    wait(club, days=100)
    assert (log(club), len(club.queued())) == ([], count)


# bounces


def test_a_bounce_stops_the_clock_and_the_others_are_told(club: Club) -> None:
    """Nobody loses by an email that they never got; after two weeks the others are asked all the same."""
    opened(club, "c3")
    come_back(club, "your_turn", 1)
    assert (clock(club).halted, clock(club).bank) == ("bounced", 3 * DAY)
    assert log(club) == [("bounced", 1)]
    assert kinds(club, 0)[-1] == "time_news"
    wait(club, days=13, hours=23)
    assert clock(club).halted == "bounced"
    wait(club, hours=1)
    assert log(club) == [("bounced", 1), ("flagged", 1)]
    assert kinds(club, 0)[-1] == "time_up"


def test_another_address_is_tried_first(club: Club) -> None:
    """Quietly, and the clock runs from the email that went there; the others are told if that fails, too."""
    opened(club, "c3")
    with club.service.database.transaction() as tx:
        tx.players.add_address(club.match().players[1], "bob@home.example")
    come_back(club, "your_turn", 1)
    assert club.queued(kind="show")[-1].recipient == "bob@home.example"
    assert kinds(club, 0)[-1] != "time_news"
    assert (clock(club).halted, clock(club).since) == ("", club.clock.now())
    wait(club, hours=1)
    come_back(club, "show", 1)
    assert club.courier.senders.count(club.envelope_of(club.queued(kind="show")[0])) == 1
    assert clock(club).halted == "bounced"
    assert kinds(club, 0)[-1] == "time_news"


def test_whoever_writes_from_another_address_after_a_bounce_is_no_longer_waited_for_as_unreachable(club: Club) -> None:
    """They are there: their clock begins anew, and nobody waits for weeks."""
    opened(club, "c3")
    come_back(club, "your_turn", 1)
    with club.service.database.transaction() as tx:
        tx.players.add_address(club.match().players[1], "bob@home.example")
    assert clock(club).halted == "bounced"
    assert club.reply(1, "say: my old address is dead", From="bob@home.example").message.status == "accepted"
    asyncio.run(club.service.deliver())
    assert (clock(club).halted, clock(club).since) == ("", club.clock.now())


def test_whoever_writes_again_after_a_bounce_is_sent_the_turn_again(club: Club) -> None:
    """The clock begins anew with that email."""
    opened(club, "c3")
    come_back(club, "your_turn", 1)
    wait(club, days=5)
    assert club.reply(1, "resume").message.status == "accepted"
    asyncio.run(club.service.deliver())
    assert (clock(club).halted, clock(club).since) == ("", club.clock.now())


def test_an_email_that_the_server_refused_stops_the_clock_like_a_bounce(club: Club) -> None:
    """It makes no difference which server says that the mailbox is gone."""
    opened(club, "c3")
    club.reply(1, "b2")
    club.courier.fail([PermanentFailure("550 no such user")] * 2)
    asyncio.run(club.service.deliver())
    asyncio.run(club.service.deliver())
    assert clock(club).halted == "bounced"
    assert log(club) == [("bounced", 0)]
