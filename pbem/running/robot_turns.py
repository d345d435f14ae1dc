"""Lets robots move: one thinks at a time, beside everything else; its move then enters in one transaction."""

import logging
from dataclasses import replace

from pbem.commands.rejections import Discard, Rejection
from pbem.due.letter.swings import drop_swing, find_swing, keep_swing
from pbem.due.reviews import ReviewTurn, drop_review, find_review, send_review
from pbem.due.robot_moves import RobotTurn, find_robot_turn, play_robot_turn, put_off_robot_turn
from pbem.errors import DamagedMatch, DamagedRow, ThoughtLost
from pbem.log.logbook import event
from pbem.mail.compose import Site
from pbem.pipeline.act import Act
from pbem.ports import Answer, Clock, Problem, Review, Thinker
from pbem.storage.database import Database
from pbem.storage.due import REVIEW_DUE, ROBOT_DUE, SWING_DUE

log = logging.getLogger("pbem")


async def let_robot_move(database: Database, thinker: Thinker, clock: Clock, site: Site) -> bool:
    """Let the robot think that has waited longest, and play what it has thought; return whether one did.

    The match may go on meanwhile: then the thought is dropped. A process that ends in between leaves nothing, and
    the next one thinks the same.
    """
    turn = _find(database, clock, site)
    if turn is None:
        return False
    answer = await _think(thinker, turn, turn.problem) if turn.problem else None
    now = clock.now()
    with database.transaction() as tx:
        if isinstance(answer, str):
            put_off_robot_turn(Act(tx, site, now), turn.match, answer)
            return True
        try:
            played = play_robot_turn(Act(tx, site, now), turn, answer)
        except (Rejection, Discard) as refused:
            put_off_robot_turn(Act(tx, site, now), turn.match, f"its move is refused ({type(refused).__name__})")
            return True
    word = "plays" if played else "thought in vain"
    log.info("the robot in match %d %s", turn.match, word, extra=event("robot_moved", match=turn.match, seat=turn.seat))
    return True


def _find(database: Database, clock: Clock, site: Site) -> RobotTurn | None:
    """Return the turn of the robot that has waited longest; a damaged match is put off, and others come first."""
    while True:
        now = clock.now()
        with database.reading() as tx:
            if tx.due.waiting_longest(ROBOT_DUE, now) is None:
                return None
        try:
            with database.transaction() as tx:
                return find_robot_turn(tx, now)
        except DamagedMatch as damaged:
            with database.transaction() as tx:
                put_off_robot_turn(Act(tx, site, now), damaged.id, str(damaged))


async def make_review(database: Database, thinker: Thinker, clock: Clock, site: Site) -> bool:
    """Make the review that was asked for first, and have it sent; return whether there was one.

    It is as long as there is time for: what comes to no end is tried again as weaker robots look.
    """
    now = clock.now()
    with database.reading() as tx:
        number = tx.due.waiting_longest(REVIEW_DUE, now)
    if number is None:
        return False
    try:
        with database.transaction() as tx:
            turn = find_review(tx, now)
    except DamagedMatch:
        with database.transaction() as tx:
            drop_review(tx, number)
        return True
    if turn is None:
        return False
    found, _ = await _look_back(thinker, turn)
    with database.transaction() as tx:
        send_review(Act(tx, site, clock.now()), turn, found)
    log.info("a review in match %d", turn.match, extra=event("reviewed", match=turn.match, seat=turn.seat))
    return True


async def look_back_at_week(database: Database, thinker: Thinker, clock: Clock, site: Site) -> bool:
    """Let a robot look at the moves of one seat for a Sunday letter, and keep what it finds; return whether one did."""
    now = clock.now()
    with database.reading() as tx:
        number = tx.due.waiting_longest(SWING_DUE, now)
    if number is None:
        return False
    try:
        with database.transaction() as tx:
            swing = find_swing(tx, now)
    except DamagedRow:
        with database.transaction() as tx:
            drop_swing(tx, number)
        return True
    if swing is None:
        return False
    found, strength = await _look_back(thinker, swing.turn)
    with database.transaction() as tx:
        keep_swing(Act(tx, site, clock.now()), swing, strength, found)
    log.info("a look back at match %d", swing.turn.match, extra=event("looked_back", match=swing.turn.match))
    return True


async def _look_back(thinker: Thinker, turn: ReviewTurn) -> tuple[Review | None, int]:
    """Return a review and its strength, a shorter one where it came to no end; None if none did."""
    for strength in range(turn.problem.strength, 0, -1):
        try:
            return await thinker.review(replace(turn.problem, strength=strength), turn.seat, turn.others), strength
        except ThoughtLost as lost:
            log.warning(
                "the review in match %d, strength %d: %s",
                *(turn.match, strength, lost),
                extra=event("thought_lost", match=turn.match, seat=turn.seat, strength=strength),
            )
    return None, 0


async def _think(thinker: Thinker, turn: RobotTurn, problem: Problem) -> Answer | str:
    """Return what a robot has thought, a weaker one where it came to no end; why none did, if none did."""
    why = ""
    for strength in range(problem.strength, 0, -1):
        try:
            return await thinker.think(replace(problem, strength=strength))
        except ThoughtLost as lost:
            why = why or str(lost)
            log.warning(
                "the robot in match %d, strength %d: %s",
                *(turn.match, strength, lost),
                extra=event("thought_lost", match=turn.match, seat=turn.seat, strength=strength),
            )
    return why
