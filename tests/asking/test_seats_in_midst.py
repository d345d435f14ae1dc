"""A seat passes, and comes back, in the midst of things: held moves, words, digests, offers, the end, a backup."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from pbem.mail.question_token import sign_question_token
from pbem.running.service import Arrival
from pbem.settings.model import Settings
from tests.support.clocks import opened, wait
from tests.support.club import ADDRESS, PLAYERS, SECRET, Club
from tests.support.laid import After
from tests.support.mails import html_of, message, text_of

DORA, EVE, ANN = "Dora <dora@d.example>", "Eve <eve@e.example>", "ann@a.example"
DORAS = "dora@d.example"


def begin(club: Club) -> Club:
    """Ann, Bob and Carl play match 1, in which Ann is to act; Dora and Eve play match 2."""
    club.open("zipline", PLAYERS, days=3)
    club.open("pipline", (DORA, EVE))
    for seat, move in ((0, "c3"), (1, "take"), (2, "b2")):
        club.reply(seat, move)
    return club


@pytest.fixture
def trio(after: After) -> Club:
    """Such matches."""
    return after(begin)


def answer(club: Club, words: str, kind: str, **headers: str) -> Arrival:
    """Answer the newest email of a kind, and let the service do what is due."""
    arrival = club.answer_kind(kind, -1, words, **headers)
    wait(club, minutes=1)
    return arrival


def lend(club: Club) -> None:
    """Let Ann name Dora as her stand-in, who says yes."""
    club.clock.advance(timedelta(minutes=1))
    club.reply(0, "standin Dora until 1 dec")
    answer(club, "yes", "seat_offered")
    assert club.match().players[0].name == "Dora"


def to(club: Club, address: str, kind: str = "") -> list[str]:
    """Return the texts of all emails to an address, or of those of one kind."""
    return [" ".join(text_of(club.mail(mail)).split()) for mail in club.queued(kind=kind) if mail.recipient == address]


def test_a_token_without_the_time_of_its_offer_takes_no_seat(trio: Club) -> None:
    """Though it is signed for its reader: offers may have got the numbers of lost ones."""
    trio.reply(0, "standin Dora until 1 dec")
    token = sign_question_token(1, f"1 {DORAS} 0", SECRET)
    local, _, domain = ADDRESS.partition("@")
    trio.service.hand_in(message("yes", From=DORA, To=f"{local}+{token}@{domain}", Message_ID="<1@d.example>"))
    wait(trio, minutes=1)
    assert trio.match().players[0].name == "Ann"


def test_an_opponent_ends_no_stand_in_by_naming_somebody_else(trio: Club) -> None:
    """Bob waits for Ann, and proposes that others play on for her, before Dora has said yes."""
    trio.reply(0, "standin Dora until 1 dec")
    trio.reply(1, "replace Ann with nobody@x.example")
    trio.reply(2, "replace Ann with Eve")
    first = next(mail for mail in trio.queued(kind="seat_offered") if mail.recipient == DORAS)
    trio.service.hand_in(trio.answer(trio.mail(first), "yes"))
    wait(trio, minutes=1)
    assert trio.match().players[0].name == "Dora"
    answer(trio, "yes", "seat_offered")  # Eve's: the seat is Dora's by now
    assert trio.match().players[0].name == "Dora"


@pytest.fixture
def holding(settings: Settings, new_club: Callable[..., Club]) -> Club:
    """Such matches, of a host who holds moves for five minutes."""
    first = begin(new_club())
    settings.unsend_minutes = 5
    found = new_club(clock=first.clock)
    found.written = first.written
    return found


def live(club: Club, minutes: int) -> None:
    """Let minutes pass, and what is held be carried out."""
    wait(club, minutes=minutes)
    club.service.process_waiting()
    wait(club, minutes=1)


def test_a_held_move_of_whoever_had_the_seat_keeps_nobody_from_moving(holding: Club) -> None:
    """Nor is it told, or taken back, by whoever has the seat now; its sender is told that it no longer counts."""
    holding.reply(0, "standin Dora until 1 dec")
    holding.reply(0, "d4\nANN'S WORDS")
    answer(holding, "yes", "seat_offered")
    moved = holding.reply(0, "e5").message
    assert (moved.status, moved.code) == ("rejected", "unsent")
    live(holding, 6)
    assert holding.moves()[-1] == "e5"
    assert holding.queued(kind="unknown_match")[-1].recipient == ANN
    assert not any("ANN'S WORDS" in text for text in to(holding, DORAS))


def test_a_stand_in_takes_back_no_held_move_of_the_player(holding: Club) -> None:
    """There is nothing of theirs to take back."""
    holding.reply(0, "standin Dora until 1 dec")
    holding.reply(0, "d4")
    answer(holding, "yes", "seat_offered")
    assert holding.reply(0, "oops").message.commands == ()


def test_a_held_move_of_a_stand_in_keeps_no_player_from_moving_who_is_back(holding: Club) -> None:
    """The other way round."""
    lend(holding)
    holding.reply(0, "d4")
    answer(holding, "standin off", "replaced")
    holding.reply(0, "e5")
    live(holding, 6)
    assert holding.moves()[-1] == "e5"


def test_words_stay_those_of_whoever_said_them(trio: Club) -> None:
    """In emails that come later, and on the match's page, though the seat has passed since, without a move."""
    trio.reply(1, "mails turns")
    trio.reply(0, "say: I am off on holiday")
    lend(trio)
    trio.clock.advance(timedelta(minutes=1))
    trio.reply(0, "d4\nHello from Dora")
    said = to(trio, "bob@b.example")[-1]
    assert "Ann wrote: “I am off on holiday”" in said
    assert "Dora played d4. Dora and Carl" in said or "Dora played d4. “Hello from Dora”" in said
    assert [trio.match().writer(comment) for comment in trio.match().comments] == ["Ann", "Dora"]
    answer(trio, "standin off", "replaced")
    assert [trio.match().writer(comment) for comment in trio.match().comments] == ["Ann", "Dora"]


