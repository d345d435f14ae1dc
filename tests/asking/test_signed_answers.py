"""What stands below an answer about contests, votes and afterthoughts spoils it no more than it does a move."""

from collections.abc import Callable

import pytest

from pbem.asking.seconds import TURN, WORDS
from pbem.storage.messages.records import InboundRecord
from tests.support.clocks import wait
from tests.support.club import Club
from tests.support.laid import Laid
from tests.support.mails import text_of

ANN, BOB, CARL, DAN = (
    "Ann <ann@a.example>",
    "Bob <bob@b.example>",
    "Carl <carl@c.example>",
    "Daniel Miller <d@d.example>",
)
SETTINGS = {"new_matches": "anybody", "archive_url": "https://play.example/archive", "robots": "off"}
QUOTED = "On Fri, 20 Nov 2026 at 19:30, pbem <games@play.example> wrote:\n\n> Reply with a point, such as c3."
BELOW = ("Dan", "-- \nDan", "Best, Dan", "Best wishes,\nDan M.", "– Dan", f"Cheers\n\nDaniel\n\n{QUOTED}")
"""“Dan” is also a word in other languages, so it is a name only to whoever knows who writes."""


def _asked_to_vote(club: Club) -> None:
    club.open("pipline", (ANN, BOB), days=4)
    club.open("pipline", (CARL, DAN))
    wait(club, minutes=1)
    club.reply(0, "second d@d.example")


def _voting(club: Club) -> None:
    _asked_to_vote(club)
    club.answer_kind("second_offered", -1, "yes")
    club.reply(0, "second carl@c.example")
    club.answer_kind("second_offered", -1, "yes")


def _proposed(club: Club) -> None:
    _voting(club)
    club.answer_kind(TURN, -1, "c3")


def _challenged(club: Club) -> None:
    club.open("pipline", (DAN, BOB), days="none")
    for seat in range(2):
        club.reply(seat, "ladder pipline")
    club.reply(1, "challenge Daniel")


def _over(club: Club) -> None:
    club.open("pipline", (DAN, BOB), days="none")
    club.reply(0, "c3")
    club.reply(1, "resign")


def _commented(club: Club) -> None:
    _over(club)
    club.open("pipline", (ANN, CARL), days="none")
    club.reply(0, "comment 1#1 Well opened", match=2)


@pytest.mark.parametrize(
    ("begin", "kind", "words", "done"),
    [
        (_asked_to_vote, "second_offered", "yes", "yes"),
        (_voting, TURN, "c3", "vote c3"),
        (_voting, TURN, "show", "show"),
        (_proposed, WORDS, "yes", "vote c3"),
        (_challenged, "invitation", "Yes, of course!", "join 1"),
        (_challenged, "invitation", "No, thank you", "cancel 1"),
        (_challenged, "starting", "leave ladder pipline", "leave ladder pipline"),
        (_over, "match_over", "comment #1 Well opened", "comment 1#1 Well opened"),
        (_commented, "comment_asked", "yes", "yes"),
    ],
)
def test_a_name_below_an_answer_changes_nothing(
    laid: Laid, begin: Callable[[Club], None], kind: str, words: str, done: str
) -> None:
    """However it is signed, it does the same as unsigned, and its sender is told the same."""
    told = set[tuple[str, ...]]()
    for below in ("", *BELOW):
        club, _ = laid.after(begin, SETTINGS)
        (*_, asked) = (mail for mail in club.queued(kind=kind) if mail.recipient == "d@d.example")
        arrival = club.service.hand_in(club.answer(club.mail(asked), f"{words}\n\n{below}"))
        _check(arrival.message, done, below)
        told.add(tuple(text_of(club.mail(mail)) for mail in arrival.outbound if mail.recipient == "d@d.example"))
    assert len(told) == 1


def _check(message: InboundRecord, done: str, below: str) -> None:
    """See that a message was carried out, and nothing besides."""
    assert (message.status, list(message.commands)) == ("accepted", [done]), below
