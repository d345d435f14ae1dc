"""Addresses stay with their owners: what a player, or a stranger who forges From, tries in order to take one."""

from datetime import timedelta

import pytest

from pbem.asking.kinds.address import DECLINED
from pbem.running.service import Arrival
from tests.support.bounces import addressed, postfix
from tests.support.club import PLAYERS, Club
from tests.support.laid import After
from tests.support.mails import text_of

QUESTION = "confirm_address"
VICTIM = "victim@v.example"


def claim(club: Club, address: str = VICTIM, *, seat: int = 0, match: int = 1, words: str = "yes") -> Arrival:
    """Let the player at a seat forge a message from an address, and say that it was them."""
    mails = [mail for mail in club.queued(kind="opened") if (mail.match, mail.seat) == (match, seat)]
    held = club.service.hand_in(club.answer(club.mail(mails[0]), "show", From=address))
    assert [mail.kind for mail in held.outbound] == ["was_this_you"], held.message.detail
    return club.service.hand_in(club.answer(club.mail(held.outbound[0]), words))


def answer(club: Club, words: str, number: int = -1, **headers: str) -> Arrival:
    """Let the reader of an address that was asked answer; without ``number`` the one that was asked last."""
    return club.service.hand_in(club.answer(club.mail(club.queued(kind=QUESTION)[number]), words, **headers))


def owner_of(club: Club, address: str = VICTIM) -> str | None:
    """Return whose address it is."""
    with club.service.database.reading() as tx:
        player = tx.players.find(address)
    return player.name if player else None


def _claimed(club: Club) -> None:
    club.open()
    assert [mail.recipient for mail in claim(club).outbound] == ["ann@a.example", VICTIM]


@pytest.fixture
def claimed(after: After) -> Club:
    """A club in which Ann has claimed the address of somebody who does not play."""
    return after(_claimed)


@pytest.mark.parametrize("words", ["no", "Nein, das war ich nicht.", "unsubscribe"])
def test_a_no_is_final(claimed: Club, words: str) -> None:
    """Nothing is added, the player is told in one email, and a later yes of either changes nothing."""
    said = answer(claimed, words)
    assert (said.message.status, said.message.commands) == ("accepted", ("no",))
    assert [(mail.kind, mail.recipient) for mail in said.outbound] == [("address_settled", "ann@a.example")]
    assert VICTIM in text_of(claimed.mail(said.outbound[0]))
    with claimed.service.database.reading() as tx:
        assert [one.reason for one in tx.inbound.latest(status="discarded")] == [DECLINED]
    assert answer(claimed, "yes", Message_ID="<later@v.example>").outbound[0].kind == "not_started"
    asked = claimed.mail(claimed.queued(kind="was_this_you")[0])
    for number, word in enumerate(["yes", "no", "yes"]):
        raw = claimed.answer(asked, word, Message_ID=f"<ann-{number}@a.example>")
        assert [mail.kind for mail in claimed.service.hand_in(raw).outbound] == ["address_settled"]
    assert owner_of(claimed) is None
    assert len(claimed.queued(kind=QUESTION)) == 1


def test_the_button_for_unsubscribing_is_a_no(claimed: Club) -> None:
    """Email programs send its address and subject; somebody who never played wants to hear no more."""
    question = claimed.mail(claimed.queued(kind=QUESTION)[0])
    assert "subject=unsubscribe" in str(question["List-Unsubscribe"])
    said = answer(claimed, "Sent by the button", Subject="unsubscribe", In_Reply_To="", References="")
    assert said.message.commands == ("no",)


def test_a_no_twice_is_told_once(claimed: Club) -> None:
    """Nobody can fill the player's mailbox by answering again."""
    answer(claimed, "no")
    assert answer(claimed, "no", Message_ID="<again@v.example>").outbound == ()


def test_after_no_what_comes_from_there_is_passed_over(claimed: Club) -> None:
    """Whoever has the player's reply token cannot have the player asked about that address again."""
    answer(claimed, "no")
    mail = claimed.mail(next(one for one in claimed.queued(kind="opened") if one.seat == 0))
    for _ in range(2):
        again = claimed.service.hand_in(claimed.answer(mail, "c3", From=VICTIM))
        assert (again.message.reason, again.outbound) == (DECLINED, ())
        claimed.clock.advance(timedelta(days=20))