def test_moves_stay_those_of_whoever_made_them(trio: Club) -> None:
    """The history of the match has the name of who had the seat then, as its page does."""
    lend(trio)
    trio.reply(0, "d4")
    trio.reply(1, "history")
    told = to(trio, "bob@b.example", "history")[-1]
    assert "1 · Ann: c3" in told
    assert "4 · Dora: d4" in told
    assert "standing in" not in told, "what happened then is no news"


def lend_after_a_move(club: Club) -> None:
    """Ann plays, and lends her seat to Dora; then Bob plays, so that it's Carl's turn."""
    club.reply(0, "d4")
    lend(club)
    club.reply(1, "e5")


def test_whoever_wants_email_only_on_their_turn_reads_who_moved_before_the_seat_passed(trio: Club) -> None:
    """They are told then of what was done under both names."""
    trio.reply(2, "mails turns")
    lend_after_a_move(trio)
    told = to(trio, "carl@c.example", "your_turn")[-1]
    assert "Ann played d4." in told
    assert "Dora played d4" not in told


def test_a_digest_says_who_moved_before_the_seat_passed(trio: Club) -> None:
    """Of each match since its reader's last move."""
    trio.reply(2, "digest 07:30")
    lend_after_a_move(trio)
    wait(trio, days=1)
    (told,) = to(trio, "carl@c.example", "digest")
    assert "Ann played d4." in told
    assert "Dora played d4" not in told


def test_whoever_has_got_a_seat_reads_as_their_own_only_what_they_have_done(trio: Club) -> None:
    """The others' email about what happened last has the same names, and so has the board of then."""
    lend_after_a_move(trio)
    for seat, move in ((2, "a1"), (1, "b5"), (0, "b4")):
        trio.reply(seat, move)
    for words in ("unsubscribe", "resume"):
        trio.reply(0, words)
    told = " ".join(to(trio, DORAS, "resume"))
    assert "Ann played d4." in told
    assert "You played b4." in told
    trio.reply(1, "show #4")
    assert "Ann played d4." in to(trio, "bob@b.example", "earlier")[-1]
    answer(trio, "standin off", "replaced")
    for words in ("unsubscribe", "resume"):
        trio.reply(0, words)
    told = to(trio, ANN, "resume")[-1]
    assert "You played d4." in told
    assert "Dora played b4." in told


def test_whose_match_ends_under_a_stand_in_hears_how(trio: Club) -> None:
    """Once, and nothing asks them for anything; a seat that is theirs again is told of as ever."""
    lend(trio)
    trio.reply(1, "resign")
    (text,) = [text for text in to(trio, ANN, "replaced") if "is over" in text]
    assert "White resigned" in text
    assert "Dora and Carl won." in text
    assert "Dora played match 1 (Zipline) in your place to the end." in text
    wait(trio, days=13)
    assert len(to(trio, ANN, "replaced")) == 2


