"""Reviews that players ask for after a match: which one is next, and the email to the one who asked.

Like the turns of robots they are never made on the way of anything else: ``robot_turns`` lets a robot look, one at a
time.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.asking.limit_table import REVIEWS
from pbem.asking.posting import enqueue_notices
from pbem.commands.decision import Step
from pbem.commands.effects import AskReview, Reply
from pbem.match.log import LogEntry
from pbem.match.match import Match
from pbem.match.player import Player
from pbem.notices.audience import review_notice
from pbem.notices.render import answer_notice
from pbem.notices.sentences.reasons import say
from pbem.pipeline.act import Act, Cause
from pbem.ports import Problem, Review
from pbem.reading.reason import because
from pbem.storage.due import REVIEW_DUE
from pbem.storage.transaction import Transaction
from rules.position import Seat

KIND = "review"


@dataclass(frozen=True, slots=True)
class ReviewTurn:
    """A review that is to be made: the number of the message that asked for it, and the match and seat it is about.

    Moves after ``others`` entries are of somebody else, who had the seat then.
    """

    asked: int
    match: int
    seat: Seat
    problem: Problem
    others: tuple[int, ...]


def check_review(act: Act, match: Match, wish: AskReview) -> Step | None:
    """Return the step that says why nobody can make a review, or its player had it before; None where they can."""
    if _has_had(act.tx, match, wish.seat):
        code = "review_before"
    elif not act.site.robots:
        code = "review_off"
    elif _asked_enough(act.tx, match.players[wish.seat], act.now):
        code = "reviews_enough"
    else:
        return None
    return Step("", (Reply("answer", (because(code, most=REVIEWS.most),)),))


def find_review(tx: Transaction, now: datetime) -> ReviewTurn | None:
    """Return the review that was asked for first; what can't be made any more is taken off the schedule.

    Raise DamagedMatch.
    """
    while (number := tx.due.waiting_longest(REVIEW_DUE, now)) is not None:
        asked = tx.inbound.get(number)
        match = tx.matches.get(asked.match) if asked and asked.match is not None else None
        if asked and match and asked.seat is not None and _may_have(tx, match, asked.seat, asked.sender):
            others = list_others(match, tx.clocks.log(match.id), asked.seat)
            return ReviewTurn(number, match.id, asked.seat, problem_of(match, asked.seat), others)
        tx.due.cancel(REVIEW_DUE, number)
    return None


def drop_review(tx: Transaction, number: int) -> None:
    """Take a review off the schedule that can't be made."""
    tx.due.cancel(REVIEW_DUE, number)


def send_review(act: Act, turn: ReviewTurn, found: Review | None) -> None:
    """Queue the email with a review to whoever asked for it, if they may still have it.

    None: it came to no end, so they can ask again.
    """
    act.tx.due.cancel(REVIEW_DUE, turn.asked)
    asked, match = act.tx.inbound.get(turn.asked), act.tx.matches.get(turn.match)
    if asked is None or match is None or not _may_have(act.tx, match, turn.seat, asked.sender):
        return
    if found:
        notice = review_notice(match, turn.seat, found, act.site.archive, act.site.language, now=act.now)
    else:
        detail = say(because("review_in_vain"), act.site.language)
        notice = answer_notice(match, turn.seat, detail, act.site.language)
    enqueue_notices(act.because(Cause(f"review {turn.asked}", turn.asked)), match, [(turn.seat, notice)])


def _may_have(tx: Transaction, match: Match, seat: Seat, sender: str | None) -> bool:
    """Return whether who has the seat wrote from that address, the match is over, and they have had no review."""
    over = match.outcome is not None and sender in match.players[seat].emails
    return over and not _has_had(tx, match, seat)


def _asked_enough(tx: Transaction, player: Player, now: datetime) -> bool:
    """Return whether a player has asked for as many reviews as one can have in a day."""
    return tx.due.count_reviews(player.emails, now - REVIEWS.within) >= REVIEWS.most


def _has_had(tx: Transaction, match: Match, seat: Seat) -> bool:
    """Return whether a review of the seat's moves was sent; one of a match is enough, however often it's asked for."""
    return tx.outbound.has_written_to(match.id, seat, KIND, match.opened_at - timedelta(days=1))


def list_others(match: Match, log: Iterable[LogEntry], seat: Seat) -> tuple[int, ...]:
    """Return the plies after which a seat was somebody else's than its player's: a stand-in's, or who had it before."""
    others = {ply for ply in range(match.ply) if any(stint.covers(seat, ply) for stint in match.robots)}
    end, is_own = match.ply, True
    for passed in reversed([one for one in log if one.kind == "replaced" and one.arguments.get("seat") == seat]):
        if not is_own:
            others.update(range(passed.ply, end))
        elif not passed.arguments.get("back"):
            others.update(range(passed.ply))
            break
        end, is_own = passed.ply, not is_own
    return tuple(sorted(others))


def problem_of(match: Match, seat: Seat) -> Problem:
    """Return what a robot is to look at: nothing of the secret, but for a seed."""
    entries = tuple((entry.seat, entry.text) for entry in match.record)
    options = dict(match.options)
    return Problem(match.game.key, len(match.players), options, entries, 3, match.robot_seed(seat))
