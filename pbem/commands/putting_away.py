"""Putting a match away in which nobody writes any more, and taking it up again: nothing of it is lost. Pure."""

from dataclasses import replace
from datetime import datetime, timedelta

from pbem.commands.decision import MatchDecision, Step
from pbem.commands.effects import AddLog
from pbem.commands.families.forgetting import ASKING_TO_FORGET
from pbem.match.log import LogEntry
from pbem.match.match import Match
from pbem.match.timing import restart_clock

QUIET = timedelta(days=60)
"""So long after a flag, and without a word from anybody, a match is put away; the others were asked each week."""

QUIET_WITHOUT_CLOCK = timedelta(days=180)
"""So long without a word a match without a clock is put away: who wants none takes their time."""

_OF_ONESELF = frozenset({"status", "answer", "board", "display", "help", "help_commands", "help_dice", "new_address"})
"""Emails that somebody may ask for who doesn't want to go on with the match; so is leaving it, or all matches."""


def put_away(match: Match) -> MatchDecision:
    """Return the decision that puts a match away: it has no result, and waits for any of its players."""
    entry = LogEntry("put_away", None, {"clocked": match.clock is not None})
    return MatchDecision((Step("", (AddLog(entry),)),), before=match, after=match)


def take_up(decision: MatchDecision, now: datetime) -> MatchDecision:
    """Return ``decision`` about a match that is put away, with which its player takes it up again.

    Not so who has left it, who wants no more email, or who asks for nothing about it. Whoever is to act has at least
    the time of a move.
    """
    seat, after = decision.seat, decision.after
    asked = {reply.kind for reply in decision.replies} - _OF_ONESELF - {ASKING_TO_FORGET}
    wants = bool(decision.appended or decision.comments or decision.log or asked) and not decision.unsubscribes
    if seat is None or seat not in after.present or after.outcome is not None or not wants:
        return decision
    if after.clock and after.clock.halted == "flagged":
        after = restart_clock(after, now)
    step = Step("", (AddLog(LogEntry("taken_up", seat)),))
    return replace(decision, steps=(*decision.steps, step), after=after)
