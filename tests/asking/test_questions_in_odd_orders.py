"""Answers in an odd order, after renamings, withdrawals and new addresses, do what they say, or nothing."""

import pytest

from pbem.running.operator_rulings import rename_player
from pbem.storage.damage import list_damage
from pbem.storage.tables import QUESTION
from tests.support.questions import ANN, BY_NAME, EVE, NEW, ZOE, Clubs, Posed, owner_of, settle


def asked(clubs: Clubs, name: str) -> Posed:
    """Return a club in which somebody was asked."""
    return clubs.asked(BY_NAME[name])


def kinds(posed: Posed, to: str) -> list[str]:
    """Return the kinds of all emails to an address."""
    return [mail.kind for mail in posed.club.queued() if mail.recipient == to]


def test_a_last_word_of_no_takes_an_address_back(clubs: Clubs) -> None:
    """Though it was yes before."""
    posed = asked(clubs, "an address that said yes")
    posed.answer("yes")
    assert owner_of(posed.club, NEW) == "Ann"
    posed.answer("no")
    assert owner_of(posed.club, NEW) is None


def test_a_yes_to_a_stand_in_that_was_taken_back_proposes_nothing(clubs: Clubs) -> None:
    """The words of the question would offer the seat for good."""
    posed = asked(clubs, "a robot as a stand-in")
    assert posed.kind.withdraw
    posed.kind.withdraw(posed.club)
    before = len(posed.club.queued(kind="seat_question"))
    assert posed.answer("yes").message.code == "closed"
    assert len(posed.club.queued(kind="seat_question")) == before


@pytest.mark.parametrize("who", ["Bob", "Dora"])
def test_a_yes_counts_though_somebody_has_another_name_by_now(clubs: Clubs, who: str) -> None:
    """The seat passes by what was asked, not by the words of then."""
    posed = asked(clubs, "being replaced")
    rename_player(posed.club.service, who, "Quentin")
    assert posed.answer("yes").message.status == "accepted"
    settle(posed.club)
    assert posed.club.match().players[1].name == ("Dora" if who == "Bob" else "Quentin")


def test_a_damaged_question_keeps_nobody_else_from_being_asked(clubs: Clubs) -> None:
    """It is one of the same kind."""
    posed = asked(clubs, "following")
    with posed.club.service.database.transaction() as tx:
        tx.questions._set(QUESTION, QUESTION.c.id > 0, about=[])
    posed.club.write("watch 1", EVE)
    assert kinds(posed, EVE) == ["confirm_follow"]
    assert list_damage(posed.club.service.database) == [
        "The row of question 1 is damaged: restore it from a backup.",
    ]


def test_what_says_that_nobody_was_forgotten_can_be_answered(clubs: Clubs) -> None:
    """Like the question."""
    posed = asked(clubs, "being forgotten")
    (told,) = posed.answer("yes").outbound
    posed.club.service.hand_in(posed.club.answer(posed.club.mail(told), "forget me"))
    settle(posed.club)
    assert owner_of(posed.club, ANN) is None


def test_a_second_no_to_what_one_follows_keeps_no_later_wish_out(clubs: Clubs) -> None:
    """It ends the following, which it did before."""
    posed = asked(clubs, "following")
    posed.answer("yes")
    for _ in range(2):
        posed.answer("no")
    posed.club.write("watch 1", ZOE)
    assert kinds(posed, ZOE).count("confirm_follow") == 2
