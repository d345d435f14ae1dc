"""Matches that players start by email: what opens, in which order of seats, and what does not."""

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta

import pytest

from pbem.running.service import Arrival
from pbem.settings.model import Settings
from tests.support.chosen import changed
from tests.support.club import Club, make_club
from tests.support.mails import html_of, text_of

DAY = timedelta(days=1)
Clubs = Callable[..., Club]


@pytest.fixture
def club_with(settings: Settings) -> Iterator[Clubs]:
    """Return what makes a club with other settings."""
    with ExitStack() as stack:

        def make(**chosen: str) -> Club:
            club = make_club(changed(settings, **chosen))
            stack.callback(club.service.database.close)
            return club

        yield make


def answer(club: Club, text: str, kind: str, number: int = -1, **headers: str) -> Arrival:
    """Let the reader of an email of a kind answer it."""
    return club.answer_kind(kind, number, text, **headers)


def kinds(arrival: Arrival) -> list[str]:
    """Return the kinds of the emails that a message led to."""
    return [mail.kind for mail in arrival.outbound]


def run(club: Club) -> int:
    """Let a pass of the service come; return how many matches there are."""
    asyncio.run(club.service.deliver())
    with club.service.database.reading() as tx:
        return tx.matches.count()


def seats(club: Club, number: int) -> list[str]:
    """Return the names of the players of a match, in the order of seats."""
    return [player.name for player in club.match(number).players]


def test_a_match_opens_once_when_everybody_has_agreed(club: Club) -> None:
    """With the options and the clock of the invitation; a second pass, and a second yes, open nothing."""
    club.open()
    club.reply(0, "new zipline bob carl@c.example size=5 days=3 flag=forfeit private")
    answer(club, "accept", "invitation", 0)
    assert run(club) == 1
    answer(club, "accept Carl", "invitation", 1)
    answer(club, "accept", "invitation", 0)
    assert run(club) == run(club) == 2
    match = club.match(2)
    assert seats(club, 2) == ["Ann", "Bob", "Carl"]
    assert (match.options["size"], match.private) == (5, True)
    assert match.clock is not None
    assert (match.clock.control.start, match.clock.control.policy) == (3 * 86400, "forfeit")


def test_an_invitation_shows_the_board_that_the_match_begins_with(club: Club) -> None:
    """In the size that was chosen, in both parts; what was typed stands in neither."""
    club.open()
    club.reply(0, "new zipline bob@b.example size=9 days=3\n\nShall we?")
    mail = club.mail(club.queued(kind="invitation")[-1])
    text, page = text_of(mail), html_of(mail)
    assert [str(row) for row in range(9, 0, -1)] == re.findall(r"^ +(\d)(?:   ?\.)+ +\1$", text, re.MULTILINE)
    assert page.count("scope=row") == 9
    assert "size=9" not in text + page
    assert page.index("Shall we?") < page.index('id="board"') < page.index('class="d"')


def test_a_pair_is_two_matches_with_the_seats_swapped(club: Club) -> None:
    """One yes opens both."""
    club.open()
    club.reply(0, "pair pipline Bob size=5")
    answer(club, "accept", "invitation")
    assert run(club) == 3
    assert (seats(club, 2), seats(club, 3)) == (["Ann", "Bob"], ["Bob", "Ann"])


def test_a_move_and_a_wish_in_one_email_are_both_done(club: Club) -> None:
    """Each has its answer; a wish that cannot be granted costs no move."""
    club.open()
    arrival = club.reply(0, "c3\nseek pipline size=5\nseek pipline size=999")
    assert arrival.message.commands == ("c3", "seek pipline size=5", "seek pipline size=999")
    assert club.moves() == ["c3"]
    assert kinds(arrival) == ["move_made", "your_turn", "starting"]
    with club.service.database.reading() as tx:
        assert len(tx.invitations.open()) == 1


def test_again_rotates_the_seats(club: Club) -> None:
    """Two swap, three move one seat further; options, clock and privacy stay."""
    club.open("zipline", ("Ann <ann@a.example>", "Bob <bob@b.example>", "Carl <carl@c.example>"), days="2")
    club.reply(0, "resign")
    club.reply(1, "resign")
    club.reply(2, "again")
    for number in range(2):
        answer(club, "accept", "invitation", number)
    assert run(club) == 2
    assert seats(club, 2) == ["Bob", "Carl", "Ann"]
    match = club.match(2)
    assert match.options == club.match(1).options
    assert match.clock is not None
    assert match.clock.control.start == 2 * 86400


def test_both_may_write_again(club: Club) -> None:
    """The second is the yes to the first; a third opens nothing more."""
    club.open()
    club.reply(0, "resign")
    club.reply(0, "again")
    club.reply(1, "again")
    assert run(club) == 2
    club.reply(1, "again")
    assert run(club) == 2
    assert seats(club, 2) == ["Bob", "Ann"]


def test_again_is_talk_while_a_match_goes_on(club: Club) -> None:
    """Below a move it goes to everyone."""
    club.open()
    club.reply(0, "c3\nAgain!")
    assert [comment.text for comment in club.match().comments] == ["Again!"]


def test_an_offer_opens_when_its_places_are_taken(club: Club) -> None:
    """Whoever is one too many is told that it is gone."""
    club.open()
    club.open(players=("Carl <carl@c.example>", "Dora <dora@d.example>"))
    club.reply(0, "seek pipline size=5")
    club.reply(1, "join 1")
    late = club.reply(0, "join 1", match=2)
    assert run(club) == 3
    assert seats(club, 3) == ["Ann", "Bob"]
    assert "no game 1" in " ".join(text_of(club.mail(late.outbound[0])).split())


