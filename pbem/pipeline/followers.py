"""Followers of matches are told of moves here, and of the end: after what happened, never while a message waits."""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.asking.kinds.follow import ASKING
from pbem.asking.posting import enqueue, pose, post
from pbem.commands.asking_effects import Follow, TellUnfollowed
from pbem.commands.decision import Decision
from pbem.commands.rejections import NotFollowing, OnlyWatching
from pbem.errors import Busy, DamagedRow
from pbem.log.logbook import event
from pbem.mail.compose import Recipient, Site
from pbem.match.match import Comment, Match
from pbem.match.privacy import is_private
from pbem.match.question import Question
from pbem.notices.render import follower_notice, plain_notice
from pbem.pipeline.act import Act, Cause
from pbem.storage.database import Database
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
                _tell_of_match(Act(tx, site, now), number)
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


def begin_following(act: Act, _: Decision, effect: Follow) -> None:
    """Show a match to whoever follows it now."""
    match = act.tx.matches.get(effect.match, comments=True)
    assert match is not None
    _tell(act, match, effect.email, None)


def tell_unfollowed(act: Act, _: Decision, effect: TellUnfollowed) -> None:
    """Answer whoever follows a match no longer."""
    _answer(act, effect.code, effect.match, effect.email)


def answer_follower(act: Act, why: NotFollowing | OnlyWatching, email: str) -> None:
    """Queue the answer to a rejected message about following a match, or from somebody who follows one."""
    if isinstance(why, NotFollowing):
        _answer(act, why.code, why.match, email)
        return
    post(act, plain_notice(why.kind, act.site.language, number=why.match), _question_of(act, why.match, email))


def _answer(act: Act, code: str, match: int | None, email: str) -> None:
    """Queue an answer about following a match, None: about following any."""
    notice = plain_notice(NotFollowing.kind, act.site.language, code=code, number=match)
    thread = None if match is None else act.tx.outbound.thread_with(match, email)
    enqueue(act, notice, Recipient("", email, thread=thread))


def _question_of(act: Act, match: int, email: str) -> Question:
    """Return the question by which an address follows a match; a backup may have lost it."""
    found = act.tx.questions.find(ASKING, email=email, match=match)
    return found[0] if found else pose(act, Question(ASKING, email, match=match, state="yes"))


def _tell_of_match(act: Act, number: int) -> None:
    """Tell the followers of a match what is new to them, and let those follow it no longer who are not to."""
    match = act.tx.matches.get(number, comments=True)
    for follower in act.tx.followers.waiting(act.now - _TOGETHER, number):
        left = match is None or follower.private or follower.lost or act.tx.followers.plays(number, follower.email)
        if left or act.tx.blocked.has(follower.email):
            act.tx.followers.remove(number, follower.email)
        elif match is not None and _is_new_to(follower):
            cause = Cause(f"followers of {number} {match.turn} {'over' if follower.over else 'on'}")
            _tell(act.because(cause), match, follower.email, follower)
            if follower.over:
                act.tx.followers.remove(number, follower.email)


def _tell(act: Act, match: Match, email: str, follower: Follower | None) -> None:
    """Queue the email that shows a match to an address: what is new to a ``follower``, or where it begins to follow."""
    said = [comment for comment in match.comments if not is_private(comment)]
    last = (_Told.read(follower.key) if follower else None) or _Told(match.turn, len(said))
    told = match.ply_of(last.turn)
    since = match.ply if told < 0 else max(told, match.ply - _LONGEST_STORY)
    notice = follower_notice(
        match,
        match.at(since),
        _latest(said[last.said :]),
        act.site.archive,
        act.site.language,
        begins=follower is None,
        changed=told < 0,
    )
    now_told = _Told(match.turn, len(said), match.outcome is not None)
    post(act, notice, _question_of(act, match.id, email), key=str(now_told))


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
