"""The conversation that a message begins, so that its answer stands below it."""

from pbem.inbound.conversation import find_conversation
from pbem.mail.compose import Thread
from pbem.mail.message import parse
from tests.support.each import each
from tests.support.mails import message


@each(
    "subject, again",
    [
        ("offers", "Re: offers"),
        ("AW: Re[2]: Offene Spiele?", "Re: Offene Spiele?"),
        ("=?utf-8?q?Bcc=3A_x=40y.example=0D=0AX=3A_y?=", "Re: Bcc: x@y.example X: y"),
        ("x" * 200, ""),
        ("", ""),
    ],
)
def test_an_answer_has_the_subject_of_what_it_answers(subject: str, again: str) -> None:
    """It is on one line, and a very long one is left out."""
    found = find_conversation(parse(message("show", Message_ID="<1@x>", Subject=subject)), named=True)
    assert found == Thread("<1@x>", "<1@x>", again)


def test_words_in_anybody_elses_name_are_not_repeated() -> None:
    """A forged From must not have us send a subject of the forger's to whomever they like."""
    found = find_conversation(parse(message("show", Message_ID="<1@x>", Subject="Your parcel: x.example")), named=False)
    assert found == Thread("<1@x>", "<1@x>", "")


@each("message_id", ["", "<a b@x>", "<é@x>", f"<{'x' * 300}@y>", "1@x"])
def test_no_odd_message_id_comes_into_a_header_of_ours(message_id: str) -> None:
    """Then the answer begins a conversation."""
    raw = message("show", Message_ID=message_id, Subject="show")
    assert find_conversation(parse(raw), named=True) is None


def test_it_goes_back_to_its_first_email() -> None:
    """As the sender's program names it."""
    raw = message("show", Message_ID="<3@x>", Subject="Re: show", In_Reply_To="<2@x>", References="<1@x> <2@x>")
    assert find_conversation(parse(raw), named=True) == Thread("<1@x>", "<3@x>", "Re: show")