def test_words_beside_a_yes_are_read_by_everybody_when_the_match_opens(club: Club) -> None:
    """As they were written, without the farewell; whoever has invited hears of them at once."""
    club.open()
    club.reply(0, "new zipline bob carl@c.example size=5")
    arrival = answer(club, "accept\n\nWith pleasure, Ann. I hope Carl comes, too.\n\nCheers\nBob", "invitation", 0)
    assert "“With pleasure, Ann. I hope Carl comes, too.”" in text_of(club.mail(arrival.outbound[0]))
    answer(club, "accept Carl\n\nHello, what a surprise!\nzoe@z.example\n\nBest wishes\nCarl", "invitation", 1)
    run(club)
    said = [(one.seat, one.text) for one in club.match(2).comments]
    assert said == [(1, "With pleasure, Ann. I hope Carl comes, too."), (2, "Hello, what a surprise!")]
    assert all("what a surprise!" in text_of(club.newest(seat, 2)) for seat in range(3))
    with club.service.database.reading() as tx:
        closed = tx.invitations.get(1)
    assert closed is not None
    assert not any(guest.words for guest in closed.guests)


def test_words_beside_a_place_that_is_taken_open_the_match_too(club: Club) -> None:
    """Of an offer, in answer to the list of offers or to any email of a match."""
    club.open()
    club.reply(0, "seek pipline size=5")
    club.reply(1, "Finally somebody!\njoin 1")
    run(club)
    assert [(one.seat, one.text) for one in club.match(2).comments] == [(1, "Finally somebody!")]


@pytest.mark.parametrize("wish", ["seek pipline", "offers", "block bob", "join 77", "new pipline nobody"])
def test_words_that_nobody_can_read_yet_are_named(club: Club, wish: str) -> None:
    """With what passes words on."""
    club.open()
    arrival = club.reply(0, f"{wish}\n\nI'd love a quick one")
    assert "“I'd love a quick one”" in " ".join(text_of(club.mail(arrival.outbound[-1])).split())


def test_an_invitation_ends_by_itself(club: Club) -> None:
    """Its inviter is told; the guest, who never answered, is not; a late yes opens nothing."""
    club.open()
    club.reply(0, "new pipline zoe@z.example size=5")
    for _ in club.pass_time(15 * DAY):
        pass
    assert [mail.recipient for mail in club.queued(kind="invitation_news")] == ["ann@a.example"]
    assert kinds(answer(club, "accept Zoe", "invitation")) == ["not_started"]
    with club.service.database.reading() as tx:
        invitation = tx.invitations.get(1)
        assert invitation is not None
        assert [guest.email for guest in invitation.guests] == ["", ""]


def test_what_is_taken_back_at_once_reaches_nobody(club: Club) -> None:
    """Nor does it count as written to them."""
    club.open()
    club.reply(0, "new pipline zoe@z.example size=5\ncancel 1")
    assert club.queued(kind="invitation") == []
    club.reply(0, "new pipline zoe@z.example size=5")
    assert len(club.queued(kind="invitation")) == 1


def test_whoever_may_not_be_written_to_may_join(club_with: Clubs) -> None:
    """They write themselves, as our mail server says, and so need not be asked."""
    club = club_with(authserv_id="mx.play.example")
    club.open()
    club.reply(0, "new pipline zoe@z.example size=5")
    club.reply(0, "cancel 1")
    club.clock.advance(2 * DAY)
    club.reply(1, "new pipline zoe@z.example size=5")
    assert len(club.queued(kind="invitation")) == 1
    first = club.mail(club.queued(kind="invitation")[0])
    proof = {"Authentication_Results": "mx.play.example; dmarc=pass header.from=z.example"}
    unrelated = {"From": "Zoe <zoe@z.example>", "To": "games@play.example", "In_Reply_To": "", "References": ""}
    assert kinds(club.service.hand_in(club.answer(first, "join 2", **unrelated, **proof))) == []
    assert run(club) == 2
    assert seats(club, 2) == ["Bob", "Zoe"]


def test_what_counts_in_matches_alone_is_not_passed_over(club: Club) -> None:
    """A setting in answer to an email about starting matches changes nothing, and its writer is told which."""
    club.open()
    club.reply(0, "offers")
    for words in ("digest 07:30\noffers\ntz Lisbon", "quiet 22-7"):
        arrival = answer(club, words, "starting")
        assert kinds(arrival) == ["starting"]
        said = " ".join(text_of(club.mail(arrival.outbound[0])).split())
        assert [one for one in words.split("\n") if f"“{one}”" in said] == words.replace("offers\n", "").split("\n")


@pytest.mark.parametrize("text", ["Hello,\nwho is this? Is this spam?", "What is this?", "How did you get my address?"])
def test_an_invited_stranger_who_asks_hears_who_asks_them_and_how_to_end_it(club: Club, text: str) -> None:
    """Nobody says yes or no to what they don't know."""
    club.open()
    club.reply(0, "new pipline zoe@x.example size=5")
    arrival = answer(club, text, "invitation")
    said = text_of(club.mail(arrival.outbound[0]))
    assert kinds(arrival) == ["not_started"]
    assert all(word in said for word in ("Ann", "Pipline", "decline"))


def test_show_in_a_reply_says_that_it_took_the_number_for_an_entry(club: Club) -> None:
    """In a new email the same words mean a match; with a sign of which there is nothing to say."""
    club.open()
    club.reply(0, "c3")
    said = [text_of(club.mail(club.reply(0, text).outbound[0])) for text in ("show 1", "show 9", "show #1")]
    assert ["in a new email" in " ".join(one.split()) for one in said] == [True, True, False]
