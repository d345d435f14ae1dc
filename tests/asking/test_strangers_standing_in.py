"""Strangers who are offered a seat: one email ever, a player by their own yes, and nothing that tells of them."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest

from pbem.asking.forgetting import forget
from pbem.asking.limit_table import INVITED, STRANGERS
from pbem.pipeline.act import Act
from pbem.running.service import Arrival
from pbem.settings.model import Settings
from pbem.storage.messages.records import OutboundRecord
from pbem.storage.tables import SEAT_OFFER
from tests.support.chosen import changed
from tests.support.clocks import opened, wait
from tests.support.club import PLAYERS, Club, make_club, told
from tests.support.laid import After
from tests.support.mails import text_of
from tests.support.questions import BY_NAME, Clubs

ZOE = "zoe@z.example"
DORA, EVE = "Dora <dora@d.example>", "Eve <eve@e.example>"
STRANGER = BY_NAME["stand-in who is a stranger"]


def _begin(club: Club) -> None:
    for _ in range(2):
        opened(club, "c3", players=PLAYERS[:2])


@pytest.fixture
def club_with(settings: Settings) -> Iterator[Callable[..., Club]]:
    """Return what makes a club with other settings, in which Ann plays Bob in matches 1 and 2."""
    made: list[Club] = []

    def make(**chosen: str) -> Club:
        made.append(make_club(changed(settings, **chosen)))
        _begin(made[-1])
        return made[-1]

    yield make
    for club in made:
        club.service.database.close()


@pytest.fixture
def away(after: After) -> Club:
    """Such a club with the usual settings."""
    return after(_begin)


def reply(club: Club, seat: int, text: str, match: int = 1) -> Arrival:
    """Let a player answer the newest email of a match, a second later."""
    club.clock.advance(timedelta(seconds=1))
    return club.reply(seat, text, match=match)


def answer(club: Club, words: str = "yes Zoe", kind: str = "seat_offered", number: int = -1, **headers: str) -> Arrival:
    """Answer an email of a kind, and let the service do what is due."""
    arrival = club.answer_kind(kind, number, words, **headers)
    wait(club, minutes=1)
    return arrival


def write(club: Club, text: str, sender: str = ZOE, **headers: str) -> Arrival:
    """Hand in a new message without a token of ours."""
    return club.write(text, sender, **headers)


def asked(club: Club) -> list[str]:
    """Return who was asked to take a seat, one entry an email."""
    return [mail.recipient for mail in club.queued(kind="seat_offered")]


def to(club: Club, address: str) -> list[OutboundRecord]:
    """Return all emails to an address."""
    return [mail for mail in club.queued() if mail.recipient == address]


def holder(club: Club, match: int = 1) -> str:
    """Return who has the first seat of a match."""
    return club.match(match).players[0].name


def offers(club: Club) -> list[tuple[str, str | None]]:
    """Return how far each offer is, and the address that is kept with it."""
    with club.service.database.reading() as tx:
        return [(one.state, one.email or None) for one in reversed(tx.seat_offers._read())]


def players(club: Club) -> list[str]:
    """Return the names of all players."""
    with club.service.database.reading() as tx:
        return [name for _, name in tx.players.named()]


def test_a_stranger_who_says_yes_is_a_player_and_has_the_seat(away: Club) -> None:
    """And gives it back like anybody; they stay a player."""
    assert told(reply(away, 0, f"standin {ZOE} until 1 dec")) == [("answer", 0), ("seat_offered", None)]
    assert told(answer(away)) == [("starting", None)]
    assert (holder(away), players(away)) == ("Zoe", ["Ann", "Bob", "Zoe"])
    assert offers(away) == [("standing", None)]
    reply(away, 0, "d4")
    wait(away, days=12)
    assert holder(away) == "Ann"
    assert "Zoe" in players(away)


def test_a_stranger_may_play_on_for_somebody_for_good(away: Club) -> None:
    """As soon as the others agree, who are asked after the yes alone."""
    reply(away, 0, f"replace Bob with {ZOE}")
    assert asked(away) == [ZOE]
    assert away.queued(kind="seat_question") == []
    answer(away)
    assert [player.name for player in away.match().players] == ["Ann", "Bob"]
    answer(away, "yes", "seat_question")
    assert [player.name for player in away.match().players] == ["Ann", "Zoe"]


def test_whoever_has_not_said_yes_is_never_written_to_twice(away: Club) -> None:
    """By other players, other spellings, in other matches, a year later; nor invited, nor asked what they asked for."""
    reply(away, 0, f"standin {ZOE} until 1 dec")
    for days in (0, 20, 400):
        away.clock.advance(timedelta(days=days))
        for line in (f"standin {ZOE} for 2 days", "standin zoe+b@z.example for 2 days", f"new pipline {ZOE}"):
            reply(away, 1, line, match=2)
        reply(away, 0, "standin all ZOE@Z.example for 2 days", match=2)
    assert [mail.kind for mail in to(away, ZOE)] == ["seat_offered"]
    assert len(away.queued(kind="seat_offered")) == 1


def test_whoever_was_invited_is_not_asked_for_a_seat(away: Club) -> None:
    """It is one email, whatever it is about."""
    reply(away, 0, f"new pipline {ZOE}")
    reply(away, 0, f"standin {ZOE} until 1 dec")
    assert [mail.kind for mail in to(away, ZOE)] == ["invitation"]


def test_a_no_is_final(away: Club) -> None:
    """Nobody has them written to again; who asked hears the address that they named, and no name."""
    reply(away, 0, f"standin {ZOE} until 1 dec")
    assert told(answer(away, "no")) == [("answer", 0)]
    answer(away)
    reply(away, 1, f"standin {ZOE} until 1 dec", match=2)
    assert len(to(away, ZOE)) <= 2  # the second says that their yes comes too late
    assert holder(away) == "Ann"


@pytest.mark.parametrize("words", ["no, thanks", "decline", "block", "never", "stop", "unsubscribe"])
def test_whatever_means_no_is_one(clubs: Clubs, words: str) -> None:
    """It is told once, and their address is kept no longer."""
    posed = clubs.asked(STRANGER)
    assert told(posed.answer(words)) == [("answer", 0)]
    assert offers(posed.club) == [("declined", None)]
    posed.answer()
    wait(posed.club, minutes=1)
    assert not posed.granted()


def test_the_button_of_their_email_program_is_a_no(away: Club) -> None:
    """List-Unsubscribe leads to the same."""
    reply(away, 0, f"standin {ZOE} until 1 dec")
    answer(away, "", Subject="unsubscribe")
    assert offers(away) == [("declined", None)]


@pytest.mark.parametrize(
    "words",
    [
        "yes?",
        "perhaps",
        "yes, but not now",
        "who are you",
        "yes\nno",
        "yes Zoe\nSorry, I mean\n\nno thanks",
        "Yes\nDecline",
    ],
)
def test_an_unclear_answer_makes_nobody_a_player(clubs: Clubs, words: str) -> None:
    """They are told what to write, and the answer to that counts."""
    posed = clubs.asked(STRANGER)
    before = players(posed.club)
    assert told(posed.answer(words)) == [("not_started", None)]
    assert players(posed.club) == before
    answer(posed.club, kind="not_started")
    assert holder(posed.club) == "Zoe"


def test_a_no_that_is_quoted_is_none_of_theirs(away: Club) -> None:
    """Our own email says what a no is for, and so may somebody else's."""
    reply(away, 0, f"standin {ZOE} until 1 dec")
    answer(away, "yes Zoe\n\nOn Monday somebody wrote:\n> no\n> no thanks\n")
    assert holder(away) == "Zoe"