def test_an_owner_takes_their_address_back(claimed: Club) -> None:
    """Yes and then no: nothing more counts that comes from there, and no yes brings it back."""
    answer(claimed, "yes")
    assert owner_of(claimed) == "Ann"
    claimed.clock.advance(timedelta(days=60))
    taken = answer(claimed, "no", Message_ID="<no@v.example>")
    assert [mail.recipient for mail in taken.outbound] == ["ann@a.example"]
    assert owner_of(claimed) is None
    answer(claimed, "yes", Message_ID="<yes-again@v.example>")
    assert owner_of(claimed) is None


def test_a_thief_whose_address_was_disowned_does_not_come_back(claimed: Club) -> None:
    """After the player's no, a yes from there counts no more, even where the held message was played before."""
    answer(claimed, "yes")
    asked = claimed.mail(claimed.queued(kind="was_this_you")[0])
    claimed.service.hand_in(claimed.answer(asked, "no", Message_ID="<no@a.example>"))
    assert owner_of(claimed) is None
    answer(claimed, "yes", Message_ID="<back@v.example>")
    assert owner_of(claimed) is None


def test_a_player_takes_their_yes_back_before_the_address_answers(claimed: Club) -> None:
    """Then the address's yes comes too late; said yes again, it is not asked a second time."""
    asked = claimed.mail(claimed.queued(kind="was_this_you")[0])
    for number, words in enumerate(["no", "yes"]):
        claimed.service.hand_in(claimed.answer(asked, words, Message_ID=f"<{number}@a.example>"))
        assert answer(claimed, "yes", Message_ID=f"<{number}@v.example>").message.status == "rejected"
    assert owner_of(claimed) is None
    assert len(claimed.queued(kind=QUESTION)) == 1


def test_a_no_after_the_players_own_no_is_remembered(claimed: Club) -> None:
    """The question was withdrawn; the address is not asked again for a year all the same."""
    asked = claimed.mail(claimed.queued(kind="was_this_you")[0])
    claimed.service.hand_in(claimed.answer(asked, "no", Message_ID="<no@a.example>"))
    answer(claimed, "no")
    claimed.open("zipline", PLAYERS)
    claimed.clock.advance(timedelta(days=30))
    claim(claimed, seat=1, match=2)
    assert len(claimed.queued(kind=QUESTION)) == 1


def test_an_address_that_became_somebody_elses_is_not_given_away(claimed: Club) -> None:
    """Its owner was invited meanwhile: their yes to the old question hands nothing to the other player."""
    claimed.open("pipline", (PLAYERS[1], f"Victim <{VICTIM}>"))
    assert answer(claimed, "yes").message.status == "rejected"
    assert owner_of(claimed) == "Victim"
    assert claimed.match(2).players[1].email == VICTIM
    assert claimed.match().players[0].emails == {"ann@a.example"}


def test_an_address_is_asked_once_in_two_weeks_about_a_player(claimed: Club) -> None:
    """However often the player says that it is theirs, in however many matches."""
    claimed.open("zipline", PLAYERS)
    claimed.clock.advance(timedelta(days=13))
    assert [mail.kind for mail in claimed.queued() if mail.recipient == VICTIM] == [QUESTION]
    asked = claimed.mail(claimed.queued(kind="was_this_you")[0])
    claimed.service.hand_in(claimed.answer(asked, "yes", Message_ID="<again@a.example>"))
    assert len(claimed.queued(kind=QUESTION)) == 1
    claimed.clock.advance(timedelta(days=2))
    claim(claimed, match=2)
    assert len(claimed.queued(kind=QUESTION)) == 2


def test_many_players_cannot_flood_an_address(club: Club) -> None:
    """Five of them claim it, by variants of one mailbox: it gets three questions in a week."""
    for number in range(5):
        club.open("pipline", (f"P{number} <p{number}@p.example>", "Bob <bob@b.example>"))
        claim(club, f"victim+{number}@v.example", match=number + 1)
    assert len(club.queued(kind=QUESTION)) == 3
    club.clock.advance(timedelta(days=8))
    club.open("pipline", ("P9 <p9@p.example>", "Bob <bob@b.example>"))
    claim(club, match=6)
    assert len(club.queued(kind=QUESTION)) == 4


