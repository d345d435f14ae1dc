"""Matches that are put away since nobody writes in them, and taken up again; and who may not do that."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest

from pbem.running.operator_rulings import seat_another
from pbem.settings.model import Settings
from tests.support.clocks import clock, entries, opened, wait
from tests.support.club import PLAYERS, Club
from tests.support.mails import text_of


@pytest.fixture
def club(settings: Settings, new_club: Callable[..., Club]) -> Club:
    """A club on a host without vacation, of which a day would be used after the other."""
    settings.vacation_days = 0
    return new_club()


def away(club: Club) -> frozenset[int]:
    """Return which of the first nine matches are put away."""
    with club.service.database.reading() as tx:
        return tx.put_away.among(range(1, 10))


def pass_quietly(club: Club, days: int) -> None:
    """Let days pass in which nobody writes and all that is due is done."""
    for _ in range(0, days, 7):
        wait(club, days=7)
        asyncio.run(club.service.put_away_quiet())


def kinds(club: Club, since: int) -> list[tuple[str, int | None]]:
    """Return the kinds and seats of the emails but for the first so many."""
    return [(mail.kind, mail.seat) for mail in club.queued()[since:]]


def test_a_match_that_everybody_has_left_alone_is_put_away_once(club: Club) -> None:
    """Sixty days after the flag both are told, and no email of that match follows, whatever time passes."""
    opened(club, "c3")
    pass_quietly(club, 7 + 56)
    assert away(club) == set()
    pass_quietly(club, 14)
    assert away(club) == {1}
    told = len(club.queued())
    assert {mail.seat for mail in club.queued()[-2:]} == {0, 1}
    assert club.match().outcome is None
    pass_quietly(club, 140)
    assert len(club.queued()) == told


def test_a_match_without_a_clock_may_be_silent_for_half_a_year(club: Club) -> None:
    """Nobody is reminded there; after that its players are told."""
    opened(club, "c3", days="none")
    before = len(club.queued())
    pass_quietly(club, 175)
    assert not away(club)
    assert kinds(club, before) == []
    pass_quietly(club, 14)
    assert away(club) == {1}
    assert kinds(club, before) == [("time_news", 0), ("time_news", 1)]


@pytest.mark.parametrize(("seat", "text"), [(1, "b2"), (1, "say: Sorry!"), (0, "show"), (0, "say: Are you back?")])
def test_any_reply_about_the_match_takes_it_up(club: Club, seat: int, text: str) -> None:
    """Of either player, and to whatever email of it; whoever is to act has the time of a move."""
    opened(club, "c3")
    pass_quietly(club, 77)
    before = len(club.queued())
    assert club.reply(seat, text).message.status == "accepted"
    asyncio.run(club.service.deliver())
    assert away(club) == set()
    assert entries(club)[-1].kind == "taken_up"
    assert 1 - seat in {mail.seat for mail in club.queued()[before:]}
    assert (clock(club).halted, clock(club).bank) == ("", 3 * 86400)
    wait(club, days=2)
    assert clock(club).halted == ""


def test_taken_up_and_left_alone_it_is_put_away_again(club: Club) -> None:
    """The same time has to pass."""
    opened(club, "c3")
    pass_quietly(club, 77)
    club.reply(0, "show")
    pass_quietly(club, 56)
    assert away(club) == set()
    pass_quietly(club, 21)
    assert away(club) == {1}


def test_what_is_not_about_the_match_leaves_it_where_it_is(club: Club) -> None:
    """Whoever wants less email gets less, and the others hear nothing of it."""
    opened(club, "c3")
    pass_quietly(club, 77)
    before = len(club.queued())
    for text in ("status", "mails turns", "forget me", "help", "unsubscribe"):
        assert club.reply(0, text).message.status == "accepted", text
        assert away(club) == {1}, text
    assert not [mail for mail in club.queued()[before:] if mail.seat == 1 and mail.kind not in ("time_news",)]


def test_neither_an_ex_player_nor_a_stranger_takes_it_up(club: Club) -> None:
    """A forger in another's name, without the reply address, does not either."""
    opened(club, "c3")
    old = club.newest(1)
    seat_another(club.service, 1, "Bob", PLAYERS[2])
    pass_quietly(club, 90)
    assert away(club) == {1}
    before = len(club.queued())
    club.service.hand_in(club.answer(old, "show"))
    club.service.hand_in(club.answer(club.newest(0), "show", From="mallory@m.example"))
    assert away(club) == {1}
    assert not [mail for mail in club.queued()[before:] if mail.recipient == "carl@c.example"]


def test_somebody_who_waits_and_says_so_keeps_it_open(club: Club) -> None:
    """A word within the time counts, though nobody moves."""
    opened(club, "c3")
    pass_quietly(club, 49)
    club.reply(0, "say: I can wait.")
    pass_quietly(club, 28)
    assert away(club) == set()
    pass_quietly(club, 42)
    assert away(club) == {1}


def test_nothing_is_put_away_before_the_mailbox_has_been_read(club: Club) -> None:
    """After an outage of months a move may lie in it."""
    opened(club, "c3", days="none")
    club.clock.advance(timedelta(days=200))
    assert asyncio.run(club.service.put_away_quiet()) == 0


def test_neither_digest_nor_status_counts_it_among_what_waits(club: Club) -> None:
    """The digest leaves it out, and the status has it by itself."""
    opened(club, "c3", days="none")
    assert club.reply(1, "digest mon 07:30").message.status == "accepted"
    pass_quietly(club, 182 + 7)
    assert away(club) == {1}
    before = len(club.queued())
    pass_quietly(club, 14)
    assert kinds(club, before) == []
    club.reply(1, "status")
    assert "put away" in text_of(club.mail(club.queued()[-1]))


@pytest.mark.parametrize("days", ["3", "none"])
def test_a_clock_that_leaps_ahead_puts_nothing_away(club: Club, days: str) -> None:
    """Nor does a service that stood still for a year: nobody could write in that time."""
    opened(club, "c3", days=days)
    wait(club, days=7)
    club.clock.advance(timedelta(days=365))
    for _ in range(2):
        asyncio.run(club.service.deliver())
        asyncio.run(club.service.poll())
    asyncio.run(club.service.put_away_quiet())
    assert away(club) == set()
