"""A known player on an unknown address, and machines that write without end."""

import re
from datetime import timedelta

import pytest

from pbem.ports import Fetched
from pbem.running.service import Arrival
from tests.support.club import Club, told
from tests.support.laid import After
from tests.support.mails import html_of, message, text_of
from tests.support.questions import BY_NAME, Clubs

PHONE = "Ann <ann.lee@phone.example>"
QUESTION = "confirm_address"
YES = ["yes", "Yes!", "Ja, das war ich", "oui", "да", "yeah", "That was me.", "Yes\n\nAnn"]


def from_phone(club: Club, text: str, **headers: str) -> Arrival:
    """Let Ann answer the latest notice in her match from an address that nobody knows."""
    notices = [mail for mail in club.queued() if mail.seat == 0 and mail.kind != "was_this_you"]
    return club.service.hand_in(club.answer(club.mail(notices[-1]), text, From=PHONE, **headers))


def from_the_address(club: Club, words: str, **headers: str) -> Arrival:
    """Let whoever reads the address that was asked last answer the question whose it is."""
    return club.service.hand_in(club.answer(club.mail(club.queued(kind=QUESTION)[-1]), words, **headers))


def addresses(club: Club) -> frozenset[str]:
    """Return Ann's addresses."""
    return club.match().players[0].emails


def _held(club: Club) -> None:
    club.open()
    arrival = from_phone(club, "c3\n\nOn the train.")
    assert (arrival.message.status, arrival.message.reason) == ("rejected", "unknown_address")
    assert [(mail.kind, mail.recipient) for mail in arrival.outbound] == [("was_this_you", "ann@a.example")]


@pytest.fixture
def held(after: After) -> Club:
    """A club in which Ann has just moved from her phone."""
    return after(_held)


def test_the_registered_address_is_asked(held: Club) -> None:
    """The question shows what was written and from where; nobody else hears of it, and nothing is played."""
    text = text_of(held.newest(0))
    assert "ann.lee@phone.example" in text
    answers = re.findall(r"mailto:[^\"]*body=([^\"]*)", html_of(held.newest(0)))
    assert answers == ["yes", "no"]  # a click on the board would be none
    assert "> c3" in text
    assert held.moves() == []
    assert not [mail for mail in held.queued() if "phone" in mail.recipient]


def test_the_question_shows_every_command_of_a_line(club: Club) -> None:
    """Nobody confirms a command that they were not shown, wherever on a line it stands."""
    club.open()
    from_phone(club, "say: hello; show; help; board large; unsubscribe; resign")
    text = text_of(club.newest(0))
    assert "> unsubscribe" in text
    assert "> resign" in text
    assert "> …" not in text


def test_a_line_of_too_many_parts_is_not_asked_about(club: Club) -> None:
    """What cannot be shown whole is not confirmed, whether it stands on one line or on many."""
    club.open()
    arrival = from_phone(club, "say: hello; " * 41 + "resign")
    assert (arrival.message.reason, arrival.outbound) == ("unknown_address", ())


def _asked(club: Club) -> None:
    _held(club)
    club.reply(0, "yes")


@pytest.fixture
def asked(after: After) -> Club:
    """A club in which Ann has said that it was her, and her phone is asked as well."""
    return after(_asked)


@pytest.mark.parametrize("words", YES)
def test_whatever_means_yes_is_one(clubs: Clubs, words: str) -> None:
    """In many languages, and above a name."""
    for kind in ("was this you", "whose address is it"):
        answer = clubs.asked(BY_NAME[kind]).answer(words)
        assert (answer.message.status, answer.message.commands) == ("accepted", ("yes",))


def test_the_yes_of_a_player_alone_takes_no_address(held: Club) -> None:
    """The address itself is asked, without anything of what came from there; until it answers, nothing changes."""
    answer = held.reply(0, "yes")
    assert (answer.message.status, answer.message.commands) == ("accepted", ("yes",))
    assert [(mail.kind, mail.recipient) for mail in answer.outbound] == [
        ("address_settled", "ann@a.example"),
        (QUESTION, "ann.lee@phone.example"),
    ]
    question = held.mail(answer.outbound[1])
    assert "Ann" in text_of(question)
    assert not {"c3", "train", "ann@a.example"} & set(text_of(question).replace(".", " ").split())
    assert held.moves() == []
    assert addresses(held) == {"ann@a.example"}


