"""Following a match by email: an address that asks to is asked, and only its own yes makes it a follower.

Anybody can write in the name of an address. So what comes without a token of ours causes one question a day at most,
and otherwise ends email, never begins it.
"""

from datetime import datetime

from pbem.asking.limit_table import ANSWERABLE, LIMITS, REMEMBERED, is_full
from pbem.asking.limits import allowance, may_cause_more
from pbem.commands.asking_effects import AskFollower, Follow, TellUnfollowed, Unfollow
from pbem.commands.decision import Decision, Step
from pbem.commands.effects import Effect
from pbem.commands.families.following import Unwatch, Watch, read_wish
from pbem.commands.families.forgetting import ForgetMe
from pbem.commands.rejections import Discard, NotFollowing, OnlyWatching, Rejection
from pbem.mail.headers import mailbox_of
from pbem.pipeline.identify import Origin
from pbem.pipeline.interpret import Reading
from pbem.storage.database import Transaction

ASKING = "confirm_follow"
"""The kind of the question to an address whether it wants to follow a match."""

MOST_FOLLOWERS, MOST_FOLLOWED = 50, 20
"""Addresses that may follow a match, and matches that an address may follow."""

_BEGINNING, _OPEN, _ANSWERED, _REFUSED = "watch ", "open", "answered", "refused"


def open_key(match: int) -> str:
    """Return the key of a question about a match that can be answered."""
    return f"{_BEGINNING}{match} {_OPEN}"


def answered_key(match: int) -> str:
    """Return the key of a question about a match to which the answer was yes."""
    return f"{_BEGINNING}{match} {_ANSWERED}"


REFUSED_KEY = f"{_BEGINNING}{_REFUSED}"
"""The key of all questions to an address that has said no."""

ALL_KEYS = _BEGINNING
"""How the keys of all questions begin."""


def settle_following(tx: Transaction, origin: Origin, reading: Reading, now: datetime) -> Decision | None:
    """Return what follows from a message about following a match; None for any other.

    Raise NotFollowing or OnlyWatching for one that changes nothing, and Discard for one that is not answered.
    """
    if not reading.whole:
        return None
    wish = read_wish(reading.lines)
    answer = reading.answer.means if origin.proves_address and wish is None else ""
    sender = origin.sender
    if origin.asked is not None and answer:
        return _settle_answer(tx, sender, origin.asked, answer, now)
    if origin.follows is not None and answer == "no":
        wish = Unwatch(origin.follows)
    if isinstance(wish, Watch):
        return _ask(tx, wish, sender, now)
    if isinstance(wish, Unwatch):
        number = wish.match if wish.match is not None else origin.follows or origin.asked
        return _end(tx, Unwatch(number), sender, now)
    if ForgetMe() in reading.commands:
        followed = () if origin.player else tx.followers.of_address(sender)
        return _end(tx, Unwatch(None), sender, now, erasing=True) if followed else None
    if origin.follows is not None and origin.follows in tx.followers.of_address(sender):
        raise _within_limits(tx, OnlyWatching(origin.follows), sender, now)
    return None


def _settle_answer(tx: Transaction, sender: str, number: int, answer: str, now: datetime) -> Decision | None:
    """Return what follows from the answer of an address to the question whether it wants to follow a match."""
    if answer == "no":
        return _decide("no", [Unfollow(number, sender, refused=True)])
    if number in tx.followers.of_address(sender):
        raise Discard("follows already")
    if not tx.outbound.has_key(sender, open_key(number), now - ANSWERABLE):
        return None
    if why := _why_not(tx, number, sender):
        raise _within_limits(tx, NotFollowing(why, number), sender, now)
    return _decide("yes", [Follow(number, sender)])


def _ask(tx: Transaction, wish: Watch, sender: str, now: datetime) -> Decision:
    """Return the decision to ask an address whether it wants to follow a match, or to tell it why it cannot."""
    if why := _why_not(tx, wish.match, sender):
        raise _within_limits(tx, NotFollowing(why, wish.match), sender, now)
    if why := _why_unasked(tx, sender, now):
        raise Discard("not asked to follow", why)
    return _decide(str(wish), [AskFollower(wish.match, sender)])


def _end(tx: Transaction, wish: Unwatch, sender: str, now: datetime, *, erasing: bool = False) -> Decision:
    """Return the decision that an address follows a match no longer, or any: told as far as the limits let it.

    ``erasing``: it asked to be forgotten.
    """
    followed = tx.followers.of_address(sender)
    if wish.match not in followed if wish.match is not None else not followed:
        raise _within_limits(tx, NotFollowing("follows_not", wish.match), sender, now)
    told = [] if _is_silenced(tx, NotFollowing.kind, sender, now) else [TellUnfollowed(wish.match, sender, erasing)]
    return _decide(str(wish), [Unfollow(wish.match, sender), *told])


def _why_not(tx: Transaction, number: int, sender: str) -> str:
    """Return why an address cannot follow a match, as the code of a sentence; an empty text if it can.

    A private match is answered like one that is not there, and like one that is over.
    """
    match = tx.followers.find_match(number)
    if match is None or match.over:
        return "no_match"
    if tx.followers.plays(number, sender):
        return "plays"
    if match.private:
        return "no_match"
    followed = tx.followers.of_address(sender)
    if number in followed:
        return "follows"
    if len(followed) >= MOST_FOLLOWED:
        return "enough"
    return "full" if tx.followers.count(number) >= MOST_FOLLOWERS else ""


def _why_unasked(tx: Transaction, sender: str, now: datetime) -> str:
    """Return why an address is not asked, for the operator; an empty text if it is."""
    if tx.outbound.has_bounced(sender, now - ANSWERABLE):
        return "email to it came back"
    asked = tx.outbound.keys(ASKING, now - REMEMBERED)
    same = [(key, at) for to, key, at in asked if mailbox_of(to) == mailbox_of(sender)]
    if any(key == REFUSED_KEY for key, _ in same):
        return "it has said no to such a question"
    limit = LIMITS["unanswered_follow"]
    if any(key.endswith(_OPEN) and at > now - limit.again for key, at in same):
        return "it was asked within a month, and has not answered"
    if is_full(limit.everybody, (at for _, key, at in asked if key.endswith(_OPEN)), now):
        return "there were enough such questions today"
    return "it had enough email today" if _is_silenced(tx, ASKING, sender, now) else ""


def _within_limits(tx: Transaction, why: Rejection, sender: str, now: datetime) -> Rejection | Discard:
    """Return the rejection of a message about following, or its discard where its sender had enough answers."""
    if _is_silenced(tx, why.kind, sender, now):
        return Discard("told enough of following", why.code.replace("_", " "))
    return why


def _is_silenced(tx: Transaction, kind: str, sender: str, now: datetime) -> bool:
    """Return whether an address may get no more answers of a kind for now."""
    return bool(allowance(tx, kind, sender, now).suppressed) or not may_cause_more(tx, sender, now)


def _decide(done: str, effects: list[Effect]) -> Decision:
    """Return the decision with these effects, and what was carried out for the operator."""
    return Decision((Step(done, tuple(effects)),))
