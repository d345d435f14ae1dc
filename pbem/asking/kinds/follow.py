"""Following a match by email: an address that asks to is asked, and only its own yes makes it a follower.

Anybody can write in the name of an address. So what comes without a token of ours causes one question a month at most,
and otherwise ends email, never begins it. The emails to a follower carry the token of the question that began it.
"""

from pbem.asking.limits import allowance, may_cause_more
from pbem.asking.may_ask import why_unasked
from pbem.asking.posting import post
from pbem.commands.asking_effects import Ask, Follow, Settle, TellUnfollowed, Unfollow
from pbem.commands.decision import Decision, Step
from pbem.commands.effects import Effect
from pbem.commands.families.following import Unwatch, Watch, read_wish
from pbem.commands.families.forgetting import ForgetMe
from pbem.commands.rejections import Discard, NotFollowing, OnlyWatching, Rejection
from pbem.due.gate import is_too_late
from pbem.match.question import Question
from pbem.notices.render import follower_question
from pbem.pipeline.act import Act
from pbem.pipeline.identify import Origin
from pbem.pipeline.interpret import Reading
from pbem.storage.transaction import Transaction

ASKING = "confirm_follow"
"""The kind of the question to an address whether it wants to follow a match."""

MOST_FOLLOWERS, MOST_FOLLOWED = 50, 20
"""Addresses that may follow a match, and matches that an address may follow."""


def settle_following(act: Act, origin: Origin, reading: Reading) -> Decision | None:
    """Return what follows from a message about following a match; None for any other.

    Raise NotFollowing or OnlyWatching for one that changes nothing, and Discard for one that is not answered.
    """
    if not reading.whole:
        return None
    tx, sender, wish = act.tx, origin.sender, read_wish(reading.lines)
    asked = origin.question if origin.question and origin.question.kind == ASKING else None
    number = asked.match if asked else None
    follows = number is not None and number in tx.followers.of_address(sender)
    if asked and number is not None and wish is None:
        if reading.answer.means == "no":
            return _refuse(tx, sender) if asked.state == "open" else _end(act, Unwatch(number), sender)
        if reading.answer.means == "yes" and not follows:
            return _begin(act, asked, number, sender)
    if isinstance(wish, Watch):
        return _ask(act, wish, sender)
    if isinstance(wish, Unwatch):
        return _end(act, Unwatch(number if wish.match is None else wish.match), sender)
    if ForgetMe() in reading.commands:
        followed = () if origin.player else tx.followers.of_address(sender)
        return _end(act, Unwatch(None), sender, erasing=True) if followed else None
    if number is not None and follows:
        raise _within_limits(act, OnlyWatching(number), sender)
    return None


def ask_follower(act: Act, question: Question) -> None:
    """Ask an address whether it wants to follow a match."""
    match = act.tx.matches.get(question.match) if question.match is not None else None
    assert match is not None  # in this transaction it was found
    post(act, follower_question(ASKING, match, act.site.language), question)


def _begin(act: Act, question: Question, number: int, sender: str) -> Decision | None:
    """Return the decision that an address follows a match from now on, as it was asked; None where it's too late."""
    if question.state != "open" or is_too_late(act.tx, question.asked_at, act.now):
        return None
    if why := _why_not(act.tx, number, sender):
        raise _within_limits(act, NotFollowing(why, number), sender)
    return _decide("yes", [Follow(number, sender), Settle((question.id,), "yes")])


def _refuse(tx: Transaction, sender: str) -> Decision:
    """Return the decision that an address is asked no more whether it wants to follow any match."""
    asked = tx.questions.find(ASKING, email=sender)
    return _decide("no", [Settle(tuple(one.id for one in asked), "no")])


def _ask(act: Act, wish: Watch, sender: str) -> Decision:
    """Return the decision to ask an address whether it wants to follow a match, or to tell it why it cannot."""
    if why := _why_not(act.tx, wish.match, sender):
        raise _within_limits(act, NotFollowing(why, wish.match), sender)
    question = Question(ASKING, sender, match=wish.match)
    why = why_unasked(act, question)
    if why or _is_silenced(act, ASKING, sender):
        raise Discard("not asked to follow", why or "it had enough email today")
    return _decide(str(wish), [Ask(question)])


def _end(act: Act, wish: Unwatch, sender: str, *, erasing: bool = False) -> Decision:
    """Return the decision that an address follows a match no longer, or any: told as far as the limits let it.

    ``erasing``: it asked to be forgotten.
    """
    followed = act.tx.followers.of_address(sender)
    if wish.match not in followed if wish.match is not None else not followed:
        raise _within_limits(act, NotFollowing("follows_not", wish.match), sender)
    told = [] if _is_silenced(act, NotFollowing.kind, sender) else [TellUnfollowed(wish.match, sender, erasing)]
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


def _within_limits(act: Act, why: Rejection, sender: str) -> Rejection | Discard:
    """Return the rejection of a message about following, or its discard where its sender had enough answers."""
    if _is_silenced(act, why.kind, sender):
        return Discard("told enough of following", why.code.replace("_", " "))
    return why


def _is_silenced(act: Act, kind: str, sender: str) -> bool:
    """Return whether an address may get no more answers of a kind for now."""
    return bool(allowance(act, kind, sender).suppressed) or not may_cause_more(act, sender)


def _decide(done: str, effects: list[Effect]) -> Decision:
    """Return the decision with these effects, and what was carried out for the operator."""
    return Decision((Step(done, tuple(effects)),))