def test_yes_from_both_plays_the_move_and_adds_the_address(asked: Club) -> None:
    """The held message is settled as if it had come from a known address, and so are later ones."""
    held = asked
    answer = from_the_address(held, "yes")
    assert (answer.message.status, answer.message.commands) == ("accepted", ("yes",))
    assert [(mail.kind, mail.recipient) for mail in answer.outbound] == [("address_settled", "ann@a.example")]
    assert held.moves() == ["c3"]
    assert [comment.text for comment in held.match().comments] == ["On the train."]
    held.reply(1, "take")
    assert from_phone(held, "d4").message.status == "accepted"
    assert held.match().players[0].email == "ann@a.example"
    assert held.match().players[0].emails == {"ann@a.example", "ann.lee@phone.example"}


def test_no_leaves_everything_as_it_is(held: Club) -> None:
    """The message never counts, the address stays unknown, and whatever else comes from there is passed over."""
    answer = held.reply(0, "No.")
    assert answer.message.commands == ("no",)
    assert told(answer) == [("address_settled", 0)]
    assert held.moves() == []
    with held.service.database.reading() as tx:
        assert tx.players.find("ann.lee@phone.example") is None
        assert [one.reason for one in tx.inbound.latest(status="discarded")] == ["not_his"]
    again = from_phone(held, "d4")
    assert (again.message.status, again.message.reason, again.outbound) == ("discarded", "not_his", ())


def test_every_answer_is_acknowledged(held: Club) -> None:
    """A yes is answered with what follows from it; said twice, it changes nothing and is answered again."""
    question = held.newest(0)
    first = held.reply(0, "yes")
    assert told(first)[0] == ("address_settled", 0)
    assert "ann.lee@phone.example" in text_of(held.mail(first.outbound[0]))
    again = held.service.hand_in(held.answer(question, "yes", Message_ID="<again@a.example>"))
    assert told(again) == [("address_settled", 0)]
    from_the_address(held, "yes")
    late = held.service.hand_in(held.answer(question, "yes", Message_ID="<late@a.example>"))
    assert told(late) == [("address_settled", 0)]
    assert held.moves() == ["c3"]
    assert len(held.queued(kind=QUESTION)) == 1


def test_an_answer_can_be_taken_back(held: Club) -> None:
    """No after yes takes the address away, though not the move; yes after no plays it after all."""
    question = held.newest(0)
    held.reply(0, "no")
    held.service.hand_in(held.answer(question, "yes", Message_ID="<yes@a.example>"))
    from_the_address(held, "yes")
    assert held.moves() == ["c3"]
    undone = held.service.hand_in(held.answer(question, "no", Message_ID="<no@a.example>"))
    assert told(undone) == [("address_settled", 0)]
    assert held.moves() == ["c3"]
    assert held.match().players[0].emails == {"ann@a.example"}
    held.reply(1, "take")
    assert from_phone(held, "d4").message.reason == "unknown_address"


@pytest.mark.parametrize(
    ("sender", "text", "why"),
    [
        (f"{'a' * 50}@{'b' * 50}.example", "c3", "too long to be shown"),
        ("ann.lee@phone.example", "\n", "nothing in it"),
    ],
)
def test_a_message_that_cannot_be_shown_is_not_asked_about(club: Club, sender: str, text: str, why: str) -> None:
    """An empty message, or an address that fits on no line, is held without a question; the operator sees why."""
    club.open()
    arrival = club.service.hand_in(club.answer(club.newest(0), text, From=sender))
    assert (arrival.message.reason, arrival.outbound) == ("unknown_address", ())
    assert why in arrival.message.detail


def test_a_muted_player_is_not_asked(club: Club) -> None:
    """A stranger with a stolen reply token cannot write to a player who wants no email."""
    club.open()
    club.reply(0, "unsubscribe")
    arrival = from_phone(club, "c3")
    assert (arrival.message.reason, arrival.outbound) == ("unknown_address", ())


def test_an_address_is_asked_about_once(held: Club) -> None:
    """The match goes on, and more messages come from there: the player is not asked again about the same address."""
    held.reply(0, "d4")
    assert from_phone(held, "d5").outbound == ()
    assert len(held.queued(kind="was_this_you")) == 1


def test_only_the_message_shown_is_played(held: Club) -> None:
    """More messages from there are held without another question, and stay held: nobody has agreed to them."""
    again = from_phone(held, "resign")
    assert again.message.reason == "unknown_address"
    assert again.outbound == ()
    held.service.hand_in(held.answer(held.mail(held.queued(kind="was_this_you")[0]), "yes"))
    from_the_address(held, "yes")
    assert held.moves() == ["c3"]
    assert held.match().outcome is None


