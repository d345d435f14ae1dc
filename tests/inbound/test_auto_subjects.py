"""Subjects that nobody wrote, and those of people that look like them."""

from time import process_time

from pbem.inbound.auto_subjects import is_away, is_receipt, is_returned
from tests.support.each import each


@each(
    "subject",
    [
        "Automatic reply: [pbem 1] zipline",
        "[EXTERNAL] AUTOMATISCHE ANTWORT: x",
        "EXT: Automatic reply: x",
        "***SPAM*** Out of office: x",
        "Away: [pbem 1] zipline",
        "Urlaub Re: [pbem 1] zipline",
        "I’m on vacation",
        "Thank you for your e-mail.",
        "Merci pour votre message !",
        "Absence (was: [pbem 1] zipline",
        "Re: [pbem 1] zipline (Out of Office)",
        "出差中：[pbem 1] zipline",
        "İzindeyim: RE: [pbem 1] zipline",
        "Bob Miller is out of the office (returning 12/01/2026)",
        "AUTO: Bob",
    ],
)
def test_an_automatic_answer_is_known_by_its_subject(subject: str) -> None:
    """What says that nobody is there stands first, in place of the subject or before ours."""
    assert is_away(subject)
    assert not is_returned(subject)


@each(
    "subject",
    [
        "",
        "Re: [pbem 1] zipline",
        "Re: Automatic reply: [pbem 1] zipline",
        "Away game",
        "Holiday",
        "Out of time! Re: [pbem 1] zipline",
        "Out of the blue: [pbem 1] zipline",
        "Vacation over, here is my move",
        "Thank you for your message, Ann, great move",
        "Thank you for your patience: [pbem 1]",
        "Trả lời: [pbem 1] zipline",
        "Read this: [pbem 1] zipline",
        "Returned from holiday",
        "Delayed, sorry!",
        "Failure to see the obvious",
        "Re: [pbem 1] zipline (delivery failed)",
        "Absent friends, and my move",
        "Loop alert me please",
        "Nieobecny przyjaciel: d4",
        "Autobahn: [pbem 1] zipline",
        "[pbem 1] Away: d4",
        "Extern: d4",
    ],
)
def test_what_people_write_is_none_of_these(subject: str) -> None:
    """A word that automatic mail uses too, or a reply to such an email, is no reason to pass a message over."""
    assert not any(known(subject) for known in (is_away, is_returned, is_receipt))


def test_receipts_and_mail_that_came_back_are_known() -> None:
    """Receipts put one word before our subject; servers say what went wrong in many words."""
    assert is_receipt("Delivered: [pbem 1] zipline")
    assert is_receipt("Gelesen: AW: [pbem 1] zipline")
    assert is_returned("[EXT] Undeliverable: [pbem 1] zipline")
    assert is_returned("Unzustellbar: x")


@each("piece", ["[a] ", "*", "***a***", "ext: ", "away ", "a is out of ", "\u0301", "re: ", "( ", "- a "])
def test_no_subject_takes_long(piece: str) -> None:
    """Whatever a subject is made of, it is read in time proportional to its length."""
    started = process_time()
    for subject in (piece * 5_000, f"Away: {piece * 5_000}"):
        assert not any(known(subject) for known in (is_returned, is_receipt))
        is_away(subject)
    assert process_time() - started < 0.5
