"""Automatic replies: one that names its dates offers its player a vacation, and nothing else follows from it."""

import asyncio
from collections.abc import Mapping
from datetime import date

import pytest

from pbem.match.time.calendar import Calendar
from pbem.reading.when.days import DateSpan
from tests.support.club import PLAYERS, Club
from tests.support.laid import After

AWAY = "I am on vacation from 2026-12-01 to 2026-12-09, and will answer when I am back."
DAYS = DateSpan(date(2026, 12, 1), date(2026, 12, 9))
MACHINE: Mapping[str, str] = {"Auto_Submitted": "auto-replied", "Subject": "Out of office"}


def _begun(club: Club) -> None:
    club.open("pipline", PLAYERS[:2], days=7)
    asyncio.run(club.service.deliver())
    club.reply(0, "c3")
    asyncio.run(club.service.deliver())


@pytest.fixture
def begun(after: After) -> Club:
    """A club where Bob is to act, and was told so."""
    return after(_begun)


def calendar(club: Club, seat: int = 1) -> Calendar:
    """Return what a player has set."""
    return club.match().players[seat].calendar


def answer_for(club: Club, text: str = AWAY, headers: Mapping[str, str] = MACHINE) -> str:
    """Let the machine of a player answer their latest email; return why it is discarded."""
    arrival = club.service.hand_in(club.answer(club.newest(1), text, **{**MACHINE, **headers}))
    assert (arrival.message.status, arrival.outbound) == ("discarded", ())
    return arrival.message.reason


def test_the_days_of_an_automatic_reply_are_kept_as_an_offer(begun: Club) -> None:
    """The clock runs on, nobody is told, and no day of the allowance is spent."""
    before = begun.match().clock
    assert answer_for(begun) == "automatic"
    assert calendar(begun) == Calendar(away=DAYS)
    assert begun.match().clock == before


def test_whoever_writes_is_there_and_is_offered_it_no_more(begun: Club) -> None:
    """A word, a move, or the vacation itself."""
    for line in ("say: hello", "vacation 2026-12-01 - 2026-12-09", "b2"):
        answer_for(begun, AWAY.replace("09", "07"))
        begun.reply(1, line)
        assert calendar(begun).away is None


def test_days_that_are_a_vacation_already_are_not_offered(begun: Club) -> None:
    """The machine answers every email of those days."""
    begun.reply(1, "vacation 2026-11-30 - 2026-12-10")
    answer_for(begun)
    assert calendar(begun).away is None


def test_what_names_no_clear_days_offers_nothing(begun: Club) -> None:
    """Better no offer than a wrong one; quoted days are not theirs."""
    for text in (
        "I am out of the office.",
        "I am away until 3/4.",
        "I was away from 2026-10-01 to 2026-10-09.",
        "On 2026-12-01 you wrote:\n> I am on vacation from 2026-12-01 to 2026-12-09",
        "",
    ):
        answer_for(begun, text)
        assert calendar(begun).away is None, text


def test_an_automatic_reply_that_its_player_did_not_get_an_email_for_does_nothing(begun: Club) -> None:
    """It answers an email to the player, from an address of theirs, or it is noise."""
    for headers in (
        {"From": "Eve <eve@e.example>"},
        {"From": "Ann <ann@a.example>"},
        {"From": "bob@b.example, ann@a.example"},
        {"To": "games@play.example", "In_Reply_To": "", "References": ""},
    ):
        answer_for(begun, headers=headers)
        assert [calendar(begun, seat).away for seat in (0, 1)] == [None, None], headers


def test_revoked_emails_offer_nothing(begun: Club) -> None:
    """Whoever wrote new address is safe from this too."""
    old = begun.newest(1)
    begun.reply(1, "new address")
    raw = begun.answer(old, AWAY, **MACHINE)
    assert begun.service.hand_in(raw).message.status == "discarded"
    assert calendar(begun).away is None


def test_a_hundred_automatic_replies_cause_no_email(begun: Club) -> None:
    """Whatever days they name, each anew."""
    count = len(begun.queued())
    for day in range(1, 29):
        answer_for(begun, f"I am on vacation from 2026-12-{day:02} to 2027-01-{day:02}.")
    assert len(begun.queued()) == count
