"""Followers of matches are told of moves here, and of the end: after what happened, never while a message waits."""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pbem.asking.following import ASKING, open_key
from pbem.commands.decision import Decision
from pbem.commands.effects import AskFollower, Follow, TellUnfollowed
from pbem.commands.rejections import NotFollowing, OnlyWatching
from pbem.errors import Busy, DamagedRow
from pbem.inbound.reply import quotable_words
from pbem.log.logbook import event
from pbem.mail.compose import Notice, Recipient, Site, compose
from pbem.match.match import Comment, Match
from pbem.match.privacy import is_private
from pbem.notices.render import follower_notice, follower_question, plain_notice
from pbem.pipeline.record import Cause
from pbem.storage.database import Database, Transaction
from pbem.storage.followers import Follower

log = logging.getLogger("pbem")

_TOGETHER = timedelta(hours=1)
"""A follower gets at most one email about a match in this time, which tells of all moves since the one before."""

_LONGEST_STORY = 6  # entries
_MOST_SAID = 12_000  # bytes (UTF-8) of comments in an email
_KEY = re.compile(r"(?P<turn>\d{1,9}) (?P<said>\d{1,9}) (?P<state>on|over)", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Told:
    """What an email to a follower tells: up to which turn, how many comments so far, and whether of the end.

    It is kept as the key of the email.
    """

    turn: int
    said: int
    over: bool = False

    def __str__(self) -> str:
        return f"{self.turn} {self.said} {'over' if self.over else 'on'}"

    @staticmethod
    def read(key: str) -> "_Told | None":
        """Return what an email with this key told; None for no key, or for one that says nothing."""
        found = _KEY.fullmatch(key)
        return _Told(int(found["turn"]), int(found["said"]), found["state"] == "over") if found else None


def tell_followers(database: Database, site: Site, now: datetime) -> None:
    """Queue an email to everybody who follows a match that has gone on since the last; raises Busy.

    Nothing that a message causes has to look for followers: this looks at those that there are.
    """
    with database.reading() as tx:
        waiting = tx.followers.waiting(now - _TOGETHER)
    for number in dict.fromkeys(one.match for one in waiting if one.lost or one.private or _is_new_to(one)):
        try:
            with database.transaction() as tx:
                _tell_of_match(tx, number, site, now)
        except Busy:
            raise
        except Exception as error:  # neither damage nor a bug may delay the email of other matches
            log.error(
                "followers of match %d are not told: %s",
                number,
                error,
                exc_info=not isinstance(error, DamagedRow),
                extra=event("followers_not_told", match=number),
            )


def announce_following(tx: Transaction, decision: Decision, site: Site, cause: Cause, now: datetime) -> None:
    """Queue what a decision about following tells an address: a question, an answer, or the board."""
    for effect in decision.effects:
        if isinstance(effect, AskFollower):
            match = tx.matches.get(effect.match)
            assert match is not None  # in this transaction it was found
            asked = Recipient("", effect.email, held=effect.match, purpose="wat")
            _enqueue(
                tx, follower_question(ASKING, match, site.language), asked, site, cause, now, open_key(effect.match)
            )
        elif isinstance(effect, Follow):
            match = tx.matches.get(effect.match, comments=True)
            assert match is not None
            _tell(tx, match, effect.email, None, site, cause, now)
        elif isinstance(effect, TellUnfollowed):
            _answer(tx, effect.code, effect.match, effect.email, site, cause, now)


def answer_follower(
    tx: Transaction, why: NotFollowing | OnlyWatching, email: str, site: Site, cause: Cause, now: datetime
) -> None:
    """Queue the answer to a rejected message about following a match, or from somebody who follows one."""
    if isinstance(why, NotFollowing):
        _answer(tx, why.code, why.match, email, site, cause, now)
        return
    recipient = Recipient("", email, held=why.match, purpose="fol")
    _enqueue(tx, plain_notice(why.kind, site.language, number=why.match), recipient, site, cause, now)


def _answer(tx: Transaction, code: str, match: int | None, email: str, site: Site, cause: Cause, now: datetime) -> None:
    """Queue an answer about following a match, None: about following any."""
    notice = plain_notice(NotFollowing.kind, site.language, code=code, number=match)
    _enqueue(tx, notice, Recipient("", email), site, cause, now)


def _tell_of_match(tx: Transaction, number: int, site: Site, now: datetime) -> None:
    """Tell the followers of a match what is new to them, and let those follow it no longer who are not to."""
    match = tx.matches.get(number, comments=True)
    for follower in tx.followers.waiting(now - _TOGETHER, number):
        left = match is None or follower.private or follower.lost or tx.followers.plays(number, follower.email)
        if left or tx.blocked.has(follower.email):
            tx.followers.remove(number, follower.email)
        elif match is not None and _is_new_to(follower):
            cause = Cause(f"followers of {number} {match.turn} {'over' if follower.over else 'on'}")
            _tell(tx, match, follower.email, follower, site, cause, now)
            if follower.over:
                tx.followers.remove(number, follower.email)


def _tell(
    tx: Transaction, match: Match, email: str, follower: Follower | None, site: Site, cause: Cause, now: datetime
) -> None:
    """Queue the email that shows a match to an address: what is new to a ``follower``, or where it begins to follow."""
    said = [comment for comment in match.comments if not is_private(comment)]
    last = (_Told.read(follower.key) if follower else None) or _Told(match.turn, len(said))
    told = match.ply_of(last.turn)
    since = match.ply if told < 0 else max(told, match.ply - _LONGEST_STORY)
    notice = follower_notice(
        match,
        match.at(since),
        _latest(said[last.said :]),
        site.archive,
        site.language,
        begins=follower is None,
        changed=told < 0,
    )
    thread = (follower.message_id, follower.message_id) if follower and follower.message_id else None
    recipient = Recipient("", email, thread=thread, held=match.id, purpose="fol")
    now_told = _Told(match.turn, len(said), match.outcome is not None)
    _enqueue(tx, notice, recipient, site, cause, now, str(now_told))


def _is_new_to(follower: Follower) -> bool:
    """Return whether the match has gone on, or has ended, since the last email to a follower."""
    last = _Told.read(follower.key)
    return last is None or (last.turn, last.over) != (follower.plies + follower.rewound, follower.over)


def _latest(comments: Sequence[Comment]) -> list[Comment]:
    """Return the latest comments, oldest first, as far as there is room for them."""
    left, found = _MOST_SAID, list[Comment]()
    for comment in reversed(comments):
        left -= len(comment.text.encode())
        if left < 0:
            break
        found.insert(0, comment)
    return found


def _enqueue(
    tx: Transaction, notice: Notice, recipient: Recipient, site: Site, cause: Cause, now: datetime, key: str = ""
) -> None:
    """Queue an email to an address outside all seats, with what a reply may quote of it."""
    message = compose(notice, recipient, site, cause.text, now, cause.inbound)
    tx.outbound.enqueue([replace(message, quotable=quotable_words(message.quotable))], now, key=key)