def test_an_address_tells_nothing_of_its_owner(away: Club) -> None:
    """Of a stranger who is asked, of one who isn’t, of a player, of an opponent, of one who is blocked: the same words.

    However often, whatever comes after it, and whoever among them says no.
    """
    away.open("pipline", (DORA, EVE))
    with away.service.database.transaction() as tx:
        tx.blocked.add("spam@x.example", "", away.clock.now())
        tx.invitations.set_refused(tx.players.find("eve@e.example").id, ["#1"], refused=True)  # type: ignore[union-attr]
    heard = []
    for who in (ZOE, "spam@x.example", "dora@d.example", "eve@e.example", "bob@b.example"):
        said = []
        for line in (
            f"standin {who} for 9 days",
            f"standin all {who} for 9 days",
            "standin off",
            f"standin {who} for 9 days",
        ):
            arrival = reply(away, 0, line)
            mail = next(one for one in arrival.outbound if one.recipient == "ann@a.example")
            said.append(
                (arrival.message.status, text_of(away.mail(mail)).replace(who, "…").split("You wrote")[0].split())
            )
        reply(away, 0, f"standin {who} for 9 days")
        limit = reply(away, 0, f"standin {who} for 9 days")
        said.append((limit.message.status, [limit.message.code or ""]))
        heard.append(said)
        away.clock.advance(timedelta(days=8))
    for said in heard[1:]:
        assert said == heard[0]
    assert set(asked(away)) == {ZOE, "dora@d.example"}


def test_whoever_says_no_is_called_what_they_were_named_by(away: Club) -> None:
    """A player by their address, as a stranger is."""
    away.open("pipline", (DORA, EVE))
    for who in (ZOE, "dora@d.example"):
        reply(away, 0, f"standin {who} until 1 dec")
        answer(away, "no")
        said = text_of(away.mail(next(mail for mail in reversed(away.queued(kind="answer")) if mail.seat == 0)))
        assert who in said
        assert "Dora" not in said


def test_a_player_has_ten_people_asked_a_day(away: Club) -> None:
    """Strangers or not, and those whom they invite among them; the eleventh is refused, whoever it is."""
    for _ in range(4):
        opened(away, "c3", players=PLAYERS[:2])
    for number in range(INVITED.most + 3):
        arrival = reply(away, 0, f"standin nobody{number}@x.example until 1 dec", match=1 + number % 6)
    assert arrival.message.status == "rejected"
    assert len(asked(away)) == INVITED.most
    reply(away, 0, f"new pipline {ZOE}")
    assert to(away, ZOE) == []


