"""One stand-in for all matches: whom it asks, how often, what is left out, and what others can try with it."""

import pytest

from pbem.running.service import Arrival
from tests.support.clocks import opened, wait
from tests.support.club import PLAYERS, Club, told
from tests.support.laid import After
from tests.support.mails import text_of

DORA, EVE = "Dora <dora@d.example>", "Eve <eve@e.example>"
ANN = "ann@a.example"


def _away(club: Club) -> None:
    for other in (PLAYERS[1], PLAYERS[2], PLAYERS[1]):
        opened(club, "c3", players=(PLAYERS[0], other))
    opened(club, "c3", players=(DORA, EVE))


@pytest.fixture
def away(after: After) -> Club:
    """Ann plays matches 1 to 3, with Bob or Carl; Dora and Eve play match 4."""
    return after(_away)


def answer(club: Club, words: str = "yes", kind: str = "seat_offered", **headers: str) -> Arrival:
    """Answer the newest email of a kind, and let the service do what is due."""
    arrival = club.answer_kind(kind, -1, words, **headers)
    wait(club, minutes=1)
    return arrival


def write(club: Club, text: str, sender: str = ANN, **headers: str) -> Arrival:
    """Hand in a new message without a token of ours."""
    return club.write(text, sender, **headers)


def holders(club: Club) -> list[str]:
    """Return who has the first seat of Ann’s matches."""
    return [club.match(number).players[0].name for number in (1, 2, 3)]


def receipt(club: Club) -> str:
    """Return what Ann was told last of what she asked for."""
    return " ".join(text_of(club.mail(club.queued(kind="starting")[-1])).split())


def test_one_question_is_about_all_matches(away: Club) -> None:
    """And one yes is for all; the seats come back by themselves."""
    arrival = away.reply(0, "standin all Dora until 1 dec", match=2)
    assert told(arrival) == [("seat_offered", None), ("starting", None)]
    assert arrival.message.commands == ("standin all Dora until 1 dec",)
    assert answer(away).message.commands == ("yes 1", "yes 2", "yes 3")
    assert holders(away) == ["Dora"] * 3
    wait(away, days=12)
    assert holders(away) == ["Ann"] * 3


def test_one_no_is_for_all_and_told_once(away: Club) -> None:
    """Ann hears it in one email, and Dora isn’t asked about these matches again."""
    away.reply(0, "standin all Dora until 1 dec")
    assert told(answer(away, "no")) == [("answer", 0), ("answer", None)]
    away.reply(0, "standin all Dora until 1 dec")
    assert len(away.queued(kind="seat_offered")) == 1
    assert holders(away) == ["Ann"] * 3


def test_some_matches_are_taken_and_others_not(away: Club) -> None:
    """By their numbers, line by line, and in more than one reply."""
    away.reply(0, "standin all Dora until 1 dec")
    assert answer(away, "yes 1 and 3\nDora").message.commands == ("yes 1", "yes 3")
    assert holders(away) == ["Dora", "Ann", "Dora"]
    assert answer(away, "no: #2").message.commands == ("no",)
    assert answer(away, "yes 2").message.status == "rejected"
    assert holders(away) == ["Dora", "Ann", "Dora"]


def test_an_answer_that_isnt_clear_takes_no_seat(away: Club) -> None:
    """Numbers of other matches, or more than a yes."""
    away.reply(0, "standin all Dora until 1 dec")
    for words in ("yes 4", "yes 1 4", "yes 99999999", "yes 1, no 2", "perhaps", "yes, if I can", "yes 1?"):
        answer(away, words)
        assert holders(away) == ["Ann"] * 3, words
    answer(away)
    assert holders(away) == ["Dora"] * 3