def test_a_no_to_one_player_is_a_no_to_all(club: Club) -> None:
    """An attacker with many players has one question, not one for each; variants of the address do not help."""
    for number in range(2):
        club.open("pipline", (f"P{number} <p{number}@p.example>", "Bob <bob@b.example>"))
    claim(club)
    answer(club, "no")
    club.clock.advance(timedelta(days=40))
    claim(club, "victim+x@v.example", match=2)
    assert len(club.queued(kind=QUESTION)) == 1


def test_one_player_cannot_write_to_many_strangers(club: Club) -> None:
    """Three addresses a week are asked about one player, though three claims a day are possible."""
    club.open()
    for number in range(6):
        claim(club, f"m{number}@m.example")
        club.clock.advance(timedelta(hours=12))
    assert len(club.queued(kind=QUESTION)) == 3


def test_an_address_from_which_email_came_back_is_not_asked(claimed: Club) -> None:
    """What does not arrive there would only come back again."""
    (question,) = claimed.queued(kind=QUESTION)
    claimed.service.hand_in(addressed(postfix(claimed.mail(question)), claimed.envelope_of(question)))
    claimed.open("zipline", PLAYERS)
    claim(claimed, seat=1, match=2)
    assert len(claimed.queued(kind=QUESTION)) == 1


def test_a_blocked_address_is_not_asked(club: Club) -> None:
    """It was blocked after the player was asked."""
    club.open()
    held = club.reply(0, "show", From=VICTIM)
    with club.service.database.transaction() as tx:
        tx.blocked.add(VICTIM, "", club.clock.now())
    assert [
        mail.recipient for mail in club.service.hand_in(club.answer(club.mail(held.outbound[0]), "yes")).outbound
    ] == ["ann@a.example"]


def test_a_blocked_player_gets_no_new_address(claimed: Club) -> None:
    """They could go on from there: the question was sent before they were blocked."""
    with claimed.service.database.transaction() as tx:
        tx.blocked.add("ann@a.example", "", claimed.clock.now())
    assert answer(claimed, "yes").message.status == "rejected"
    assert owner_of(claimed) is None


def test_forged_messages_do_not_keep_out_the_answer_of_an_address(claimed: Club) -> None:
    """A player sends as many as end a conversation in its name; its no counts all the same."""
    mail = claimed.mail(next(one for one in claimed.queued(kind="opened") if one.seat == 0))
    for _ in range(61):
        claimed.service.hand_in(claimed.answer(mail, "c3", From=VICTIM))
    assert answer(claimed, "no").message.commands == ("no",)


def test_a_muted_player_is_told_nothing(claimed: Club) -> None:
    """Somebody else's answer brings no email to who wants none."""
    claimed.reply(0, "unsubscribe")
    assert answer(claimed, "no").outbound == ()


def test_a_yes_above_a_question_quoted_without_marks_is_read(claimed: Club) -> None:
    """Some email programs put nothing before quoted lines."""
    quoted = text_of(claimed.mail(claimed.queued(kind=QUESTION)[0]))
    answer(claimed, f"yes\n\n{quoted}")
    assert owner_of(claimed) == "Ann"


def test_no_player_sees_the_token_of_a_question(claimed: Club) -> None:
    """It stands in the email to the address alone: whoever knew it could forge its yes."""
    answer(claimed, "yes")
    with claimed.service.database.reading() as tx:
        raws = [tx.outbound.raw(mail.id) for mail in claimed.queued() if mail.kind != QUESTION]
    assert not any(b"+q." in raw for raw in raws)


def test_a_token_pasted_into_words_for_others_is_taken_out(claimed: Club) -> None:
    """As a reply token is: it proves whose the address is, so it is for nobody else."""
    token = str(claimed.mail(claimed.queued(kind=QUESTION)[0])["Reply-To"])
    claimed.reply(0, f"say: write to {token}")
    assert not any("q.1." in comment.text for comment in claimed.match().comments)
