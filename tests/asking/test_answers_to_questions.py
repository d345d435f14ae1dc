"""What comes of people's answers, in their own words, to every kind of question: approved, and never silence."""

from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.support.approved import approve
from tests.support.mails import text_of
from tests.support.questions import BY_NAME, KINDS, Asked, Clubs, settle

pytestmark = pytest.mark.sampled(3)

FOLDER = Path(__file__).parent / "answers"
ANSWERS = (
    *("Yes, of course!", "ok 👍", "Hi Carl,\n\nyes - gladly.\n\nBest wishes\nBob", "Ja, gerne"),
    "Yes\n\n--\nBob Miller | Miller & Sons Ltd\nTel. +44 20 7946 0123",
    *("Nope", "No, thank you!", "Non merci"),
    *("Yes, but not before Monday", "Who is asking?", "Maybe. I’ll tell you tomorrow", "yes and no"),
)
"""Of each the outcome is written down."""

UNCLEAR = ANSWERS[-4:]
"""A yes or a no that a careful person would ask about."""


def lead_of(mail: EmailMessage) -> str:
    """Return the beginning of an email: what it says first."""
    first, then, *_ = text_of(mail).strip().split("\n\n")
    return " ".join(f"{first} / {then}".split())


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_answer_is_understood_or_answered(clubs: Clubs, kind: Asked, pytestconfig: pytest.Config) -> None:
    """A clear yes is carried out, an unclear one is not, and whoever is not understood gets an email that says so."""
    question = clubs.asked(kind).question
    told = [f"{question['Subject']}\n\n{text_of(question).strip()}\n\n{'-' * 30}\n\n"]
    for words in ANSWERS:
        posed = clubs.asked(kind)
        arrival = posed.answer(words.replace("yes", kind.yes) if kind.yes == "resign" else words)
        settle(posed.club)
        answers = [mail for mail in arrival.outbound if mail.recipient == kind.reader]
        emails = ", ".join(f"{mail.kind}: {lead_of(posed.club.mail(mail))}" for mail in answers) or "no email"
        done = (
            "carried out"
            if posed.granted()
            else f"{arrival.message.status}: {arrival.message.code or arrival.message.reason}"
        )
        assert words not in UNCLEAR or (not posed.granted() and emails != "no email"), words
        told.append(f"{' / '.join(filter(None, words.splitlines()))}\n    {done}\n    {emails}\n")
    approve(FOLDER / f"{kind.name.replace(' ', '-')}.txt", "".join(told), update=pytestconfig.getoption("--update"))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_whoever_answers_unclearly_says_yes_to_what_asks_them_again(clubs: Clubs, kind: Asked) -> None:
    """The email that asks once more is answered like the first."""
    posed = clubs.asked(kind)
    again = posed.answer("Yes, but not before Monday")
    (asked, *_) = (mail for mail in again.outbound if mail.recipient == kind.reader)
    posed.club.service.hand_in(posed.club.answer(posed.club.mail(asked), kind.yes))
    settle(posed.club)
    assert posed.granted()


@pytest.mark.parametrize("words", ["forget me", "Please delete everything"])
@pytest.mark.parametrize("name", ["following", "signing up", "whose address is it", "invitation of a stranger"])
def test_whoever_wants_to_be_forgotten_agrees_to_nothing(clubs: Clubs, name: str, words: str) -> None:
    """It is an answer to one question alone, which has words of its own."""
    posed = clubs.asked(BY_NAME[name])
    assert posed.answer(words).outbound != ()
    settle(posed.club)
    assert not posed.granted()


def test_a_thumb_alone_gives_no_match_up(clubs: Clubs) -> None:
    """A tap on an email sends one."""
    posed = clubs.asked(BY_NAME["resigning below other words"])
    assert posed.answer("👍").message.code == "unclear"
    assert not posed.granted()
