"""What only the database can tell of a decision: whether a name is free, a seat can be offered, a review be made."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pbem.asking.afterthoughts import check_publishing
from pbem.asking.forgetting import check_address, check_export, check_name
from pbem.asking.seat_offers import check_end, check_offer
from pbem.asking.seconds import check_asking
from pbem.commands.asking_effects import AskSecond, EndStandIn, OfferSeat
from pbem.commands.decision import MatchDecision, Step
from pbem.commands.effects import AskReview, ClaimAddress, Export, PublishThoughts, Rename, TellOperator
from pbem.commands.rejections import NoCommand
from pbem.due.reports import check_report
from pbem.due.reviews import check_review
from pbem.match.match import Match
from pbem.pipeline.act import Act
from pbem.reading.reason import Reason

CHECKS: Mapping[type, Callable[[Act, Match, Any], Reason | Step | None]] = {
    Rename: check_name,
    ClaimAddress: check_address,
    Export: check_export,
    OfferSeat: check_offer,
    EndStandIn: check_end,
    AskSecond: check_asking,
    AskReview: check_review,
    PublishThoughts: check_publishing,
    TellOperator: check_report,
}
"""What looks at an effect: it returns why that can't be, or the step that is to be done instead; None where it can."""


def check(act: Act, decision: MatchDecision) -> MatchDecision:
    """Return a decision without what its sender can't have, and with why not. Raise NoCommand where nothing is left."""
    if not any(type(effect) in CHECKS for effect in decision.effects):
        return decision
    steps, asides = list[Step](), list[Reason]()
    for step in decision.steps:
        checked = (CHECKS[type(one)](act, decision.before, one) for one in step.effects if type(one) in CHECKS)
        found = next((one for one in checked if one is not None), None)
        if isinstance(found, Reason):
            asides.append(found)
        else:
            steps.append(step if found is None else replace(found, done=found.done or step.done))
    if asides and not any(step.done for step in steps):
        raise NoCommand(asides=(*decision.asides, *asides))
    return replace(decision, steps=tuple(steps), asides=(*decision.asides, *asides))
