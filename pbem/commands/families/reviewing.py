"""The family of reviews: after the end, a player asks which of their moves cost most. Pure."""

from dataclasses import dataclass
from datetime import datetime

from pbem.commands.decision import Family, HelpRow, Keyword, MatchSituation, Spelled
from pbem.commands.effects import AskReview


@dataclass(frozen=True, slots=True)
class Review(Spelled):
    """The sender asks what a robot says of their moves."""

    says = "review"


def _apply(situation: MatchSituation, command: Review, now: datetime) -> MatchSituation:
    """Ask for the review of a match that is over; that of one that goes on would tell how it is to be played."""
    if situation.match.outcome is None:
        return situation.answered("review", "review_later")
    return situation.answered("review", "review_coming", AskReview(situation.match.id, situation.seat))


FAMILY = Family(
    name="reviewing",
    types=(Review,),
    apply=_apply,
    keywords=(Keyword("review", Review()),),
    help=(HelpRow("review", lambda match, seat: match.outcome is not None, basic=True),),
)
