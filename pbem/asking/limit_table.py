"""How much email of each kind somebody may cause: enough for people, too little to turn it against anybody. Pure.

Whoever forges From, or invents addresses, causes no more than this. The limits of all kinds together stand in
``limits``, what is had at the same time (matches, followers, addresses) where it is granted.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from pbem.commands.families.forgetting import ASKING_TO_FORGET

HOUR, DAY, WEEK, MONTH = timedelta(hours=1), timedelta(days=1), timedelta(days=7), timedelta(days=30)
REMEMBERED = timedelta(days=365)
"""So long a no counts, and an email that came back: who gave it is not asked again."""

ANSWERABLE = timedelta(days=14)
"""The time in which a question can be answered, and is not asked again."""


class Rate(NamedTuple):
    """So many at most within a time."""

    most: int
    within: timedelta = DAY


def is_full(rate: Rate | None, times: Iterable[datetime], now: datetime) -> bool:
    """Return whether a rate allows no more of what happened at these times (UTC)."""
    return rate is not None and sum(at > now - rate.within for at in times) >= rate.most


@dataclass(frozen=True, slots=True)
class Limit:
    """The limits of one kind: None for what other limits keep low enough.

    ``to`` one mailbox; ``about`` one player; to ``everybody`` together.
    A question that nobody has answered is asked ``again`` after so long. One that ``invites`` strangers goes to each of
    them once, of whatever kind.
    """

    to: Rate | None = None
    about: Rate | None = None
    everybody: Rate | None = None
    again: timedelta = ANSWERABLE
    invites: bool = False


COME_BACK = "come_back"
"""The kind of the answer to a newcomer on a day on which as many have come as may."""

_TO_STRANGERS = Rate(50)

LIMITS: Mapping[str, Limit] = {
    # Questions: who is asked may be a stranger, who never wrote.
    "was_this_you": Limit(to=Rate(3)),
    "confirm_address": Limit(to=Rate(3, WEEK), about=Rate(3, WEEK), everybody=Rate(50, WEEK)),
    "confirm_follow": Limit(everybody=Rate(50), again=MONTH),
    "confirm_start": Limit(to=Rate(3), invites=True),
    "invitation": Limit(to=Rate(5), invites=True),
    "seat_offered": Limit(to=Rate(2), invites=True),
    "comment_asked": Limit(to=Rate(3)),
    "second_offered": Limit(to=Rate(2), invites=True),
    "unproven": Limit(to=Rate(5), again=timedelta(hours=6)),  # for each match
    ASKING_TO_FORGET: Limit(to=Rate(1)),
    # What is told, or sent, because somebody did something.
    "invitation_news": Limit(to=Rate(15)),  # somebody joins, and leaves, again and again
    "commented": Limit(to=Rate(3)),
    "contest_news": Limit(to=Rate(15)),
    "export": Limit(to=Rate(1)),
    # Answers to mistakes, and to whoever answers no email of a match. They are enough for a player’s typos, and end a
    # loop with a machine that does not mark its email. What players ask for in a match, ``may_cause_more`` limits.
    "unknown_sender": Limit(to=Rate(1, MONTH), everybody=_TO_STRANGERS),  # anybody can have it sent, by forging From
    "unknown_match": Limit(to=Rate(3)),
    "too_often": Limit(to=Rate(1)),
    "flooding": Limit(to=Rate(1)),
    "not_authentic": Limit(to=Rate(1)),
    "old_mail": Limit(to=Rate(3)),
    "confirm": Limit(to=Rate(3)),
    "following": Limit(to=Rate(3), everybody=_TO_STRANGERS),
    "watching": Limit(to=Rate(1)),
    "starting": Limit(to=Rate(3)),  # without an email of ours
    COME_BACK: Limit(to=Rate(1, WEEK), everybody=Rate(15)),  # to people who are proven to have written
    "not_started": Limit(to=Rate(3)),  # to whoever answers a question, which nobody can forge
    "unsent": Limit(to=Rate(1000)),  # a receipt for every move
    **dict.fromkeys(("status", "settings", "show"), Limit(to=Rate(5))),  # outside matches: without an email of ours
}
"""The limits by the kind of the email."""

PROVEN = 2
"""People who are proven to have written, and don't play here, share so many times as much as everybody else does.

Nobody can turn what they cause against others. One domain has half of it: that leaves a public provider with room for
more newcomers than come in a day, and others with as much beside a domain that sends in bulk.
"""

STRANGERS = Rate(30)
"""First emails, of whatever kind, to people who do not play here."""

INVITED = Rate(10)
"""People whom one player invites, or offers a seat."""

OFFERED = Rate(3, WEEK)
"""Offers of a seat that are made from one seat."""

REMARKED = Rate(5)
"""Matches of others under whose moves one reader asks to write."""

RENAMED = Rate(2, MONTH)
"""Other names of one player: others have to know who they play."""

REPORTED = Rate(3)
"""What one player tells the operator, who gets one email a day, whatever all of them tell."""

REVIEWS = Rate(10)
"""Reviews that one player asks for: each may take a robot minutes, and others wait."""

OTHER_ANSWERS = Rate(10)
"""Answers of any other kind to one address."""


def limit_of(kind: str) -> Limit:
    """Return the limits of a kind of email: those of answers, where it has none of its own."""
    return LIMITS.get(kind, Limit(to=OTHER_ANSWERS))