def test_without_a_present_email_the_player_is_asked_first(away: Club) -> None:
    """A new email, an email of an earlier turn, the status: whoever forges From offers no seat."""
    old = away.newest(0)
    write(away, "standin all Dora until 1 dec")
    assert told(write(away, "standin all Dora until 1 dec", Subject="Re: [pbem 1] Pipline")) == [
        ("confirm_start", None)
    ]
    wait(away, days=2)
    away.reply(1, "take")
    away.reply(0, "d4")
    assert told(away.service.hand_in(away.answer(old, "standin all Dora until 1 dec"))) == [("confirm_start", None)]
    assert away.queued(kind="seat_offered") == []
    answer(away, kind="confirm_start")
    assert len(away.queued(kind="seat_offered")) == 1


def test_a_stranger_offers_nothing(away: Club) -> None:
    """Their words are not even looked at."""
    assert write(away, "standin all Dora until 1 dec", "zoe@z.example").outbound[0].kind == "unknown_sender"
    assert away.queued(kind="seat_offered") == []


def test_matches_are_left_out_and_named_with_why(away: Club) -> None:
    """Dora plays in one, somebody stands in in another; of a name that may be told."""
    opened(away, "c3", players=(PLAYERS[0], DORA))
    away.open("pipline", (PLAYERS[0], EVE))
    away.reply(0, "standin Dora until 1 dec", match=1)
    answer(away)
    away.reply(0, "standin all Dora until 1 dec", match=5)
    said = receipt(away)
    assert "I’ve left out match 5, where Dora plays already." in said
    assert "about matches 2 and 3" in said
    assert "I’ve left out match 6, which has yet to begin." in said
    question = text_of(away.mail(away.queued(kind="seat_offered")[-1]))
    assert [number for number in range(1, 7) if f"Match {number}," in question] == [2, 3]


def test_a_seat_in_which_one_stands_in_is_handed_on_to_nobody(away: Club) -> None:
    """Dora names Eve for all of hers: those of Ann are not among them."""
    away.reply(0, "standin all Dora until 1 dec")
    answer(away)
    away.reply(0, "standin all Bob until 30 nov", match=4)
    assert "I’ve left out matches 1, 2 and 3" in receipt(away)
    answer(away)
    assert holders(away) == ["Dora"] * 3
    assert away.match(4).players[0].name == "Bob"


def test_an_address_tells_nothing_of_its_owner_in_any_match(away: Club) -> None:
    """Of a stranger, of a player, and of an opponent in two of the matches: word for word the same answer."""
    said = []
    for who in ("nobody@x.example", "dora@d.example", "bob@b.example"):
        away.reply(0, f"standin all {who} until 1 dec")
        said.append(receipt(away).replace(who, "…").split("here’s what")[1])
    assert said[0] == said[1] == said[2]
    asked = {mail.recipient: text_of(away.mail(mail)) for mail in away.queued(kind="seat_offered")}
    assert asked.keys() == {"nobody@x.example", "dora@d.example", "bob@b.example"}
    assert "match 2 (" in asked["bob@b.example"]


def test_a_player_is_asked_twice_a_day_however_many_matches_it_is_about(away: Club) -> None:
    """One email is one question."""
    for _ in range(3):
        away.reply(0, "standin all Dora until 1 dec")
    assert len(away.queued(kind="seat_offered")) == 2


def test_a_seat_is_offered_three_times_a_week_also_among_all(away: Club) -> None:
    """The fourth time says so, and asks nobody."""
    for who in ("Dora", "Eve", "Bob"):
        away.reply(0, f"standin all {who} until 1 dec")
    away.reply(0, "standin all Eve until 1 dec")
    assert "offered your seat 3 times in a week" in receipt(away)


def test_two_offers_at_once_leave_the_later_one(away: Club) -> None:
    """A yes to the earlier one comes too late."""
    away.reply(0, "standin all Dora until 1 dec")
    first = away.queued(kind="seat_offered")[-1]
    away.reply(0, "standin Eve until 2 dec", match=1)
    away.service.hand_in(away.answer(away.mail(first), "yes"))
    wait(away, minutes=1)
    assert holders(away) == ["Ann", "Dora", "Dora"]
    answer(away)
    assert holders(away) == ["Eve", "Dora", "Dora"]


