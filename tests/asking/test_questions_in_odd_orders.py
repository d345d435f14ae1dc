"""Answers in an odd order, late, after renamings, mergers and new addresses, do what they say, or nothing."""

import base64
import random
from datetime import timedelta

import pytest

from pbem.running.operator_rulings import change_player_addresses, merge_players, rename_player
from tests.support.mails import text_of
from tests.support.questions import ANN, BY_NAME, NEW, ZOE, Clubs, Posed, owner_of, settle


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


OTHERS = ("Fay <fay@f.example>", "Gus <gus@g.example>")


def told(posed: Posed, words: str = "", **headers: str) -> str:
    """Return the code with which an answer ends."""
    return posed.answer(words, **headers).message.code


@pytest.mark.parametrize("name", ["invitation of a player", "stand-in", "a wish without a token", "having a seat back"])
def test_a_question_outlives_that_its_reader_turns_out_to_be_somebody_else(clubs: Clubs, name: str) -> None:
    """Who has had new reply addresses; a token of a seat outlives it as well."""
    posed = asked(clubs, name)
    fay = posed.club.open("pipline", OTHERS)
    posed.club.reply(0, "new address", match=fay.id)
    with posed.club.service.database.reading() as tx:
        reader = tx.players.find(posed.kind.reader)
    assert reader
    merge_players(posed.club.service, reader.name, "Fay")
    assert told(posed) != "unknown_match"


def test_a_question_outlives_that_its_reader_becomes_a_player_with_new_reply_addresses(clubs: Clubs) -> None:
    """The operator gives the address that was asked to somebody who plays."""
    posed = asked(clubs, "invitation of a stranger")
    fay = posed.club.open("pipline", OTHERS)
    posed.club.reply(0, "new address", match=fay.id)
    change_player_addresses(posed.club.service, "Fay", add=[ZOE])
    assert told(posed, "yes") != "unknown_match"


@pytest.mark.parametrize("words", ["yes", "no", "hm, what is that?"])
@pytest.mark.parametrize("name", ["was this you", "an address that said yes"])
def test_nobody_is_told_that_nothing_was_asked_since_it_is_late(clubs: Clubs, name: str, words: str) -> None:
    """The email that they answer did ask."""
    posed = asked(clubs, name)
    posed.club.serve(timedelta(days=15))
    assert told(posed, words) == "closed"


@pytest.mark.parametrize(("words", "code"), [("no", "late"), ("hm, what is that?", "late")])
def test_a_closed_question_is_asked_nobody_once_more(clubs: Clubs, words: str, code: str) -> None:
    """Whoever said no has had their say."""
    posed = asked(clubs, "signing up")
    posed.club.serve(timedelta(days=4000))
    assert told(posed, words) == code


@pytest.mark.parametrize("name", ["was this you", "whose address is it", "an address that said yes"])
def test_nobody_is_told_that_their_main_address_counts_no_more(clubs: Clubs, name: str) -> None:
    """It can't be taken away, since nothing would reach them; so it counts."""
    posed = asked(clubs, name)
    posed.answer("yes")
    if name == "was this you":
        posed.club.answer_kind("confirm_address", -1, "yes")
    change_player_addresses(posed.club.service, "Ann", main=NEW)
    answered = posed.answer("no")
    assert owner_of(posed.club, NEW) == "Ann"
    (mail,) = answered.outbound
    assert "so it stays" in text_of(posed.club.mail(mail)).replace("\n", " ")


def test_nobody_gets_more_answers_by_having_another_main_address(clubs: Clubs) -> None:
    """They go to the address that was asked, and that counts them."""
    posed = asked(clubs, "invitation of a player")
    change_player_addresses(posed.club.service, "Bob", add=["b2@b.example"], main="b2@b.example")
    before = len(posed.club.queued())
    for number in range(9):
        posed.answer(f"hm what {number}")
    assert len(posed.club.queued()) - before == 3


@pytest.mark.parametrize("name", ["near miss", "resigning below other words", "a move without a token"])
def test_a_no_after_a_yes_is_told_that_it_was_done(clubs: Clubs, name: str) -> None:
    """Not that nothing was."""
    posed = asked(clubs, name)
    posed.answer()
    assert posed.granted()
    assert told(posed, "no") == "said_yes"


def test_a_yes_to_a_pause_that_was_taken_back_proposes_none(clubs: Clubs) -> None:
    """Its words alone would, in the name of whoever says yes."""
    posed = asked(clubs, "pause")
    posed.club.reply(0, "pause off")
    assert told(posed) == "closed"
    clock = posed.club.match().clock
    assert clock
    assert clock.proposal is None


def test_an_email_that_is_too_large_or_sealed_is_told_so(clubs: Clubs) -> None:
    """It is no late answer, and no unclear one."""
    posed = asked(clubs, "following")
    sealed = 'multipart/encrypted; boundary="b"; protocol="application/pgp-encrypted"'
    assert told(posed, "--b\n\nVersion: 1\n--b--", Content_Type=sealed) == "sealed"
    photo = base64.encodebytes(random.Random(1).randbytes(8_000_000)).decode()
    assert told(posed, f"yes\n{photo}") == "too_large"


def test_nobody_gets_more_addresses_than_may_be_by_naming_them_at_once(clubs: Clubs) -> None:
    """They may all wait for a yes."""
    posed = asked(clubs, "an address that said yes")
    change_player_addresses(posed.club.service, "Ann", add=[f"n{number}@n.example" for number in range(9)])
    posed.answer()
    assert owner_of(posed.club, NEW) is None


def test_whoever_plays_in_a_match_takes_no_other_seat_there(clubs: Clubs) -> None:
    """The stranger who was asked turns out to be the other player."""
    posed = asked(clubs, "stand-in who is a stranger")
    change_player_addresses(posed.club.service, "Bob", add=[ZOE])
    assert told(posed, "yes") == "seat_closed"
