"""The family of being forgotten: the wish alone, which is asked about, and how a player leaves their matches. Pure."""

from dataclasses import dataclass
from datetime import datetime

from pbem.commands.decision import Family, HelpRow, Keyword, MatchDecision, Situation, Spelled, Step
from pbem.commands.effects import Append, Forget, Reply
from pbem.match.match import Match, advance_automatically
from pbem.match.player import Player
from pbem.match.timing import pass_clock
from rules.position import Entry, Seat

FORGET_ME = "forget me"
"""What a player writes, and writes again in answer to the question about it."""

ASKING_TO_FORGET = "forget"
"""The kind of that question; nothing but these words in answer to it counts."""

NOT_FORGOTTEN = "not_forgotten"
"""The code of any other answer to it."""


@dataclass(frozen=True, slots=True)
class ForgetMe(Spelled):
    """The sender wants everything erased that says who they are."""

    says = FORGET_ME


def confirm_forgetting(player: Player) -> Situation:
    """Return the decision that follows from the words in answer to the question."""
    return Situation(player=player).carried(FORGET_ME, Forget(player))


def resign_for_good(match: Match, seat: Seat, now: datetime) -> MatchDecision | None:
    """Return the decision by which a forgotten player gives a match up; None where they have left, or it is over."""
    if match.outcome is not None or seat in match.position.departed():
        return None
    after = advance_automatically(match.after(Entry(seat, "resign"), now), now)
    entries = zip(after.record[match.ply :], after.times[match.ply :], strict=True)
    step = Step("resign", tuple(Append(entry, at) for entry, at in entries))
    return MatchDecision((step,), before=match, after=pass_clock(match, after, now))


def _apply(situation: Situation, command: ForgetMe, now: datetime) -> Situation:
    """Ask the sender by an email to their own address, whoever wrote this."""
    return situation.carried(FORGET_ME, Reply(ASKING_TO_FORGET))


FAMILY = Family(
    name="forgetting",
    topic="you",
    types=(ForgetMe,),
    apply=_apply,
    keywords=(Keyword(FORGET_ME, ForgetMe(), consequential=True),),
    help=(HelpRow(FORGET_ME),),
    scope="player",
)