def test_a_stand_in_is_told_nothing_by_which_they_would_give_the_match_up(trio: Club) -> None:
    """Whoever would rather not play gives the seat back; and whoever is back isn't joining."""
    lend(trio)
    joining = next(mail for mail in reversed(trio.queued(kind="opened")) if mail.recipient == DORAS)
    for text in (text_of(trio.mail(joining)), html_of(trio.mail(joining))):
        assert "rather not play" not in text
        assert "standin off" in " ".join(text.split())
    answer(trio, "standin off", "replaced")
    back = " ".join(text_of(trio.mail(trio.queued(kind="opened")[-1])).split())
    assert "joining" not in back
    assert "you’re back in this match of Zipline" in back


def test_a_line_of_one_word_for_another_match_is_no_talk(trio: Club) -> None:
    """Who answers a digest with “2 take” below the line of match 1, though match 2 isn't in it, shows nobody that."""
    trio.reply(0, "digest 07:30", match=2)
    trio.reply(0, "c3", match=2)
    lend(trio)
    wait(trio, hours=14)
    answer(trio, "1 d4\n2 take", "digest")
    assert trio.moves()[-1] == "d4"
    assert trio.match().comments == ()
    assert any("“2 take” isn’t done." in text for text in to(trio, DORAS, "digest_done"))


def test_a_digest_of_before_plays_nothing_in_a_seat_that_one_has_again(trio: Club) -> None:
    """And says so: whoever answers has a seat there."""
    trio.reply(0, "digest 07:30", match=2)
    lend(trio)
    wait(trio, hours=14)
    old = trio.mail(trio.queued(kind="digest")[-1])
    answer(trio, "standin off", "replaced")
    lend(trio)
    trio.service.hand_in(trio.answer(old, "1 d4"))
    assert trio.moves() == ["c3", "take", "b2"]
    assert "Somebody else has had the seat since that email." in to(trio, DORAS, "digest_done")[-1]


@pytest.mark.parametrize("words", ["standin off", "1 standin off", "standin off 1", "3 e5\nstandin off"])
def test_a_seat_comes_back_by_a_digest_in_which_it_isnt(trio: Club, words: str) -> None:
    """As in answer to any other email that proves its reader."""
    opened(trio, "c3", players=(PLAYERS[0], EVE))
    trio.reply(0, "digest 07:30", match=3)
    trio.reply(1, "take", match=3)
    lend(trio)
    wait(trio, hours=14)
    assert answer(trio, words, "digest").message.status == "accepted"
    assert trio.match().players[0].name == "Ann"


def test_a_word_in_answer_to_another_match_takes_all_seats_back(trio: Club) -> None:
    """Where there is nothing to end in that match; whoever has lent no seat is told so."""
    opened(trio, "c3", players=(PLAYERS[0], EVE))
    lend(trio)
    assert trio.reply(1, "standin off", match=3).message.status == "rejected"
    assert trio.reply(0, "standin off", match=3).message.commands == ("standin off",)
    wait(trio, minutes=1)
    assert trio.match().players[0].name == "Ann"


def test_followers_read_no_wrong_reason_when_a_seat_passes(trio: Club) -> None:
    """No operator had a hand in it."""
    trio.service.hand_in(
        message("watch 1", From="wat@w.example", To=ADDRESS, Subject="Hello", Message_ID="<watch@w.example>")
    )
    answer(trio, "yes", "confirm_follow")
    lend(trio)
    trio.clock.advance(timedelta(hours=2))
    wait(trio, minutes=5)
    assert "operator" not in to(trio, "wat@w.example", "followed")[-1]


def test_an_offer_of_a_draw_ends_with_a_new_player(trio: Club) -> None:
    """Nobody is bound by what somebody else offered, and a yes to it is told why it does nothing."""
    trio.reply(0, "draw")
    question = trio.newest(1)
    lend(trio)
    refused = trio.service.hand_in(trio.answer(question, "yes")).message
    assert refused.status == "rejected"
    assert trio.match().outcome is None
    assert "a new player ends an offer" in to(trio, "bob@b.example")[-1]