def test_a_message_too_long_to_be_shown_is_not_asked_about(club: Club) -> None:
    """Nobody should agree to what he does not see."""
    club.open()
    arrival = from_phone(club, "c3\n" + "More and more words.\n" * 60 + "resign")
    assert (arrival.message.reason, arrival.outbound) == ("unknown_address", ())


def test_a_sentence_that_begins_like_yes_is_none(held: Club) -> None:
    """The line has to be yes and nothing else."""
    question = held.newest(0)
    for words in (
        "Yes, but that was not me",
        "Tak for beskeden, men det var ikke mig",
        "Si no me equivoco, no fui yo",
        "Да нет, это не я",
    ):
        assert held.service.hand_in(held.answer(question, words)).message.commands == (), words
    assert held.moves() == []
    assert held.queued(kind=QUESTION) == []


def test_yes_in_a_later_mail_of_the_thread_is_no_answer(held: Club) -> None:
    """Only a reply to the question itself counts; a move below a friendly yes is the player's own."""
    question = held.newest(0)
    held.service.hand_in(held.answer(question, "d4", Message_ID="<own@a.example>"))
    held.reply(1, "take")
    held.reply(0, "Yes, here it is.\nc4")
    assert held.moves() == ["d4", "take", "c4"]
    with held.service.database.reading() as tx:
        assert tx.players.find("ann.lee@phone.example") is None


def test_a_stranger_with_a_stolen_token_cannot_flood_a_player(club: Club) -> None:
    """However many addresses he invents, the player is asked three times a day."""
    club.open()
    mail = club.newest(0)
    for number in range(8):
        club.service.hand_in(club.answer(mail, "c3", From=f"m{number}@mallory.example"))
    assert len(club.queued(kind="was_this_you")) == 3
    club.clock.advance(timedelta(days=1, minutes=1))
    club.service.hand_in(club.answer(mail, "c3", From="m9@mallory.example"))
    assert len(club.queued(kind="was_this_you")) == 4
    assert club.moves() == []


def test_yes_still_counts_when_the_service_died_before_it_played(held: Club) -> None:
    """The message that waits again is settled by the next pass, whoever makes it."""
    held.reply(0, "yes")
    question = held.mail(held.queued(kind=QUESTION)[0])
    number, _ = held.service.receive([Fetched(held.answer(question, "yes"))])[0]
    held.service.processing.process(number)
    assert held.moves() == []
    held.service.process_waiting()
    assert held.moves() == ["c3"]


def test_a_move_answers_the_question_too(held: Club) -> None:
    """Whoever just plays on from the registered address is understood; what was held stays held."""
    assert held.reply(0, "d4").message.commands == ("d4",)
    assert held.moves() == ["d4"]


def test_a_known_player_with_another_reply_token_is_not_asked_about(club: Club) -> None:
    """A message with the reply token of somebody else, from a known player, is not held: they get their own board."""
    club.open()
    other = club.reply(0, "c3", From="bob@b.example")
    assert (other.message.commands, club.moves()) == (("show 1",), [])
    assert [(mail.kind, mail.recipient) for mail in other.outbound] == [("show", "bob@b.example")]


def test_a_machine_that_writes_without_end_is_no_longer_read(club: Club) -> None:
    """After sixty messages in an hour that led to nothing an address is passed over, until it has been quiet."""
    raws = [message("hello", From="x@x.example", To="games@play.example", Message_ID=f"<{n}@x>") for n in range(70)]
    ends = [club.service.hand_in(raw).message for raw in raws]
    assert [end.status for end in ends] == ["rejected"] * 60 + ["discarded"] * 10
    assert {end.code for end in ends[60:]} == {"too_many_letters"}
    assert len(club.queued()) == 1
    club.clock.advance(timedelta(hours=1, minutes=1))
    later = message("hello", From="x@x.example", To="games@play.example", Message_ID="<later@x>")
    assert club.service.hand_in(later).message.status == "rejected"


@pytest.mark.parametrize("words", ["No, that was not me", "That wasn’t me!", "Nein, das war ich nicht.", "not me"])
def test_no_in_a_sentence_is_no(clubs: Clubs, words: str) -> None:
    """People seldom write the one word alone."""
    assert clubs.asked(BY_NAME["was this you"]).answer(words).message.commands == ("no",)