def test_two_players_who_name_each_other_each_get_what_the_other_plays_without_them(away: Club) -> None:
    """And their own match goes on as it is."""
    opened(away, "c3", players=(PLAYERS[0], DORA))
    away.reply(0, "standin all Dora until 1 dec")
    away.reply(0, "standin all Ann until 1 dec", match=4)
    for mail in away.queued(kind="seat_offered"):
        away.service.hand_in(away.answer(away.mail(mail), "yes"))
    wait(away, minutes=1)
    assert holders(away) == ["Dora"] * 3
    assert [player.name for player in away.match(4).players] == ["Ann", "Eve"]
    assert [player.name for player in away.match(5).players] == ["Ann", "Dora"]


def test_a_match_that_ended_meanwhile_is_nobodys_to_take(away: Club) -> None:
    """The others are."""
    away.reply(0, "standin all Dora until 1 dec")
    away.reply(1, "resign", match=2)
    answer(away)
    assert holders(away) == ["Dora", "Ann", "Dora"]


def test_what_cant_be_done_is_said(away: Club) -> None:
    """In one sentence, and nothing is asked."""
    for line, said in (
        ("standin all", "Who should stand in for you?"),
        ("standin all until 1 dec", "Who should stand in for you?"),
        ("standin all Dora", "Until when? Write it like this: standin all Dora until 14 aug."),
        ("standin all Nobody until 1 dec", "Nobody here is called “Nobody”."),
        ("standin all Ann until 1 dec", "That’s you."),
        ("standin all ann@a.example until 1 dec", "That’s you."),
        ("standin all Dora until 1 may", "Somebody can stand in for 60 days at most."),
        ("standin all robot:9 until 1 dec", "Robots have the strengths 1 to 2 here, not 9"),
    ):
        before = len(away.queued(kind="starting"))
        away.reply(0, line)
        assert len(away.queued(kind="starting")) == before + 1
        assert said in receipt(away).replace("\u00a0", " "), line
    assert away.queued(kind="seat_offered") == []


def test_robots_take_as_many_seats_as_they_may(away: Club) -> None:
    """A robot accepts at once; where its player has enough matches with robots, the rest is left out."""
    opened(away, "c3", players=(PLAYERS[0], EVE))
    away.reply(0, "standin all robot:1 until 1 dec")
    assert "matches 1, 2 and 3" in receipt(away)
    assert "I’ve left out match 5, since you can be in 3 matches with robots at once." in receipt(away)
    for question in away.queued(kind="seat_question"):
        away.service.hand_in(away.answer(away.mail(question), "yes"))
    wait(away, minutes=1)
    assert holders(away) == ["Robot 1"] * 3


def test_seats_lent_to_robots_count_until_they_come_back(away: Club) -> None:
    """Who asks again and again, or before anybody has agreed, has no more of them; another day for the same is none."""
    opened(away, "c3", players=(PLAYERS[0], EVE))
    for line in ("standin all robot:1 until 1 dec", "standin all robot:2 until 2 dec"):
        away.reply(0, line)
        assert "matches 1, 2 and 3" in receipt(away)
        assert "I’ve left out match 5" in receipt(away)
    for question in away.queued(kind="seat_question"):
        away.service.hand_in(away.answer(away.mail(question), "yes"))
    wait(away, minutes=1)
    assert holders(away) == ["Robot 2"] * 3
    away.reply(0, "standin all robot:1 until 1 dec", match=5)
    assert "you can be in 3 matches with robots at once" in receipt(away)
    assert away.match(5).players[0].name == "Ann"


def test_who_plays_in_no_match_is_told_so(away: Club) -> None:
    """Nobody is asked."""
    for number in (1, 2, 3):
        away.reply(0, "resign", match=number)
    write(away, "standin all Dora until 1 dec")
    answer(away, kind="confirm_start")
    assert "no seat to hand on" in receipt(away)
