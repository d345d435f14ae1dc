"""A seat's player has it back before the day: how they prove who they are, and what others can try with it."""

from datetime import timedelta

import pytest

from pbem.mail.question_token import sign_question_token
from pbem.running.service import Arrival
from pbem.storage.tables import QUESTION
from tests.support.clocks import opened, wait
from tests.support.club import PLAYERS, SECRET, Club, told
from tests.support.laid import After
from tests.support.mails import text_of

DORA, EVE = "Dora <dora@d.example>", "Eve <eve@e.example>"
ANN = "ann@a.example"


def _lent(club: Club) -> None:
    club.open("zipline", PLAYERS, days=3)
    club.open("pipline", (DORA, EVE))
    for seat, move in ((0, "c3"), (1, "take"), (2, "b2")):
        club.reply(seat, move)
    lend(club)


@pytest.fixture
def lent(after: After) -> Club:
    """A match of three in which Dora stands in for Ann, to act; Dora and Eve play another."""
    return after(_lent)


def lend(club: Club, match: int = 1, until: str = "1 dec") -> None:
    """Let the first player of a match name Dora as their stand-in, who says yes."""
    club.reply(0, f"standin Dora until {until}", match=match)
    answer(club, "yes", "seat_offered")
    wait(club, minutes=1)


def answer(club: Club, words: str, kind: str, **headers: str) -> Arrival:
    """Answer the newest email of a kind."""
    return club.answer_kind(kind, -1, words, **headers)


def write(club: Club, text: str, sender: str = ANN, **headers: str) -> Arrival:
    """Hand in a new message without a token of ours."""
    return club.write(text, sender, **headers)


def holder(club: Club, match: int = 1) -> str:
    """Return who has the first seat of a match, a minute later."""
    wait(club, minutes=1)
    return club.match(match).players[0].name


def test_a_seats_player_has_it_back_when_they_want(lent: Club) -> None:
    """In answer to the email that told them of their stand-in, who gets one short notice."""
    assert holder(lent) == "Dora"
    arrival = answer(lent, "standin off", "replaced")
    assert (arrival.message.status, arrival.message.commands) == ("accepted", ("standin off 1",))
    assert told(arrival) == [("starting", None)]
    assert holder(lent) == "Ann"
    to_dora = [mail.kind for mail in lent.queued() if mail.recipient == "dora@d.example" and mail.match in (None, 1)]
    assert to_dora == ["seat_offered", "answer", "opened", "replaced"]
    assert lent.reply(0, "d4").message.status == "accepted"


def test_nobody_else_takes_a_seat_back(lent: Club) -> None:
    """Neither the stand-in with that email, nor anybody who forges From, nor one who makes a token up."""
    answer(lent, "standin off", "replaced", From="dora@d.example")
    answer(lent, "standin off", "replaced", From="eve@e.example")
    for number in (1, 2, 3):
        forged = sign_question_token(number, f"{number} {ANN} 0", SECRET)  # as one for another time would be
        write(lent, "standin off", To=f"games+{forged}@play.example")
    write(lent, "standin off 1")
    write(lent, "standin off", Subject="Re: [pbem 1] Zipline")
    write(lent, "standin off 1", sender="bob@b.example")
    assert holder(lent) == "Dora"


def test_whoever_proves_nothing_is_asked_back(lent: Club) -> None:
    """By one email to the player’s own address, of which there are few a day; their yes takes the seat back."""
    for _ in range(6):
        write(lent, "standin off 1")
    asked = [mail.recipient for mail in lent.queued(kind="confirm_start")]
    assert asked == [ANN] * 3
    assert holder(lent) == "Dora"
    answer(lent, "yes", "confirm_start")
    assert holder(lent) == "Ann"


def test_an_old_email_of_the_match_is_asked_about(lent: Club) -> None:
    """It proves nobody any more; but whose seat it was about is known."""
    of_ann = next(mail for mail in reversed(lent.queued()) if mail.recipient == ANN and mail.match == 1)
    lent.service.hand_in(lent.answer(lent.mail(of_ann), "standin off"))
    assert holder(lent) == "Dora"
    assert "standin off 1" in text_of(lent.mail(lent.queued(kind="confirm_start")[-1]))
    answer(lent, "yes", "confirm_start")
    assert holder(lent) == "Ann"


def test_an_email_about_it_proves_nobody_after_a_month(lent: Club) -> None:
    """Others may have got hold of it: its player is asked first."""
    answer(lent, "standin off", "replaced")
    wait(lent, minutes=1)
    lend(lent, until="15 jan")
    wait(lent, days=35)
    assert told(answer(lent, "standin off", "replaced")) == [("confirm_start", None)]
    assert holder(lent) == "Dora"