def test_all_together_have_so_many_strangers_asked_a_day(away: Club) -> None:
    """However many players do it."""
    for number in range(STRANGERS.most // 3 + 2):  # three offers a week are made of one seat
        opened(away, "c3", players=(f"P{number} <p{number}@p.example>", PLAYERS[1]))
        for one in range(3):
            reply(away, 0, f"standin s{number}{one}@x{number}.example until 1 dec", match=3 + number)
    assert len(asked(away)) == STRANGERS.most


@pytest.mark.parametrize(("who", "count"), [("members", 0), ("invited", 1), ("anybody", 1)])
def test_no_stranger_is_asked_where_players_alone_start_matches(
    club_with: Callable[..., Club], who: str, count: int
) -> None:
    """And nothing tells of that."""
    club = club_with(new_matches=who)
    assert reply(club, 0, f"standin {ZOE} until 1 dec").message.status == "accepted"
    assert len(asked(club)) == count


def test_whoever_is_blocked_or_whose_email_came_back_is_not_asked(away: Club) -> None:
    """Blocked by the host, or the player by whoever is asked."""
    away.open("pipline", (DORA, EVE))
    with away.service.database.transaction() as tx:
        tx.blocked.add("@z.example", "", away.clock.now())
    reply(away, 0, f"standin {ZOE} until 1 dec")
    away.service.hand_in(away.answer(away.newest(0, 3), "block ann@a.example"))
    reply(away, 0, "standin Dora until 1 dec", match=2)
    assert asked(away) == []


def test_strangers_read_no_name_that_advertises(club_with: Callable[..., Club]) -> None:
    """A player whose name is more than letters is “A player” to them."""
    club = club_with()
    opened(club, "c3", players=("win at casino.example <casino@c.example>", PLAYERS[1]))
    reply(club, 0, f"standin {ZOE} until 1 dec", match=3)
    (mail,) = to(club, ZOE)
    assert "casino" not in text_of(club.mail(mail)) + mail.subject


def test_a_yes_for_some_matches_takes_these(away: Club) -> None:
    """By their numbers; a name among numbers is asked about."""
    reply(away, 0, f"standin all {ZOE} until 1 dec")
    assert told(answer(away, "yes Zoe 2")) == [("not_started", None)]
    answer(away, "yes 2", From=f"Zoe <{ZOE}>")
    assert (holder(away, 1), holder(away, 2)) == ("Ann", "Zoe")
    answer(away, "no 1")
    assert offers(away) == [("declined", None), ("standing", None)]


def test_who_signs_up_meanwhile_can_still_say_yes(away: Club) -> None:
    """It is the same person, whose address was asked."""
    reply(away, 0, f"standin {ZOE} until 1 dec")
    opened(away, "c3", players=(f"Zoe <{ZOE}>", PLAYERS[1]))
    answer(away, "yes")
    assert holder(away) == "Zoe"


def test_an_address_is_kept_until_it_has_answered_or_two_weeks_are_over(away: Club) -> None:
    """Afterwards the offer is done with."""
    reply(away, 0, f"standin {ZOE} until 15 jan")
    assert offers(away) == [("asked", ZOE)]
    wait(away, days=15)
    asyncio.run(away.service.drop_old_bytes(pause=0))
    assert offers(away) == [("over", None)]
    answer(away)
    assert players(away) == ["Ann", "Bob"]


def test_forgetting_erases_the_address(away: Club) -> None:
    """Of a stranger, at the operator's word; and of all whom a player has asked, when that player is forgotten."""
    reply(away, 0, f"standin {ZOE} until 1 dec")
    with away.service.database.transaction() as tx:
        assert tx.forgetting.knows(ZOE)
        tx.forgetting.erase_stranger(ZOE, away.clock.now())
        assert not tx.forgetting.knows(ZOE)
    reply(away, 0, "standin yve@y.example until 1 dec", match=2)
    with away.service.database.transaction() as tx:
        forget(Act(tx, away.service.site, away.clock.now()), 1)
    with away.service.database.reading() as tx:
        assert [row.email for row in tx.seat_offers._rows(SEAT_OFFER.select())] == [None, None]


def test_our_own_address_is_asked_nothing(away: Club) -> None:
    """Nor what is no address."""
    for who in ("games@play.example", "games+x@play.example", "zoe@", "@z.example", "zoe@z@z.example", "a b@c.example"):
        assert reply(away, 0, f"standin {who} until 1 dec").message.status == "rejected"
    assert asked(away) == []


def test_a_seat_that_is_about_to_pass_stays_where_its_player_says_so(away: Club) -> None:
    """The yes has come, and the seat is due to pass when standin off arrives."""
    reply(away, 0, f"standin {ZOE} until 1 dec")
    match_mail, question = away.newest(0), away.mail(away.queued(kind="seat_offered")[-1])
    assert away.service.hand_in(away.answer(question, "yes Zoe")).message.status == "accepted"
    assert away.service.hand_in(away.answer(match_mail, "standin off")).message.status == "accepted"
    wait(away, minutes=2)
    assert holder(away) == "Ann"