def test_new_addresses_end_that_email_too(lent: Club) -> None:
    """What the player had before they asked for new reply addresses counts for nothing."""
    opened(lent, "c3", players=(PLAYERS[0], EVE))
    lent.reply(0, "new address", match=3)
    answer(lent, "standin off", "replaced")
    assert holder(lent) == "Dora"


def test_an_email_about_an_earlier_stand_in_ends_no_later_one_of_its_number(lent: Club) -> None:
    """It is of that time: a number comes again where a backup is restored."""
    first = lent.queued(kind="replaced")[-1]
    lent.service.hand_in(lent.answer(lent.mail(first), "standin off"))
    assert holder(lent) == "Ann"
    with lent.service.database.transaction() as tx:
        tx.questions._set(QUESTION, QUESTION.c.kind == "replaced", asked_at=lent.clock.now())
    lent.service.hand_in(lent.answer(lent.mail(first), "standin off"))
    assert lent.queued(kind="confirm_start") != []


def test_one_word_takes_all_seats_back_and_a_number_one(lent: Club) -> None:
    """In answer to an email of another match, too: a present one proves its player."""
    opened(lent, "c3", players=(PLAYERS[0], EVE))
    opened(lent, "c3", players=(PLAYERS[0], EVE))
    lent.clock.advance(timedelta(days=2))
    lend(lent, match=3)
    assert holder(lent, 3) == "Dora"
    lent.reply(0, "standin off 3", match=4)
    assert (holder(lent, 1), holder(lent, 3)) == ("Dora", "Ann")
    lend(lent, match=3)
    write(lent, "standin off")
    answer(lent, "yes", "confirm_start")
    assert (holder(lent, 1), holder(lent, 3)) == ("Ann", "Ann")


def test_a_seat_that_is_only_offered_is_kept(lent: Club) -> None:
    """Nobody has said yes yet: after that word their yes comes too late."""
    answer(lent, "standin off", "replaced")
    wait(lent, days=2)
    lent.reply(0, "standin Dora until 5 dec")
    write(lent, "standin off 1")
    answer(lent, "yes", "confirm_start")
    answer(lent, "yes", "seat_offered")
    assert holder(lent) == "Ann"


def test_a_match_that_is_over_gives_no_seat_back(lent: Club) -> None:
    """Nor one that the stand-in has left, or that the operator gave to somebody else."""
    lent.reply(0, "resign")
    lent.reply(2, "resign")
    arrival = answer(lent, "standin off", "replaced")
    assert arrival.message.status == "accepted"
    assert holder(lent) == "Dora"
    assert [mail.kind for mail in lent.queued() if mail.recipient == "dora@d.example"][-1] != "replaced"


def test_who_has_unsubscribed_and_takes_a_seat_back_is_written_to_again(lent: Club) -> None:
    """As with a move: else the match would wait for somebody who hears nothing."""
    opened(lent, "c3", players=(PLAYERS[0], EVE))
    lent.reply(0, "unsubscribe", match=3)
    answer(lent, "standin off", "replaced")
    assert holder(lent) == "Ann"
    assert lent.match().players[0].preferences.muted is False


def test_a_seat_comes_back_though_its_player_has_unsubscribed(lent: Club) -> None:
    """The stand-in has agreed to that day; from then on it is that player’s time again."""
    opened(lent, "c3", players=(PLAYERS[0], EVE))
    lent.reply(0, "unsubscribe", match=3)
    wait(lent, days=12)
    assert lent.match().players[0].name == "Ann"
    assert lent.reply(1, "show").message.status == "accepted"


def test_a_status_names_the_seats_that_others_have(lent: Club) -> None:
    """To their player alone."""
    write(lent, "status")
    assert "standin off 1" in text_of(lent.mail(lent.queued(kind="status")[-1]))
    write(lent, "status", sender="bob@b.example")
    assert "standin off" not in text_of(lent.mail(lent.queued(kind="status")[-1]))


def test_other_words_in_answer_to_that_email_do_as_before(lent: Club) -> None:
    """What counts in any email counts there, and nothing else."""
    assert told(answer(lent, "status", "replaced")) == [("status", None)]
    assert told(answer(lent, "d4", "replaced")) == [("unknown_match", None)]
    assert told(answer(lent, "forget me", "replaced")) == [("forget", None)]
    assert holder(lent) == "Dora"
